/** Converts the first frame of a DICOM file to a picture that viewers and the service support. */
import sharp from 'sharp'
import { type Message, type NameIn, worded, wordingOf } from '../../../../src-shared/wording.ts'
import { malformed, MAX_PIXELS } from '../formats/bytes.ts'
import { outlineOfJpeg } from '../formats/jpeg.ts'
import type { JpegWalk } from '../formats/jpeg-segments.ts'
import { type Element, encodingOf, packingOf, PIXEL_DATA } from './dicom.ts'
import { framesOf, readFrame, unpackRle } from './frames.ts'
import {
  frameBytesOf,
  type FramePixels,
  paintPixels,
  type PictureAttributes,
  readPalette,
  readPictureAttributes,
} from './pixels.ts'
import type { OpenedDicom } from './values.ts'

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

/** Larger than any compressed photograph. */
const MAX_PACKED_BYTES = 256 * 1_024 * 1_024

/** This many pixels of three colours. */
const MAX_FRAME_BYTES = MAX_PIXELS * 3

/** A series of angiographs has some hundreds. */
const MAX_FRAMES = 2_000

/**
 * A contained JPEG byte for byte, anything else losslessly as PNG. Lengths are checked before memory is allocated.
 * Throws `Flaw` if the file contradicts itself, and the errors of the disk.
 */
export async function renderDicom(dicom: OpenedDicom): Promise<DicomPicture> {
  if (dicom.transferSyntax !== null && encodingOf(dicom.transferSyntax) === null) return declined('deflated')
  if (dicom.flaw !== null) throw dicom.flaw
  const pixels = dicom.dataSet.get(PIXEL_DATA)
  if (!pixels) return { kind: 'declined', why: worded('intake:dicom.noPicture') }
  const attributes = await readPictureAttributes(dicom.dataSet)
  if (!attributes) throw malformed('a DICOM file does not describe its picture')
  const isGiant =
    attributes.rows * attributes.columns > MAX_PIXELS || (frameBytesOf(attributes) ?? 0) > MAX_FRAME_BYTES
  if (isGiant) return declined('tooLarge')
  if (attributes.frames > MAX_FRAMES) return declined('tooManyFrames')
  const packing = packingOf(dicom.transferSyntax ?? '')
  if ((packing === 'native') !== (pixels.fragments === null))
    throw malformed('a DICOM file packs its pixels otherwise than it says')
  switch (packing) {
    case 'native':
      return renderNative({ dicom, pixels, attributes })
    case 'jpeg':
      return renderJpeg({ dicom, pixels, attributes })
    case 'rle':
      return renderRle({ dicom, pixels, attributes })
    case 'jpegLossless':
    case 'jpegLs':
    case 'jpeg2000':
    case 'video':
    case 'other':
      return declined(packing)
  }
}

function declined(what: NameIn<'intake:dicom.picture'>): DicomPicture {
  const why = worded('intake:dicom.declined', { what: wordingOf(`intake:dicom.picture.${what}`) })
  return { kind: 'declined', why }
}

type Subject = {
  readonly dicom: OpenedDicom
  readonly pixels: Element
  readonly attributes: PictureAttributes
}

/** The first frame of encapsulated pixels; null if nothing shows its end. */
async function firstFrameOf({ dicom, pixels, attributes }: Subject): Promise<Buffer | null> {
  const frames = await framesOf(dicom.readAt, pixels.fragments ?? [], attributes.frames)
  const extents = frames?.[0]
  if (!extents) return null
  if (extents.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_PACKED_BYTES)
    throw malformed('a DICOM frame is larger than any picture')
  return readFrame(dicom.readAt, extents)
}

/**
 * The first frame without its padding byte. If the DICOM file states RGB and the JPEG does not, an Adobe APP14 marker
 * with transform 0 is inserted, because viewers take three unmarked components for YCbCr.
 */
async function renderJpeg(subject: Subject): Promise<DicomPicture> {
  const { rows, columns, photometric, frames } = subject.attributes
  const frame = await firstFrameOf(subject)
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

async function renderNative(subject: Subject): Promise<DicomPicture> {
  const { dicom, pixels, attributes } = subject
  const frameBytes = frameBytesOf(attributes)
  if (frameBytes === null) return declined('unusualPixels')
  if (frameBytes * attributes.frames > pixels.bytes)
    throw malformed('plain image data are of another size than their image')
  const bytes = await readFrame(dicom.readAt, [{ at: pixels.at, bytes: frameBytes }])
  // Big endian swaps the bytes of a word, even if the word holds two pixels of eight bits (PS3.5 annex A.3).
  const hasTwoByteUnits = attributes.bitsAllocated === 16 || pixels.vr === 'OW'
  if (pixels.encoding.order === 'big' && hasTwoByteUnits) {
    if (bytes.length % 2 === 1) return declined('unusualPixels')
    bytes.swap16()
  }
  const arrangement = attributes.photometric === 'YBR_FULL_422' ? 'halfColour' : attributes.arrangement
  return paintPng(subject, { bytes, attributes, arrangement })
}

async function renderRle(subject: Subject): Promise<DicomPicture> {
  const { attributes } = subject
  // RLE has no subsampled colours (PS3.5 8.2.2).
  const isOdd = attributes.photometric === 'YBR_FULL_422' || frameBytesOf(attributes) === null
  const frame = isOdd ? null : await firstFrameOf(subject)
  if (!frame) return declined('unusualPixels')
  const { bytes } = unpackRle(frame, attributes)
  return paintPng(subject, { bytes, attributes, arrangement: 'byPlane' })
}

async function paintPng({ dicom, attributes }: Subject, frame: FramePixels): Promise<DicomPicture> {
  const isPalette = attributes.photometric === 'PALETTE COLOR'
  const palette = isPalette ? await readPalette(dicom.dataSet) : null
  const painting = paintPixels(frame, palette)
  if (!painting) return declined('unusualPixels')
  const { pixels, channels } = painting
  const raw = { width: attributes.columns, height: attributes.rows, channels }
  const colours = channels === 1 ? 'grey16' : 'rgb16'
  const image = sharp(pixels, { raw, limitInputPixels: MAX_PIXELS })
  const png = pixels instanceof Uint16Array ? image.toColourspace(colours) : image
  const bytes = await png.png().toBuffer()
  return { kind: 'picture', contentType: 'image/png', bytes, frames: attributes.frames }
}
