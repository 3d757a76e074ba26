/** Converts the first frame of a DICOM file to a picture that viewers and the service support. */
import { type Message, type NameIn, worded, wordingOf } from '../../../src-shared/wording.ts'
import { malformed, MAX_PIXELS, NotChecked, viewOf } from '../formats/bytes.ts'
import { outlineOfJpeg } from '../formats/jpeg.ts'
import { sharp } from '../pictures/sharp.ts'
import type { JpegWalk } from '../formats/jpeg-bytes.ts'
import { type Codec, isTooLarge, openDecoder } from './codecs.ts'
import type { DataSet } from './data-set.ts'
import type { DicomFile } from './dicom.ts'
import { type DicomPixels, MAX_FRAMES, readFirstFrame, readPixels, unpackRle } from './frames.ts'

/** Baseline, extended and progressive, Huffman coded. */
const SHOWABLE_FRAMES = [0xc0, 0xc1, 0xc2]
const ADOBE_RGB = Buffer.from('ffee000e41646f626500640000000000', 'hex')

/**
 * A DICOM file as a picture that viewers and the service support.
 *
 * - `picture`  of its first frame; `frames` is the number of frames
 * - `declined` possibly intact, but not supported here
 */
export type DicomPicture =
  | {
      readonly kind: 'picture'
      readonly contentType: 'image/jpeg' | 'image/png'
      readonly bytes: Buffer
      readonly frames: number
    }
  | { readonly kind: 'declined'; readonly why: Message }

/** This many pixels of three colours. */
const MAX_FRAME_BYTES = MAX_PIXELS * 3

/**
 * A contained JPEG byte for byte, anything else losslessly as PNG. Lengths are checked before memory is allocated.
 * Throws `Flaw` if the file contradicts itself, and the errors of the disk.
 */
export async function renderDicom(file: DicomFile): Promise<DicomPicture> {
  const pixels = await readPixels(file)
  if (!pixels) return declined('noPicture')
  const { rows, columns, frames, frameBytes } = pixels
  if (rows * columns > MAX_PIXELS || (frameBytes ?? 0) > MAX_FRAME_BYTES) return declined('tooLarge')
  if (frames > MAX_FRAMES) return declined('tooManyFrames')
  switch (file.packing) {
    case 'native':
      return renderNative(pixels)
    case 'jpeg':
      return renderJpeg(pixels)
    case 'rle':
      return renderRle(pixels)
    case 'jpeg2000':
    case 'jpegLs':
    case 'jpegLossless':
      return renderPacked(pixels, file.packing)
    default:
      return declined(file.packing)
  }
}

export type Coding = NameIn<'intake:image.coding'>

/** Why a whole picture cannot be shown; its file is stored and sent. */
export function notShownAs(coding: Coding): Message {
  return worded('intake:image.notShown', { what: wordingOf(`intake:image.coding.${coding}`) })
}

function declined(coding: Coding): DicomPicture {
  return { kind: 'declined', why: notShownAs(coding) }
}

/**
 * The first frame without its padding byte. If the DICOM file states RGB and the JPEG does not, an Adobe APP14 marker
 * with transform 0 is inserted, because viewers take three unmarked components for YCbCr.
 */
async function renderJpeg(pixels: DicomPixels): Promise<DicomPicture> {
  const { rows, columns, photometric, frames } = pixels
  const frame = await readFirstFrame(pixels, MAX_FRAME_BYTES)
  if (!frame) return declined('unusualJpeg')
  const isPadded = frame.length > 2 && frame.at(-1) === 0x00 && frame.at(-2) === 0xd9 && frame.at(-3) === 0xff
  const jpeg = isPadded ? frame.subarray(0, -1) : frame
  const outline = await outlineOfJpeg(jpeg)
  const header = outline.frame
  if (!header) throw malformed('a frame header is none')
  if (!SHOWABLE_FRAMES.includes(header.code) || header.bits !== 8) return declined('unusualJpeg')
  if (header.height !== rows || header.width !== columns)
    throw malformed('a JPEG is of another size than its DICOM file says')
  const isMarked = photometric !== 'RGB' || !isTakenForYcc(outline)
  const bytes = isMarked ? jpeg : Buffer.concat([jpeg.subarray(0, 2), ADOBE_RGB, jpeg.subarray(2)])
  return { kind: 'picture', contentType: 'image/jpeg', bytes, frames }
}

