/**
 * TIFF 6.0: a header, directories anywhere in the file, and image data in strips or tiles that they point to.
 *
 * Whole if every directory, every value and every strip or tile lies inside the file, but for slips of its writer that do
 * not touch the picture. Sound if there are as many strips or tiles as the image needs, and each is: plain, JPEG, deflate,
 * LZW or PackBits. What libtiff warns of decides nothing: it also does for names without an end and tags out of order.
 */
import {
  bufferOf,
  type Depth,
  type Extent,
  Flaw,
  isHalfUnwritten,
  malformed,
  NotChecked,
  type ReadAt,
  truncated,
  type Unchecked,
} from './bytes.ts'
import { checkJpeg, outlineOfJpeg } from './jpeg.ts'
import { checkPlainPixels, inflatedLength, lzwLength, MAX_PLAIN_BYTES, packBitsLength } from './pixel-data.ts'
import { type TiffDirectory, TiffFile } from './tiff-file.ts'

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
  predictor: 317,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  subDirectories: 330,
  jpegTables: 347,
  oldJpegOffset: 513,
  oldJpegBytes: 514,
  exif: 34_665,
  gps: 34_853,
  interoperability: 40_965,
} as const

const DIRECTORY_TAGS: readonly number[] = [TAGS.subDirectories, TAGS.exif, TAGS.gps, TAGS.interoperability]

/** Those that say how the pixels lie; all but the pointers to directories. */
const PICTURE_TAGS: readonly number[] = Object.values(TAGS).filter((tag) => !DIRECTORY_TAGS.includes(tag))

const [NONE, LZW, OLD_JPEG, JPEG, DEFLATE, PACK_BITS, OLD_DEFLATE] = [1, 5, 6, 7, 8, 32_773, 32_946]
const [RGB, YCBCR] = [2, 6]

/** What decoders are known to show: grey either way, colours, a palette, the inks of printers, YCbCr, CIE Lab. */
const USUAL_COLOURS = [0, 1, RGB, 3, 5, YCBCR, 8]
/** None, from the sample before, and the same of floating numbers. */
const PREDICTORS = [1, 2, 3]
const USUAL_BITS = [1, 2, 4, 8, 16, 32]

/** Their data end with a code, a checksum or a marker, never in zeros. */
const ENDING_COMPRESSIONS = [LZW, JPEG, DEFLATE, OLD_DEFLATE]
const MAX_DIRECTORIES = 1_000

/** Of one strip or tile, packed or not, and of the whole file. */
const MAX_PIECE_BYTES = 256 * 1_024 * 1_024
const MAX_FILE_BYTES = 1_024 * 1_024 * 1_024

/** Answers whether all its data are plain. Throws `Flaw`, `NotChecked` and the errors of `readAt`. */
export async function walkTiff(readAt: ReadAt, sizeBytes: number, depth: Depth): Promise<'plain' | void> {
  const file = await TiffFile.open(readAt, sizeBytes)
  const waiting = [file.firstDirectory]
  const visited = new Set<number>()
  const ends = new DataEnds()
  let bytesLeft = MAX_FILE_BYTES
  let unknown: Unchecked | null = null
  let isPlain = true
  for (let offset = waiting.pop(); offset !== undefined; offset = waiting.pop()) {
    if (visited.has(offset)) continue
    visited.add(offset)
    if (visited.size > MAX_DIRECTORIES) throw malformed('a TIFF has too many directories')
    const directory = await directoryAt(file, offset, ends)
    if (directory === null) continue
    if (isUnwritten(directory, visited.size === 1)) throw truncated()
    await requireTables(file, directory)
    const layout = await layoutOf(file, directory)
    const data = await dataOf(file, directory, layout)
    ends.take(data)
    for (const [tag, { valuesAt, valueBytes }] of directory.entries) {
      const isCut = valuesAt + valueBytes > sizeBytes && !file.isSlip(valuesAt, ends.to)
      if (isCut && !PICTURE_TAGS.includes(tag)) throw truncated()
    }
    if (directory.next !== 0) waiting.push(directory.next)
    for (const tag of DIRECTORY_TAGS) {
      if ((directory.entries.get(tag)?.count ?? 0) > MAX_DIRECTORIES)
        throw malformed('a TIFF has too many directories')
      for (const pointer of await file.numbers(directory, tag)) waiting.push(pointer)
    }
    if (data.oldJpeg.length > 0) unknown ??= 'compression'
    if (depth === 'outline' || layout === null) continue
    if (PICTURE_TAGS.some((tag) => directory.disputed.has(tag)))
      throw malformed('a TIFF states twice what its picture is, and differently')
    const image = await imageOf(file, directory, layout, data)
    for (const { bytes, sizes } of image.pieces) bytesLeft -= Math.max(bytes, sizes.at(-1) ?? 0)
    if (bytesLeft < 0) throw new NotChecked('size')
    // The others are checked nevertheless: decoders show the first one only.
    isPlain &&= layout.compression === NONE
    const isChecked = await checkImage(readAt, image)
    unknown ??= isChecked ? (layout.unknown ?? oddLayoutOf(layout, data)) : 'compression'
  }
  await ends.check(readAt, depth)
  if (depth === 'data' && unknown !== null) throw new NotChecked(unknown)
  if (depth === 'data' && isPlain) return 'plain'
}

