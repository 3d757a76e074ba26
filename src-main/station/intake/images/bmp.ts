/** BMP files, which sharp does not read: their header, their structure and their pixels. */
import {
  isHalfUnwritten,
  malformed,
  type ReadAt,
  type Shortfall,
  type Structure,
  TRUNCATED,
  viewOf,
  WHOLE,
} from '../file-structure.ts'
import { MAX_PIXELS } from './decode.ts'

/** `plain`: rows of pixels; `rle8`, `rle4`: run lengths of palette indices. */
type BmpCoding = 'plain' | 'rle8' | 'rle4'

type BmpHeader = {
  readonly width: number
  readonly height: number
  /** The first row in the file is the top one; usually it is the bottom one. */
  readonly isTopDown: boolean
  readonly bitsPerPixel: 1 | 4 | 8 | 16 | 24 | 32
  readonly coding: BmpCoding
  readonly pixelsAt: number
  /** Bytes of the pixels: computed from the rows, or as declared in the header for run lengths. */
  readonly pixelBytes: number
  /** Bytes of one row, padded to four; 0 for run lengths. */
  readonly rowBytes: number
  /** The bits of red, green and blue; null except for 16 and 32 bits a pixel. */
  readonly masks: readonly [number, number, number] | null
  readonly palette: { readonly at: number; readonly count: number; readonly entryBytes: 3 | 4 } | null
}

type BmpHeaderFinding = { readonly kind: 'header'; readonly header: BmpHeader } | Shortfall

const FILE_HEADER_BYTES = 14
const OS2_HEADER_BYTES = 12
const HEADER_SIZES = [OS2_HEADER_BYTES, 40, 52, 56, 108, 124]

/** The reach of any header, with the masks that may follow one of 40 bytes. */
const HEAD_BYTES = FILE_HEADER_BYTES + 124 + 16
const DEPTHS = [1, 4, 8, 16, 24, 32] as const

/** biCompression: BI_RGB, BI_RLE8, BI_RLE4, BI_BITFIELDS, BI_ALPHABITFIELDS. The others are for printers. */
const [PLAIN, RLE8, RLE4, BITFIELDS, ALPHA_BITFIELDS] = [0, 1, 2, 3, 6]

const MAX_DIMENSION = 0xffff

/** The default masks of 16 and 32 bits: five bits each, and a byte each with one left over. */
const USUAL_MASKS = { 16: [0x7c00, 0x3e0, 0x1f], 32: [0xff_0000, 0xff00, 0xff] } as const

/** Run lengths end with an escape and a one ([MS-WMF] 3.1.6); some writers pad to four bytes after it. */
const TAIL_BYTES = 16

/**
 * Whole if all declared pixels are there. The stated file size is ignored (some writers get it wrong). Zeros at the end
 * may be a black rim, unless they are half of it; run lengths cannot end so.
 */
export async function bmpStructure(readAt: ReadAt, sizeBytes: number): Promise<Structure> {
  const found = await readBmpHeader(readAt)
  if (found.kind !== 'header') return found
  const { pixelsAt, pixelBytes, coding, palette } = found.header
  const end = pixelsAt + pixelBytes
  if (end > sizeBytes) return TRUNCATED
  // In a palette, index zero may be any colour.
  if (palette !== null && coding === 'plain') return WHOLE
  if (coding === 'plain') return (await isHalfUnwritten(readAt, pixelsAt, end)) ? TRUNCATED : WHOLE
  const tailBytes = Math.min(TAIL_BYTES, pixelBytes)
  const tail = await readAt(end - tailBytes, tailBytes)
  return tail.some((byte) => byte !== 0) ? WHOLE : TRUNCATED
}

/** The plain pixels inside the file, row by row; null for run lengths, and if it has no proper header. */
export async function plainPixelsOfBmp(
  readAt: ReadAt,
): Promise<{ readonly at: number; readonly bytes: number; readonly rowBytes: number } | null> {
  const found = await readBmpHeader(readAt)
  if (found.kind !== 'header' || found.header.coding !== 'plain') return null
  const { pixelsAt, pixelBytes, rowBytes } = found.header
  return { at: pixelsAt, bytes: pixelBytes, rowBytes }
}