/** Cameras that merely label their YCbCr JPEG "RGB" write a JFIF marker or subsampled colour planes. */
function isTakenForYcc({ frame, hasJfif, adobeTransform }: JpegWalk): boolean {
  const components = frame?.components ?? []
  const [first] = components
  const isNamedRgb = components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB'
  return (
    components.length === 3 &&
    !hasJfif &&
    adobeTransform === null &&
    !isNamedRgb &&
    components.every(({ across, down }) => across === first?.across && down === first.down)
  )
}

async function renderNative(pixels: DicomPixels): Promise<DicomPicture> {
  const { element, frames, frameBytes, bitsAllocated } = pixels
  if (frameBytes !== null && frameBytes * frames > element.bytes)
    throw malformed('plain image data are of another size than their image')
  const bytes = await readFirstFrame(pixels, MAX_FRAME_BYTES)
  // Big endian swaps the bytes of a word, even if the word holds two pixels of eight bits (PS3.5 annex A.3).
  const isSwapped = element.encoding.order === 'big' && (bitsAllocated === 16 || element.vr === 'OW')
  if (!bytes || (isSwapped && bytes.length % 2 === 1)) return declined('unusualPixels')
  return paintPng(pixels, isSwapped ? Buffer.from(bytes).swap16() : bytes)
}

async function renderRle(pixels: DicomPixels): Promise<DicomPicture> {
  // RLE has no subsampled colours (PS3.5 8.2.2).
  const isOdd = pixels.arrangement === 'halfColour' || pixels.frameBytes === null
  const frame = isOdd ? null : await readFirstFrame(pixels, MAX_FRAME_BYTES)
  if (!frame) return declined('unusualPixels')
  return paintPng({ ...pixels, arrangement: 'byPlane' }, unpackRle(frame, pixels).bytes)
}

/** The bits of a sample are those that the file states, unless fewer are packed. */
async function renderPacked(pixels: DicomPixels, codec: Codec): Promise<DicomPicture> {
  if (isTooLarge(pixels)) return declined('tooLarge')
  const frame = pixels.photometric === null ? null : await readFirstFrame(pixels, MAX_FRAME_BYTES)
  if (!frame) return declined('unusualPixels')
  try {
    const decode = await openDecoder(codec)
    const { bytes, bits, isSigned, arrangement } = await decode(frame, pixels)
    const { bitsStored, highBit } =
      bits < pixels.bitsStored ? { bitsStored: bits, highBit: bits - 1 } : pixels
    const shown = {
      bitsAllocated: bits > 8 ? 16 : 8,
      bitsStored,
      highBit,
      isSigned: isSigned || pixels.isSigned,
      arrangement,
    }
    return await paintPng({ ...pixels, ...shown }, bytes)
  } catch (error) {
    if (error instanceof NotChecked) return declined(codec === 'jpegLossless' ? 'lossless' : codec)
    throw error
  }
}

async function paintPng(pixels: DicomPixels, bytes: Buffer): Promise<DicomPicture> {
  const painting = await paint(pixels, bytes)
  if (!painting) return declined('unusualPixels')
  const { painted, channels } = painting
  const raw = { width: pixels.columns, height: pixels.rows, channels }
  const image = sharp(painted, { raw, limitInputPixels: MAX_PIXELS })
  const isWide = painted instanceof Uint16Array
  const png = isWide ? image.toColourspace(channels === 1 ? 'grey16' : 'rgb16') : image
  return {
    kind: 'picture',
    contentType: 'image/png',
    bytes: await png.png().toBuffer(),
    frames: pixels.frames,
  }
}

type Painting = { readonly channels: 1 | 3; readonly painted: Uint8Array | Uint8ClampedArray | Uint16Array }

