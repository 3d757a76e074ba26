/** Reading TIFF 6.0 and BigTIFF: the header, directories, and the numbers in their entries. */
import { malformed, type ReadAt, truncated, viewOf } from './bytes.ts'

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
