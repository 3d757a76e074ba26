/**
 * The pixels of a DICOM file (PS3.3 C.7.6.3, PS3.5 section 8, annexes A and G): what describes them, where each frame
 * lies, and whether all of them are sound.
 */
import { bufferOf, type Extent, malformed, MAX_LEFT_BYTES, MAX_PIXELS, NotChecked } from '../formats/bytes.ts'
import { checkJpeg } from '../formats/jpeg.ts'
import { checkPlainPixels, MAX_PLAIN_BYTES } from '../formats/pixel-data.ts'
import { CODECS, isTooLarge, openDecoder } from './codecs.ts'
import type { DicomFile } from './dicom.ts'
import { type Element, PIXEL_DATA } from './element-walk.ts'

/** The meaning of a pixel's samples, PS3.3 C.7.6.3.1.2; cameras write no others uncompressed. */
const PHOTOMETRICS = [
  'MONOCHROME1',
  'MONOCHROME2',
  'RGB',
  'PALETTE COLOR',
  'YBR_FULL',
  'YBR_FULL_422',
] as const

type Photometric = (typeof PHOTOMETRICS)[number]

/** The pixels of an opened file. */
export type DicomPixels = {
  readonly file: DicomFile
  readonly element: Element
  readonly frames: number
  readonly rows: number
  readonly columns: number
  readonly samples: number
  readonly bitsAllocated: number
  readonly bitsStored: number
  readonly highBit: number
  readonly isSigned: boolean
  /** Null if unknown; a JPEG may be shown all the same. */
  readonly photometric: Photometric | null
  /** `halfColour`: two pixels share their colour, Y1 Y2 Cb Cr. */
  readonly arrangement: 'byPixel' | 'byPlane' | 'halfColour'
  /** The bytes of one uncompressed frame; null for pixels that no camera writes. */
  readonly frameBytes: number | null
}

const SAMPLES = 0x00280002
const PHOTOMETRIC = 0x00280004
const PLANAR_CONFIGURATION = 0x00280006
const FRAMES = 0x00280008
const ROWS = 0x00280010
const COLUMNS = 0x00280011
const BITS_ALLOCATED = 0x00280100
const BITS_STORED = 0x00280101
const HIGH_BIT = 0x00280102
const PIXEL_REPRESENTATION = 0x00280103

/** Null if the file has none. Throws `Flaw` if it does not describe them, or contradicts itself. */
export async function readPixels(file: DicomFile): Promise<DicomPixels | null> {
  const { dataSet, packing } = file
  const element = dataSet.get(PIXEL_DATA)
  if (!element) return null
  const count = async (tag: number, otherwise: number): Promise<number> =>
    (await dataSet.count(tag)) ?? otherwise
  const [rows, columns] = [await count(ROWS, 0), await count(COLUMNS, 0)]
  const samples = await count(SAMPLES, 1)
  const bitsAllocated = await count(BITS_ALLOCATED, 8)
  const bitsStored = await count(BITS_STORED, bitsAllocated)
  const highBit = await count(HIGH_BIT, bitsStored - 1)
  const frames = Number((await dataSet.code(FRAMES)) ?? '1')
  const isWrong =
    rows === 0 ||
    columns === 0 ||
    bitsStored < 1 ||
    bitsStored > bitsAllocated ||
    highBit < bitsStored - 1 ||
    highBit >= bitsAllocated ||
    !Number.isSafeInteger(frames) ||
    frames < 1
  if (isWrong) throw malformed('a DICOM file does not describe its picture')
  if ((packing === 'native') !== (element.fragments === null))
    throw malformed('a DICOM file packs its pixels otherwise than it says')
  const stated = await dataSet.code(PHOTOMETRIC)
  // Decoders of JPEG 2000 undo both (PS3.5 8.2.4).
  const shown = packing === 'jpeg2000' && (stated === 'YBR_RCT' || stated === 'YBR_ICT') ? 'RGB' : stated
  const photometric = PHOTOMETRICS.find((one) => one === shown) ?? null
  const isByPlane = (await count(PLANAR_CONFIGURATION, 0)) === 1
  const hasHalfColours = photometric === 'YBR_FULL_422'
  const shape = { rows, columns, samples, bitsAllocated }
  return {
    file,
    element,
    frames,
    ...shape,
    bitsStored,
    highBit,
    isSigned: (await count(PIXEL_REPRESENTATION, 0)) === 1,
    photometric,
    arrangement: hasHalfColours ? 'halfColour' : isByPlane ? 'byPlane' : 'byPixel',
    frameBytes: frameBytesOf(shape, photometric),
  }
}

/** What decides about the length of a frame. */
type Shape = Pick<DicomPixels, 'rows' | 'columns' | 'samples' | 'bitsAllocated'>

