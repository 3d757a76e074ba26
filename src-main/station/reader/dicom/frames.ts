/** The frames of a DICOM file (PS3.5 section 8, annexes A and G): where each lies, and whether all of them are sound. */
import {
  bufferOf,
  type Extent,
  malformed,
  NotChecked,
  type ReadAt,
  type SmallPicture,
} from '../formats/bytes.ts'
import { MAX_LEFT_BYTES } from '../formats/tiff-file.ts'
import { checkJpeg, MAX_JPEG_BYTES } from '../formats/jpeg.ts'
import { checkPlainPixels, MAX_PLAIN_BYTES } from '../formats/plain-pixels.ts'
import { type Element, packingOf, PIXEL_DATA } from './dicom.ts'
import { frameBytesOf, type PictureAttributes, readPictureAttributes } from './pixels.ts'
import type { OpenedDicom } from './values.ts'

/** Of all frames together; what is larger takes too long. */
const MAX_BYTES = 1_024 * 1_024 * 1_024

/** A small picture of the first frame, if one was made. Throws `Flaw`, `NotChecked` and the errors of the disk. */
export async function checkFrames({
  readAt,
  transferSyntax,
  dataSet,
}: OpenedDicom): Promise<SmallPicture | null> {
  const pixels = dataSet.get(PIXEL_DATA)
  const attributes = pixels ? await readPictureAttributes(dataSet) : null
  if (transferSyntax === null || !pixels || !attributes) throw new NotChecked('compression')
  const { rows, columns } = attributes
  if (pixels.bytes > MAX_BYTES || rows * columns * attributes.frames > MAX_BYTES) throw new NotChecked('size')
  const packing = packingOf(transferSyntax)
  if (packing === 'native') {
    await checkNative(readAt, pixels, attributes)
    return null
  }
  if ((packing !== 'jpeg' && packing !== 'rle') || !pixels.fragments) throw new NotChecked('compression')
  const frames = await framesOf(readAt, pixels.fragments, attributes.frames)
  if (frames === null && packing === 'jpeg') throw malformed('a DICOM file has other frames than it states')
  if (frames === null) throw new NotChecked('compression')
  let first: SmallPicture | null = null
  for (const [index, extents] of frames.entries()) {
    if (extents.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_JPEG_BYTES) throw new NotChecked('size')
    const frame = await readFrame(readAt, extents)
    if (packing === 'rle') {
      if (!unpackRle(frame, attributes).isExact) throw malformed('packed image data go on after their end')
      continue
    }
    const { small } = await checkJpeg(frame, { pixels: rows * columns })
    // A JPEG does not say itself that its colours are plain red, green and blue.
    if (index === 0 && attributes.photometric !== 'RGB') first = small
  }
  return first
}

async function checkNative(readAt: ReadAt, pixels: Element, attributes: PictureAttributes): Promise<void> {
  const { rows, frames, samples, arrangement, photometric } = attributes
  const frameBytes = frameBytesOf(attributes)
  if (frameBytes === null || pixels.fragments) throw new NotChecked('compression')
  // Padded to an even length.
  const bytes = frameBytes * frames
  if (pixels.bytes !== bytes + (bytes % 2))
    throw malformed('plain image data are of another size than their image')
  if (frameBytes > MAX_PLAIN_BYTES) throw new NotChecked('size')
  const isByPlane = arrangement === 'byPlane' && photometric !== 'YBR_FULL_422'
  const rowBytes = frameBytes / rows / (isByPlane ? samples : 1)
  for (let frame = 0; frame < frames; frame += 1)
    checkPlainPixels({
      bytes: bufferOf(await readAt(pixels.at + frame * frameBytes, frameBytes)),
      rowBytes,
    })
}

/**
 * The fragments of each frame of encapsulated pixels (A.4): by their number, or from one start marker of a JPEG to the
 * next; other codings have a fragment for each frame. Tables of offsets are often empty, and sometimes wrong. Null if
 * neither helps. Throws `Flaw` for fewer fragments than frames.
 */
export async function framesOf(
  readAt: ReadAt,
  [, ...fragments]: readonly Extent[],
  frames: number,
): Promise<readonly (readonly Extent[])[] | null> {
  if (fragments.length === 0 || fragments.length < frames)
    throw malformed('a DICOM file has fewer frames than it states')
  if (frames === 1) return [fragments]
  if (fragments.length === frames) return fragments.map((fragment) => [fragment])
  const starts: number[] = []
  for (const [index, { at, bytes }] of fragments.entries()) {
    const head = await readAt(at, Math.min(3, bytes))
    if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) starts.push(index)
  }
  if (starts.length !== frames || starts[0] !== 0) return null
  return starts.map((start, index) => fragments.slice(start, starts[index + 1] ?? fragments.length))
}

/** Throws `Flaw` if the file has become shorter. */
export async function readFrame(readAt: ReadAt, fragments: readonly Extent[]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for (const { at, bytes } of fragments) {
    const part = await readAt(at, bytes)
    if (part.length !== bytes) throw malformed('a DICOM file ends before its frames')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const HEADER_BYTES = 64
const MAX_SEGMENTS = 15

/** `isExact` if nothing was left over but a little padding. */
type Unpacked = { readonly bytes: Buffer; readonly isExact: boolean }

/** What of the attributes matters for the length of a frame. */
type RleShape = Pick<PictureAttributes, 'rows' | 'columns' | 'samples' | 'bitsAllocated'>

/**
 * An RLE frame (annex G: a segment for each byte of a sample, high first, one after the other) as planes, low byte
 * first. Excess is cut (G.3.2). Throws `Flaw` without exactly one full segment for each byte of a sample.
 */
export function unpackRle(frame: Buffer, { rows, columns, samples, bitsAllocated }: RleShape): Unpacked {
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
