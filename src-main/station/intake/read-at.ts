import type { FileHandle } from 'node:fs/promises'

/** Reads at a position; fewer bytes than asked for mean that the file ends there. */
export type ReadAt = (position: number, length: number) => Promise<Uint8Array>

/** A `ReadAt` over bytes that are in memory already. */
export function readAtOfBytes(bytes: Uint8Array): ReadAt {
  return async (position, length) => bytes.subarray(position, position + length)
}

/** A `ReadAt` over an open file; its errors are those of the file system. */
export function readAtOfHandle(handle: FileHandle): ReadAt {
  return async (position, length) => {
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    // A read may bring less than asked for before the end, on network shares above all.
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }
}
