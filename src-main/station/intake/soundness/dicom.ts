/** Whether the pixels of a DICOM file are sound: every frame, by its compression (PS3.5 section 8 and annexes A, G). */
import { type Element, type Extent, packingOf, PIXEL_DATA } from '../dicom/dicom.ts'
import { frameBytesOf, type PictureAttributes, readPictureAttributes } from '../dicom/pixels.ts'
import { openDicom } from '../dicom/values.ts'
import { bufferOf, type ReadAt, viewOf } from '../file-structure.ts'
import type { SmallPicture } from '../images/decode.ts'
import { DamageSign, NotChecked } from './signs.ts'
import { checkJpeg, MAX_JPEG_BYTES } from './jpeg.ts'
import { checkPackBits } from './packings.ts'
import { checkPlainPixels, MAX_PLAIN_BYTES } from './plain-pixels.ts'

/** Of all frames together; what is larger takes too long. */
const MAX_BYTES = 1_024 * 1_024 * 1_024
const RLE_HEADER_BYTES = 64

/** A small picture of the first frame, if one was made. Throws `DamageSign`, `NotChecked` and errors of `readAt`. */
export async function checkDicom(readAt: ReadAt, sizeBytes: number): Promise<SmallPicture | null> {
  const { transferSyntax, dataSet } = await openDicom(readAt, sizeBytes)
  const pixels = dataSet.get(PIXEL_DATA)
  const attributes = pixels ? await readPictureAttributes(dataSet) : null
  if (transferSyntax === null || !pixels || !attributes) throw new NotChecked('compression')
  const { rows, columns, frames: stated } = attributes
  if (pixels.bytes > MAX_BYTES || rows * columns * stated > MAX_BYTES) throw new NotChecked('size')
  const packing = packingOf(transferSyntax)
  if (packing === 'native') {
    await checkNative(readAt, pixels, attributes)
    return null
  }
  if ((packing !== 'jpeg' && packing !== 'rle') || !pixels.fragments) throw new NotChecked('compression')
  const frames = await framesOf(readAt, pixels.fragments, attributes.frames)
  let small: SmallPicture | null = null
  for (const [index, fragments] of frames.entries()) {
    const frame = await readAll(readAt, fragments)
    if (packing === 'rle') checkRle(frame, attributes)
    else {
      const finding = checkJpeg(frame, { pixels: attributes.rows * attributes.columns })
      if (finding.kind === 'doubtful') throw new DamageSign(finding.sign)
      if (finding.kind === 'notChecked') throw new NotChecked(finding.what)
      // A JPEG does not say itself that its colours are plain red, green and blue.
      if (index === 0 && attributes.photometric !== 'RGB') small = finding.small
    }
  }
  return small
}

async function checkNative(readAt: ReadAt, pixels: Element, attributes: PictureAttributes): Promise<void> {
  const { rows, frames, samples, arrangement, photometric } = attributes
  const frameBytes = frameBytesOf(attributes)
  if (frameBytes === null || pixels.fragments) throw new NotChecked('compression')
  // Padded to an even length.
  const bytes = frameBytes * frames
  if (pixels.bytes !== bytes + (bytes % 2))
    throw new DamageSign('plain image data are of another size than their image')
  if (frameBytes > MAX_PLAIN_BYTES) throw new NotChecked('size')
  const isByPlane = arrangement === 'byPlane' && photometric !== 'YBR_FULL_422'
  const rowBytes = frameBytes / rows / (isByPlane ? samples : 1)
  for (let frame = 0; frame < frames; frame += 1)
    checkPlainPixels({
      bytes: bufferOf(await readAt(pixels.at + frame * frameBytes, frameBytes)),
      rowBytes,
    })
}

/** PS3.5 G.4 and G.5: segments follow each other, and each holds one byte of every sample of a kind. */
function checkRle(frame: Buffer, { rows, columns, samples, bitsAllocated }: PictureAttributes): void {
  const segments = samples * Math.ceil(bitsAllocated / 8)
  if (frame.length < RLE_HEADER_BYTES || segments > 15 || frame.readUInt32LE(0) !== segments)
    throw new DamageSign('the header of a DICOM frame is none')
  for (let segment = 0; segment < segments; segment += 1) {
    const from = frame.readUInt32LE(4 + segment * 4)
    const to = segment + 1 < segments ? frame.readUInt32LE(8 + segment * 4) : frame.length
    if (from < RLE_HEADER_BYTES || from > to || to > frame.length)
      throw new DamageSign('the header of a DICOM frame is none')
    checkPackBits(frame.subarray(from, to), [rows * columns])
  }
}

/** The fragments of each frame (A.4): by their number, by the offset table, or each up to the end of a JPEG. */
async function framesOf(
  readAt: ReadAt,
  [table, ...fragments]: readonly Extent[],
  frames: number,
): Promise<readonly (readonly Extent[])[]> {
  if (!table || fragments.length < frames)
    throw new DamageSign('a DICOM file has fewer frames than it states')
  if (frames === 1) return [fragments]
  if (fragments.length === frames) return fragments.map((fragment) => [fragment])
  const starts = await startsOf(readAt, table, fragments, frames)
  return starts.map((start, index) => fragments.slice(start, starts[index + 1] ?? fragments.length))
}

/** The first fragment of each frame: by the offset table, or by the start markers of JPEGs if it does not fit. */
async function startsOf(
  readAt: ReadAt,
  table: Extent,
  fragments: readonly Extent[],
  frames: number,
): Promise<readonly number[]> {
  const bytes = table.bytes === frames * 4 ? await readAt(table.at, table.bytes) : null
  if (bytes?.length !== frames * 4) return startsByMarkers(readAt, fragments, frames)
  const first = fragments[0]?.at ?? 0
  const byOffset = new Map(fragments.map(({ at }, index) => [at - first, index]))
  const starts = Array.from({ length: frames }, (_, index) =>
    byOffset.get(viewOf(bytes).getUint32(index * 4, true)),
  ).filter((start) => start !== undefined)
  const isFitting =
    starts.length === frames &&
    starts.every((start, index) => (index === 0 ? start === 0 : start > (starts[index - 1] ?? 0)))
  return isFitting ? starts : startsByMarkers(readAt, fragments, frames)
}

async function startsByMarkers(
  readAt: ReadAt,
  fragments: readonly Extent[],
  frames: number,
): Promise<readonly number[]> {
  const starts: number[] = []
  for (const [index, { at, bytes }] of fragments.entries()) {
    const head = await readAt(at, Math.min(3, bytes))
    if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) starts.push(index)
  }
  if (starts.length !== frames || starts[0] !== 0) throw new NotChecked('compression')
  return starts
}

async function readAll(readAt: ReadAt, fragments: readonly Extent[]): Promise<Buffer> {
  if (fragments.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_JPEG_BYTES) throw new NotChecked('size')
  const parts: Uint8Array[] = []
  for (const { at, bytes } of fragments) parts.push(await readAt(at, bytes))
  return Buffer.concat(parts)
}
