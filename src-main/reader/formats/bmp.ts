/**
 * BMP files, which sharp does not read: whether one is complete and sound, and its pixels. 24 and 32 bits, and 8 bits of
 * a palette, as cameras and the programs beside them write photographs, with the header of Windows or OS/2. Run lengths and
 * other depths are taken as they are, and not shown.
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
import { checkPlainPixels, MAX_PLAIN_BYTES } from './pixel-data.ts'

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
  /** Which byte of a pixel is red, which green, which blue; null if its pixels are not read here. */
  readonly order: readonly number[] | null
  readonly palette: { readonly at: number; readonly entries: number; readonly entryBytes: 3 | 4 } | null
}

const FILE_HEADER_BYTES = 14

/** Of OS/2 1, whose numbers are shorter; of OS/2 2, as it is or cut; of Windows 3 to 5. */
const [CORE_BYTES, CUT_BYTES, OS2_BYTES] = [12, 16, 64]
const HEADER_SIZES = [CORE_BYTES, CUT_BYTES, 40, 52, 56, OS2_BYTES, 108, 124]

/** The reach of any header, with the masks that may follow one of 40 bytes. */
const HEAD_BYTES = FILE_HEADER_BYTES + 124 + 16
const SHOWN_DEPTHS = [8, 24, 32]

/** biCompression: BI_RGB; BI_BITFIELDS, BI_ALPHABITFIELDS. In a header of OS/2 the latter are codings of its own. */
const PLAIN = 0
const MASKED = [3, 6]

/** The masks that give a byte to a colour, in the order of these bytes. */
const BYTE_MASKS = [0xff, 0xff00, 0xff_0000, 0xff00_0000]
const BLUE_GREEN_RED = [2, 1, 0]

const MAX_DIMENSION = 0xffff

/** Two letters prove little, so the size of the following header is checked, too. */
export function isBitmap(head: Uint8Array): boolean {
  if (head.length < FILE_HEADER_BYTES + 4 || head[0] !== 0x42 || head[1] !== 0x4d) return false
  return HEADER_SIZES.includes(viewOf(head).getUint32(FILE_HEADER_BYTES, true))
}

/**
 * Whole if all declared pixels are there. The stated file size is ignored (some writers get it wrong). Zeros at the end
 * may be a black rim, unless they are half of it. Throws `Flaw`, `NotChecked` and the errors of `readAt`.
 */
export async function walkBmp(readAt: ReadAt, sizeBytes: number, depth: Depth): Promise<void> {
  const { pixelsAt, pixelBytes, rowBytes, palette, order } = await readHeader(readAt, sizeBytes)
  if (depth === 'outline') {
    // In a palette, index zero may be any colour.
    const isEmpty = palette === null && (await isHalfUnwritten(readAt, pixelsAt, pixelsAt + pixelBytes))
    if (isEmpty) throw truncated()
    return
  }
  if (order === null) throw new NotChecked('bitmap')
  if (pixelBytes > MAX_PLAIN_BYTES) throw new NotChecked('size')
  checkPlainPixels(bufferOf(await readAt(pixelsAt, pixelBytes)), rowBytes)
}

/** [MS-WMF] 2.2.2.9 (BITMAPFILEHEADER as in wingdi.h of the Windows SDK), and the header behind it, by its leading size. */
async function readHeader(readAt: ReadAt, sizeBytes: number): Promise<BmpHeader> {
  const head = await readAt(0, HEAD_BYTES)
  if (head.length < FILE_HEADER_BYTES + CORE_BYTES) throw truncated()
  if (!isBitmap(head)) throw malformed('a BMP is none')
  const view = viewOf(head)
  const headerBytes = view.getUint32(FILE_HEADER_BYTES, true)
  if (head.length < FILE_HEADER_BYTES + headerBytes) throw truncated()
  const header = headerOf(view, headerBytes)
  if (header.pixelsAt + header.pixelBytes > sizeBytes) throw truncated()
  return header
}