/** Decoders supply the sizes of strips if none is stated, and take several for one if their rows are left out. */
function oddLayoutOf({ isGuessed, compression }: Layout, { strips, hasAllSizes }: TiffData): 'layout' | null {
  const isInOneRow = strips.every(({ at }, index) => {
    const before = strips[index - 1]
    return before === undefined || at === before.at + before.bytes
  })
  return hasAllSizes && (!isGuessed || (compression === NONE && isInOneRow)) ? null : 'layout'
}

/** Null for a pointer to none, which many writers leave behind the first directory and in place of EXIF. */
async function directoryAt(file: TiffFile, offset: number, ends: DataEnds): Promise<TiffDirectory | null> {
  try {
    return await file.directory(offset)
  } catch (error) {
    if (error instanceof Flaw && error.kind === 'truncated' && file.isSlip(offset, ends.to)) return null
    throw error
  }
}

/** What a decoder holds at once of the first picture, in bytes: a strip, or a row of tiles, in all planes. Throws `Flaw`. */
export async function heldBytesOf(readAt: ReadAt, sizeBytes: number): Promise<number> {
  const file = await TiffFile.open(readAt, sizeBytes)
  const directory = await file.directory(file.firstDirectory)
  const of = (tag: number, otherwise: number): Promise<number> => file.number(directory, tag, otherwise)
  const bits = (await of(TAGS.bits, 1)) * (await of(TAGS.samples, 1))
  const [width, height] = [await of(TAGS.width, 0), await of(TAGS.height, 0)]
  const tile = [await of(TAGS.tileWidth, 0), await of(TAGS.tileHeight, 0)] as const
  const rows = tile[1] > 0 ? tile[1] : Math.min(height, await of(TAGS.rowsPerStrip, height))
  return ((width + tile[0]) * rows * bits) / 8
}

/** Preallocated space reads as an empty first directory, or as entries of zeros. */
function isUnwritten({ entries }: TiffDirectory, isFirst: boolean): boolean {
  const nothing = entries.get(0)
  return (isFirst && entries.size === 0) || (nothing?.type === 0 && nothing.count === 0)
}

/** Writers put the tables of JPEGs at the end, so a truncation or preallocated space affects them first. */
async function requireTables(file: TiffFile, { entries }: TiffDirectory): Promise<void> {
  const entry = entries.get(TAGS.jpegTables)
  if (!entry || entry.valueBytes < 4) return
  const end = await file.readAt(entry.valuesAt + entry.valueBytes - 2, 2)
  if (end[0] !== 0xff || end[1] !== 0xd9) throw truncated()
}

