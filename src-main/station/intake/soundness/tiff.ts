/** Whether the image data of a TIFF are sound: every strip and tile by its compression (TIFF 6.0, and the technical notes). */
import { bufferOf, type ReadAt } from '../file-structure.ts'
import {
  entryOf,
  readTiffDirectory,
  readTiffLayout,
  type TiffDirectory,
  TiffNumbers,
  TooManyNumbers,
} from '../images/tiff-file.ts'
import { DamageSign, NotChecked } from './signs.ts'
import { checkLzw, checkPackBits, inflated, isReversedLzw } from './packings.ts'
import { checkJpeg } from './jpeg.ts'
import { checkPlainPixels, MAX_PLAIN_BYTES } from './plain-pixels.ts'

const TAGS = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  subDirectories: 330,
  jpegTables: 347,
  subsampling: 530,
} as const

const [NONE, LZW, JPEG, DEFLATE, PACK_BITS, OLD_DEFLATE] = [1, 5, 7, 8, 32_773, 32_946]
const YCBCR = 6

/** Pages and reduced pictures; what is behind them is not looked at. */
const MAX_DIRECTORIES = 100

/** Of one strip or tile, packed or not, and of the whole file. */
const MAX_PIECE_BYTES = 256 * 1_024 * 1_024
const MAX_FILE_BYTES = 1_024 * 1_024 * 1_024

/** One strip or tile. `sizes` are the bytes that it may hold: the last strip may be filled up to its full height. */
type TiffPiece = { readonly at: number; readonly bytes: number; readonly sizes: readonly number[] }

/** The image of a directory. */
type TiffImage = {
  readonly compression: number
  readonly width: number
  readonly height: number
  /** Bytes of a row of a strip or a tile, unpacked; 0 if rows share colours. */
  readonly rowBytes: number
  readonly isTiled: boolean
  /** Of a strip or a tile, in whole blocks of a JPEG. */
  readonly piecePixels: number
  readonly pieces: readonly TiffPiece[]
  readonly tables: Buffer | undefined
}

/** Throws `DamageSign` or `NotChecked` for its content, and the errors of `readAt`. */
export async function checkTiff(readAt: ReadAt, sizeBytes: number): Promise<void> {
  let left = MAX_FILE_BYTES
  for await (const image of imagesOf(readAt, sizeBytes)) {
    for (const { bytes, sizes } of image.pieces) left -= Math.max(bytes, sizes.at(-1) ?? 0)
    if (left < 0) throw new NotChecked('size')
    if (image.compression === NONE) {
      if (image.pieces.some(({ bytes, sizes }) => !sizes.includes(bytes)))
        throw new DamageSign('plain image data are of another size than their image')
      await checkPlain(readAt, image)
      continue
    }
    for (const piece of image.pieces) {
      const packed = bufferOf(await readAt(piece.at, piece.bytes))
      if (packed.length !== piece.bytes) throw new DamageSign('a TIFF ends before its image')
      checkPiece(image, piece, packed)
    }
  }
}

/** Strips follow each other in the picture; a tile is a picture of its own. */
async function checkPlain(readAt: ReadAt, { pieces, rowBytes, isTiled }: TiffImage): Promise<void> {
  if (rowBytes === 0) return
  const pictures = isTiled ? pieces.map((piece) => [piece]) : [pieces]
  for (const picture of pictures) {
    if (picture.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_PLAIN_BYTES) throw new NotChecked('size')
    const parts: Uint8Array[] = []
    for (const { at, bytes } of picture) parts.push(await readAt(at, bytes))
    checkPlainPixels({ bytes: Buffer.concat(parts), rowBytes })
  }
}

function checkPiece(image: TiffImage, { sizes }: TiffPiece, packed: Buffer): void {
  switch (image.compression) {
    case LZW:
      if (isReversedLzw(packed)) throw new NotChecked('compression')
      return checkLzw(packed, sizes)
    case DEFLATE:
    case OLD_DEFLATE: {
      const { length } = inflated(packed, (sizes.at(-1) ?? 0) + 1)
      if (!sizes.includes(length))
        throw new DamageSign('packed image data are of another size than their image')
      return
    }
    case PACK_BITS:
      return checkPackBits(packed, sizes)
    case JPEG: {
      const finding = checkJpeg(packed, { tables: image.tables, pixels: image.piecePixels })
      if (finding.kind === 'doubtful') throw new DamageSign(finding.sign)
      if (finding.kind === 'notChecked') throw new NotChecked(finding.what)
      return
    }
    default:
      throw new NotChecked('compression')
  }
}