/**
 * Reads the header of a BMP: [MS-WMF] 2.2.2.9 (BITMAPFILEHEADER as in wingdi.h of the Windows SDK), then that of OS/2 1
 * (12 bytes) or of Windows 3 to 5 (40 to 124 bytes), distinguished by their leading size. Never throws for its content.
 */
async function readBmpHeader(readAt: ReadAt): Promise<BmpHeaderFinding> {
  const head = await readAt(0, HEAD_BYTES)
  if (head.length < FILE_HEADER_BYTES + OS2_HEADER_BYTES) return TRUNCATED
  const view = viewOf(head)
  const headerBytes = view.getUint32(FILE_HEADER_BYTES, true)
  if (!HEADER_SIZES.includes(headerBytes)) return malformed('a BMP has a header of no known size')
  if (head.length < FILE_HEADER_BYTES + headerBytes) return TRUNCATED
  return headerOf(view, headerBytes)
}

function headerOf(view: DataView, headerBytes: number): BmpHeaderFinding {
  const isOs2 = headerBytes === OS2_HEADER_BYTES
  const pixelsAt = view.getUint32(10, true)
  const width = isOs2 ? view.getUint16(18, true) : view.getInt32(18, true)
  const signedHeight = isOs2 ? view.getUint16(20, true) : view.getInt32(22, true)
  const depth = view.getUint16(isOs2 ? 24 : 28, true)
  const compression = isOs2 ? PLAIN : view.getUint32(30, true)
  const declaredBytes = isOs2 ? 0 : view.getUint32(34, true)
  const colourCount = isOs2 ? 0 : view.getUint32(46, true)
  const height = Math.abs(signedHeight)
  const bitsPerPixel = DEPTHS.find((one) => one === depth)
  // Zeros instead of the size: the space is preallocated and the header not written yet.
  if (width === 0 || height === 0 || depth === 0 || pixelsAt === 0) return TRUNCATED
  if (bitsPerPixel === undefined) return malformed('a BMP has an unknown number of bits in a pixel')
  if (width < 0 || width > MAX_DIMENSION || height > MAX_DIMENSION)
    return malformed('a BMP claims to be larger than any image')
  const coding = codingOf(compression, bitsPerPixel)
  if (coding === null) return malformed('a BMP is packed in a way that is not for screens')
  const isTopDown = signedHeight < 0
  if (coding !== 'plain' && (isTopDown || declaredBytes === 0))
    return malformed('a BMP of run lengths does not say how long it is')

  const hasMasks = compression === BITFIELDS || compression === ALPHA_BITFIELDS
  // Masks are at the same position whether the header includes them (52 bytes and more) or precedes them (40 bytes).
  const masksEnd = hasMasks ? FILE_HEADER_BYTES + 40 + 12 : 0
  if (masksEnd > view.byteLength) return TRUNCATED
  const paletteAt = Math.max(FILE_HEADER_BYTES + headerBytes, masksEnd)
  const count = colourCount === 0 ? 2 ** Math.min(bitsPerPixel, 8) : colourCount
  const entryBytes = isOs2 ? 3 : 4
  const palette =
    bitsPerPixel <= 8 ? ({ at: paletteAt, count: Math.min(count, 256), entryBytes } as const) : null
  if (pixelsAt < paletteAt) return malformed('the pixels of a BMP lie inside its head')
  const rowBytes = coding === 'plain' ? Math.ceil((width * bitsPerPixel) / 32) * 4 : 0
  return {
    kind: 'header',
    header: {
      width,
      height,
      isTopDown,
      bitsPerPixel,
      coding,
      pixelsAt,
      pixelBytes: coding === 'plain' ? rowBytes * height : declaredBytes,
      rowBytes,
      masks: masksOf(view, bitsPerPixel, hasMasks),
      palette,
    },
  }
}

function masksOf(
  view: DataView,
  bitsPerPixel: BmpHeader['bitsPerPixel'],
  hasMasks: boolean,
): BmpHeader['masks'] {
  if (bitsPerPixel !== 16 && bitsPerPixel !== 32) return null
  if (!hasMasks) return USUAL_MASKS[bitsPerPixel]
  const at = FILE_HEADER_BYTES + 40
  return [view.getUint32(at, true), view.getUint32(at + 4, true), view.getUint32(at + 8, true)]
}