/** How the pixels of a directory lie in strips or tiles. */
type Layout = {
  readonly compression: number
  readonly isTiled: boolean
  /** The number of rows in a strip is. */
  readonly isGuessed: boolean
  readonly pieceWidth: number
  readonly pieceHeight: number
  /** Strips or tiles, of all planes. */
  readonly count: number
  /** Of a row of a strip or a tile, unpacked. */
  readonly rowBytes: number
  /** The bytes that a strip or a tile may hold: the last strip may be filled up to its full height. */
  sizesOf(index: number): readonly number[]
  /** What decoders may not know. */
  readonly unknown: 'bits' | 'colours' | null
}

/** Null for a directory without an image. */
async function layoutOf(file: TiffFile, directory: TiffDirectory): Promise<Layout | null> {
  const of = (tag: number, otherwise: number): Promise<number> => file.number(directory, tag, otherwise)
  const [width, height] = [await of(TAGS.width, 0), await of(TAGS.height, 0)]
  const isTiled = directory.entries.has(TAGS.tileOffsets)
  if (width === 0 || height === 0 || !(isTiled || directory.entries.has(TAGS.stripOffsets))) return null
  const photometric = await of(TAGS.photometric, -1)
  const stated = await file.numbers(directory, TAGS.bits)
  const samples = await of(TAGS.samples, [RGB, YCBCR].includes(photometric) ? 3 : Math.max(1, stated.length))
  if (samples > MAX_SAMPLES) throw malformed('a TIFF does not say where its image lies')
  // One number may count for all; the default of a single bit is that of a single sample.
  const bits = Array.from(
    { length: samples },
    (_, index) => stated[index] ?? stated[0] ?? (samples > 1 ? 8 : 1),
  )
  const isPlanar = samples > 1 && (await of(TAGS.planes, 1)) === 2
  const pieceWidth = isTiled ? await of(TAGS.tileWidth, 0) : width
  const strips = directory.entries.get(TAGS.stripOffsets)?.count ?? 1
  // Left out beside several strips, it follows from their number.
  const isGuessed = !isTiled && strips > 1 && !directory.entries.has(TAGS.rowsPerStrip)
  const guess = isGuessed ? Math.ceil(height / strips) : height
  const rows = isTiled ? await of(TAGS.tileHeight, 0) : await of(TAGS.rowsPerStrip, guess)
  const pieceHeight = isTiled ? rows : Math.min(height, rows === 0 ? height : rows)
  if (pieceWidth === 0 || pieceHeight === 0) throw malformed('a TIFF does not say where its image lies')
  const pixelBits = isPlanar ? (bits[0] ?? 0) : bits.reduce((sum, one) => sum + one, 0)
  const rowBytes = Math.ceil((pieceWidth * pixelBits) / 8)
  const perPlane = Math.ceil(height / pieceHeight) * (isTiled ? Math.ceil(width / pieceWidth) : 1)
  const areUsual = USUAL_BITS.includes(bits[0] ?? 0) && bits.every((one) => one === bits[0])
  return {
    compression: await of(TAGS.compression, NONE),
    isTiled,
    isGuessed,
    pieceWidth,
    pieceHeight,
    count: perPlane * (isPlanar ? samples : 1),
    rowBytes,
    sizesOf: (index) => {
      const own = isTiled ? pieceHeight : Math.min(pieceHeight, height - (index % perPlane) * pieceHeight)
      return own === pieceHeight ? [rowBytes * own] : [rowBytes * own, rowBytes * pieceHeight]
    },
    unknown: areUsual ? (USUAL_COLOURS.includes(photometric) ? null : 'colours') : 'bits',
  }
}

/** More samples of a pixel than any camera has; memory is taken for each. */
const MAX_SAMPLES = 1_000

/** The ranges of a directory's image data. */
type TiffData = {
  readonly compression: number
  readonly strips: readonly Extent[]
  readonly tiles: readonly Extent[]
  readonly oldJpeg: readonly Extent[]
  /** Or none, which decoders supply. */
  readonly hasAllSizes: boolean
}

