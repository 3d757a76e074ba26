/** A JPEG as it lies in a DICOM file, made one that any viewer shows right, without decoding it. */
import { jpegStructure } from '../jpeg-structure.ts'
import { readAtOfBytes } from '../read-at.ts'
import type { PictureAttributes } from './picture-attributes.ts'

export type UnwrappedJpeg =
  | { readonly kind: 'jpeg'; readonly bytes: Buffer }
  | { readonly kind: 'notShowable' }
  | { readonly kind: 'damaged' }

/** What the segments before the first scan say. */
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

/**
 * The frame without the byte that pads it to an even length. `notShowable` where it is a kind of JPEG that viewers do
 * not know, or has more than eight bits. Where the file says that its colours are RGB and nothing in the JPEG does,
 * the mark that says so is put in front (Adobe's APP14, transform 0), because viewers take three colours without a mark
 * for YCbCr.
 */
export async function unwrapJpeg(
  frame: Buffer,
  { rows, columns, photometric }: PictureAttributes,
): Promise<UnwrappedJpeg> {
  const isPadded = frame.length > 2 && frame.at(-1) === 0x00 && frame.at(-2) === 0xd9 && frame.at(-3) === 0xff
  const bytes = isPadded ? frame.subarray(0, -1) : frame
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return { kind: 'damaged' }
  const head = readJpegHead(bytes)
  if (!head) return { kind: 'damaged' }
  if (!SHOWABLE_FRAMES.includes(head.frameCode) || head.bits !== 8) return { kind: 'notShowable' }
  if (head.height !== rows || head.width !== columns) return { kind: 'damaged' }
  if ((await jpegStructure(readAtOfBytes(bytes), bytes.length)).kind !== 'whole') return { kind: 'damaged' }
  return { kind: 'jpeg', bytes: photometric === 'RGB' && isTakenForYcc(head) ? markedAsRgb(bytes) : bytes }
}

/** Cameras that only call their YCbCr JPEG "RGB" write it with a JFIF mark or with smaller colour planes. */
function isTakenForYcc({ components, hasColourMark }: JpegHead): boolean {
  const isNamedRgb = components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB'
  return (
    components.length === 3 &&
    !hasColourMark &&
    !isNamedRgb &&
    components.every(({ sampling }) => sampling === components[0]?.sampling)
  )
}

const ADOBE_RGB = Buffer.from('ffee000e41646f626500640000000000', 'hex')

function markedAsRgb(jpeg: Buffer): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ADOBE_RGB, jpeg.subarray(2)])
}

const APP0 = 0xe0
const APP14 = 0xee
const SOS = 0xda

function readJpegHead(bytes: Buffer): JpegHead | null {
  let position = 2
  let hasColourMark = false
  while (position + 4 <= bytes.length) {
    if (bytes[position] !== 0xff) return null
    const code = bytes[position + 1] ?? 0
    // FF may fill the space before a marker.
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
