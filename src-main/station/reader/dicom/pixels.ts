/** Converts the pixels of a DICOM frame to the format of a PNG: grey or RGB, 8 or 16 bit, white is the maximum. */
import { viewOf } from '../formats/bytes.ts'
import type { DataSet } from './dicom.ts'
import { isLittle, readBytes, readCode, readCount, readCounts } from './values.ts'

/** Three bytes at `(value - first) * 3`; values beyond either end take the colour of that end. */
type Palette = { readonly first: number; readonly entries: number; readonly colours: Uint8Array }

const DESCRIPTORS = [0x00281101, 0x00281102, 0x00281103]
const TABLES = [0x00281201, 0x00281202, 0x00281203]
const MAX_ENTRIES = 65_536

/** PS3.3 C.7.6.3.1.5 and 6. Null if a table is missing, segmented (which no camera writes), or of a wrong length. */
export async function readPalette(dataSet: DataSet): Promise<Palette | null> {
  const [stated = -1, first = 0, bits = 0] = await readCounts(dataSet, DESCRIPTORS[0] ?? 0)
  // 65,536 does not fit into the number and is stored as 0.
  const entries = stated === 0 ? MAX_ENTRIES : stated
  if (entries < 1 || (bits !== 8 && bits !== 16)) return null
  const colours = new Uint8Array(entries * 3)
  for (const [channel, tag] of TABLES.entries()) {
    const bytes = await readBytes(dataSet, tag, MAX_ENTRIES * 2)
    const isLow = isLittle(dataSet, tag)
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

/** The meaning of a pixel's samples, PS3.3 C.7.6.3.1.2; cameras write no others uncompressed. */
const PHOTOMETRICS = [
  'MONOCHROME1',
  'MONOCHROME2',
  'RGB',
  'PALETTE COLOR',
  'YBR_FULL',
  'YBR_FULL_422',
] as const

/** The Image Pixel Module, PS3.3 C.7.6.3. */
export type PictureAttributes = {
  readonly rows: number
  readonly columns: number
  readonly samples: number
  readonly bitsAllocated: number
  readonly bitsStored: number
  readonly highBit: number
  readonly isSigned: boolean
  /** Null if unknown; a JPEG may be shown all the same. */
  readonly photometric: (typeof PHOTOMETRICS)[number] | null
  readonly arrangement: 'byPixel' | 'byPlane'
  readonly frames: number
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

/** Null if the file does not describe its picture, or contradicts itself. */
export async function readPictureAttributes(dataSet: DataSet): Promise<PictureAttributes | null> {
  const count = (tag: number): Promise<number | null> => readCount(dataSet, tag)
  const rows = await count(ROWS)
  const columns = await count(COLUMNS)
  const bitsAllocated = (await count(BITS_ALLOCATED)) ?? 8
  const bitsStored = (await count(BITS_STORED)) ?? bitsAllocated
  const highBit = (await count(HIGH_BIT)) ?? bitsStored - 1
  const samples = (await count(SAMPLES)) ?? 1
  const frames = Number((await readCode(dataSet, FRAMES)) ?? '1')
  const stated = await readCode(dataSet, PHOTOMETRIC)
  if (rows === null || columns === null || rows === 0 || columns === 0) return null
  if (bitsStored < 1 || bitsStored > bitsAllocated) return null
  if (highBit < bitsStored - 1 || highBit >= bitsAllocated) return null
  if (!Number.isSafeInteger(frames) || frames < 1) return null
  return {
    rows,
    columns,
    samples,
    bitsAllocated,
    bitsStored,
    highBit,
    isSigned: (await count(PIXEL_REPRESENTATION)) === 1,
    photometric: PHOTOMETRICS.find((one) => one === stated) ?? null,
    arrangement: (await count(PLANAR_CONFIGURATION)) === 1 ? 'byPlane' : 'byPixel',
    frames,
  }
}

type Painting = { readonly channels: 1 | 3; readonly pixels: Uint8Array | Uint16Array }

/** The layout of a frame unless `samples` says otherwise: interleaved or by planes, low byte first. */
export type FramePixels = {
  readonly bytes: Buffer
  readonly attributes: PictureAttributes
  readonly arrangement: PictureAttributes['arrangement'] | 'halfColour'
}

/** The bytes of one uncompressed frame; null for pixels that no camera writes. */
export function frameBytesOf(attributes: PictureAttributes): number | null {
  const { rows, columns, samples, bitsAllocated, photometric } = attributes
  if (bitsAllocated !== 8 && bitsAllocated !== 16) return null
  if (photometric === 'YBR_FULL_422') {
    return bitsAllocated === 8 && samples === 3 && columns % 2 === 0 ? rows * columns * 2 : null
  }
  if (photometric === null) return null
  const isOneSample = ['MONOCHROME1', 'MONOCHROME2', 'PALETTE COLOR'].includes(photometric)
  return samples === (isOneSample ? 1 : 3) ? rows * columns * samples * (bitsAllocated / 8) : null
}

/** Keeps all stored bits, in 8 or 16, so that the maximum is white; no windowing. Null if a palette is missing. */
export function paintPixels(frame: FramePixels, palette: Palette | null): Painting | null {
  const { photometric, bitsStored } = frame.attributes
  switch (photometric) {
    case 'MONOCHROME1':
    case 'MONOCHROME2':
    case 'RGB': {
      const pixels = bitsStored > 8 ? new Uint16Array(countOf(frame)) : new Uint8Array(countOf(frame))
      spread(frame, pixels, photometric === 'MONOCHROME1')
      return { channels: photometric === 'RGB' ? 3 : 1, pixels }
    }
    case 'PALETTE COLOR':
      return palette === null ? null : paintPalette(frame, palette)
    case 'YBR_FULL':
    case 'YBR_FULL_422':
      return paintYbr(frame)
    case null:
      return null
  }
}

function countOf({ attributes: { rows, columns, samples } }: FramePixels): number {
  return rows * columns * samples
}

/** Stored values, interleaved and scaled to the full range of `into`. */
function spread(frame: FramePixels, into: Uint8Array | Uint16Array, isInverted: boolean): void {
  const { bitsStored, isSigned } = frame.attributes
  const fullBits = into.BYTES_PER_ELEMENT * 8
  const shift = fullBits - bitsStored
  const mask = 2 ** bitsStored - 1
  // Signed values are shifted so that the minimum is black.
  const flip = isSigned ? 2 ** (bitsStored - 1) : 0
  const invert = isInverted ? mask : 0
  forEachValue(frame, (index, value) => {
    into[index] = ((value & mask) ^ flip ^ invert) << shift
  })
}

function forEachValue(frame: FramePixels, take: (index: number, value: number) => void): void {
  const { bytes, attributes, arrangement } = frame
  const { rows, columns, samples, bitsAllocated, bitsStored, highBit } = attributes
  const pixels = rows * columns
  const drop = highBit - bitsStored + 1
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    for (let sample = 0; sample < samples; sample += 1) {
      const at = arrangement === 'byPlane' ? sample * pixels + pixel : pixel * samples + sample
      const raw =
        bitsAllocated === 8 ? (bytes[at] ?? 0) : (bytes[at * 2] ?? 0) + (bytes[at * 2 + 1] ?? 0) * 0x100
      take(pixel * samples + sample, raw >> drop)
    }
  }
}

function paintPalette(frame: FramePixels, { first, entries, colours }: Palette): Painting {
  const pixels = new Uint8Array(countOf(frame) * 3)
  const mask = 2 ** frame.attributes.bitsStored - 1
  forEachValue(frame, (index, value) => {
    const entry = Math.min(entries - 1, Math.max(0, (value & mask) - first))
    pixels.set(colours.subarray(entry * 3, entry * 3 + 3), index * 3)
  })
  return { channels: 3, pixels }
}

function paintYbr(frame: FramePixels): Painting | null {
  const { rows, columns, bitsAllocated } = frame.attributes
  if (bitsAllocated !== 8) return null
  const count = rows * columns
  const pixels = new Uint8ClampedArray(count * 3)
  const { bytes, arrangement } = frame
  for (let pixel = 0; pixel < count; pixel += 1) {
    const [y, cb, cr] = ybrAt(bytes, arrangement, pixel, count)
    // PS3.3 C.7.6.3.1.2, full range.
    pixels[pixel * 3] = y + 1.402 * (cr - 128)
    pixels[pixel * 3 + 1] = y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128)
    pixels[pixel * 3 + 2] = y + 1.772 * (cb - 128)
  }
  return { channels: 3, pixels: new Uint8Array(pixels.buffer) }
}

function ybrAt(
  bytes: Buffer,
  arrangement: FramePixels['arrangement'],
  pixel: number,
  count: number,
): readonly [y: number, cb: number, cr: number] {
  const byte = (at: number): number => bytes[at] ?? 0
  switch (arrangement) {
    case 'byPixel':
      return [byte(pixel * 3), byte(pixel * 3 + 1), byte(pixel * 3 + 2)]
    case 'byPlane':
      return [byte(pixel), byte(count + pixel), byte(2 * count + pixel)]
    case 'halfColour': {
      // Two pixels share their colour: Y1 Y2 Cb Cr.
      const pair = Math.floor(pixel / 2) * 4
      return [byte(pair + (pixel % 2)), byte(pair + 2), byte(pair + 3)]
    }
  }
}
