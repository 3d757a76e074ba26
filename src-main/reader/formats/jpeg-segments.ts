/**
 * The segments of a JPEG, from its start marker to its end marker (ISO/IEC 10918-1 annex B), and what they say of its frame
 * and its scans (annex A).
 */
import { bufferOf, type ByteWindow, malformed, truncated } from './bytes.ts'
import { type HuffmanCode, isRestart } from './jpeg-code.ts'

const [DHT, JPG, DAC, SOI, EOI, APP0, APP14, TEM] = [0xc4, 0xc8, 0xcc, 0xd8, 0xd9, 0xe0, 0xee, 0x01]
export const SOS = 0xda

/** Takes each segment, and returns the position from where on the next marker is searched. */
export type SegmentVisitor = {
  take(code: number, segment: Buffer, after: number): number
}

/** A walk over one image, and what it has seen so far. Reads scans only up to their marker, unless a visitor does. */
export class JpegWalk {
  readonly #window: ByteWindow
  readonly #visitor: SegmentVisitor | undefined
  hasFrame = false
  frame: FrameHeader | null = null
  hasJfif = false
  adobeTransform: number | null = null
  /** The position of the first entropy-coded data. */
  scansAt: number | null = null
  /** Stray bytes between segments: some cameras write them, and decoders skip them. */
  hasStrays = false

  constructor(window: ByteWindow, visitor?: SegmentVisitor) {
    this.#window = window
    this.#visitor = visitor
  }

  /** Returns the position behind the end marker. Throws `Flaw`. */
  async image(start = 0): Promise<number> {
    const window = this.#window
    const head = await window.read(start, 2)
    if (head[0] !== 0xff || head[1] !== SOI) throw malformed('a JPEG does not begin as one')
    let position = start + 2
    let isInScan = false
    for (;;) {
      const { code, end, hasStrayBytes } = await markerAfter(window, position)
      position = end
      if (isRestart(code) || code === TEM) continue
      if (!isInScan) this.hasStrays ||= hasStrayBytes
      if (code === EOI && this.hasFrame && this.scansAt !== null) return end
      if (code === EOI) throw malformed('a JPEG ends before its image')
      if (code === SOI) throw malformed('a JPEG starts again inside itself')
      if (!(await window.hold(end, 2))) throw truncated()
      const length = window.at(end) * 0x100 + window.at(end + 1)
      if (length < 2) throw malformed('a JPEG segment is shorter than its own length')
      position += length
      isInScan = code === SOS
      if (isInScan) this.scansAt ??= position
      if (!this.#visitor && !isFrameHeader(code) && code !== APP0 && code !== APP14) continue
      const segment = bufferOf(await window.read(end + 2, length - 2))
      if (segment.length < length - 2) throw truncated()
      this.#note(code, segment)
      position = this.#visitor?.take(code, segment, position) ?? position
    }
  }

  #note(code: number, segment: Buffer): void {
    const mark = segment.toString('latin1', 0, 5)
    if (code === APP0) this.hasJfif ||= mark === 'JFIF\0'
    if (code === APP14 && mark === 'Adobe') this.adobeTransform = segment[11] ?? this.adobeTransform
    if (!isFrameHeader(code)) return
    this.hasFrame = true
    this.frame ??= frameHeaderOf(code, segment)
  }
}

/** What a frame header states (B.2.2). `code` is its marker. */
export type FrameHeader = {
  readonly code: number
  readonly bits: number
  readonly width: number
  readonly height: number
  readonly components: readonly StatedComponent[]
}

type StatedComponent = {
  readonly id: number
  /** Sampling factors across and down. */
  readonly across: number
  readonly down: number
  readonly quantTable: number
}