async function dataOf(file: TiffFile, directory: TiffDirectory, layout: Layout | null): Promise<TiffData> {
  const compression = layout?.compression ?? (await file.number(directory, TAGS.compression, NONE))
  let hasAllSizes = true
  const extentsOf = async ([offsetTag, sizeTag]: readonly [number, number]): Promise<readonly Extent[]> => {
    const offsets = await file.numbers(directory, offsetTag)
    const sizes = await file.numbers(directory, sizeTag)
    const stated = sizes.slice(0, offsets.length).filter((bytes) => bytes > 0)
    hasAllSizes &&= stated.length === 0 || stated.length === offsets.length
    return offsets.map((at, index): Extent => {
      // The header is at 0, so image data there has not been placed yet.
      if (at === 0 || at > file.sizeBytes) throw truncated()
      const [needed = Infinity] = compression === NONE && layout ? layout.sizesOf(index) : []
      // Some writers leave sizes out, as libtiff allows, or state that of the whole file.
      const next = offsets[index + 1] ?? 0
      const to = next > at ? next : file.sizeBytes
      const bytes = sizes[index] || Math.min(needed, to - at)
      if (at + bytes > file.sizeBytes && !(bytes > needed && at + needed <= file.sizeBytes)) throw truncated()
      return { at, bytes: Math.min(bytes, file.sizeBytes - at) }
    })
  }
  return {
    compression,
    strips: await extentsOf([TAGS.stripOffsets, TAGS.stripBytes]),
    tiles: await extentsOf([TAGS.tileOffsets, TAGS.tileBytes]),
    oldJpeg: compression === OLD_JPEG ? await extentsOf([TAGS.oldJpegOffset, TAGS.oldJpegBytes]) : [],
    hasAllSizes,
  }
}

/** What the image data of a file end with: preallocated space (Samba) reads as zeros. */
class DataEnds {
  #last: (Extent & { readonly hasEndCode: boolean }) | null = null
  /** The longest stretch of data without an end code. */
  #plain = { from: 0, to: 0 }

