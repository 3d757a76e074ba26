/** TIFF 6.0: a header, directories anywhere in the file, and image data in strips or tiles that they point to. */
import {
  isHalfUnwritten,
  malformed,
  type ReadAt,
  type Structure,
  TRUNCATED,
  viewOf,
  WHOLE,
} from '../file-structure.ts'

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

type TiffDirectory = { readonly entries: readonly TiffEntry[]; readonly next: number }

/** Bytes of one value, by its type: TIFF 6.0 page 15, 13 (IFD), and 16 to 18 of BigTIFF. An unknown type has none. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
const INTEGER_TYPES = [1, 3, 4, 13, 16, 18]
const COMPRESSION = 259

/** Tables shared by the strips of a JPEG-compressed TIFF: a JPEG of its own (TIFF Technical Note 2). */
const JPEG_TABLES = 347

/** Tags that point to image data, each with the tag of its sizes (TIFF 6.0 sections 3, 15 and 22). */
const DATA_TAGS = [
  { offsets: 273, sizes: 279 },
  { offsets: 324, sizes: 325 },
  { offsets: 513, sizes: 514 },
] as const

/** SubIFDs, EXIF, GPS and interoperability directories. */
const DIRECTORY_TAGS = [330, 34_665, 34_853, 40_965]

/** Compressions whose data ends with a code, a checksum or a marker, never in zeros: LZW, JPEG, and both deflates. */
const ENDING_COMPRESSIONS = [5, 7, 8, 32_946]
const MAX_DIRECTORIES = 1_000

/** Per file: directories may share numbers, so a small file can refer to them a thousand times. */
const MAX_NUMBERS = 2_000_000

type Piece = { readonly at: number; readonly bytes: number; readonly hasEndCode: boolean }

type Stretch = { readonly from: number; readonly to: number }

class TooManyNumbers extends Error {}

