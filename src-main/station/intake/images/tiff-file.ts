/** Reading TIFF 6.0 and BigTIFF: the header, directories, and the numbers in their entries. */
import { type ReadAt, viewOf } from '../file-structure.ts'

type TiffLayout = {
  readonly isLittleEndian: boolean
  readonly isBig: boolean
  readonly firstDirectory: number
}

type TiffEntry = {
  readonly tag: number
  readonly type: number
  readonly count: number
  /** The position of the values: inside the entry itself if they fit. */
  readonly valuesAt: number
  readonly valueBytes: number
}

export type TiffDirectory = { readonly entries: readonly TiffEntry[]; readonly next: number }

/** Bytes of one value, by its type: TIFF 6.0 page 15, 13 (IFD), and 16 to 18 of BigTIFF. An unknown type has none. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
const INTEGER_TYPES = [1, 3, 4, 13, 16, 18]
/** Per file: directories may share numbers, so a small file can refer to them a thousand times. */
const MAX_NUMBERS = 2_000_000

export class TooManyNumbers extends Error {}

/** Reads the numbers of one file, up to the limit. */
export class TiffNumbers {
  readonly #readAt: ReadAt
  readonly #layout: TiffLayout
  #left = MAX_NUMBERS

  constructor(readAt: ReadAt, layout: TiffLayout) {
    this.#readAt = readAt
    this.#layout = layout
  }

  /** Counts numbers about to be held. Throws `TooManyNumbers`. */
  spend(count: number): void {
    this.#left -= count
    if (this.#left < 0) throw new TooManyNumbers()
  }

  /** Empty if the directory lacks the tag, or if it holds no integers of the file. Throws `TooManyNumbers`. */
  async of(directory: TiffDirectory, tag: number): Promise<readonly number[]> {
    const entry = entryOf(directory, tag)
    if (!entry) return []
    this.spend(entry.count)
    const bytes = await this.#readAt(entry.valuesAt, entry.valueBytes)
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
}

/** Reads the directory at an offset; null if it lies outside the file. */
export async function readTiffDirectory(
  readAt: ReadAt,
  layout: TiffLayout,
  offset: number,
  sizeBytes: number,
): Promise<TiffDirectory | null> {
  const { isLittleEndian, isBig } = layout
  const countBytes = isBig ? 8 : 2
  const entryBytes = isBig ? 20 : 12
  const offsetBytes = isBig ? 8 : 4
  if (offset + countBytes > sizeBytes) return null
  const counted = await readAt(offset, countBytes)
  if (counted.length < countBytes) return null
  const count = isBig
    ? Number(viewOf(counted).getBigUint64(0, isLittleEndian))
    : viewOf(counted).getUint16(0, isLittleEndian)
  const bodyBytes = count * entryBytes + offsetBytes
  // A 16-bit count bounds a classic directory; the same bound applies to BigTIFF.
  if (count > 0xffff || offset + countBytes + bodyBytes > sizeBytes) return null
  const body = await readAt(offset + countBytes, bodyBytes)
  if (body.length < bodyBytes) return null

  const view = viewOf(body)
  const wide = (at: number): number =>
    isBig ? Number(view.getBigUint64(at, isLittleEndian)) : view.getUint32(at, isLittleEndian)
  const entries = Array.from({ length: count }, (_, index): TiffEntry => {
    const at = index * entryBytes
    const type = view.getUint16(at + 2, isLittleEndian)
    const valueCount = wide(at + 4)
    const valueBytes = valueCount * (TYPE_BYTES[type] ?? 0)
    const fieldAt = at + 4 + offsetBytes
    const isInside = valueBytes <= offsetBytes
    return {
      tag: view.getUint16(at, isLittleEndian),
      type,
      count: valueCount,
      valuesAt: isInside ? offset + countBytes + fieldAt : wide(fieldAt),
      valueBytes,
    }
  })
  return { entries, next: wide(count * entryBytes) }
}

/** Of a TIFF (TIFF 6.0 section 2) or a BigTIFF, whose offsets have eight bytes; null if the file is shorter. */
export async function readTiffLayout(readAt: ReadAt): Promise<TiffLayout | null> {
  const head = await readAt(0, 16)
  if (head.length < 8) return null
  const view = viewOf(head)
  const isLittleEndian = head[0] === 0x49
  const isBig = view.getUint16(2, isLittleEndian) === 43
  if (!isBig) return { isLittleEndian, isBig, firstDirectory: view.getUint32(4, isLittleEndian) }
  if (head.length < 16) return null
  return { isLittleEndian, isBig, firstDirectory: Number(view.getBigUint64(8, isLittleEndian)) }
}

export function entryOf(directory: TiffDirectory, tag: number): TiffEntry | undefined {
  return directory.entries.find((one) => one.tag === tag)
}