/** Null if it is shorter than it states. */
export function frameHeaderOf(code: number, segment: Buffer): FrameHeader | null {
  const count = segment[5] ?? 0
  if (segment.length < 6 + count * 3) return null
  const components = Array.from({ length: count }, (_, index): StatedComponent => {
    const [id = 0, sampling = 0, quantTable = 0] = segment.subarray(6 + index * 3)
    return { id, across: sampling >> 4, down: sampling & 15, quantTable }
  })
  const [height, width] = [segment.readUInt16BE(1), segment.readUInt16BE(3)]
  return { code, bits: segment[0] ?? 0, width, height, components }
}

/** Frame headers are C0 to CF without three others. */
export function isFrameHeader(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== DHT && code !== JPG && code !== DAC
}

type Marker = { readonly code: number; readonly end: number; readonly hasStrayBytes: boolean }

/** Skips scan data (FF followed by 00), fill bytes (FF before a marker, B.1.1.2) and stray bytes between segments. */
async function markerAfter(window: ByteWindow, from: number): Promise<Marker> {
  let position = from
  let hasStrayBytes = false
  for (;;) {
    if (!(await window.hold(position, 2))) throw truncated()
    const found = window.indexOf(0xff, position)
    hasStrayBytes ||= found > position
    if (!window.holds(found, 2)) {
      position = found
      continue
    }
    const code = window.at(found + 1)
    if (code === 0xff) position = found + 1
    else if (code === 0x00) position = found + 2
    else return { code, end: found + 2, hasStrayBytes }
  }
}

/** The position of a further image, null if none follows. Cameras pad the last block of a file with zeros or with FF. */
export async function nextImage(window: ByteWindow, end: number): Promise<number | null> {
  let position = end
  while (await window.hold(position, 3)) {
    const byte = window.at(position)
    if (byte === 0xff && window.at(position + 1) === SOI && window.at(position + 2) === 0xff) return position
    if (byte !== 0x00 && byte !== 0xff) return null
    const other = window.indexOfOther(byte, position)
    // The last FF may start the marker of a further image.
    position = byte === 0xff && other - 1 > position ? other - 1 : other
  }
  return null
}

/** A component with its blocks of 8 x 8 samples, whole MCUs of them. */
export type Component = StatedComponent & {
  readonly blocks: number
  /** Blocks across and down that hold samples of the picture: those of a scan of this component alone. */
  readonly blocksAcross: number
  readonly blocksDown: number
  /** Progressive frames: which of the 64 coefficients of each block are known not to be zero, two words a block. */
  readonly nonZero: Uint32Array
}

export type Frame = {
  readonly isProgressive: boolean
  readonly components: readonly Component[]
  readonly mcus: number
}

type StatedFrame = Pick<FrameHeader, 'width' | 'height' | 'components'> & Pick<Frame, 'isProgressive'>

/** A.1.1 and A.2. */
export function frameOf({ width, height, isProgressive, components }: StatedFrame): Frame {
  const mostAcross = Math.max(...components.map(({ across }) => across))
  const mostDown = Math.max(...components.map(({ down }) => down))
  const mcus = Math.ceil(width / (8 * mostAcross)) * Math.ceil(height / (8 * mostDown))
  return {
    isProgressive,
    mcus,
    components: components.map((stated) => {
      const blocks = mcus * stated.across * stated.down
      return {
        ...stated,
        blocks,
        blocksAcross: Math.ceil(Math.ceil((width * stated.across) / mostAcross) / 8),
        blocksDown: Math.ceil(Math.ceil((height * stated.down) / mostDown) / 8),
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

/** How many MCUs a scan has, and which part of it each block of an MCU belongs to (A.2.2, A.2.3). */
export function layoutOf({ frame, parts }: Scan): {
  readonly mcus: number
  readonly blocks: readonly number[]
} {
  const [only] = parts
  if (parts.length === 1 && only)
    return { mcus: only.component.blocksAcross * only.component.blocksDown, blocks: [0] }
  const blocks = parts.flatMap(({ component: { across, down } }, part) =>
    Array.from({ length: across * down }, () => part),
  )
  return { mcus: frame.mcus, blocks }
}
