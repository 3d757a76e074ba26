/** Converts a DICOM file to a picture that viewers and the service support. */
import { type FileHandle, open } from 'node:fs/promises'
import sharp from 'sharp'
import { withFile } from '../../lib/files.ts'
import { type Message, type NameIn, worded, wordingOf } from '../../../../src-shared/wording.ts'
import { type ReadAt, readAtOfBytes, readAtOfHandle } from '../file-structure.ts'
import { MAX_PIXELS } from '../images/decode.ts'
import { jpegStructure } from '../images/jpeg.ts'
import { type Element, encodingOf, packingOf, PIXEL_DATA } from './dicom.ts'
import {
  firstFrameOf,
  frameBytesOf,
  type FramePixels,
  paintPixels,
  type PictureAttributes,
  readPalette,
  readPictureAttributes,
} from './pixels.ts'
import { openDicom, type OpenedDicom } from './values.ts'

const HEADER_BYTES = 64
const MAX_SEGMENTS = 15

/**
 * An RLE frame, PS3.5 annex G (PackBits, a segment for each byte of a sample, high first), as planes, low byte first.
 * Null without exactly `planes` x `bytesPerSample` full segments. Excess is cut (G.3.2).
 */
export function decodeRle(
  frame: Buffer,
  shape: { readonly pixels: number; readonly planes: number; readonly bytesPerSample: number },
): Buffer | null {
  const { pixels, planes, bytesPerSample } = shape
  const segments = planes * bytesPerSample
  if (frame.length < HEADER_BYTES || segments > MAX_SEGMENTS) return null
  if (frame.readUInt32LE(0) !== segments) return null
  // Checked before allocating: two bytes become at most 128.
  if (pixels * segments > frame.length * 64) return null
  const out = Buffer.alloc(pixels * segments)
  for (let segment = 0; segment < segments; segment += 1) {
    const start = frame.readUInt32LE(4 + segment * 4)
    const end = segment + 1 < segments ? frame.readUInt32LE(8 + segment * 4) : frame.length
    if (start < HEADER_BYTES || end < start || end > frame.length) return null
    const plane = Math.floor(segment / bytesPerSample)
    const byte = bytesPerSample - 1 - (segment % bytesPerSample)
    const from = plane * pixels * bytesPerSample + byte
    const bytes = unpackSegment(frame.subarray(start, end), pixels)
    if (bytes === null) return null
    for (const [index, value] of bytes.entries()) out[from + index * bytesPerSample] = value
  }
  return out
}

/** The first `length` bytes of a PackBits segment; null if it holds fewer. */
function unpackSegment(packed: Buffer, length: number): Buffer | null {
  const out = Buffer.alloc(length)
  let at = 0
  let done = 0
  while (done < length && at < packed.length) {
    const control = packed.readInt8(at)
    at += 1
    if (control === -128) continue
    const count = Math.min(control < 0 ? 1 - control : control + 1, length - done)
    if (at + (control < 0 ? 1 : count) > packed.length) return null
    if (control < 0) out.fill(packed[at] ?? 0, done, done + count)
    else packed.copy(out, done, at, at + count)
    done += count
    at += control < 0 ? 1 : control + 1
  }
  return done === length ? out : null
}

/** The information before the first scan. */
type JpegHead = {
  readonly height: number
  readonly width: number
  readonly bits: number
  readonly frameCode: number
  readonly components: readonly { readonly id: number; readonly sampling: number }[]
  readonly hasColourMark: boolean
}

/** Baseline, extended and progressive, Huffman coded. */
const SHOWABLE_FRAMES = [0xc0, 0xc1, 0xc2]
const ADOBE_RGB = Buffer.from('ffee000e41646f626500640000000000', 'hex')
const APP0 = 0xe0
const APP14 = 0xee
const SOS = 0xda

/**
 * A DICOM file as a picture that viewers and the service support.
 *
 * - `picture`  of its first frame; `frames` is the number of frames
 * - `declined` possibly intact, but not supported here
 * - `damaged`  it contradicts itself
 */
export type DicomPicture =
  | {
      readonly kind: 'picture'
      readonly contentType: 'image/jpeg' | 'image/png'
      readonly bytes: Buffer
      readonly frames: number
    }
  | { readonly kind: 'declined'; readonly why: Message }
  | { readonly kind: 'damaged' }

const DAMAGED: DicomPicture = { kind: 'damaged' }

/** This many pixels of three colours. */
const MAX_FRAME_BYTES = MAX_PIXELS * 3

/** A series of angiographs has some hundreds. */
const MAX_FRAMES = 2_000

/**
 * A contained JPEG byte for byte, anything else losslessly as PNG. Lengths are checked before memory is allocated.
 * Throws nothing for the content of the file, only errors of the disk.
 */
export async function renderDicom(path: string): Promise<DicomPicture> {
  return await withFile(open(path, 'r'), renderOpened)
}

