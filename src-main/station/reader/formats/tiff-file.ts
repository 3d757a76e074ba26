/**
 * Reading TIFF 6.0 and BigTIFF: the header, directories, the numbers in their entries, and whether packed data (deflate,
 * and the LZW of TIFF) have the size of their image, and end there.
 */
import { malformed, type ReadAt, truncated, viewOf } from './bytes.ts'
import { inflateSync } from 'node:zlib'
import { errorCode } from '../../lib/errors.ts'

type TiffEntry = {
  readonly type: number
  readonly count: number
  /** The position of the values: inside the entry itself if they fit. */
  readonly valuesAt: number
  readonly valueBytes: number
}

/** Entries by tag; the first one, if a tag is repeated. */
export type TiffDirectory = { readonly entries: ReadonlyMap<number, TiffEntry>; readonly next: number }

/** Bytes of one value, by its type: TIFF 6.0 page 15, 13 (IFD), and 16 to 18 of BigTIFF. An unknown type has none. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
const INTEGER_TYPES = [1, 3, 4, 13, 16, 18]

/** Per file: directories may share numbers, so a small file can refer to them a thousand times. */
const MAX_NUMBERS = 2_000_000

type TiffLayout = { readonly isLittleEndian: boolean; readonly isBig: boolean }

/** An opened TIFF (TIFF 6.0 section 2) or BigTIFF, whose offsets have eight bytes. All of it throws `Flaw`. */
export class TiffFile {
  readonly readAt: ReadAt
  readonly sizeBytes: number
  readonly firstDirectory: number
  readonly #layout: TiffLayout
  #numbersLeft = MAX_NUMBERS

  private constructor(readAt: ReadAt, sizeBytes: number, layout: TiffLayout, firstDirectory: number) {
    this.readAt = readAt
    this.sizeBytes = sizeBytes
    this.#layout = layout
    this.firstDirectory = firstDirectory
  }

  static async open(readAt: ReadAt, sizeBytes: number): Promise<TiffFile> {
    const head = viewOf(await readAt(0, 16))
    if (head.byteLength < 8) throw truncated()
    const isLittleEndian = head.getUint8(0) === 0x49
    const isBig = head.getUint16(2, isLittleEndian) === 43
    if (isBig && head.byteLength < 16) throw truncated()
    const first = isBig ? Number(head.getBigUint64(8, isLittleEndian)) : head.getUint32(4, isLittleEndian)
    if (first === 0) throw truncated()
    return new TiffFile(readAt, sizeBytes, { isLittleEndian, isBig }, first)
  }

  async directory(offset: number): Promise<TiffDirectory> {
    const { isLittleEndian, isBig } = this.#layout
    const [countBytes, entryBytes, offsetBytes] = isBig ? [8, 20, 8] : [2, 12, 4]
    const counted = await this.#read(offset, countBytes)
    const count = isBig
      ? Number(counted.getBigUint64(0, isLittleEndian))
      : counted.getUint16(0, isLittleEndian)
    // A 16-bit count bounds a classic directory; the same bound applies to BigTIFF.
    if (count > 0xffff) throw truncated()
    this.#spend(count)
    const body = await this.#read(offset + countBytes, count * entryBytes + offsetBytes)
    const wide = (at: number): number =>
      isBig ? Number(body.getBigUint64(at, isLittleEndian)) : body.getUint32(at, isLittleEndian)
    const entries = new Map<number, TiffEntry>()
    for (let at = 0; at < count * entryBytes; at += entryBytes) {
      const tag = body.getUint16(at, isLittleEndian)
      const type = body.getUint16(at + 2, isLittleEndian)
      const valueCount = wide(at + 4)
      const valueBytes = valueCount * (TYPE_BYTES[type] ?? 0)
      const fieldAt = at + 4 + offsetBytes
      const valuesAt = valueBytes <= offsetBytes ? offset + countBytes + fieldAt : wide(fieldAt)
      if (valuesAt + valueBytes > this.sizeBytes) throw truncated()
      if (!entries.has(tag)) entries.set(tag, { type, count: valueCount, valuesAt, valueBytes })
    }
    return { entries, next: wide(count * entryBytes) }
  }