function codingOf(compression: number, bitsPerPixel: BmpHeader['bitsPerPixel']): BmpCoding | null {
  if (compression === PLAIN) return 'plain'
  if (compression === RLE8 && bitsPerPixel === 8) return 'rle8'
  if (compression === RLE4 && bitsPerPixel === 4) return 'rle4'
  const isByMasks = compression === BITFIELDS || compression === ALPHA_BITFIELDS
  return isByMasks && (bitsPerPixel === 16 || bitsPerPixel === 32) ? 'plain' : null
}

/** Decoded, it is one byte a pixel; larger data is no compression. */
const MAX_BYTES_PER_PIXEL = 4

const [END_OF_LINE, END_OF_BITMAP, DELTA] = [0, 1, 2]

/** Run lengths are decoded in memory, one byte a pixel. They are used for small drawings, not photographs. */
const MAX_PACKED_PIXELS = 40_000_000
const CHUNK_BYTES = 1_024 * 1_024

/** The pixels of a BMP file: [MS-WMF] 2.1.1.7 (bits in a pixel) and 3.1.6 (run lengths). */
type BmpPixels = {
  readonly width: number
  readonly height: number
  /** Rows from the top, red, green and blue of each pixel; each is valid until the next is requested. */
  readonly rows: AsyncIterable<Uint8Array>
  /** The side of the picture stored last in the file. */
  readonly endOfFile: 'top' | 'bottom'
}

type RowReader = (from: Uint8Array, to: Uint8Array) => void

/** Null if it is no BMP, too large, or refers to bytes beyond its end. Drops alpha, which no camera writes. */
export async function readBmpPixels(readAt: ReadAt, sizeBytes: number): Promise<BmpPixels | null> {
  const found = await readBmpHeader(readAt)
  if (found.kind !== 'header') return null
  const { header } = found
  const { width, height, pixelsAt, pixelBytes } = header
  if (pixelsAt + pixelBytes > sizeBytes) return null
  const endOfFile = header.isTopDown ? 'bottom' : 'top'
  const readRow = await rowReaderOf(readAt, header)
  if (header.coding === 'plain') {
    if (width * height > MAX_PIXELS) return null
    return { width, height, rows: plainRows(readAt, header, readRow), endOfFile }
  }
  if (width * height > MAX_PACKED_PIXELS) return null
  const indices = await readBmpRuns(readAt, header)
  return indices === null ? null : { width, height, rows: unpackedRows(indices, header, readRow), endOfFile }
}

/**
 * RLE8 and RLE4 ([MS-WMF] 3.1.6.1, 3.1.6.2) as the palette index of every pixel, bottom row first; skipped ones are 0.
 * Null if its end is missing, or it is longer than any encoding.
 */
async function readBmpRuns(readAt: ReadAt, header: BmpHeader): Promise<Uint8Array | null> {
  const { width, height, coding, pixelsAt, pixelBytes } = header
  if (pixelBytes > width * height * MAX_BYTES_PER_PIXEL + 1_024) return null
  const packed = await readAt(pixelsAt, pixelBytes)
  const pixels = new Uint8Array(width * height)
  const isHalf = coding === 'rle4'
  let [x, y, at] = [0, 0, 0]
  /** Writes a run of pixels as far as it fits into its row, so that an overlong run costs no time. */
  const writeRun = (count: number, index: (nth: number) => number): void => {
    const fitting = y < height ? Math.min(count, width - x) : 0
    for (let nth = 0; nth < fitting; nth += 1) pixels[y * width + x + nth] = index(nth)
    x += count
  }
  /** One pixel a byte, or two with the left one in the high bits. */
  const indexAt = (from: number, nth: number): number => {
    if (!isHalf) return packed[from + nth] ?? 0
    const byte = packed[from + Math.floor(nth / 2)] ?? 0
    return nth % 2 === 0 ? byte >> 4 : byte & 0xf
  }
  while (at + 1 < packed.length) {
    const count = packed[at] ?? 0
    const what = packed[at + 1] ?? 0
    at += 2
    if (count > 0) {
      const from = at - 1
      writeRun(count, (nth) => (isHalf ? indexAt(from, nth % 2) : what))
    } else if (what === END_OF_LINE) {
      x = 0
      y += 1
    } else if (what === END_OF_BITMAP) {
      return pixels
    } else if (what === DELTA) {
      x += packed[at] ?? 0
      y += packed[at + 1] ?? 0
      at += 2
    } else {
      const from = at
      writeRun(what, (nth) => indexAt(from, nth))
      // Padded to two bytes.
      at += Math.ceil(what / (isHalf ? 4 : 2)) * 2
    }
  }
  // Some writers omit the end after the last line.
  return y >= height - 1 && (x >= width || x === 0) && at <= packed.length ? pixels : null
}

