/**
 * Whether the coded data of a JPEG are sound: its tables, its frame and every code of its scans, to the last
 * block; a sequential scan here (ISO/IEC 10918-1 annex F.2), a progressive one in `jpeg-progressive.ts`.
 */
import { type ByteWindow, malformed, MAX_PIXELS, NotChecked, type SmallPicture } from './bytes.ts'
import { CodedData, HuffmanCode, MAX_AC_BITS, MAX_DC_BITS, nextSegment, SKIP_BITS } from './jpeg-code.ts'
import { type Frame, frameOf, layoutOf, pictureOfDc, type Scan, type ScanComponent } from './jpeg-frame.ts'
import { walkProgressive } from './jpeg-progressive.ts'
import {
  frameHeaderOf,
  isFrameHeader,
  type JpegWalk,
  markerAfter,
  type SegmentVisitor,
  SOS,
} from './jpeg-segments.ts'

/** Blocks that all scans together pass: a hundred megapixels in ten scans. More only keep a reader busy. */
const MAX_BLOCKS = 200_000_000

const [SOF2, DHT, EOI, DQT, DNL, DRI] = [0xc2, 0xc4, 0xd9, 0xdb, 0xdc, 0xdd]
const LOSSLESS = [0xc3, 0xc5, 0xc6, 0xc7]

/** Takes the segments of a file. Throws `Flaw` and `NotChecked`. */
export class JpegCheck implements SegmentVisitor {
  readonly #file: Buffer
  readonly #window: ByteWindow
  readonly #maxPixels: number
  /** By number: the step of the DC coefficient. */
  readonly #dcSteps = new Map<number, number>()
  readonly #dcCodes = new Map<number, HuffmanCode>()
  readonly #acCodes = new Map<number, HuffmanCode>()
  #restartInterval = 0
  #frame: Frame | null = null
  /** Of each component, the bits still left out of each coefficient; -1 if nothing was sent of it. */
  #bitsLeft: Int8Array[] = []
  #data: CodedData | null = null
  #blocksLeft = MAX_BLOCKS

  constructor(file: Buffer, window: ByteWindow, maxPixels: number) {
    this.#file = file
    this.#window = window
    this.#maxPixels = maxPixels
  }

