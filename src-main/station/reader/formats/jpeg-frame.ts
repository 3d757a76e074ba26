/**
 * The frame of a JPEG (ISO/IEC 10918-1 annexes A and B.2.2): its components, their blocks, and the order of those; and a
 * small picture from the DC coefficients of its blocks: the mean colour of each, without decoding.
 */
import type { HuffmanCode } from './jpeg-code.ts'
import type { StatedComponent } from './jpeg-segments.ts'
import type { SmallPicture } from './bytes.ts'

/** A component with its blocks of 8 x 8 samples, whole MCUs of them, row by row. */
export type Component = StatedComponent & {
  /** Blocks of a row, as stored. */
  readonly stride: number
  /** Blocks across and down that hold samples of the picture: those of a scan of this component alone. */
  readonly blocksAcross: number
  readonly blocksDown: number
  /** The quantised DC coefficient of each block. */
  readonly dc: Int16Array
  /** Progressive frames: which of the 64 coefficients of each block are known not to be zero, two words a block. */
  readonly nonZero: Uint32Array
}

export type Frame = {
  readonly width: number
  readonly height: number
  readonly isProgressive: boolean
  readonly components: readonly Component[]
  readonly mcusAcross: number
  readonly mcusDown: number
}

type StatedFrame = Pick<Frame, 'width' | 'height' | 'isProgressive'> & {
  readonly components: readonly StatedComponent[]
}

/** A.1.1 and A.2. */
export function frameOf({ width, height, isProgressive, components }: StatedFrame): Frame {
  const mostAcross = Math.max(...components.map(({ across }) => across))
  const mostDown = Math.max(...components.map(({ down }) => down))
  const mcusAcross = Math.ceil(width / (8 * mostAcross))
  const mcusDown = Math.ceil(height / (8 * mostDown))
  return {
    width,
    height,
    isProgressive,
    mcusAcross,
    mcusDown,
    components: components.map((stated) => {
      const stride = mcusAcross * stated.across
      const blocks = stride * mcusDown * stated.down
      return {
        ...stated,
        stride,
        blocksAcross: Math.ceil(Math.ceil((width * stated.across) / mostAcross) / 8),
        blocksDown: Math.ceil(Math.ceil((height * stated.down) / mostDown) / 8),
        dc: new Int16Array(blocks),
        nonZero: new Uint32Array(isProgressive ? blocks * 2 : 0),
      }
    }),
  }
}

/** One component of a scan with what its scan header and the tables before it say. */
export type ScanComponent = {
  readonly component: Component
  readonly dcCode: HuffmanCode | undefined
  readonly acCode: HuffmanCode | undefined
  /** The greatest DC coefficient that eight-bit samples give, quantised. */
  readonly maxDc: number
}

export type Scan = {
  readonly frame: Frame
  readonly parts: readonly ScanComponent[]
  /** MCUs between restart markers; 0 if there are none. */
  readonly restartInterval: number
  /** First and last coefficient, and the bits left out before and after this scan (G.1.1.1). */
  readonly from: number
  readonly to: number
  readonly high: number
  readonly low: number
}

/** The blocks of a scan: those of each MCU in their order, and how many MCUs there are (A.2.2, A.2.3). */
export type ScanLayout = {
  readonly mcusAcross: number
  readonly mcusDown: number
  readonly blocks: readonly BlockOfMcu[]
}

type BlockOfMcu = {
  /** Which part of the scan it belongs to. */
  readonly part: number
  /** Its position in the first MCU, and the steps to the next MCU across and down; indexes into the component's blocks. */
  readonly first: number
  readonly step: number
  readonly stepDown: number
}

export function layoutOf({ frame, parts }: Scan): ScanLayout {
  const [only] = parts
  if (parts.length === 1 && only) {
    const { blocksAcross, blocksDown, stride } = only.component
    const block = { part: 0, first: 0, step: 1, stepDown: stride }
    return { mcusAcross: blocksAcross, mcusDown: blocksDown, blocks: [block] }
  }
  const blocks: BlockOfMcu[] = []
  for (const [part, { component }] of parts.entries()) {
    const { across, down, stride } = component
    for (let row = 0; row < down; row += 1)
      for (let column = 0; column < across; column += 1)
        blocks.push({ part, first: row * stride + column, step: across, stepDown: stride * down })
  }
  return { mcusAcross: frame.mcusAcross, mcusDown: frame.mcusDown, blocks }
}

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
