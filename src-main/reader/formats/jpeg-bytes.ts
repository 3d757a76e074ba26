/**
 * The bytes of a JPEG (ISO/IEC 10918-1): its segments, from the start marker to the end marker (annex B), what they say of its
 * frame and its scans (annex A), and the coded data of scans (annexes C and F): Huffman codes as lookup tables, and the bits.
 */
import { bufferOf, type ByteWindow, malformed, truncated } from './bytes.ts'

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

/** Bits that one lookup covers; longer codes are rare and take a second step. */
const SHORT_BITS = 9

/** Bits that a lookup of several symbols covers. */
export const SKIP_BITS = 11

/** The widest number in an AC coefficient of eight-bit samples, bits (table F.2). */
export const MAX_AC_BITS = 10

/** The same of a DC difference. */
export const MAX_DC_BITS = 11

/** A code of up to 256 symbols of up to 16 bits (B.2.4.2). */
export class HuffmanCode {
  /** By the next nine bits: length * 256 + symbol; 0 if the code is longer, or none. */
  readonly short = new Uint16Array(1 << SHORT_BITS)
  /** By length: the first 16 bits that no code of this or a lower length begins. */
  readonly #limits = new Int32Array(17)
  readonly #offsets = new Int32Array(17)
  readonly #symbols: Uint8Array
  #skips: Int32Array | null = null

  /** `counts` of the codes of one to 16 bits, and their symbols in order. Throws `Flaw` if no code results. */
  constructor(counts: Uint8Array, symbols: Uint8Array) {
    this.#symbols = symbols
    let [code, done] = [0, 0]
    for (let length = 1; length <= 16; length += 1) {
      const count = counts[length - 1] ?? 0
      this.#offsets[length] = done - code
      if (code + count > 1 << length) throw malformed('a Huffman table has more codes than fit')
      if (length <= SHORT_BITS) {
        for (let index = 0; index < count; index += 1) {
          const from = (code + index) << (SHORT_BITS - length)
          this.short.fill(
            length * 256 + (symbols[done + index] ?? 0),
            from,
            from + (1 << (SHORT_BITS - length)),
          )
        }
      }
      code += count
      done += count
      this.#limits[length] = code << (16 - length)
      code <<= 1
    }
    if (done > symbols.length) throw malformed('a Huffman table is shorter than it states')
  }

  /** The code at the head of these 16 bits: length * 256 + symbol; 0 if none begins so. */
  find(bits: number): number {
    const found = this.short[bits >>> (16 - SHORT_BITS)] ?? 0
    if (found !== 0) return found
    for (let length = SHORT_BITS + 1; length <= 16; length += 1) {
      if (bits < (this.#limits[length] ?? 0)) {
        return length * 256 + (this.#symbols[(bits >>> (16 - length)) + (this.#offsets[length] ?? 0)] ?? 0)
      }
    }
    return 0
  }

  /**
   * For AC coefficients whose values do not matter: what the next `SKIP_BITS` bits decide. Bits to pass (6 bits),
   * coefficients * 64 (8 bits), * 16,384 at a block's end; 0 if the first symbol is longer, or none.
   */
  get skips(): Int32Array {
    this.#skips ??= this.#manySymbols()
    return this.#skips
  }

  #manySymbols(): Int32Array {
    const skips = new Int32Array(1 << SKIP_BITS)
    for (let index = 0; index < skips.length; index += 1) {
      let [bits, coefficients, isEnd] = [0, 0, 0]
      while (bits < SKIP_BITS && isEnd === 0) {
        const found = this.find((index << (16 - SKIP_BITS + bits)) & 0xffff)
        const length = found >> 8
        const [run, size] = [(found >> 4) & 15, found & 15]
        if (found === 0 || bits + length > SKIP_BITS || size > MAX_AC_BITS) break
        if (size === 0 && run !== 0 && run !== 15) break
        if (found === length * 256) isEnd = 1
        else coefficients += run + 1
        bits += length + size
      }
      skips[index] = bits + coefficients * 64 + isEnd * 16_384
    }
    return skips
  }
}

/** Zeros behind the data of a segment: a block that runs over the end reads them, and is noticed after it. */
const GUARD_BYTES = 512

/** Bytes after the last bit before a marker: some encoders fill a word; damage leaves far more, or others. */
const MAX_LEFT_BYTES = 4

/**
 * Zeros of this many bytes are data of even blocks, or none: no two codes of a table are zeros, so a block with
 * coefficients would have the same one 63 times.
 */
const ZEROS = Buffer.alloc(64)

/** A range of bits. */
export type Bits = { readonly from: number; readonly to: number }

const NO_BITS: Bits = { from: Infinity, to: Infinity }

/** Between two markers: the entropy-coded data without its stuffing, readable from any bit. */
export class CodedData {
  readonly #file: Buffer
  readonly #plain: Buffer
  /** The data: `getInt32(bit >>> 3) << (bit & 7)` has 25 bits from a position on. */
  readonly view: DataView
  #bits = 0
  /** The marker that follows, and the position after it. */
  marker = 0
  next = 0

