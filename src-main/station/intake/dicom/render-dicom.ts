import { open, type FileHandle } from 'node:fs/promises'
import sharp from 'sharp'
import { readAtOfHandle, type ReadAt } from '../read-at.ts'
import { decodeRle } from './decode-rle.ts'
import { firstFrameOf } from './frame-of.ts'
import { openDicom, type OpenedDicom } from './open-dicom.ts'
import { frameBytesOf, paintPixels, type FramePixels } from './paint-pixels.ts'
import { readPalette } from './palette.ts'
import { readPictureAttributes, type PictureAttributes } from './picture-attributes.ts'
import { encodingOf, packingOf, type Packing } from './transfer-syntax.ts'
import { unwrapJpeg } from './unwrap-jpeg.ts'
import { PIXEL_DATA, type Element } from './walk-data-set.ts'

/**
 * A DICOM file as a picture that viewers and the service know.
 *
 * - `picture`  of its first frame; `frames` says how many there are
 * - `declined` it may be sound, but is not made a picture here; `why` is a sentence
 * - `damaged`  it contradicts itself
 */
export type DicomPicture =
  | {
      readonly kind: 'picture'
      readonly contentType: 'image/jpeg' | 'image/png'
      readonly bytes: Buffer
      readonly frames: number
    }
  | { readonly kind: 'declined'; readonly why: string }
  | { readonly kind: 'damaged' }

const DAMAGED: DicomPicture = { kind: 'damaged' }

/** Three times the largest mosaic of any known camera; what claims more is made to fill the memory. */
const MAX_PIXELS = 120_000_000
/** So many pixels of three colours. */
const MAX_FRAME_BYTES = MAX_PIXELS * 3
/** A series of angiographs has some hundreds. */
const MAX_FRAMES = 2_000

const EXPORT_OTHERWISE =
  'so it cannot be shown or made a picture here. The file itself is kept. Set the camera to export JPEG, or DICOM with JPEG or without compression.'

const PACKED_AS: Readonly<Record<Exclude<Packing, 'native' | 'jpeg' | 'rle'>, string>> = {
  jpegLossless: 'packed as lossless JPEG',
  jpegLs: 'packed as JPEG-LS',
  jpeg2000: 'packed as JPEG 2000',
  video: 'a film',
  other: 'packed in a way that is not known here',
}

/**
 * Makes a picture of a DICOM file: a JPEG inside it byte for byte, anything else as a PNG without loss. Every length is
 * checked against the file before memory is taken. Never throws for what stands in the file; errors are those of the
 * disk.
 */
export async function renderDicom(path: string): Promise<DicomPicture> {
  const handle = await open(path, 'r')
  try {
    return await renderOpened(handle)
  } finally {
    await handle.close()
  }
}

async function renderOpened(handle: FileHandle): Promise<DicomPicture> {
  const { size } = await handle.stat()
  const readAt = readAtOfHandle(handle)
  const dicom = await openDicom(readAt, size)
  if (dicom.transferSyntax === null) return DAMAGED
  if (encodingOf(dicom.transferSyntax) === null) return declined('in a file that is deflated as a whole')
  if (dicom.structure.kind !== 'whole') return DAMAGED
  const pixels = dicom.dataSet.get(PIXEL_DATA)
  if (!pixels) return declined('holds no picture')
  const attributes = await readPictureAttributes(dicom.window, dicom.dataSet)
  if (!attributes) return DAMAGED
  const isGiant =
    attributes.rows * attributes.columns > MAX_PIXELS || (frameBytesOf(attributes) ?? 0) > MAX_FRAME_BYTES
  if (isGiant) return declined('larger than any photograph')
  if (attributes.frames > MAX_FRAMES) return declined('a series of more pictures than any camera takes')
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
      return declined(PACKED_AS[packing])
  }
}

function declined(because: string): DicomPicture {
  const what =
    because === 'holds no picture'
      ? 'This DICOM file holds no picture'
      : `The picture in this DICOM file is ${because}`
  return { kind: 'declined', why: `${what}, ${EXPORT_OTHERWISE}` }
}

type Subject = {
  readonly dicom: OpenedDicom
  readonly readAt: ReadAt
  readonly pixels: Element
  readonly attributes: PictureAttributes
}

async function renderJpeg({ readAt, pixels, attributes }: Subject): Promise<DicomPicture> {
  const frame = await firstFrameOf(readAt, pixels.fragments ?? [], attributes.frames)
  if (!frame) return DAMAGED
  const jpeg = await unwrapJpeg(frame, attributes)
  switch (jpeg.kind) {
    case 'jpeg':
      return { kind: 'picture', contentType: 'image/jpeg', bytes: jpeg.bytes, frames: attributes.frames }
    case 'notShowable':
      return declined('a JPEG of a kind that viewers do not know')
    case 'damaged':
      return DAMAGED
  }
}

async function renderNative(subject: Subject): Promise<DicomPicture> {
  const { readAt, pixels, attributes } = subject
  const frameBytes = frameBytesOf(attributes)
  if (frameBytes === null) return declined('made of pixels that no camera is known to write')
  if (frameBytes * attributes.frames > pixels.bytes) return DAMAGED
  const read = await readAt(pixels.at, frameBytes)
  if (read.length !== frameBytes) return DAMAGED
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.length)
  // Big endian turns the bytes of a word round, also where a word holds two pixels of eight bits (PS3.5 annex A.3).
  const isWords = attributes.bitsAllocated === 16 || pixels.vr === 'OW'
  if (pixels.encoding.order === 'big' && isWords) {
    if (bytes.length % 2 === 1) return declined('made of pixels that no camera is known to write')
    bytes.swap16()
  }
  const arrangement = attributes.photometric === 'YBR_FULL_422' ? 'halfColour' : attributes.arrangement
  return paintPng(subject, { bytes, attributes, arrangement })
}

async function renderRle(subject: Subject): Promise<DicomPicture> {
  const { readAt, pixels, attributes } = subject
  const { rows, columns, samples, bitsAllocated } = attributes
  // Half colours do not exist in RLE (PS3.5 8.2.2).
  const isOdd = attributes.photometric === 'YBR_FULL_422' || frameBytesOf(attributes) === null
  if (isOdd) return declined('made of pixels that no camera is known to write')
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
  const palette = isPalette ? await readPalette(dicom.window, dicom.dataSet) : null
  const painting = paintPixels(frame, palette)
  if (!painting) return declined('made of pixels that no camera is known to write')
  const { pixels, channels } = painting
  const raw = { width: attributes.columns, height: attributes.rows, channels }
  const colours = channels === 1 ? 'grey16' : 'rgb16'
  const image = sharp(pixels, { raw, limitInputPixels: MAX_PIXELS })
  const png = pixels instanceof Uint16Array ? image.toColourspace(colours) : image
  const bytes = await png.png().toBuffer()
  return { kind: 'picture', contentType: 'image/png', bytes, frames: attributes.frames }
}
