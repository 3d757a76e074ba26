/** The structure check of files: its result, and reading a file in windows. */
import type { FileHandle } from 'node:fs/promises'

/**
 * Whether a file of a known format is complete.
 *
 * - `whole`      everything that the file declares lies inside it
 * - `truncated`  something lies beyond its end: it is still being written, or was cut off
 * - `malformed`  it contradicts its own format; `what` says where, without content of the file
 */
export type Structure =
  | { readonly kind: 'whole' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'malformed'; readonly what: string }

/** Why a file is incomplete. */
export type Shortfall = Exclude<Structure, { readonly kind: 'whole' }>

export const WHOLE: Structure = { kind: 'whole' }

export const TRUNCATED: Shortfall = { kind: 'truncated' }

export function malformed(what: string): Shortfall {
  return { kind: 'malformed', what }
}

/** Reads at a position; fewer bytes than requested mean that the file ends there. */
export type ReadAt = (position: number, length: number) => Promise<Uint8Array>

/** A `ReadAt` over bytes in memory. */
export function readAtOfBytes(bytes: Uint8Array): ReadAt {
  return async (position, length) => bytes.subarray(position, position + length)
}

/** A `ReadAt` over an open file; its errors are those of the file system. */
export function readAtOfHandle(handle: FileHandle): ReadAt {
  return async (position, length) => {
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    // A read may return fewer bytes than requested before the end, especially on network shares.
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }
}

const WINDOW_BYTES = 256 * 1_024

/**
 * Moves forward through a file, holding one window of it. Checking a held position costs nothing, so a scan waits for
 * the disk once per window instead of once per byte.
 */
export class ByteWindow {
  readonly #readAt: ReadAt
  readonly sizeBytes: number
  #start = 0
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(readAt: ReadAt, sizeBytes: number) {
    this.#readAt = readAt
    this.sizeBytes = sizeBytes
  }

  /** Holds `length` bytes from `position`; false if the file ends earlier. `length` is at most one window. */
  async hold(position: number, length: number): Promise<boolean> {
    if (this.holds(position, length)) return true
    if (position + length > this.sizeBytes) return false
    this.#bytes = await this.#readAt(position, Math.min(WINDOW_BYTES, this.sizeBytes - position))
    this.#start = position
    return this.holds(position, length)
  }

  holds(position: number, length: number): boolean {
    return position >= this.#start && position + length <= this.#start + this.#bytes.length
  }

  /** The byte at a held position. */
  at(position: number): number {
    const byte = this.#bytes[position - this.#start]
    if (byte === undefined) throw new RangeError('This position is not in the window.')
    return byte
  }

  /** The next position of `byte` at or after a held position; the end of the window if there is none. */
  indexOf(byte: number, position: number): number {
    const index = this.#bytes.indexOf(byte, position - this.#start)
    return index === -1 ? this.#start + this.#bytes.length : this.#start + index
  }

  /** The next position of any other byte, likewise. */
  indexOfOther(byte: number, position: number): number {
    let index = position - this.#start
    while (index < this.#bytes.length && this.#bytes[index] === byte) index += 1
    return this.#start + index
  }
}
