import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 256 * 1_024

/** Lower-case hexadecimal SHA-256 and the number of bytes it is of. */
export type Digest = { readonly sha256: string; readonly sizeBytes: number }

/** Fills the buffer from a position on, and says with how many bytes; 0 is the end. */
export type Read = (buffer: Buffer, position: number) => Promise<number>

export function readFrom(handle: FileHandle): Read {
  return async (buffer, position) => (await handle.read(buffer, 0, buffer.length, position)).bytesRead
}

/**
 * Reads a file from its beginning to its end, hashing, and writes what it reads to `copy` where there is one. Holds two
 * chunks of it: while one is hashed, the next is read. Errors are those of `read` and of the file system.
 */
export async function copyAndHash(read: Read, copy: FileHandle | null): Promise<Digest> {
  const hash = createHash('sha256')
  let [current, next] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)]
  let sizeBytes = 0
  let bytesRead = await read(current, 0)
  while (bytesRead > 0) {
    const chunk = current.subarray(0, bytesRead)
    const reading = read(next, sizeBytes + bytesRead)
    const writing = copy === null ? null : writeAt(copy, chunk, sizeBytes)
    hash.update(chunk)
    const [nextRead] = await Promise.all([reading, writing])
    sizeBytes += bytesRead
    bytesRead = nextRead
    ;[current, next] = [next, current]
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

async function writeAt(copy: FileHandle, chunk: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < chunk.length) {
    written += (await copy.write(chunk, written, chunk.length - written, position + written)).bytesWritten
  }
}
