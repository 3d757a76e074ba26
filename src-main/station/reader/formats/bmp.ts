/**
 * BMP files, which sharp does not read: whether one is complete and sound, and its pixels. 24 and 32 bits, and 8 bits of
 * a palette, as cameras and the programs beside them write photographs; no run lengths and no other depths.
 */
import {
  bufferOf,
  type Depth,
  isHalfUnwritten,
  malformed,
  MAX_PIXELS,
  NotChecked,
  type ReadAt,
  truncated,
  viewOf,
} from './bytes.ts'
import { checkPlainPixels, MAX_PLAIN_BYTES } from './plain-pixels.ts'

type BmpHeader = {
  readonly width: number
  readonly height: number
  /** The first row in the file is the top one; usually it is the bottom one. */
  readonly isTopDown: boolean
  readonly pixelsAt: number
  readonly pixelBytes: number
  /** Bytes of one row, padded to four. */
  readonly rowBytes: number
  readonly bytesPerPixel: number
  /** Which byte of a pixel is red, which green, which blue. */
  readonly order: readonly number[]
  readonly palette: { readonly at: number; readonly entries: number } | null
}

const FILE_HEADER_BYTES = 14

/** Those of Windows 3 to 5. */
const HEADER_SIZES = [40, 52, 56, 108, 124]
const OS2_HEADER_BYTES = 12

/** The reach of any header, with the masks that may follow one of 40 bytes. */
const HEAD_BYTES = FILE_HEADER_BYTES + 124 + 16
const DEPTHS = [8, 24, 32]

/** biCompression: BI_RGB; BI_BITFIELDS, BI_ALPHABITFIELDS. */
const PLAIN = 0
const MASKED = [3, 6]

/** The masks that give a byte to a colour, in the order of these bytes. */
const BYTE_MASKS = [0xff, 0xff00, 0xff_0000, 0xff00_0000]
const BLUE_GREEN_RED = [2, 1, 0]

const MAX_DIMENSION = 0xffff

/** Of a colour in a palette. */
const ENTRY_BYTES = 4

/**
 * Whole if all declared pixels are there. The stated file size is ignored (some writers get it wrong). Zeros at the end
 * may be a black rim, unless they are half of it. Throws `Flaw`, `NotChecked` and the errors of `readAt`.
 */
export async function walkBmp(readAt: ReadAt, sizeBytes: number, depth: Depth): Promise<void> {
  const { pixelsAt, pixelBytes, rowBytes, palette } = await readHeader(readAt, sizeBytes)
  if (depth === 'outline') {
    // In a palette, index zero may be any colour.
    const isEmpty = palette === null && (await isHalfUnwritten(readAt, pixelsAt, pixelsAt + pixelBytes))
    if (isEmpty) throw truncated()
    return
  }
  if (pixelBytes > MAX_PLAIN_BYTES) throw new NotChecked('size')
  checkPlainPixels(bufferOf(await readAt(pixelsAt, pixelBytes)), rowBytes)
}

/**
 * True for BMPs that are not taken: with run lengths, of few colours or 16 bits, and those of OS/2 1. `head` is the beginning
 * of a file that is a BMP.
 */
export function isUnusualBmp(head: Uint8Array): boolean {
  if (head.length < FILE_HEADER_BYTES + 40) return false
  const view = viewOf(head)
  if (view.getUint32(FILE_HEADER_BYTES, true) === OS2_HEADER_BYTES) return true
  const bits = view.getUint16(28, true)
  // Zeros instead of the depth: the header is not written yet.
  return bits !== 0 && (!DEPTHS.includes(bits) || (view.getUint32(30, true) !== PLAIN && !hasMasks(view)))
}

function hasMasks(view: DataView): boolean {
  return view.getUint16(28, true) === 32 && MASKED.includes(view.getUint32(30, true))
}

/** [MS-WMF] 2.2.2.9 (BITMAPFILEHEADER as in wingdi.h of the Windows SDK), and the header behind it, by its leading size. */
async function readHeader(readAt: ReadAt, sizeBytes: number): Promise<BmpHeader> {
  const head = await readAt(0, HEAD_BYTES)
  if (head.length < FILE_HEADER_BYTES + 40) throw truncated()
  const view = viewOf(head)
  const headerBytes = view.getUint32(FILE_HEADER_BYTES, true)
  if (!HEADER_SIZES.includes(headerBytes) || isUnusualBmp(head))
    throw malformed('a BMP is of a kind that is not taken')
  if (head.length < FILE_HEADER_BYTES + headerBytes) throw truncated()
  const header = headerOf(view, headerBytes)
  if (header.pixelsAt + header.pixelBytes > sizeBytes) throw truncated()
  return header
}