function frameBytesOf(
  { rows, columns, samples, bitsAllocated }: Shape,
  photometric: Photometric | null,
): number | null {
  if (photometric === null || (bitsAllocated !== 8 && bitsAllocated !== 16)) return null
  if (photometric === 'YBR_FULL_422')
    return bitsAllocated === 8 && samples === 3 && columns % 2 === 0 ? rows * columns * 2 : null
  const isOneSample = ['MONOCHROME1', 'MONOCHROME2', 'PALETTE COLOR'].includes(photometric)
  return samples === (isOneSample ? 1 : 3) ? rows * columns * samples * (bitsAllocated / 8) : null
}

/** Of all frames together; what is larger takes too long. */
const MAX_BYTES = 1_024 * 1_024 * 1_024

/** Of all frames that a decoder reads: 9 million a second of JPEG 2000, and a third of that on an old computer (measured: 66 ms for 768 x 768). */
const MAX_DECODED_SAMPLES = 256 * 1_024 * 1_024

/** A series of angiographs has some hundreds. */
export const MAX_FRAMES = 2_000

/** Whether all frames are sound. Throws `Flaw`, `NotChecked` and the errors of the disk. */
export async function checkFrames(file: DicomFile): Promise<void> {
  const { packing } = file
  const pixels = await readPixels(file)
  const codec = CODECS.find((one) => one === packing)
  const isKnown = packing === 'native' || packing === 'jpeg' || packing === 'rle' || codec !== undefined
  if (!pixels || !isKnown) throw new NotChecked('compression')
  const { element, rows, columns, frames, frameBytes } = pixels
  if (element.bytes > MAX_BYTES || rows * columns > MAX_PIXELS || rows * columns * frames > MAX_BYTES)
    throw new NotChecked('size')
  const isMuch = rows * columns * pixels.samples * frames > MAX_DECODED_SAMPLES
  if (codec !== undefined && (isMuch || isTooLarge(pixels))) throw new NotChecked('size')
  if (packing === 'native' && frameBytes !== null && !(await isPadded(pixels, frameBytes * frames)))
    throw malformed('plain image data are of another size than their image')
  if (frames > MAX_FRAMES) throw new NotChecked('size')
  const all = await framesOf(pixels)
  if (all === null && (packing === 'jpeg' || codec))
    throw malformed('a DICOM file has other frames than it states')
  if (all === null) throw new NotChecked('compression')
  const decode = codec && (await openDecoder(codec))
  for (const extents of all) {
    if (bytesOf(extents) > MAX_PLAIN_BYTES) throw new NotChecked('size')
    const frame = await readFrame(pixels, extents)
    if (decode) {
      if ((await decode(frame, pixels)).isWarned)
        throw malformed('a decoder finds fault with packed image data')
    } else if (packing === 'jpeg') await checkJpeg(frame, rows * columns)
    else if (packing === 'native') checkPlainPixels(frame, rowBytesOf(pixels, frame.length))
    else if (!unpackRle(frame, pixels).isExact) throw malformed('packed image data go on after their end')
  }
}

/** A sector of a disk, which some writers fill. */
const MAX_PADDING_BYTES = 512

/**
 * Whether nothing but padding follows the pixels: readers accept it (PS3.5 8.1.1). More of it is of one byte, and no number of
 * rows, which could be missing from the picture.
 */
async function isPadded(pixels: DicomPixels, pixelBytes: number): Promise<boolean> {
  const {
    file: { readAt },
    element,
    columns,
    bitsAllocated,
  } = pixels
  const padding = element.bytes - pixelBytes
  if (padding <= MAX_PADDING_BYTES) return padding >= 0
  if (padding % (columns * (bitsAllocated / 8)) === 0) return false
  const bytes = await readAt(element.at + pixelBytes, Math.min(padding, MAX_PLAIN_BYTES))
  return bytes.length === padding && bytes.every((byte) => byte === bytes[0])
}

function rowBytesOf({ rows, arrangement, samples }: DicomPixels, frameBytes: number): number {
  return frameBytes / rows / (arrangement === 'byPlane' ? samples : 1)
}

function bytesOf(extents: readonly Extent[]): number {
  return extents.reduce((sum, { bytes }) => sum + bytes, 0)
}

/**
 * Where each frame lies. Of encapsulated pixels (A.4) by the number of their fragments, or from one start marker of a
 * JPEG to the next; other codings have a fragment for each frame. Tables of offsets are often empty, and sometimes wrong.
 * Null if nothing helps. Throws `Flaw` for fewer fragments than frames.
 */