  async take(marker: number, segment: Buffer, after: number): Promise<number> {
    if (marker === SOS) return this.#scan(segment, after)
    if (marker === DQT) this.#quantTables(segment)
    else if (marker === DHT) this.#huffmanTables(segment)
    else if (marker === DRI) this.#restartInterval = numberIn(segment, 0)
    else if (marker === DNL) {
      if (this.#frame && numberIn(segment, 0) !== this.#frame.height)
        throw malformed('a JPEG states two heights')
    } else if (isFrameHeader(marker)) await this.#takeFrame(marker, segment, after)
    return after
  }

  /** After the end marker. Returns a small picture, if one results. */
  end(colours: JpegWalk): SmallPicture | null {
    if (this.#bitsLeft.some((bits) => bits.some((left) => left !== 0)))
      throw malformed('a JPEG lacks a part of its scans')
    if (this.#frame === null) return null
    const steps = this.#frame.components.map(({ quantTable }) => this.#dcSteps.get(quantTable) ?? 0)
    return pictureOfDc(this.#frame, steps, colours)
  }

  /** B.2.4.1: only the step of the DC coefficient, which limits its size, matters here. */
  #quantTables(segment: Buffer): void {
    for (let at = 0; at < segment.length;) {
      const [precision, number] = [(segment[at] ?? 0) >> 4, (segment[at] ?? 0) & 15]
      const step = precision === 0 ? (segment[at + 1] ?? 0) : numberIn(segment, at + 1)
      at += 1 + (precision === 0 ? 64 : 128)
      if (step === 0 || precision > 1 || at > segment.length) throw malformed('a quantisation table is none')
      this.#dcSteps.set(number, step)
    }
  }

  /** B.2.4.2. */
  #huffmanTables(segment: Buffer): void {
    for (let at = 0; at < segment.length;) {
      const [kind, number] = [(segment[at] ?? 0) >> 4, (segment[at] ?? 0) & 15]
      const counts = segment.subarray(at + 1, at + 17)
      const total = counts.reduce((sum, count) => sum + count, 0)
      const symbols = segment.subarray(at + 17, at + 17 + total)
      if (counts.length < 16 || kind > 1) throw malformed('a Huffman table is none')
      const codes = kind === 0 ? this.#dcCodes : this.#acCodes
      codes.set(number, new HuffmanCode(counts, symbols))
      at += 17 + total
    }
  }

  /** B.2.2. */
  async #takeFrame(marker: number, segment: Buffer, after: number): Promise<void> {
    if (this.#frame !== null) throw malformed('a JPEG has two frames')
    if (LOSSLESS.includes(marker)) throw new NotChecked('lossless')
    if (marker > SOF2) throw new NotChecked('arithmetic')
    const header = frameHeaderOf(marker, segment)
    const count = header?.components.length ?? 0
    if (!header || segment.length !== 6 + count * 3) throw malformed('a frame header is none')
    if (header.bits !== 8) throw new NotChecked('twelveBits')
    const { width, components } = header
    const height = header.height || (await this.#linesAfter(after))
    const isWrong = components.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)
    if (isWrong || width === 0 || count === 0) throw malformed('a frame header is none')
    if (width * height > MAX_PIXELS || count > 4) throw new NotChecked('size')
    // Before memory is taken for it: there may be thousands in one file.
    if (width * height > this.#maxPixels) throw malformed('a frame is larger than its image')
    this.#frame = frameOf({ width, height, isProgressive: marker === SOF2, components })
    this.#bitsLeft = components.map(() => new Int8Array(64).fill(-1))
  }

  /** The number of lines if only a segment after the first scan states it (B.2.5). */
  async #linesAfter(from: number): Promise<number> {
    let next = await markerAfter(this.#window, from)
    while (next.code !== EOI) {
      if (next.code === DNL) return numberIn(this.#file, next.end + 2)
      next = await markerAfter(this.#window, next.end)
    }
    throw malformed('a JPEG states no height')
  }

  /** B.2.3. Returns the position of the marker after the coded data. */
  #scan(header: Buffer, from: number): number {
    const frame = this.#frame
    if (frame === null) throw malformed('a scan comes before its frame')
    const count = header[0] ?? 0
    if (count < 1 || header.length !== 4 + count * 2) throw malformed('a scan header is none')
    const [first = 0, last = 0, bits = 0] = header.subarray(1 + count * 2)
    const parts = Array.from({ length: count }, (_, index) =>
      this.#partOf(frame, header[1 + index * 2] ?? 0, header[2 + index * 2] ?? 0),
    )
    const blocks = parts.reduce((sum, { component }) => sum + component.across * component.down, 0)
    if (count > 1 && blocks > 10) throw malformed('a scan header is none')
    const range = frame.isProgressive
      ? { from: first, to: last, high: bits >> 4, low: bits & 15 }
      : { from: 0, to: 63, high: 0, low: 0 }
    const scan: Scan = { frame, parts, restartInterval: this.#restartInterval, ...range }
    this.#spend(scan)
    this.#data ??= new CodedData(this.#file)
    const end = frame.isProgressive
      ? walkProgressive(scan, this.#data, from)
      : walkSequential(scan, this.#data, from)
    return end - 2
  }

  #partOf(frame: Frame, id: number, tables: number): ScanComponent {
    const component = frame.components.find((one) => one.id === id)
    if (!component) throw malformed('a scan names a component that is not there')
    const step = this.#dcSteps.get(component.quantTable)
    if (step === undefined) throw malformed('a quantisation table is missing')
    // Video frames leave the usual tables out, and decoders know them.
    if (this.#dcCodes.size + this.#acCodes.size === 0) throw new NotChecked('noTables')
    return {
      component,
      dcCode: this.#dcCodes.get(tables >> 4),
      acCode: this.#acCodes.get(tables & 15),
      maxDc: Math.ceil(MAX_DC / step) + 2,
    }
  }

  /** Every coefficient is sent once, with all its bits or, one by one, with one more (G.1.1.1). */
  #spend({ frame, parts, from, to, high, low }: Scan): void {
    if (
      from > to ||
      to > 63 ||
      (from === 0 && to > 0 && frame.isProgressive) ||
      (from > 0 && parts.length > 1)
    )
      throw malformed('a scan header is none')
    if (high !== 0 && low !== high - 1) throw malformed('a scan header is none')
    for (const { component } of parts) {
      this.#blocksLeft -= component.dc.length
      if (this.#blocksLeft < 0) throw new NotChecked('size')
      const bitsLeft = this.#bitsLeft[frame.components.indexOf(component)]
      for (let index = from; index <= to; index += 1) {
        if (bitsLeft?.[index] !== (high === 0 ? -1 : high))
          throw malformed('a JPEG lacks a part of its scans')
        bitsLeft[index] = low
      }
    }
  }
}

/** Eight times a sample, and a third more: encoders that soften white letters write values beyond white. */
const MAX_DC = 1_365

function numberIn(bytes: Buffer, at: number): number {
  if (at + 2 > bytes.length) throw malformed('a JPEG segment is shorter than it states')
  return bytes.readUInt16BE(at)
}

const END_OF_BLOCK_FLAG = 16_384
const ZEROS_16 = 0xf0

/** Returns the position after the marker that ends it. Holds DC only; no block has over 64. Throws `Flaw`. */
export function walkSequential(scan: Scan, data: CodedData, from: number): number {
  const { mcusAcross, mcusDown, blocks } = layoutOf(scan)
  const units = blocks.map((block) => {
    const { component, dcCode, acCode, maxDc } = partOf(scan, block.part)
    if (!dcCode || !acCode) throw malformed('a scan refers to a Huffman table that is not there')
    return { ...block, dc: component.dc, dcCode, acCode, dcShort: dcCode.short, skips: acCode.skips, maxDc }
  })
  const previous = new Int32Array(scan.parts.length)
  const { view } = data
  const total = mcusAcross * mcusDown
  let untilRestart = scan.restartInterval === 0 ? total : scan.restartInterval
  let restarts = 0
  data.load(from)
  let at = 0
  let zeros = data.zerosAfter(0)
  for (let row = 0; row < mcusDown; row += 1) {
    for (let column = 0; column < mcusAcross; column += 1) {
      if (untilRestart === 0) {
        nextSegment(data, at, restarts)
        restarts += 1
        untilRestart = scan.restartInterval
        at = 0
        zeros = data.zerosAfter(0)
        previous.fill(0)
      }
      untilRestart -= 1
      for (const { part, first, step, stepDown, dc, dcCode, dcShort, acCode, skips, maxDc } of units) {
        if (at > zeros.to) zeros = data.zerosAfter(at)
        const isInZeros = at >= zeros.from
        let bits = view.getInt32(at >>> 3) << (at & 7)
        let found = dcShort[bits >>> 23] ?? 0
        if (found === 0) found = dcCode.find(bits >>> 16)
        if (found === 0) throw malformed('coded data hold a code of no symbol')
        at += found >> 8
        const size = found & 0xff
        let level = previous[part] ?? 0
        if (size !== 0) {
          if (size > MAX_DC_BITS) throw malformed('a coefficient is larger than any of a picture')
          bits = view.getInt32(at >>> 3) << (at & 7)
          // F.2.2.1: a leading zero means a negative number.
          level += bits < 0 ? bits >>> (32 - size) : (bits >>> (32 - size)) - (1 << size) + 1
          if (level > maxDc || level < -maxDc)
            throw malformed('a coefficient is larger than any of a picture')
          at += size
          previous[part] = level
        }
        dc[first + column * step + row * stepDown] = level
        let index = 1
        while (index < 64) {
          bits = view.getInt32(at >>> 3) << (at & 7)
          const skip = skips[bits >>> (32 - SKIP_BITS)] ?? 0
          const next = index + ((skip >> 6) & 0xff)
          if (skip !== 0 && next < 64) {
            at += skip & 63
            if (skip >= END_OF_BLOCK_FLAG) break
            index = next
            continue
          }
          found = acCode.find(bits >>> 16)
          const symbol = found & 0xff
          if (found === 0 || (symbol & 15) > MAX_AC_BITS)
            throw malformed('coded data hold a code of no symbol')
          at += (found >> 8) + (symbol & 15)
          if (symbol === 0) break
          if ((symbol & 15) === 0 && symbol !== ZEROS_16)
            throw malformed('coded data hold a code of no symbol')
          index += (symbol >> 4) + 1
          if (index > 64) throw malformed('a block has more coefficients than there are')
        }
        if (isInZeros && index > 1 && at <= zeros.to)
          throw malformed('coded data are zeros, which no picture has')
        if (!data.holds(at)) throw malformed('coded data end before their last block')
      }
    }
  }
  data.end(at)
  return data.next
}

function partOf(scan: Scan, index: number): Scan['parts'][number] {
  const part = scan.parts[index]
  if (!part) throw new RangeError('A block belongs to a part of its scan.')
  return part
}
