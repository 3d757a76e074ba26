/**
 * TIFF 6.0: a header, directories anywhere in the file, and image data in strips or tiles that they point to.
 *
 * Whole if every directory, every value and every strip or tile lies inside the file. Sound if there are as many strips or
 * tiles as the image needs, and each is: plain, JPEG, or deflate, of which libtiff does not check the checksum. It decides
 * about LZW and PackBits, in which it lets no damaged block pass (measured).
 */
import { inflateSync } from 'node:zlib'
import { errorCode } from '../../lib/errors.ts'
import {
  bufferOf,
  type Depth,
  type Extent,
  isHalfUnwritten,
  malformed,
  MAX_LEFT_BYTES,
  NotChecked,
  type ReadAt,
  truncated,
  viewOf,
} from './bytes.ts'
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
  oldJpegOffset: 513,
  oldJpegBytes: 514,
  exif: 34_665,
  gps: 34_853,
  interoperability: 40_965,
} as const

const DIRECTORY_TAGS = [TAGS.subDirectories, TAGS.exif, TAGS.gps, TAGS.interoperability]

const [NONE, LZW, JPEG, DEFLATE, OLD_DEFLATE] = [1, 5, 7, 8, 32_946]
const YCBCR = 6

/** Their data end with a code, a checksum or a marker, never in zeros. */
const ENDING_COMPRESSIONS = [LZW, JPEG, DEFLATE, OLD_DEFLATE]
const MAX_DIRECTORIES = 1_000

/** Of one strip or tile, packed or not, and of the whole file. */
const MAX_PIECE_BYTES = 256 * 1_024 * 1_024
const MAX_FILE_BYTES = 1_024 * 1_024 * 1_024

