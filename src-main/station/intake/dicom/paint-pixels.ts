/** Turns the pixels of a DICOM frame into what a PNG holds: grey or RGB, 8 or 16 bit, white is the highest. */
import type { Palette } from './palette.ts'
import type { PictureAttributes } from './picture-attributes.ts'

export type Painting = { readonly channels: 1 | 3; readonly pixels: Uint8Array | Uint16Array }

/** The shape of a frame of which `samples` says nothing else: interleaved or by planes, low byte first. */
export type FramePixels = {
  readonly bytes: Buffer
  readonly attributes: PictureAttributes
  readonly arrangement: PictureAttributes['arrangement'] | 'halfColour'
}

/** How many bytes one frame takes when it is not packed; null for pixels that no camera writes. */
export function frameBytesOf(attributes: PictureAttributes): number | null {
  const { rows, columns, samples, bitsAllocated, photometric } = attributes
  if (bitsAllocated !== 8 && bitsAllocated !== 16) return null
  if (photometric === 'YBR_FULL_422') {
    return bitsAllocated === 8 && samples === 3 && columns % 2 === 0 ? rows * columns * 2 : null
  }
  if (samples !== samplesOf(photometric)) return null
  return rows * columns * samples * (bitsAllocated / 8)
}

function samplesOf(photometric: PictureAttributes['photometric']): number | null {
  if (photometric === null) return null
  return ['MONOCHROME1', 'MONOCHROME2', 'PALETTE COLOR'].includes(photometric) ? 1 : 3
}

/**
 * All stored bits are kept: up to eight in an 8 bit picture, more in one of 16 bit, moved up so that the highest value
 * is white whatever the number of bits. No window is laid over them. Null for a palette that is missing.
 */
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

/** Stored values, interleaved and stretched to the full range of `into`. */
function spread(frame: FramePixels, into: Uint8Array | Uint16Array, isInverted: boolean): void {
  const { bitsStored, isSigned } = frame.attributes
  const fullBits = into.BYTES_PER_ELEMENT * 8
  const shift = fullBits - bitsStored
  const mask = 2 ** bitsStored - 1
  // Signed values are moved so that the lowest is black.
  const flip = isSigned ? 2 ** (bitsStored - 1) : 0
  const invert = isInverted ? mask : 0
  forEachValue(frame, (index, value) => {
    into[index] = ((value & mask) ^ flip ^ invert) << shift
  })
}

/** Tells each stored value with the place that it has when samples are interleaved. */
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

type Ybr = readonly [y: number, cb: number, cr: number]

function ybrAt(bytes: Buffer, arrangement: FramePixels['arrangement'], pixel: number, count: number): Ybr {
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
