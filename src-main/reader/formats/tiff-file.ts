/** The directories of a TIFF and the numbers in their entries (TIFF 6.0 section 2), whatever they are for. */
import { MAX_IMAGE_BYTES } from '../../../src-shared/image-files.ts'
import { malformed, type ReadAt, truncated, viewOf } from './bytes.ts'

export type TiffEntry = {
  readonly type: number
  readonly count: number
  /** The position of the values: inside the entry itself if they fit. */
  readonly valuesAt: number
  readonly valueBytes: number
}

export type TiffDirectory = {
  /** By tag; the first one, if a tag is repeated. */
  readonly entries: ReadonlyMap<number, TiffEntry>
  /** The tags that are repeated with other values. */
  readonly disputed: ReadonlySet<number>
  readonly next: number
}

/** Bytes of one value, by its type: TIFF 6.0 page 15, and 13 (IFD). An unknown type has none. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

/** Signed ones are read as what they are never negative for. */
const INTEGER_TYPES = [1, 3, 4, 6, 8, 9, 13]
const [COUNT_BYTES, ENTRY_BYTES] = [2, 12]

/** Per file: directories may share numbers, so a small file can refer to them a thousand times. */
const MAX_NUMBERS = 2_000_000

/** An opened TIFF. All of it throws `Flaw`. */
export class TiffFile {
  readonly readAt: ReadAt
  readonly sizeBytes: number
  readonly firstDirectory: number
  readonly #isLittleEndian: boolean
  #numbersLeft = MAX_NUMBERS

  private constructor(readAt: ReadAt, sizeBytes: number, isLittleEndian: boolean, firstDirectory: number) {
    this.readAt = readAt
    this.sizeBytes = sizeBytes
    this.#isLittleEndian = isLittleEndian
    this.firstDirectory = firstDirectory
  }

  static async open(readAt: ReadAt, sizeBytes: number): Promise<TiffFile> {
    const head = viewOf(await readAt(0, 8))
    if (head.byteLength < 8) throw truncated()
    const isLittleEndian = head.getUint8(0) === 0x49
    const first = head.getUint32(4, isLittleEndian)
    if (first === 0) throw truncated()
    return new TiffFile(readAt, sizeBytes, isLittleEndian, first)
  }

  async directory(offset: number): Promise<TiffDirectory> {
    const isLittleEndian = this.#isLittleEndian
    const count = (await this.#read(offset, COUNT_BYTES)).getUint16(0, isLittleEndian)
    this.#spend(count)
    const body = await this.#read(offset + COUNT_BYTES, count * ENTRY_BYTES + 4)
    const entries = new Map<number, TiffEntry>()
    const disputed = new Set<number>()
    for (let at = 0; at < count * ENTRY_BYTES; at += ENTRY_BYTES) {
      const tag = body.getUint16(at, isLittleEndian)
      const type = body.getUint16(at + 2, isLittleEndian)
      const valueCount = body.getUint32(at + 4, isLittleEndian)
      const valueBytes = valueCount * (TYPE_BYTES[type] ?? 0)
      const isInside = valueBytes <= 4
      const valuesAt = isInside ? offset + COUNT_BYTES + at + 8 : body.getUint32(at + 8, isLittleEndian)
      const known = entries.get(tag)
      if (known === undefined) entries.set(tag, { type, count: valueCount, valuesAt, valueBytes })
      else if (!(await this.#isSame(known, valuesAt, valueBytes))) disputed.add(tag)
    }
    return { entries, disputed, next: body.getUint32(count * ENTRY_BYTES, isLittleEndian) }
  }

  async #isSame(known: TiffEntry, at: number, length: number): Promise<boolean> {
    if (known.valueBytes !== length || length > 4) return known.valueBytes === length && known.valuesAt === at
    const [one, other] = [await this.readAt(known.valuesAt, length), await this.readAt(at, length)]
    return one.every((byte, index) => byte === other[index])
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
    if (!INTEGER_TYPES.includes(entry.type)) return []
    const view = await this.#read(entry.valuesAt, entry.valueBytes)
    const isLittleEndian = this.#isLittleEndian
    const size = TYPE_BYTES[entry.type] ?? 0
    return Array.from({ length: entry.count }, (_, index) => {
      const at = index * size
      if (size === 1) return view.getUint8(at)
      if (size === 2) return view.getUint16(at, isLittleEndian)
      return view.getUint32(at, isLittleEndian)
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

  /**
   * What reaches beyond the end of a file that is whole by its pixels: true for a slip of its writer, such as a wrong count
   * or a pointer that was never set. It begins before other content ends, or beyond the largest file that is ever taken; what
   * was cut off does neither.
   */
  isSlip(at: number, contentTo: number): boolean {
    return at < contentTo || at > MAX_IMAGE_BYTES
  }
}
