/**
 * The head of a BMP file: [MS-WMF] 2.2.2.9 (BITMAPFILEHEADER as in the Windows SDK's wingdi.h) and the headers of
 * OS/2 1 (12 bytes) and of Windows 3 to 5 (40 to 124 bytes), told apart by the size with which they begin.
 */
import type { ReadAt } from './read-at.ts'
import { malformed, TRUNCATED, type Shortfall } from './structure-finding.ts'

/** `plain`: rows of pixels; `rle8`, `rle4`: run lengths of indices into the palette. */
export type BmpCoding = 'plain' | 'rle8' | 'rle4'

export type BmpHeader = {
  readonly width: number
  readonly height: number
  /** The first row in the file is the uppermost; usually it is the lowest. */
  readonly isTopDown: boolean
  readonly bitsPerPixel: 1 | 4 | 8 | 16 | 24 | 32
  readonly coding: BmpCoding
  readonly pixelsAt: number
  /** Bytes of the pixels: computed from the rows, or as the header declares it where they are run lengths. */
  readonly pixelBytes: number
  /** Bytes of one row, filled up to four; 0 where pixels are run lengths. */
  readonly rowBytes: number
  /** Which bits are red, green and blue; null but for 16 and 32 bits a pixel. */
  readonly masks: readonly [number, number, number] | null
  readonly palette: { readonly at: number; readonly count: number; readonly entryBytes: 3 | 4 } | null
}

export type BmpHeaderFinding = { readonly kind: 'header'; readonly header: BmpHeader } | Shortfall

const FILE_HEADER_BYTES = 14
const OS2_HEADER_BYTES = 12
const HEADER_SIZES = [OS2_HEADER_BYTES, 40, 52, 56, 108, 124]
/** As far as any header reaches, with the masks that may follow one of 40 bytes. */
const HEAD_BYTES = FILE_HEADER_BYTES + 124 + 16
const DEPTHS = [1, 4, 8, 16, 24, 32] as const
/** biCompression: BI_RGB, BI_RLE8, BI_RLE4, BI_BITFIELDS, BI_ALPHABITFIELDS. The others are for printers. */
const [PLAIN, RLE8, RLE4, BITFIELDS, ALPHA_BITFIELDS] = [0, 1, 2, 3, 6]
const MAX_DIMENSION = 0xffff
/** What 16 and 32 bits mean where no masks stand: five bits each, and a byte each with one left over. */
const USUAL_MASKS = { 16: [0x7c00, 0x3e0, 0x1f], 32: [0xff_0000, 0xff00, 0xff] } as const

/** Reads the head of a BMP. Never throws for its content. */
export async function readBmpHeader(readAt: ReadAt): Promise<BmpHeaderFinding> {
  const head = await readAt(0, HEAD_BYTES)
  if (head.length < FILE_HEADER_BYTES + OS2_HEADER_BYTES) return TRUNCATED
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const headerBytes = view.getUint32(FILE_HEADER_BYTES, true)
  if (!HEADER_SIZES.includes(headerBytes)) return malformed('a BMP has a header of no known size')
  if (head.length < FILE_HEADER_BYTES + headerBytes) return TRUNCATED
  return headerBytes === OS2_HEADER_BYTES ? os2Header(view) : windowsHeader(view, headerBytes)
}

function os2Header(view: DataView): BmpHeaderFinding {
  return completed(view, {
    width: view.getUint16(18, true),
    height: view.getUint16(20, true),
    depth: view.getUint16(24, true),
    compression: PLAIN,
    declaredBytes: 0,
    colourCount: 0,
    headerEnd: FILE_HEADER_BYTES + OS2_HEADER_BYTES,
    entryBytes: 3,
  })
}

function windowsHeader(view: DataView, headerBytes: number): BmpHeaderFinding {
  return completed(view, {
    width: view.getInt32(18, true),
    height: view.getInt32(22, true),
    depth: view.getUint16(28, true),
    compression: view.getUint32(30, true),
    declaredBytes: view.getUint32(34, true),
    colourCount: view.getUint32(46, true),
    headerEnd: FILE_HEADER_BYTES + headerBytes,
    entryBytes: 4,
  })
}

type Stated = {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly compression: number
  readonly declaredBytes: number
  readonly colourCount: number
  readonly headerEnd: number
  readonly entryBytes: 3 | 4
}

function completed(view: DataView, stated: Stated): BmpHeaderFinding {
  const pixelsAt = view.getUint32(10, true)
  const bitsPerPixel = DEPTHS.find((depth) => depth === stated.depth)
  const height = Math.abs(stated.height)
  // Zeros where the size should be: the place was reserved and the head has not come yet.
  if (stated.width === 0 || height === 0 || stated.depth === 0 || pixelsAt === 0) return TRUNCATED
  if (bitsPerPixel === undefined) return malformed('a BMP has an unknown number of bits in a pixel')
  if (stated.width < 0 || stated.width > MAX_DIMENSION || height > MAX_DIMENSION)
    return malformed('a BMP claims to be larger than any image')
  const coding = codingOf(stated.compression, bitsPerPixel)
  if (coding === null) return malformed('a BMP is packed in a way that is not for screens')
  const isTopDown = stated.height < 0
  if (coding !== 'plain' && (isTopDown || stated.declaredBytes === 0))
    return malformed('a BMP of run lengths does not say how long it is')

  const hasMasks = stated.compression === BITFIELDS || stated.compression === ALPHA_BITFIELDS
  // Masks lie at the same place whether the header holds them (52 bytes and more) or they follow it (40 bytes).
  const masksEnd = hasMasks ? FILE_HEADER_BYTES + 40 + 12 : 0
  if (masksEnd > view.byteLength) return TRUNCATED
  const paletteAt = Math.max(stated.headerEnd, masksEnd)
  const count = stated.colourCount === 0 ? 2 ** Math.min(bitsPerPixel, 8) : stated.colourCount
  const { entryBytes } = stated
  const palette = bitsPerPixel <= 8 ? { at: paletteAt, count: Math.min(count, 256), entryBytes } : null
  if (pixelsAt < paletteAt) return malformed('the pixels of a BMP lie inside its head')
  const rowBytes = coding === 'plain' ? Math.ceil((stated.width * bitsPerPixel) / 32) * 4 : 0
  return {
    kind: 'header',
    header: {
      width: stated.width,
      height,
      isTopDown,
      bitsPerPixel,
      coding,
      pixelsAt,
      pixelBytes: coding === 'plain' ? rowBytes * height : stated.declaredBytes,
      rowBytes,
      masks: masksOf(view, bitsPerPixel, hasMasks),
      palette,
    },
  }
}

function codingOf(compression: number, bitsPerPixel: BmpHeader['bitsPerPixel']): BmpCoding | null {
  if (compression === PLAIN) return 'plain'
  if (compression === RLE8 && bitsPerPixel === 8) return 'rle8'
  if (compression === RLE4 && bitsPerPixel === 4) return 'rle4'
  const isByMasks = compression === BITFIELDS || compression === ALPHA_BITFIELDS
  return isByMasks && (bitsPerPixel === 16 || bitsPerPixel === 32) ? 'plain' : null
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
