/** The frame of a JPEG (ISO/IEC 10918-1 annexes A and B.2.2): its components, their blocks, and the order of those. */
import type { HuffmanCode } from './jpeg-code.ts'
import type { StatedComponent } from './jpeg-segments.ts'

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