function headerOf(view: DataView, headerBytes: number): BmpHeader {
  const pixelsAt = view.getUint32(10, true)
  const width = view.getInt32(18, true)
  const signedHeight = view.getInt32(22, true)
  const bits = view.getUint16(28, true)
  const colours = view.getUint32(46, true)
  const height = Math.abs(signedHeight)
  // Zeros instead of the size: the space is preallocated and the header not written yet.
  if (width === 0 || height === 0 || bits === 0 || pixelsAt === 0) throw truncated()
  if (width < 0 || width > MAX_DIMENSION || height > MAX_DIMENSION)
    throw malformed('a BMP claims to be larger than any image')
  // Masks are at the same position whether the header includes them (52 bytes and more) or precedes them (40 bytes).
  const masksAt = FILE_HEADER_BYTES + 40
  const afterMasks = hasMasks(view) ? masksAt + 12 : 0
  if (afterMasks > view.byteLength) throw truncated()
  const headEnd = Math.max(FILE_HEADER_BYTES + headerBytes, afterMasks)
  if (pixelsAt < headEnd) throw malformed('the pixels of a BMP lie inside its head')
  const order = hasMasks(view)
    ? [0, 4, 8].map((at) => BYTE_MASKS.indexOf(view.getUint32(masksAt + at, true)))
    : BLUE_GREEN_RED
  if (order.includes(-1)) throw malformed('a BMP gives its colours no byte each')
  const entries = Math.min(colours === 0 ? 256 : colours, 256, Math.floor((pixelsAt - headEnd) / ENTRY_BYTES))
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  return {
    width,
    height,
    isTopDown: signedHeight < 0,
    pixelsAt,
    pixelBytes: rowBytes * height,
    rowBytes,
    bytesPerPixel: bits / 8,
    order,
    palette: bits === 8 ? { at: headEnd, entries } : null,
  }
}

/** Rows from the top, red, green and blue of each pixel. */
type BmpPixels = {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
  /** The side of the picture stored last in the file. */
  readonly endOfFile: 'top' | 'bottom'
}

/** Read at once. */
const CHUNK_BYTES = 1_024 * 1_024

/** Drops alpha, which no camera writes. Throws `Flaw` if it is no BMP, too large, or refers to bytes beyond its end. */
export async function readBmpPixels(readAt: ReadAt, sizeBytes: number): Promise<BmpPixels> {
  const header = await readHeader(readAt, sizeBytes)
  const { width, height, isTopDown, pixelsAt, rowBytes, bytesPerPixel } = header
  if (width * height > MAX_PIXELS) throw malformed('a BMP claims to be larger than any image')
  const colours = await readPalette(readAt, header)
  const [red = 0, green = 0, blue = 0] = header.order
  const pixels = new Uint8Array(width * height * 3)
  const rowsAtOnce = Math.max(1, Math.floor(CHUNK_BYTES / rowBytes))
  for (let first = 0; first < height; first += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, height - first)
    const rows = await readAt(pixelsAt + first * rowBytes, count * rowBytes)
    if (rows.length < count * rowBytes) throw truncated()
    for (let row = 0; row < count; row += 1) {
      let to = (isTopDown ? first + row : height - 1 - first - row) * width * 3
      for (let x = 0; x < width; x += 1, to += 3) {
        const stored = row * rowBytes + x * bytesPerPixel
        // A palette holds its colours in the same order.
        const from = colours === null ? stored : (rows[stored] ?? 0) * 3
        const bytes = colours ?? rows
        pixels[to] = bytes[from + red] ?? 0
        pixels[to + 1] = bytes[from + green] ?? 0
        pixels[to + 2] = bytes[from + blue] ?? 0
      }
    }
  }
  return { width, height, pixels, endOfFile: isTopDown ? 'bottom' : 'top' }
}

/** Three bytes for each of 256 indices; those beyond the palette of the file are black. */
async function readPalette(readAt: ReadAt, { palette }: BmpHeader): Promise<Uint8Array | null> {
  if (palette === null) return null
  const { at, entries } = palette
  const stored = await readAt(at, entries * ENTRY_BYTES)
  const colours = new Uint8Array(256 * 3)
  for (let index = 0; index < entries; index += 1)
    colours.set(stored.subarray(index * ENTRY_BYTES, index * ENTRY_BYTES + 3), index * 3)
  return colours
}