type Stated = {
  readonly width: number
  readonly signedHeight: number
  readonly bits: number
  readonly compression: number
  /** 0 if they follow from the size of the picture. */
  readonly packedBytes: number
  readonly colours: number
}

/** What a header states, by its length: the numbers at its end may be left out. */
function statedIn(view: DataView, headerBytes: number): Stated {
  if (headerBytes === CORE_BYTES) {
    const [width, height, bits] = [
      view.getUint16(18, true),
      view.getUint16(20, true),
      view.getUint16(24, true),
    ]
    return { width, signedHeight: height, bits, compression: PLAIN, packedBytes: 0, colours: 0 }
  }
  const of = (at: number): number =>
    at + 4 <= FILE_HEADER_BYTES + headerBytes ? view.getUint32(at, true) : 0
  return {
    width: view.getInt32(18, true),
    signedHeight: view.getInt32(22, true),
    bits: view.getUint16(28, true),
    compression: of(30),
    packedBytes: of(34),
    colours: of(46),
  }
}

function headerOf(view: DataView, headerBytes: number): BmpHeader {
  const pixelsAt = view.getUint32(10, true)
  const { width, signedHeight, bits, compression, packedBytes, colours } = statedIn(view, headerBytes)
  const height = Math.abs(signedHeight)
  // Zeros instead of the size: the space is preallocated and the header not written yet.
  if (width === 0 || height === 0 || bits === 0 || pixelsAt === 0) throw truncated()
  if (width < 0 || width > MAX_DIMENSION || height > MAX_DIMENSION)
    throw malformed('a BMP claims to be larger than any image')
  const isMasked = headerBytes !== OS2_BYTES && MASKED.includes(compression)
  // Masks are at the same position whether the header includes them (52 bytes and more) or precedes them (40 bytes).
  const masksAt = FILE_HEADER_BYTES + 40
  const afterMasks = isMasked ? masksAt + 12 : 0
  if (afterMasks > view.byteLength) throw truncated()
  const headEnd = Math.max(FILE_HEADER_BYTES + headerBytes, afterMasks)
  if (pixelsAt < headEnd) throw malformed('the pixels of a BMP lie inside its head')
  const masks = isMasked
    ? [0, 4, 8].map((at) => BYTE_MASKS.indexOf(view.getUint32(masksAt + at, true)))
    : null
  const isShown =
    SHOWN_DEPTHS.includes(bits) &&
    (masks === null ? compression === PLAIN : bits === 32 && !masks.includes(-1))
  const entryBytes = headerBytes === CORE_BYTES ? 3 : 4
  const entries = Math.min(colours === 0 ? 256 : colours, 256, Math.floor((pixelsAt - headEnd) / entryBytes))
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  return {
    width,
    height,
    isTopDown: signedHeight < 0,
    pixelsAt,
    // What is packed may be of any length, and is there.
    pixelBytes: compression === PLAIN || isMasked ? rowBytes * height : Math.max(1, packedBytes),
    rowBytes,
    bytesPerPixel: bits / 8,
    order: isShown ? (masks ?? BLUE_GREEN_RED) : null,
    palette: bits <= 8 ? { at: headEnd, entries, entryBytes } : null,
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

/** Drops alpha, which no camera writes. Throws `Flaw` if it is too large, not to be shown, or refers to bytes beyond its end. */
export async function readBmpPixels(readAt: ReadAt, sizeBytes: number): Promise<BmpPixels> {
  const header = await readHeader(readAt, sizeBytes)
  const { width, height, isTopDown, pixelsAt, rowBytes, bytesPerPixel } = header
  if (header.order === null || width * height > MAX_PIXELS)
    throw malformed('a BMP claims to be larger than any image')
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
  const { at, entries, entryBytes } = palette
  const stored = await readAt(at, entries * entryBytes)
  const colours = new Uint8Array(256 * 3)
  for (let index = 0; index < entries; index += 1)
    colours.set(stored.subarray(index * entryBytes, index * entryBytes + 3), index * 3)
  return colours
}
