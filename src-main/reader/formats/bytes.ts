/** The bytes of a foreign file, read in windows, and what ends a walk over them. */
import type { FileHandle } from 'node:fs/promises'
import { readFrom } from '../../station/lib/files.ts'
import type { FileStamp } from '../messages.ts'

/**
 * Ends a walk over a file; thrown by the formats and caught by `inspect-file.ts`. `message` says what is wrong, without
 * content of the file.
 *
 * - `truncated`  something lies beyond its end: it is still being written, or was cut off
 * - `malformed`  it contradicts its own format, or its data are damaged
 */
export class Flaw extends Error {
  readonly kind: 'truncated' | 'malformed'

  constructor(kind: Flaw['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export function truncated(): Flaw {
  return new Flaw('truncated', 'a file ends before its content')
}

export function malformed(what: string): Flaw {
  return new Flaw('malformed', what)
}

/**
 * What is not checked: `arithmetic`, `lossless` and `twelveBits` are codings of JPEG; `noTables` leaves the usual tables
 * out; `bits` and `colours` of a TIFF, and kinds of `bitmap`, are seldom seen; `compression` is one that is not known here, `layout` one that decoders may read otherwise;
 * `size` is larger than any photograph.
 */
export type Unchecked =
  | 'arithmetic'
  | 'lossless'
  | 'twelveBits'
  | 'noTables'
  | 'bits'
  | 'colours'
  | 'bitmap'
  | 'compression'
  | 'layout'
  | 'size'

/** Thrown if a walk over image data meets what it does not know, or what is too large for it: no flaw. */
export class NotChecked extends Error {
  readonly what: Unchecked

  constructor(what: Unchecked) {
    super(what)
    this.what = what
  }
}

/**
 * How far a walk goes.
 *
 * - `outline`  whether everything that the file declares lies inside it and has been written: a JPEG to its end, of
 *              others the directories; reads little, and holds one window of it
 * - `data`     whether its image data are sound: what decoders conceal, checked code by code
 */
export type Depth = 'outline' | 'data'

/** Three times the largest mosaic of any known camera; a larger claim is an attack on memory. */
export const MAX_PIXELS = 120_000_000

/** Zeros after packed image data: writers may fill a word of four bytes. */
export const MAX_LEFT_BYTES = 4

/** A range of a file. */
export type Extent = { readonly at: number; readonly bytes: number }

/** Reads at a position; fewer bytes than requested mean that the file ends there. */
export type ReadAt = (position: number, length: number) => Promise<Uint8Array>

/** A `ReadAt` over bytes in memory. */
export function readAtOfBytes(bytes: Uint8Array): ReadAt {
  return async (position, length) => bytes.subarray(position, position + length)
}

/** A `ReadAt` over an open file; its errors are those of the disk. */
export function readAtOfHandle(handle: Pick<FileHandle, 'read'>): ReadAt {
  return (position, length) => readFrom(handle, position, length)
}

/** The same bytes, not a copy of them. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const WINDOW_BYTES = 256 * 1_024

/** Moves forward through a file with one window of it: a scan waits for the disk once a window, not once a byte. */
export class ByteWindow {
  readonly #readAt: ReadAt
  readonly #windowBytes: number
  readonly sizeBytes: number
  #start = 0
  #bytes: Uint8Array = new Uint8Array(0)

  /** A smaller window suits a walk that skips long values. */
  constructor(readAt: ReadAt, sizeBytes: number, windowBytes = WINDOW_BYTES) {
    this.#readAt = readAt
    this.sizeBytes = sizeBytes
    this.#windowBytes = windowBytes
  }

  /** Holds `length` bytes from `position`; false if the file ends earlier. */
  async hold(position: number, length: number): Promise<boolean> {
    if (this.holds(position, length)) return true
    if (position + length > this.sizeBytes) return false
    await this.#move(position, length)
    return this.holds(position, length)
  }

  /** `length` bytes from a position; fewer if the file ends earlier. */
  async read(position: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.sizeBytes - position))
    if (!this.holds(position, wanted)) await this.#move(position, wanted)
    return this.#bytes.subarray(position - this.#start, position - this.#start + wanted)
  }

  async #move(position: number, length: number): Promise<void> {
    const bytes = Math.min(Math.max(length, this.#windowBytes), this.sizeBytes - position)
    this.#bytes = await this.#readAt(position, bytes)
    this.#start = position
  }

  holds(position: number, length: number): boolean {
    return position >= this.#start && position + length <= this.#start + this.#bytes.length
  }

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

  indexOfOther(byte: number, position: number): number {
    let index = position - this.#start
    while (index < this.#bytes.length && this.#bytes[index] === byte) index += 1
    return this.#start + index
  }
}

const FIRST_STEP_BYTES = 4_096
const MAX_STEP_BYTES = 256 * 1_024

/** Partial writes come in disk blocks; less than one may be valid black. */
const BLOCK_BYTES = 512

/**
 * True for plain pixels not written yet. No photograph is perfectly black in its second half, so that much counts as
 * preallocated space; less only a person can notice (`hasUnwrittenEnd` points it out).
 */
export async function isHalfUnwritten(
  readAt: ReadAt,
  from: number,
  to: number,
  leastBytes = BLOCK_BYTES,
): Promise<boolean> {
  const middle = from + Math.floor((to - from) / 2)
  if (to - middle < leastBytes) return false
  let step = FIRST_STEP_BYTES
  for (let position = middle; position < to;) {
    const bytes = await readAt(position, Math.min(step, to - position))
    if (bytes.some((byte) => byte !== 0)) return false
    position += step
    step = Math.min(step * 2, MAX_STEP_BYTES)
  }
  return true
}

/** Rounded as in every observation: exact nanoseconds (`bigint`) of, say, 0.9999999 ms round differently. */
export function matchesStamp(
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
  stamp: FileStamp,
): boolean {
  return size === stamp.sizeBytes && Math.floor(mtimeMs) === stamp.mtimeMs
}
