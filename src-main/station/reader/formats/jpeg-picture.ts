/** A small picture of a JPEG from the DC coefficients of its blocks: the mean colour of each, without decoding. */
import type { SmallPicture } from './bytes.ts'
import type { Component, Frame } from './jpeg-frame.ts'

/** As large as what decoding is reduced to. */
const MAX_LENGTH = 256

/** With fewer blocks along an edge they are too coarse to show whether a picture is even. */
const MIN_BLOCKS = 48

type Colours = { readonly hasJfif: boolean; readonly adobeTransform: number | null }

/** `steps` are the quantisation steps of each component. Null for small pictures, and for those of unusual colours. */
export function pictureOfDc(frame: Frame, steps: readonly number[], colours: Colours): SmallPicture | null {
  const { width, height, components } = frame
  if (Math.min(width, height) < MIN_BLOCKS * 8) return null
  // Decoders refuse planes that do not divide each other, and only while they decode.
  const [mostAcross, mostDown] = mostOf(frame)
  if (components.some(({ across, down }) => mostAcross % across !== 0 || mostDown % down !== 0)) return null
  const isGrey = components.length === 1
  if (!isGrey && (components.length !== 3 || !isYcc(frame, colours))) return null
  const scale = Math.max(1, Math.ceil(Math.max(width, height) / 8 / MAX_LENGTH))
  const [columns, rows] = [Math.floor(width / 8 / scale), Math.floor(height / 8 / scale)]
  const planes = components.map((component, index) =>
    meansOf(component, { step: steps[index] ?? 1, frame, columns, rows, scale }),
  )
  const [light, blue, red] = planes
  if (!light) return null
  if (!blue || !red)
    return {
      pixels: Uint8Array.from(Uint8ClampedArray.from(light)),
      width: columns,
      height: rows,
      channels: 1,
    }
  const pixels = new Uint8ClampedArray(columns * rows * 3)
  for (let index = 0; index < columns * rows; index += 1) {
    // JFIF 1.02, from YCbCr.
    const [y, cb, cr] = [light[index] ?? 0, (blue[index] ?? 0) - 128, (red[index] ?? 0) - 128]
    pixels[index * 3] = y + 1.402 * cr
    pixels[index * 3 + 1] = y - 0.344136 * cb - 0.714136 * cr
    pixels[index * 3 + 2] = y + 1.772 * cb
  }
  return { pixels: new Uint8Array(pixels.buffer), width: columns, height: rows, channels: 3 }
}

/** The greatest sampling factors across and down. */
function mostOf({ components }: Frame): readonly [across: number, down: number] {
  return [
    Math.max(...components.map(({ across }) => across)),
    Math.max(...components.map(({ down }) => down)),
  ]
}

/** As decoders decide: by the mark of JFIF or Adobe, else by the names of the components. */
function isYcc({ components }: Frame, { hasJfif, adobeTransform }: Colours): boolean {
  if (hasJfif) return true
  if (adobeTransform !== null) return adobeTransform === 1
  return String.fromCharCode(...components.map(({ id }) => id)) !== 'RGB'
}

/** Levels of 256, averaged over squares of `scale` blocks of the finest component. */
function meansOf(
  { dc, stride, across, down }: Component,
  how: { step: number; frame: Frame; columns: number; rows: number; scale: number },
): Float32Array {
  const { frame, step, columns, rows, scale } = how
  const [mostAcross, mostDown] = mostOf(frame)
  const means = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      let sum = 0
      for (let y = row * scale; y < (row + 1) * scale; y += 1)
        for (let x = column * scale; x < (column + 1) * scale; x += 1)
          sum += dc[Math.floor((y * down) / mostDown) * stride + Math.floor((x * across) / mostAcross)] ?? 0
      means[row * columns + column] = (sum / (scale * scale)) * (step / 8) + 128
    }
  return means
}