async function framesOf({
  file: { readAt },
  element,
  frames,
  frameBytes,
}: DicomPixels): Promise<readonly (readonly Extent[])[] | null> {
  if (element.fragments === null) {
    if (frameBytes === null) return null
    return Array.from({ length: frames }, (_, nth) => [
      { at: element.at + nth * frameBytes, bytes: frameBytes },
    ])
  }
  const [, ...fragments] = element.fragments
  if (fragments.length === 0 || fragments.length < frames)
    throw malformed('a DICOM file has fewer frames than it states')
  if (frames === 1) return [fragments]
  if (fragments.length === frames) return fragments.map((fragment) => [fragment])
  const starts: number[] = []
  for (const [index, { at, bytes }] of fragments.entries()) {
    const head = await readAt(at, Math.min(3, bytes))
    const isStart = head[0] === 0xff && (head[1] === 0xd8 || head[1] === 0x4f) && head[2] === 0xff
    if (isStart) starts.push(index)
  }
  if (starts.length !== frames || starts[0] !== 0) return null
  return starts.map((start, index) => fragments.slice(start, starts[index + 1] ?? fragments.length))
}

/** The bytes of the first frame; null if nothing shows its end. Throws `Flaw` if it has more than `most`. */
export async function readFirstFrame(pixels: DicomPixels, most: number): Promise<Buffer | null> {
  const first = (await framesOf(pixels))?.[0]
  if (!first) return null
  if (bytesOf(first) > most) throw malformed('a DICOM frame is larger than any picture')
  return readFrame(pixels, first)
}

/** Throws `Flaw` if the file has become shorter. */
async function readFrame({ file }: DicomPixels, extents: readonly Extent[]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for (const { at, bytes } of extents) {
    const part = await file.readAt(at, bytes)
    if (part.length !== bytes) throw malformed('a DICOM file ends before its frames')
    parts.push(part)
  }
  const [first] = parts
  // A plain frame may fill much of the memory once, and not twice.
  return first !== undefined && parts.length === 1 ? bufferOf(first) : Buffer.concat(parts)
}

const HEADER_BYTES = 64
const MAX_SEGMENTS = 15

/** `isExact` if nothing was left over but a little padding. */
type Unpacked = { readonly bytes: Buffer; readonly isExact: boolean }

/**
 * An RLE frame (annex G: a segment for each byte of a sample, high first, one after the other) as planes, low byte
 * first. Excess is cut (G.3.2). Throws `Flaw` without exactly one full segment for each byte of a sample.
 */
export function unpackRle(frame: Buffer, { rows, columns, samples, bitsAllocated }: Shape): Unpacked {
  const [pixels, bytesPerSample] = [rows * columns, Math.ceil(bitsAllocated / 8)]
  const segments = samples * bytesPerSample
  const isWrong = frame.length < HEADER_BYTES || segments > MAX_SEGMENTS || frame.readUInt32LE(0) !== segments
  // Checked before allocating: two bytes become at most 128.
  if (isWrong || pixels * segments > frame.length * 64) throw malformed('the header of a DICOM frame is none')
  const planes = Buffer.alloc(pixels * segments)
  let isExact = true
  for (let segment = 0; segment < segments; segment += 1) {
    const from = frame.readUInt32LE(4 + segment * 4)
    const to = segment + 1 < segments ? frame.readUInt32LE(8 + segment * 4) : frame.length
    if (from < HEADER_BYTES || from > to || to > frame.length)
      throw malformed('the header of a DICOM frame is none')
    const unpacked = unpackBits(frame.subarray(from, to), pixels)
    isExact &&= unpacked.isExact
    const plane = Math.floor(segment / bytesPerSample)
    const byte = bytesPerSample - 1 - (segment % bytesPerSample)
    const start = plane * pixels * bytesPerSample + byte
    for (let index = 0; index < pixels; index += 1)
      planes[start + index * bytesPerSample] = unpacked.bytes[index] ?? 0
  }
  return { bytes: planes, isExact }
}

/** The first `length` bytes of PackBits (G.3.1). */
function unpackBits(packed: Buffer, length: number): Unpacked {
  const bytes = Buffer.alloc(length)
  let [at, done] = [0, 0]
  while (done < length && at < packed.length) {
    const control = packed.readInt8(at)
    at += 1
    if (control === -128) continue
    const count = control < 0 ? 1 - control : control + 1
    const used = control < 0 ? 1 : Math.min(count, length - done)
    if (at + used > packed.length) break
    if (control < 0) bytes.fill(packed[at] ?? 0, done, Math.min(length, done + count))
    else packed.copy(bytes, done, at, at + used)
    done += count
    at += used
  }
  if (done < length) throw malformed('packed image data are shorter than their image')
  const left = packed.subarray(at)
  const isPadding = left.length <= MAX_LEFT_BYTES && left.every((byte) => byte === 0 || byte === 0x80)
  return { bytes, isExact: done === length && isPadding }
}