async function* imagesOf(readAt: ReadAt, sizeBytes: number): AsyncGenerator<TiffImage> {
  const layout = await readTiffLayout(readAt)
  if (layout === null) throw new DamageSign('a TIFF ends before its image')
  const numbers = new TiffNumbers(readAt, layout)
  const waiting = [layout.firstDirectory]
  const visited = new Set<number>()
  try {
    for (let offset = waiting.shift(); offset !== undefined; offset = waiting.shift()) {
      if (offset === 0 || visited.has(offset)) continue
      visited.add(offset)
      if (visited.size > MAX_DIRECTORIES) return
      const directory = await readTiffDirectory(readAt, layout, offset, sizeBytes)
      if (directory === null) throw new DamageSign('a TIFF ends before its image')
      numbers.spend(directory.entries.length)
      const image = await imageOf(readAt, numbers, directory)
      if (image) yield image
      waiting.push(directory.next)
      for (const pointer of await numbers.of(directory, TAGS.subDirectories)) waiting.push(pointer)
    }
  } catch (error) {
    if (error instanceof TooManyNumbers) throw new NotChecked('size')
    throw error
  }
}

async function imageOf(
  readAt: ReadAt,
  numbers: TiffNumbers,
  directory: TiffDirectory,
): Promise<TiffImage | null> {
  const of = (tag: number): Promise<readonly number[]> => numbers.of(directory, tag)
  const oneOf = async (tag: number, otherwise: number): Promise<number> => (await of(tag))[0] ?? otherwise
  const [width, height] = [await oneOf(TAGS.width, 0), await oneOf(TAGS.height, 0)]
  const isTiled = entryOf(directory, TAGS.tileOffsets) !== undefined
  const offsets = await of(isTiled ? TAGS.tileOffsets : TAGS.stripOffsets)
  const counts = await of(isTiled ? TAGS.tileBytes : TAGS.stripBytes)
  if (offsets.length === 0 || width === 0 || height === 0) return null
  const compression = await oneOf(TAGS.compression, NONE)
  if ((await oneOf(TAGS.fillOrder, 1)) !== 1) throw new NotChecked('compression')
  const samples = await oneOf(TAGS.samples, 1)
  const stated = await of(TAGS.bits)
  const bits = Array.from({ length: samples }, (_, index) => stated[index] ?? stated[0] ?? 1)
  const isPlanar = (await oneOf(TAGS.planes, 1)) === 2
  const pieceWidth = isTiled ? await oneOf(TAGS.tileWidth, 0) : width
  const pieceHeight = isTiled
    ? await oneOf(TAGS.tileHeight, 0)
    : Math.min(height, await oneOf(TAGS.rowsPerStrip, height))
  if (pieceWidth === 0 || pieceHeight === 0) throw new DamageSign('a TIFF does not say where its image lies')
  const hasHalfColours = (await oneOf(TAGS.photometric, 0)) === YCBCR && compression !== JPEG && !isPlanar
  const subsampling = hasHalfColours ? await of(TAGS.subsampling) : []
  const [across = 2, down = 2] = hasHalfColours ? subsampling : [1, 1]
  const bytesOf = (rows: number, plane: number): number => {
    if (hasHalfColours)
      return (
        Math.ceil(pieceWidth / across) * Math.ceil(rows / down) * (across * down + 2) * ((bits[0] ?? 8) / 8)
      )
    const bitsOfPixel = isPlanar ? (bits[plane] ?? 0) : bits.reduce((sum, one) => sum + one, 0)
    return rows * Math.ceil((pieceWidth * bitsOfPixel) / 8)
  }
  const downwards = Math.ceil(height / pieceHeight)
  const perPlane = downwards * (isTiled ? Math.ceil(width / pieceWidth) : 1)
  if (offsets.length !== perPlane * (isPlanar ? samples : 1) || counts.length !== offsets.length)
    throw new DamageSign('a TIFF does not say where its image lies')
  const pieces = offsets.map((at, index): TiffPiece => {
    const plane = Math.floor(index / perPlane)
    const rows = isTiled ? pieceHeight : Math.min(pieceHeight, height - (index % perPlane) * pieceHeight)
    const full = bytesOf(pieceHeight, plane)
    const sizes = rows === pieceHeight ? [full] : [bytesOf(rows, plane), full]
    if (full > MAX_PIECE_BYTES || (counts[index] ?? 0) > MAX_PIECE_BYTES) throw new NotChecked('size')
    return { at, bytes: counts[index] ?? 0, sizes }
  })
  const tables = entryOf(directory, TAGS.jpegTables)
  return {
    compression,
    width,
    height,
    rowBytes: hasHalfColours ? 0 : bytesOf(1, 0),
    isTiled,
    piecePixels: Math.ceil(pieceWidth / 32) * Math.ceil(pieceHeight / 32) * 1_024,
    pieces,
    tables: tables && bufferOf(await readAt(tables.valuesAt, tables.valueBytes)),
  }
}
