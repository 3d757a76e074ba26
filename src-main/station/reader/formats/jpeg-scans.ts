/** Whether the coded data of a JPEG are sound: its tables, its frame and every code of its scans, to the last block. */
import { type ByteWindow, malformed, MAX_PIXELS, NotChecked, type SmallPicture } from './bytes.ts'
import { CodedData, HuffmanCode } from './jpeg-code.ts'
import { type Frame, frameOf, type Scan, type ScanComponent } from './jpeg-frame.ts'
import { pictureOfDc } from './jpeg-picture.ts'
import { walkProgressive } from './jpeg-progressive.ts'
import {
  frameHeaderOf,
  isFrameHeader,
  type JpegWalk,
  markerAfter,
  type SegmentVisitor,
  SOS,
} from './jpeg-segments.ts'
import { walkSequential } from './jpeg-sequential.ts'

/** Blocks that all scans together pass: a hundred megapixels in ten scans. More only keep a reader busy. */
const MAX_BLOCKS = 200_000_000

const [SOF2, DHT, EOI, DQT, DNL, DRI] = [0xc2, 0xc4, 0xd9, 0xdb, 0xdc, 0xdd]
const LOSSLESS = [0xc3, 0xc5, 0xc6, 0xc7]

/** Takes the segments of a file, and of the tables before it. Throws `Flaw` and `NotChecked`. */
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

  constructor(file: Buffer, window: ByteWindow, maxPixels = MAX_PIXELS) {
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