  constructor(file: Buffer) {
    this.#file = file
    this.#plain = Buffer.allocUnsafe(file.length + GUARD_BYTES)
    this.view = new DataView(this.#plain.buffer, this.#plain.byteOffset, this.#plain.length)
  }

  /** Reads up to the next marker (F.1.2.3: FF 00 is FF; B.1.1.2: FF may fill the space before a marker). */
  load(from: number): void {
    const file = this.#file
    let [filled, at] = [0, from]
    for (;;) {
      const found = file.indexOf(0xff, at)
      if (found === -1) throw malformed('coded data are followed by no marker')
      let after = found + 1
      while (file[after] === 0xff) after += 1
      if (after >= file.length) throw malformed('coded data are followed by no marker')
      const code = file[after] ?? 0
      const end = code === 0 ? found + 1 : found
      file.copy(this.#plain, filled, at, end)
      filled += end - at
      at = after + 1
      if (code === 0) continue
      this.#plain.fill(0, filled, filled + GUARD_BYTES)
      this.#bits = filled * 8
      this.marker = code
      this.next = at
      return
    }
  }

  /** The next long range of zeros from a bit on, as far as it consists of whole bytes; endless if there is none. */
  zerosAfter(bit: number): Bits {
    const from = this.#plain.indexOf(ZEROS, (bit + 7) >>> 3)
    let to = from + ZEROS.length
    if (from === -1 || to * 8 > this.#bits) return NO_BITS
    while (to * 8 < this.#bits && this.#plain[to] === 0) to += 1
    return { from: from * 8, to: to * 8 }
  }

  /** True if a walk that has come to this bit is still inside the data. */
  holds(bit: number): boolean {
    return bit <= this.#bits
  }

  /** The data must end with the last block: with padding bits, all ones by the standard, and at most a word of it. */
  end(bit: number): void {
    const left = this.#bits - bit
    if (left < 0) throw malformed('coded data end before their last block')
    const bytes = left >> 3
    if (bytes > MAX_LEFT_BYTES) throw malformed('coded data go on after their last block')
    const padding = left & 7
    const value = (this.view.getUint8(bit >>> 3) & ((1 << padding) - 1)) >>> 0
    if (padding !== 0 && value !== 0 && value !== (1 << padding) - 1)
      throw malformed('coded data are padded with neither ones nor zeros')
    for (let index = 0; index < bytes; index += 1) {
      const byte = this.view.getUint8(((bit + 7) >>> 3) + index)
      if (byte !== 0 && byte !== 0xff) throw malformed('coded data go on after their last block')
    }
  }
}

/** F.1.1.5.2. */
const RST0 = 0xd0

function isRestart(marker: number): boolean {
  return marker >= RST0 && marker <= RST0 + 7
}

/** Ends a segment at this bit and loads the next one, if the marker between them is the one whose turn it is. */
export function nextSegment(data: CodedData, bit: number, restarts: number): void {
  data.end(bit)
  if (data.marker !== RST0 + (restarts & 7)) throw malformed('a restart marker is missing or out of order')
  data.load(data.next)
}
