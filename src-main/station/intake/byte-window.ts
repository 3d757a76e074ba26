import type { ReadAt } from './read-at.ts'

const WINDOW_BYTES = 256 * 1_024

/**
 * Walks through a file forwards, holding one window of it. Asking whether a position is held costs nothing, so a
 * scan over many bytes waits for the disk once per window and not once per byte.
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

  /** Holds `length` bytes from `position`; false where the file ends before. `length` is at most one window. */
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

  /** The byte at a position that is held. */
  at(position: number): number {
    const byte = this.#bytes[position - this.#start]
    if (byte === undefined) throw new RangeError('This position is not in the window.')
    return byte
  }

  /** Where `byte` comes next at or after a held position; where the window ends if it does not come before. */
  indexOf(byte: number, position: number): number {
    const index = this.#bytes.indexOf(byte, position - this.#start)
    return index === -1 ? this.#start + this.#bytes.length : this.#start + index
  }

  /** Where something else than `byte` comes next, in the same way. */
  indexOfOther(byte: number, position: number): number {
    let index = position - this.#start
    while (index < this.#bytes.length && this.#bytes[index] === byte) index += 1
    return this.#start + index
  }
}