async function* plainRows(
  readAt: ReadAt,
  { width, height, rowBytes, pixelsAt, isTopDown }: BmpHeader,
  readRow: RowReader,
): AsyncGenerator<Uint8Array> {
  const atOnce = Math.max(1, Math.floor(CHUNK_BYTES / rowBytes))
  const row = new Uint8Array(width * 3)
  for (let top = 0; top < height; top += atOnce) {
    const count = Math.min(atOnce, height - top)
    const first = isTopDown ? top : height - top - count
    const chunk = await readAt(pixelsAt + first * rowBytes, count * rowBytes)
    for (let index = 0; index < count; index += 1) {
      const at = (isTopDown ? index : count - 1 - index) * rowBytes
      readRow(chunk.subarray(at, at + rowBytes), row)
      yield row
    }
  }
}

async function* unpackedRows(
  indices: Uint8Array,
  { width, height }: BmpHeader,
  readRow: RowReader,
): AsyncGenerator<Uint8Array> {
  const row = new Uint8Array(width * 3)
  for (let y = height - 1; y >= 0; y -= 1) {
    readRow(indices.subarray(y * width, (y + 1) * width), row)
    yield row
  }
}

async function rowReaderOf(readAt: ReadAt, header: BmpHeader): Promise<RowReader> {
  const { masks, palette, bitsPerPixel, coding } = header
  if (palette !== null) {
    const colours = await readPalette(readAt, header, palette)
    return byPalette(colours, coding === 'plain' ? bitsPerPixel : 8)
  }
  return masks === null ? blueGreenRed : byMasks(masks, bitsPerPixel === 16 ? 2 : 4)
}

/** 256 colours; an index beyond the palette of the file is black. */
async function readPalette(
  readAt: ReadAt,
  { pixelsAt }: BmpHeader,
  { at, count, entryBytes }: NonNullable<BmpHeader['palette']>,
): Promise<Uint8Array> {
  const colours = new Uint8Array(256 * 3)
  const bytes = await readAt(at, Math.min(count * entryBytes, pixelsAt - at))
  for (let index = 0; (index + 1) * entryBytes <= bytes.length; index += 1) {
    const from = index * entryBytes
    colours.set([bytes[from + 2] ?? 0, bytes[from + 1] ?? 0, bytes[from] ?? 0], index * 3)
  }
  return colours
}

function byPalette(colours: Uint8Array, bits: number): RowReader {
  const perByte = 8 / bits
  const mask = 2 ** bits - 1
  return (from, to) => {
    for (let x = 0; x * 3 < to.length; x += 1) {
      const byte = from[Math.floor(x / perByte)] ?? 0
      // The leftmost pixel is in the highest bits.
      const index = (byte >> (8 - bits * ((x % perByte) + 1))) & mask
      to[x * 3] = colours[index * 3] ?? 0
      to[x * 3 + 1] = colours[index * 3 + 1] ?? 0
      to[x * 3 + 2] = colours[index * 3 + 2] ?? 0
    }
  }
}

function blueGreenRed(from: Uint8Array, to: Uint8Array): void {
  for (let at = 0; at < to.length; at += 3) {
    to[at] = from[at + 2] ?? 0
    to[at + 1] = from[at + 1] ?? 0
    to[at + 2] = from[at] ?? 0
  }
}

function byMasks(masks: readonly [number, number, number], bytes: 2 | 4): RowReader {
  const channels = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
    return { mask, shift, most: mask === 0 ? 1 : mask >>> shift }
  })
  return (from, to) => {
    const view = new DataView(from.buffer, from.byteOffset, from.byteLength)
    for (let x = 0; x * 3 < to.length; x += 1) {
      const at = x * bytes
      if (at + bytes > view.byteLength) return
      const pixel = bytes === 2 ? view.getUint16(at, true) : view.getUint32(at, true)
      channels.forEach(({ mask, shift, most }, channel) => {
        to[x * 3 + channel] = Math.round((((pixel & mask) >>> shift) * 255) / most)
      })
    }
  }
}