/** Throws `Flaw`, `NotChecked` and the errors of `readAt`. */
export async function walkTiff(readAt: ReadAt, sizeBytes: number, depth: Depth): Promise<void> {
  const file = await TiffFile.open(readAt, sizeBytes)
  const waiting = [file.firstDirectory]
  const visited = new Set<number>()
  const ends = new DataEnds()
  let bytesLeft = MAX_FILE_BYTES
  let areAllChecked = true
  for (let offset = waiting.pop(); offset !== undefined; offset = waiting.pop()) {
    if (visited.has(offset)) continue
    visited.add(offset)
    if (visited.size > MAX_DIRECTORIES) throw malformed('a TIFF has too many directories')
    const directory = await file.directory(offset)
    if (isUnwritten(directory, visited.size === 1)) throw truncated()
    await requireTables(file, directory)
    const data = await dataOf(file, directory)
    ends.take(data)
    if (directory.next !== 0) waiting.push(directory.next)
    for (const tag of DIRECTORY_TAGS) {
      if ((directory.entries.get(tag)?.count ?? 0) > MAX_DIRECTORIES)
        throw malformed('a TIFF has too many directories')
      for (const pointer of await file.numbers(directory, tag)) waiting.push(pointer)
    }
    const image = depth === 'data' ? await imageOf(file, directory, data) : null
    if (image === null) continue
    for (const { bytes, sizes } of image.pieces) bytesLeft -= Math.max(bytes, sizes.at(-1) ?? 0)
    if (bytesLeft < 0) throw new NotChecked('size')
    // The others are checked nevertheless: decoders show the first one only.
    if (!(await checkImage(readAt, image))) areAllChecked = false
  }
  await ends.check(readAt, depth)
  if (!areAllChecked) throw new NotChecked('compression')
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

/** The ranges of a directory's image data. */
type TiffData = {
  readonly compression: number
  readonly strips: readonly Extent[]
  readonly tiles: readonly Extent[]
  readonly oldJpeg: readonly Extent[]
}

async function dataOf(file: TiffFile, directory: TiffDirectory): Promise<TiffData> {
  const extentsOf = async ([offsetTag, sizeTag]: readonly [number, number]): Promise<readonly Extent[]> => {
    const offsets = await file.numbers(directory, offsetTag)
    const sizes = await file.numbers(directory, sizeTag)
    if (offsets.length !== sizes.length) throw malformed('a TIFF does not say where its image lies')
    return offsets.map((at, index): Extent => {
      const bytes = sizes[index] ?? 0
      // The header is at 0, so image data there has not been placed yet.
      if (at === 0 || at + bytes > file.sizeBytes) throw truncated()
      return { at, bytes }
    })
  }
  return {
    compression: await file.number(directory, TAGS.compression, NONE),
    strips: await extentsOf([TAGS.stripOffsets, TAGS.stripBytes]),
    tiles: await extentsOf([TAGS.tileOffsets, TAGS.tileBytes]),
    oldJpeg: await extentsOf([TAGS.oldJpegOffset, TAGS.oldJpegBytes]),
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

/** One strip or tile. `sizes` are the bytes that it may hold: the last strip may be filled up to its full height. */
type TiffPiece = Extent & { readonly sizes: readonly number[] }

/** The image of a directory. */
type TiffImage = {
  readonly compression: number
  /** Bytes of a row of a strip or a tile, unpacked. */
  readonly rowBytes: number
  readonly isTiled: boolean
  /** Of a strip or a tile, in whole blocks of a JPEG. */
  readonly piecePixels: number
  readonly pieces: readonly TiffPiece[]
  readonly tables: Buffer | undefined
}

/** Null for a directory without an image. */
async function imageOf(
  file: TiffFile,
  directory: TiffDirectory,
  { compression, strips, tiles }: TiffData,
): Promise<TiffImage | null> {
  const of = (tag: number, otherwise: number): Promise<number> => file.number(directory, tag, otherwise)
  const [width, height] = [await of(TAGS.width, 0), await of(TAGS.height, 0)]
  const isTiled = directory.entries.has(TAGS.tileOffsets)
  const extents = isTiled ? tiles : strips
  if (extents.length === 0 || width === 0 || height === 0) return null
  if ((await of(TAGS.fillOrder, 1)) !== 1) throw new NotChecked('compression')
  const samples = await of(TAGS.samples, 1)
  const bits = await of(TAGS.bits, 1)
  const isPlanar = (await of(TAGS.planes, 1)) === 2
  const pieceWidth = isTiled ? await of(TAGS.tileWidth, 0) : width
  const pieceHeight = isTiled
    ? await of(TAGS.tileHeight, 0)
    : Math.min(height, await of(TAGS.rowsPerStrip, height))
  if (pieceWidth === 0 || pieceHeight === 0) throw malformed('a TIFF does not say where its image lies')
  // Pixels may share their colours.
  if ((await of(TAGS.photometric, 0)) === YCBCR && compression !== JPEG) throw new NotChecked('compression')
  const bytesOf = (rows: number): number =>
    rows * Math.ceil((pieceWidth * bits * (isPlanar ? 1 : samples)) / 8)
  const full = bytesOf(pieceHeight)
  const perPlane = Math.ceil(height / pieceHeight) * (isTiled ? Math.ceil(width / pieceWidth) : 1)
  if (extents.length !== perPlane * (isPlanar ? samples : 1))
    throw malformed('a TIFF does not say where its image lies')
  const pieces = extents.map(({ at, bytes }, index): TiffPiece => {
    const rows = isTiled ? pieceHeight : Math.min(pieceHeight, height - (index % perPlane) * pieceHeight)
    const sizes = rows === pieceHeight ? [full] : [bytesOf(rows), full]
    if (full > MAX_PIECE_BYTES || bytes > MAX_PIECE_BYTES) throw new NotChecked('size')
    return { at, bytes, sizes }
  })
  const tables = directory.entries.get(TAGS.jpegTables)
  return {
    compression,
    rowBytes: bytesOf(1),
    isTiled,
    piecePixels: Math.ceil(pieceWidth / 32) * Math.ceil(pieceHeight / 32) * 1_024,
    pieces,
    tables: tables && bufferOf(await file.readAt(tables.valuesAt, tables.valueBytes)),
  }
}

/** False if it is packed in a way that is left to libtiff. */
async function checkImage(readAt: ReadAt, image: TiffImage): Promise<boolean> {
  const { compression, pieces, piecePixels, tables } = image
  if (compression === NONE) {
    await checkPlain(readAt, image)
    return true
  }
  for (const { at, bytes, sizes } of pieces) {
    switch (compression) {
      case DEFLATE:
      case OLD_DEFLATE:
        if (!sizes.includes(inflated(await readAt(at, bytes), (sizes.at(-1) ?? 0) + 1).length))
          throw malformed('packed image data are of another size than their image')
        break
      case JPEG:
        await checkJpeg(withTables(bufferOf(await readAt(at, bytes)), tables), piecePixels)
        break
      default:
        return false
    }
  }
  return true
}

/** A JPEG behind the stream of tables that it shares with others, as one (ISO/IEC 10918-1 B.5). */
function withTables(packed: Buffer, tables: Buffer | undefined): Buffer {
  if (!tables) return packed
  if (packed[0] !== 0xff || packed[1] !== 0xd8) throw malformed('a JPEG does not begin as one')
  return Buffer.concat([tables.subarray(0, -2), packed.subarray(2)])
}

/** Strips follow each other in the picture; a tile is a picture of its own. */
async function checkPlain(readAt: ReadAt, { pieces, rowBytes, isTiled }: TiffImage): Promise<void> {
  if (pieces.some(({ bytes, sizes }) => !sizes.includes(bytes)))
    throw malformed('plain image data are of another size than their image')
  const pictures = isTiled ? pieces.map((piece) => [piece]) : [pieces]
  for (const picture of pictures) {
    if (picture.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_PLAIN_BYTES) throw new NotChecked('size')
    const parts: Uint8Array[] = []
    for (const { at, bytes } of picture) parts.push(await readAt(at, bytes))
    checkPlainPixels(Buffer.concat(parts), rowBytes)
  }
}

type TiffEntry = {
  readonly type: number
  readonly count: number
  /** The position of the values: inside the entry itself if they fit. */
  readonly valuesAt: number
  readonly valueBytes: number
}

/** Entries by tag; the first one, if a tag is repeated. */
type TiffDirectory = { readonly entries: ReadonlyMap<number, TiffEntry>; readonly next: number }

/** Bytes of one value, by its type: TIFF 6.0 page 15, and 13 (IFD). An unknown type has none. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const INTEGER_TYPES = [1, 3, 4, 13]
const [COUNT_BYTES, ENTRY_BYTES] = [2, 12]

/** Per file: directories may share numbers, so a small file can refer to them a thousand times. */
const MAX_NUMBERS = 2_000_000

/** An opened TIFF (TIFF 6.0 section 2). All of it throws `Flaw`. */
class TiffFile {
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
    for (let at = 0; at < count * ENTRY_BYTES; at += ENTRY_BYTES) {
      const tag = body.getUint16(at, isLittleEndian)
      const type = body.getUint16(at + 2, isLittleEndian)
      const valueCount = body.getUint32(at + 4, isLittleEndian)
      const valueBytes = valueCount * (TYPE_BYTES[type] ?? 0)
      const valuesAt =
        valueBytes <= 4 ? offset + COUNT_BYTES + at + 8 : body.getUint32(at + 8, isLittleEndian)
      if (valuesAt + valueBytes > this.sizeBytes) throw truncated()
      if (!entries.has(tag)) entries.set(tag, { type, count: valueCount, valuesAt, valueBytes })
    }
    return { entries, next: body.getUint32(count * ENTRY_BYTES, isLittleEndian) }
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
    const isLittleEndian = this.#isLittleEndian
    const view = viewOf(bytes)
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
}

/** The data of a zlib stream of at most so many bytes; its checksum is right, and nothing follows it. */
function inflated(packed: Uint8Array, mostBytes: number): Buffer {
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
