/** TIFF 6.0: a header, directories anywhere in the file, and image data in strips or tiles that they point to. */
import {
  isHalfUnwritten,
  malformed,
  type ReadAt,
  type Structure,
  TRUNCATED,
  WHOLE,
} from '../file-structure.ts'
import {
  entryOf,
  readTiffDirectory,
  readTiffLayout,
  type TiffDirectory,
  TiffNumbers,
  TooManyNumbers,
} from './tiff-file.ts'

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

type Piece = { readonly at: number; readonly bytes: number; readonly hasEndCode: boolean }

type Stretch = { readonly from: number; readonly to: number }

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
  const numbers = new TiffNumbers(readAt, layout)
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
async function readPieces(numbers: TiffNumbers, directory: TiffDirectory): Promise<readonly Piece[] | null> {
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
async function addPointers(
  waiting: number[],
  numbers: TiffNumbers,
  directory: TiffDirectory,
): Promise<boolean> {
  if (directory.next !== 0) waiting.push(directory.next)
  for (const tag of DIRECTORY_TAGS) {
    const entry = entryOf(directory, tag)
    if (entry && entry.count > MAX_DIRECTORIES) return false
    for (const pointer of await numbers.of(directory, tag)) waiting.push(pointer)
  }
  return true
}

/** Preallocated space (Samba) ends in zeros; data with an end code cannot. A black rim of plain pixels can. */
async function endsInZeros(readAt: ReadAt, piece: Piece): Promise<boolean> {
  if (!piece.hasEndCode || piece.bytes === 0) return false
  const tailBytes = Math.min(16, piece.bytes)
  const tail = await readAt(piece.at + piece.bytes - tailBytes, tailBytes)
  return tail.every((byte) => byte === 0)
}