/** Reads the numbers of one file, up to the limit. */
class Numbers {
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

/** Whole if every directory, every value and every strip or tile lies inside the file. */
export async function tiffStructure(readAt: ReadAt, sizeBytes: number): Promise<Structure> {
  try {
    return await structureOfAll(readAt, sizeBytes)
  } catch (error) {
    if (error instanceof TooManyNumbers) return malformed('a TIFF holds more numbers than any image needs')
    throw error
  }
}

async function structureOfAll(readAt: ReadAt, sizeBytes: number): Promise<Structure> {
  const layout = await readTiffLayout(readAt)
  if (layout === null || layout.firstDirectory === 0) return TRUNCATED
  const numbers = new Numbers(readAt, layout)
  const waiting = [layout.firstDirectory]
  const visited = new Set<number>()
  let last: Piece | null = null
  let largest: Stretch = { from: 0, to: 0 }
  for (let offset = waiting.pop(); offset !== undefined; offset = waiting.pop()) {
    if (visited.has(offset)) continue
    visited.add(offset)
    if (visited.size > MAX_DIRECTORIES) return malformed('a TIFF has too many directories')
    const directory = await readTiffDirectory(readAt, layout, offset, sizeBytes)
    if (directory === null) return TRUNCATED
    numbers.spend(directory.entries.length)
    if (isUnwritten(directory, visited.size === 1)) return TRUNCATED
    if (directory.entries.some((entry) => entry.valuesAt + entry.valueBytes > sizeBytes)) return TRUNCATED
    if (!(await hasWholeTables(readAt, directory))) return TRUNCATED
    const pieces = await readPieces(numbers, directory)
    if (pieces === null) return malformed('a TIFF does not say where its image lies')
    for (const piece of pieces) {
      // The header is at 0, so image data there has not been placed yet.
      if (piece.at === 0 || piece.at + piece.bytes > sizeBytes) return TRUNCATED
      if (last === null || piece.at > last.at) last = piece
    }
    const plain = stretchOf(pieces.filter((piece) => !piece.hasEndCode))
    if (plain.to - plain.from > largest.to - largest.from) largest = plain
    if (!(await addPointers(waiting, numbers, directory))) return malformed('a TIFF has too many directories')
  }
  if (last === null) return malformed('a TIFF holds no image')
  if (await endsInZeros(readAt, last)) return TRUNCATED
  return (await isHalfUnwritten(readAt, largest.from, largest.to)) ? TRUNCATED : WHOLE
}

/** Reads the directory at an offset; null if it lies outside the file. */
async function readTiffDirectory(
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
async function readTiffLayout(readAt: ReadAt): Promise<TiffLayout | null> {
  const head = await readAt(0, 16)
  if (head.length < 8) return null
  const view = viewOf(head)
  const isLittleEndian = head[0] === 0x49
  const isBig = view.getUint16(2, isLittleEndian) === 43
  if (!isBig) return { isLittleEndian, isBig, firstDirectory: view.getUint32(4, isLittleEndian) }
  if (head.length < 16) return null
  return { isLittleEndian, isBig, firstDirectory: Number(view.getBigUint64(8, isLittleEndian)) }
}

/** Preallocated space reads as an empty first directory, or as entries of zeros. */
function isUnwritten(directory: TiffDirectory, isFirst: boolean): boolean {
  if (isFirst && directory.entries.length === 0) return true
  return directory.entries.some((entry) => entry.tag === 0 && entry.type === 0 && entry.count === 0)
}

/** Writers put the tables at the end, so a truncation or preallocated space affects them first. */
async function hasWholeTables(readAt: ReadAt, directory: TiffDirectory): Promise<boolean> {
  const entry = directory.entries.find((one) => one.tag === JPEG_TABLES)
  if (!entry || entry.valueBytes < 4) return true
  const end = await readAt(entry.valuesAt + entry.valueBytes - 2, 2)
  return end[0] === 0xff && end[1] === 0xd9
}

/** Empty for a directory without image data; null if sizes do not match offsets. */
async function readPieces(numbers: Numbers, directory: TiffDirectory): Promise<readonly Piece[] | null> {
  const [compression = 1] = await numbers.of(directory, COMPRESSION)
  const hasEndCode = ENDING_COMPRESSIONS.includes(compression)
  const pieces: Piece[] = []
  for (const tags of DATA_TAGS) {
    const offsets = await numbers.of(directory, tags.offsets)
    const sizes = await numbers.of(directory, tags.sizes)
    if (offsets.length !== sizes.length) return null
    offsets.forEach((at, index) => pieces.push({ at, bytes: sizes[index] ?? 0, hasEndCode }))
  }
  return pieces
}

function stretchOf(pieces: readonly Piece[]): Stretch {
  let [from, to] = [Infinity, 0]
  for (const { at, bytes } of pieces) [from, to] = [Math.min(from, at), Math.max(to, at + bytes)]
  return { from, to }
}

/** Adds the positions of further directories; false, without reading, if there are more than any file has. */
async function addPointers(waiting: number[], numbers: Numbers, directory: TiffDirectory): Promise<boolean> {
  if (directory.next !== 0) waiting.push(directory.next)
  for (const tag of DIRECTORY_TAGS) {
    const entry = entryOf(directory, tag)
    if (entry && entry.count > MAX_DIRECTORIES) return false
    for (const pointer of await numbers.of(directory, tag)) waiting.push(pointer)
  }
  return true
}

function entryOf(directory: TiffDirectory, tag: number): TiffEntry | undefined {
  return directory.entries.find((one) => one.tag === tag)
}

/** Preallocated space (Samba) ends in zeros; data with an end code cannot. A black rim of plain pixels can. */
async function endsInZeros(readAt: ReadAt, piece: Piece): Promise<boolean> {
  if (!piece.hasEndCode || piece.bytes === 0) return false
  const tailBytes = Math.min(16, piece.bytes)
  const tail = await readAt(piece.at + piece.bytes - tailBytes, tailBytes)
  return tail.every((byte) => byte === 0)
}
