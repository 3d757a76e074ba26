import type { ReadAt } from '../read-at.ts'

/** A header fits into one, and a jump from frame to frame costs no more than this. */
const WINDOW_BYTES = 16 * 1_024

/** Looks at a file through a small window that moves, for walks that jump over what is long. */
export class FileWindow {
  readonly #readAt: ReadAt
  readonly sizeBytes: number
  #start = 0
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(readAt: ReadAt, sizeBytes: number) {
    this.#readAt = readAt
    this.sizeBytes = sizeBytes
  }

  /** `length` bytes from a position; fewer where the file ends before. */
  async read(position: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.sizeBytes - position))
    const isHeld = position >= this.#start && position + wanted <= this.#start + this.#bytes.length
    if (!isHeld) {
      this.#bytes = await this.#readAt(
        position,
        Math.min(Math.max(wanted, WINDOW_BYTES), this.sizeBytes - position),
      )
      this.#start = position
    }
    return this.#bytes.subarray(position - this.#start, position - this.#start + wanted)
  }
}
