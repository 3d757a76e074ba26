/** Directories of a TIFF: TIFF 6.0 section 2, and BigTIFF, which widens offsets and counts to eight bytes. */
import type { ReadAt } from './read-at.ts'

/** How one file spells its numbers. */
export type TiffLayout = {
  readonly isLittleEndian: boolean
  readonly isBig: boolean
  readonly firstDirectory: number
}

export type TiffEntry = {
  readonly tag: number
  readonly type: number
  readonly count: number
  /** Where the values lie: inside the entry itself where they fit. */
  readonly valuesAt: number
  readonly valueBytes: number
}

export type TiffDirectory = { readonly entries: readonly TiffEntry[]; readonly next: number }

/** Bytes of one value, by its type: TIFF 6.0 page 15, 13 (IFD), and 16 to 18 of BigTIFF. An unknown type has none. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]

/** Reads the header; null where the file is shorter than it. */
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

/** Reads the directory at an offset; null where it does not lie inside the file. */
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
  // A 16-bit count bounds a classic directory; a big one is held to the same bound.
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

/** The whole numbers of an entry; null where they are not inside the file or not whole numbers. */
export async function readTiffNumbers(
  readAt: ReadAt,
  layout: TiffLayout,
  entry: TiffEntry,
): Promise<readonly number[] | null> {
  const bytes = await readAt(entry.valuesAt, entry.valueBytes)
  if (bytes.length < entry.valueBytes) return null
  const view = viewOf(bytes)
  const size = TYPE_BYTES[entry.type] ?? 0
  if (![1, 3, 4, 13, 16, 18].includes(entry.type)) return null
  return Array.from({ length: entry.count }, (_, index) => {
    const at = index * size
    if (size === 1) return view.getUint8(at)
    if (size === 2) return view.getUint16(at, layout.isLittleEndian)
    if (size === 4) return view.getUint32(at, layout.isLittleEndian)
    return Number(view.getBigUint64(at, layout.isLittleEndian))
  })
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