async function renderOpened(handle: FileHandle): Promise<DicomPicture> {
  const { size } = await handle.stat()
  const readAt = readAtOfHandle(handle)
  const dicom = await openDicom(readAt, size)
  if (dicom.transferSyntax === null) return DAMAGED
  if (encodingOf(dicom.transferSyntax) === null) return declined('deflated')
  if (dicom.structure.kind !== 'whole') return DAMAGED
  const pixels = dicom.dataSet.get(PIXEL_DATA)
  if (!pixels) return { kind: 'declined', why: worded('intake:dicom.noPicture') }
  const attributes = await readPictureAttributes(dicom.dataSet)
  if (!attributes) return DAMAGED
  const isGiant =
    attributes.rows * attributes.columns > MAX_PIXELS || (frameBytesOf(attributes) ?? 0) > MAX_FRAME_BYTES
  if (isGiant) return declined('tooLarge')
  if (attributes.frames > MAX_FRAMES) return declined('tooManyFrames')
  const packing = packingOf(dicom.transferSyntax)
  if (packing !== 'native' && !pixels.fragments) return DAMAGED
  switch (packing) {
    case 'native':
      return pixels.fragments ? DAMAGED : renderNative({ dicom, readAt, pixels, attributes })
    case 'jpeg':
      return renderJpeg({ dicom, readAt, pixels, attributes })
    case 'rle':
      return renderRle({ dicom, readAt, pixels, attributes })
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
  readonly readAt: ReadAt
  readonly pixels: Element
  readonly attributes: PictureAttributes
}

/**
 * The first frame without its padding byte. If the DICOM file states RGB and the JPEG does not, an Adobe APP14 marker
 * with transform 0 is inserted, because viewers take three unmarked components for YCbCr.
 */
async function renderJpeg({ readAt, pixels, attributes }: Subject): Promise<DicomPicture> {
  const { rows, columns, photometric, frames } = attributes
  const frame = await firstFrameOf(readAt, pixels.fragments ?? [], frames)
  if (!frame) return DAMAGED
  const isPadded = frame.length > 2 && frame.at(-1) === 0x00 && frame.at(-2) === 0xd9 && frame.at(-3) === 0xff
  const jpeg = isPadded ? frame.subarray(0, -1) : frame
  const head = jpeg[0] === 0xff && jpeg[1] === 0xd8 ? readJpegHead(jpeg) : null
  if (!head) return DAMAGED
  if (!SHOWABLE_FRAMES.includes(head.frameCode) || head.bits !== 8) return declined('unusualJpeg')
  if (head.height !== rows || head.width !== columns) return DAMAGED
  if ((await jpegStructure(readAtOfBytes(jpeg), jpeg.length)).kind !== 'whole') return DAMAGED
  const isMarked = photometric !== 'RGB' || !isTakenForYcc(head)
  const bytes = isMarked ? jpeg : Buffer.concat([jpeg.subarray(0, 2), ADOBE_RGB, jpeg.subarray(2)])
  return { kind: 'picture', contentType: 'image/jpeg', bytes, frames }
}

function readJpegHead(bytes: Buffer): JpegHead | null {
  let position = 2
  let hasColourMark = false
  while (position + 4 <= bytes.length) {
    if (bytes[position] !== 0xff) return null
    const code = bytes[position + 1] ?? 0
    // FF may pad the space before a marker.
    if (code === 0xff) {
      position += 1
      continue
    }
    const length = bytes.readUInt16BE(position + 2)
    const segment = bytes.subarray(position + 4, position + 2 + length)
    if (code === SOS) return null
    const isFrame = code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)
    if (isFrame) return frameHead(code, segment, hasColourMark)
    hasColourMark ||= code === APP0 && segment.subarray(0, 5).toString('latin1') === 'JFIF\0'
    hasColourMark ||= code === APP14 && segment.subarray(0, 5).toString('latin1') === 'Adobe'
    position += 2 + Math.max(2, length)
  }
  return null
}

function frameHead(frameCode: number, segment: Buffer, hasColourMark: boolean): JpegHead | null {
  const count = segment[5] ?? 0
  if (segment.length < 6 + count * 3) return null
  const components = Array.from({ length: count }, (_, index) => ({
    id: segment[6 + index * 3] ?? 0,
    sampling: segment[7 + index * 3] ?? 0,
  }))
  const [height, width] = [segment.readUInt16BE(1), segment.readUInt16BE(3)]
  return { height, width, bits: segment[0] ?? 0, frameCode, components, hasColourMark }
}

/** Cameras that merely label their YCbCr JPEG "RGB" write a JFIF marker or subsampled colour planes. */
function isTakenForYcc({ components, hasColourMark }: JpegHead): boolean {
  const isNamedRgb = components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB'
  return (
    components.length === 3 &&
    !hasColourMark &&
    !isNamedRgb &&
    components.every(({ sampling }) => sampling === components[0]?.sampling)
  )
}

async function renderNative(subject: Subject): Promise<DicomPicture> {
  const { readAt, pixels, attributes } = subject
  const frameBytes = frameBytesOf(attributes)
  if (frameBytes === null) return declined('unusualPixels')
  if (frameBytes * attributes.frames > pixels.bytes) return DAMAGED
  const read = await readAt(pixels.at, frameBytes)
  if (read.length !== frameBytes) return DAMAGED
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.length)
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
  const { readAt, pixels, attributes } = subject
  const { rows, columns, samples, bitsAllocated } = attributes
  // RLE has no subsampled colours (PS3.5 8.2.2).
  const isOdd = attributes.photometric === 'YBR_FULL_422' || frameBytesOf(attributes) === null
  if (isOdd) return declined('unusualPixels')
  const frame = await firstFrameOf(readAt, pixels.fragments ?? [], attributes.frames)
  if (!frame) return DAMAGED
  const bytes = decodeRle(frame, {
    pixels: rows * columns,
    planes: samples,
    bytesPerSample: bitsAllocated / 8,
  })
  return bytes ? paintPng(subject, { bytes, attributes, arrangement: 'byPlane' }) : DAMAGED
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