  async #read(at: number, length: number): Promise<DataView> {
    if (at + length > this.sizeBytes) throw truncated()
    const bytes = await this.readAt(at, length)
    if (bytes.length < length) throw truncated()
    return viewOf(bytes)
  }

  /** Empty if the directory lacks the tag, or if it holds no integers. */
  async numbers({ entries }: TiffDirectory, tag: number): Promise<readonly number[]> {
    const entry = entries.get(tag)
    if (!entry) return []
    this.#spend(entry.count)
    const bytes = await this.readAt(entry.valuesAt, entry.valueBytes)
    if (bytes.length < entry.valueBytes || !INTEGER_TYPES.includes(entry.type)) return []
    const { isLittleEndian } = this.#layout
    const view = viewOf(bytes)
    const size = TYPE_BYTES[entry.type] ?? 0
    return Array.from({ length: entry.count }, (_, index) => {
      const at = index * size
      if (size === 1) return view.getUint8(at)
      if (size === 2) return view.getUint16(at, isLittleEndian)
      return size === 4 ? view.getUint32(at, isLittleEndian) : Number(view.getBigUint64(at, isLittleEndian))
    })
  }

  /** The first of them. */
  async number(directory: TiffDirectory, tag: number, otherwise: number): Promise<number> {
    return (await this.numbers(directory, tag))[0] ?? otherwise
  }

  /** Counts numbers about to be held. */
  #spend(count: number): void {
    this.#numbersLeft -= count
    if (this.#numbersLeft < 0) throw malformed('a TIFF holds more numbers than any image needs')
  }
}

/** Writers may fill four bytes. */
export const MAX_LEFT_BYTES = 4

/** The data of a zlib stream of at most so many bytes; its checksum is right, and nothing follows it. */
export function inflated(packed: Uint8Array, mostBytes: number): Buffer {
  try {
    // With `info`, which the types leave out, the answer says how much was read.
    const { buffer, engine } = inflateSync(packed, { maxOutputLength: mostBytes, info: true }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    const rest = packed.subarray(engine.bytesWritten)
    if (rest.length > MAX_LEFT_BYTES || rest.some((byte) => byte !== 0))
      throw malformed('packed image data go on after their end')
    return buffer
  } catch (error) {
    // Wrong data or checksum, too little data, and too much: Z_DATA_ERROR, Z_BUF_ERROR, Z_NEED_DICT, ERR_BUFFER_TOO_LARGE.
    if (errorCode(error)) throw malformed('packed image data are no deflated data')
    throw error
  }
}

/** TIFF 6.0 section 13. */
const [CLEAR, END] = [256, 257]
const FIRST_CODE = 258
const MIN_WIDTH = 9

/** Codes have up to 12 bits. Writers clear the table before it is full. */
const MAX_CODES = 4_096

/** True for the older form with its bits in reverse order, which begins with a clear code of nine bits. */
export function isReversedLzw(packed: Uint8Array): boolean {
  return packed[0] === 0 && ((packed[1] ?? 0) & 1) === 1
}

/** Throws `Flaw` unless these data unpack to one of these sizes, which rise, and end there; unpacks nothing. */
export function checkLzw(packed: Uint8Array, sizes: readonly number[]): void {
  const most = sizes.at(-1) ?? 0
  /** How many bytes each code is. */
  const lengths = new Int32Array(MAX_CODES + 1).fill(1)
  let next = FIRST_CODE
  let width = MIN_WIDTH
  let previous = CLEAR
  let done = 0
  let bit = 0
  const bits = packed.length * 8
  const readCode = (): number => {
    const at = bit >>> 3
    const three = ((packed[at] ?? 0) << 16) | ((packed[at + 1] ?? 0) << 8) | (packed[at + 2] ?? 0)
    bit += width
    return (three >>> (24 - width - ((bit - width) & 7))) & ((1 << width) - 1)
  }
  for (;;) {
    // Some writers leave the end code out.
    if (bit + width > bits && sizes.includes(done)) return
    if (bit + width > bits) throw malformed('packed image data are shorter than their image')
    const code = readCode()
    if (code === END) break
    if (code === CLEAR) {
      next = FIRST_CODE
      width = MIN_WIDTH
      previous = CLEAR
      continue
    }
    if (previous === CLEAR ? code > 255 : code > next)
      throw malformed('packed image data refer to what they have not stated')
    if (previous !== CLEAR) {
      if (next >= MAX_CODES) throw malformed('packed image data state more than their table holds')
      lengths[next] = (lengths[previous] ?? 0) + 1
      next += 1
      // The width grows one code early.
      if (next + 1 >= 1 << width && width < 12) width += 1
    }
    done += lengths[code] ?? 0
    previous = code
    if (done > most) throw malformed('packed image data are longer than their image')
  }
  if (!sizes.includes(done)) throw malformed('packed image data are shorter than their image')
  if (packed.length - Math.ceil(bit / 8) > MAX_LEFT_BYTES)
    throw malformed('packed image data go on after their end')
}