  take({ compression, strips, tiles, oldJpeg }: TiffData): void {
    const hasEndCode = ENDING_COMPRESSIONS.includes(compression)
    let [from, to] = [Infinity, 0]
    for (const { at, bytes } of [...strips, ...tiles, ...oldJpeg]) {
      if (this.#last === null || at > this.#last.at) this.#last = { at, bytes, hasEndCode }
      ;[from, to] = [Math.min(from, at), Math.max(to, at + bytes)]
    }
    if (!hasEndCode && to - from > this.#plain.to - this.#plain.from) this.#plain = { from, to }
  }

  /** The end of the last of them. */
  get to(): number {
    return this.#last === null ? 0 : this.#last.at + this.#last.bytes
  }

  /** Data with an end code cannot end in zeros; the black rim of plain pixels can, unless it is half of them. */
  async check(readAt: ReadAt, depth: Depth): Promise<void> {
    if (this.#last === null) throw malformed('a TIFF holds no image')
    if (depth === 'data') return
    const { at, bytes, hasEndCode } = this.#last
    const tailBytes = Math.min(16, bytes)
    const tail = await readAt(at + bytes - tailBytes, tailBytes)
    if (hasEndCode && bytes > 0 && tail.every((byte) => byte === 0)) throw truncated()
    if (await isHalfUnwritten(readAt, this.#plain.from, this.#plain.to)) throw truncated()
  }
}

/** One strip or tile, and the bytes that it may hold, unpacked. */
type TiffPiece = Extent & { readonly sizes: readonly number[] }

/** The image of a directory. */
type TiffImage = {
  readonly layout: Layout
  readonly pieces: readonly TiffPiece[]
  readonly tables: Buffer | undefined
}

async function imageOf(
  file: TiffFile,
  directory: TiffDirectory,
  layout: Layout,
  { strips, tiles }: TiffData,
): Promise<TiffImage> {
  if ((await file.number(directory, TAGS.fillOrder, 1)) === 2) throw new NotChecked('compression')
  const predictors = directory.entries.has(TAGS.predictor)
    ? await file.numbers(directory, TAGS.predictor)
    : [1]
  // One that decoders do not understand, they leave out: another picture.
  if (predictors.length !== 1 || !PREDICTORS.includes(predictors[0] ?? 0))
    throw malformed('a TIFF does not say how its pixels follow from each other')
  // Pixels may share their colours.
  const photometric = await file.number(directory, TAGS.photometric, 0)
  if (photometric === YCBCR && layout.compression !== JPEG) throw new NotChecked('compression')
  const extents = layout.isTiled ? tiles : strips
  if (extents.length !== layout.count) throw malformed('a TIFF does not say where its image lies')
  const pieces = extents.map(({ at, bytes }, index): TiffPiece => {
    const sizes = layout.sizesOf(index)
    if ((sizes.at(-1) ?? 0) > MAX_PIECE_BYTES || bytes > MAX_PIECE_BYTES) throw new NotChecked('size')
    return { at, bytes, sizes }
  })
  const tables = directory.entries.get(TAGS.jpegTables)
  return {
    layout,
    pieces,
    tables: tables && bufferOf(await file.readAt(tables.valuesAt, tables.valueBytes)),
  }
}

/** How many bytes are packed in others, and at most so many. */
const UNPACKED_LENGTH: ReadonlyMap<number, (packed: Uint8Array, mostBytes: number) => number> = new Map([
  [DEFLATE, inflatedLength],
  [OLD_DEFLATE, inflatedLength],
  [LZW, lzwLength],
  [PACK_BITS, packBitsLength],
])

/** False if it is packed in a way that is left to libtiff. */
async function checkImage(readAt: ReadAt, image: TiffImage): Promise<boolean> {
  const { layout, pieces, tables } = image
  const { compression, pieceWidth, pieceHeight } = layout
  const lengthOf = UNPACKED_LENGTH.get(compression)
  if (compression === NONE) await checkPlain(readAt, image)
  else if (compression === JPEG) {
    // In whole blocks.
    const pixels = Math.ceil(pieceWidth / 32) * Math.ceil(pieceHeight / 32) * 1_024
    for (const { at, bytes, sizes } of pieces) {
      const jpeg = withTables(bufferOf(await readAt(at, bytes)), tables)
      await checkJpeg(jpeg, pixels)
      const { frame } = await outlineOfJpeg(jpeg)
      // What is larger, libtiff cuts or refuses.
      if (frame === null || frame.width < pieceWidth || frame.height * layout.rowBytes < (sizes[0] ?? 0))
        throw malformed('a JPEG is smaller than its strip or tile')
    }
  } else if (lengthOf !== undefined) {
    for (const { at, bytes, sizes } of pieces)
      if (!sizes.includes(lengthOf(await readAt(at, bytes), (sizes.at(-1) ?? 0) + 1)))
        throw malformed('packed image data are of another size than their image')
  } else return false
  return true
}

/** A JPEG behind the stream of tables that it shares with others, as one (ISO/IEC 10918-1 B.5). */
function withTables(packed: Buffer, tables: Buffer | undefined): Buffer {
  if (!tables) return packed
  if (packed[0] !== 0xff || packed[1] !== 0xd8) throw malformed('a JPEG does not begin as one')
  return Buffer.concat([tables.subarray(0, -2), packed.subarray(2)])
}

/** Strips follow each other in the picture; a tile is a picture of its own. */
async function checkPlain(
  readAt: ReadAt,
  { pieces, layout: { rowBytes, isTiled } }: TiffImage,
): Promise<void> {
  if (pieces.some(({ bytes, sizes }) => !sizes.includes(bytes)))
    throw malformed('plain image data are of another size than their image')
  const pictures = isTiled ? pieces.map((piece) => [piece]) : [pieces]
  for (const picture of pictures) {
    if (picture.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_PLAIN_BYTES) throw new NotChecked('size')
    const parts: Uint8Array[] = []
    for (const { at, bytes } of picture) parts.push(await readAt(at, bytes))
    checkPlainPixels(parts[1] ? Buffer.concat(parts) : bufferOf(parts[0] ?? new Uint8Array()), rowBytes)
  }
}