/** Keeps all stored bits, in 8 or 16, so that the maximum is white; no windowing. Null if a palette is missing. */
async function paint(pixels: DicomPixels, bytes: Buffer): Promise<Painting | null> {
  const { file, rows, columns, samples, bitsAllocated, bitsStored, isSigned, photometric } = pixels
  const count = rows * columns
  const sampleAt = sampleReader(pixels, bytes)
  switch (photometric) {
    case 'MONOCHROME1':
    case 'MONOCHROME2':
    case 'RGB': {
      const painted = new (bitsStored > 8 ? Uint16Array : Uint8Array)(count * samples)
      const shift = painted.BYTES_PER_ELEMENT * 8 - bitsStored
      // Signed values are shifted so that the minimum is black.
      const flip =
        (isSigned ? 2 ** (bitsStored - 1) : 0) ^ (photometric === 'MONOCHROME1' ? 2 ** bitsStored - 1 : 0)
      for (let pixel = 0, at = 0; pixel < count; pixel += 1)
        for (let sample = 0; sample < samples; sample += 1, at += 1)
          painted[at] = (sampleAt(pixel, sample) ^ flip) << shift
      return { channels: photometric === 'RGB' ? 3 : 1, painted }
    }
    case 'PALETTE COLOR': {
      const palette = await readPalette(file.dataSet)
      if (palette === null) return null
      const { first, entries, colours } = palette
      const painted = new Uint8Array(count * 3)
      for (let pixel = 0; pixel < count; pixel += 1) {
        const entry = Math.min(entries - 1, Math.max(0, sampleAt(pixel, 0) - first))
        painted.set(colours.subarray(entry * 3, entry * 3 + 3), pixel * 3)
      }
      return { channels: 3, painted }
    }
    case 'YBR_FULL':
    case 'YBR_FULL_422': {
      if (bitsAllocated !== 8) return null
      const painted = new Uint8ClampedArray(count * 3)
      for (let pixel = 0; pixel < count; pixel += 1) {
        const [y, cb, cr] = [sampleAt(pixel, 0), sampleAt(pixel, 1) - 128, sampleAt(pixel, 2) - 128]
        // PS3.3 C.7.6.3.1.2, full range.
        painted[pixel * 3] = y + 1.402 * cr
        painted[pixel * 3 + 1] = y - 0.344136 * cb - 0.714136 * cr
        painted[pixel * 3 + 2] = y + 1.772 * cb
      }
      return { channels: 3, painted }
    }
    case null:
      return null
  }
}

/** Reads the stored bits of a sample of a pixel; bytes are low first. */
function sampleReader(
  { rows, columns, samples, bitsAllocated, bitsStored, highBit, arrangement }: DicomPixels,
  bytes: Buffer,
): (pixel: number, sample: number) => number {
  const drop = highBit - bitsStored + 1
  const mask = 2 ** bitsStored - 1
  const indexOf = {
    byPixel: (pixel: number, sample: number) => pixel * samples + sample,
    byPlane: (pixel: number, sample: number) => sample * rows * columns + pixel,
    halfColour: (pixel: number, sample: number) => (pixel >> 1) * 4 + (sample === 0 ? pixel & 1 : sample + 1),
  }[arrangement]
  return (pixel, sample) => {
    const at = indexOf(pixel, sample)
    const raw =
      bitsAllocated === 8 ? (bytes[at] ?? 0) : (bytes[at * 2] ?? 0) + (bytes[at * 2 + 1] ?? 0) * 0x100
    return (raw >> drop) & mask
  }
}

/** Three bytes at `(value - first) * 3`; values beyond either end take the colour of that end. */
type Palette = { readonly first: number; readonly entries: number; readonly colours: Uint8Array }

/** Of red; the others are the same. */
const DESCRIPTOR = 0x00281101
const TABLES = [0x00281201, 0x00281202, 0x00281203]
const MAX_ENTRIES = 65_536

/** PS3.3 C.7.6.3.1.5 and 6. Null if a table is missing, segmented (which no camera writes), or of a wrong length. */
async function readPalette(dataSet: DataSet): Promise<Palette | null> {
  const [stated = -1, first = 0, bits = 0] = await dataSet.counts(DESCRIPTOR)
  // 65,536 does not fit into the number and is stored as 0.
  const entries = stated === 0 ? MAX_ENTRIES : stated
  if (entries < 1 || (bits !== 8 && bits !== 16)) return null
  const colours = new Uint8Array(entries * 3)
  for (const [channel, tag] of TABLES.entries()) {
    const bytes = await dataSet.bytes(tag, MAX_ENTRIES * 2)
    const isLow = dataSet.isLittle(tag)
    const isWide = bytes !== null && bytes.length >= entries * 2
    // A table of bytes may be packed and padded to an even length.
    if (!bytes || (!isWide && (bits === 16 || bytes.length < entries))) return null
    const view = viewOf(bytes)
    for (let entry = 0; entry < entries; entry += 1) {
      // Two bytes share a word, which big endian swaps.
      const packed = bytes[isLow ? entry : entry ^ 1] ?? 0
      const value = isWide ? view.getUint16(entry * 2, isLow) : packed
      colours[entry * 3 + channel] = bits === 16 ? value >> 8 : value
    }
  }
  return { first, entries, colours }
}
