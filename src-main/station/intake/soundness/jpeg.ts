/**
 * Whether the coded data of a JPEG are sound: every code of every scan, to the last block.
 *
 * Decoders conceal damage: libjpeg resumes after foreign bytes and shows stripes or another colour, without a word
 * (measured: 20 of 20 images with 4 KB of foreign bytes). What this walk passes, a decoder can decode to its end.
 * ISO/IEC 10918-1; the numbers in brackets are its sections.
 */
import { MAX_PIXELS, type SmallPicture } from '../images/decode.ts'
import { CodedData, HuffmanCode, isRestart } from './jpeg-code.ts'
import { DamageSign, NotChecked, type NotWalked } from './signs.ts'
import { type Frame, frameOf, type Scan, type ScanComponent, type StatedComponent } from './jpeg-frame.ts'
import { pictureOfDc } from './jpeg-picture.ts'
import { walkProgressive } from './jpeg-progressive.ts'
import { walkSequential } from './jpeg-sequential.ts'

/**
 * - `sound`       walked to the end marker; `small` is a picture from the mean colours of its blocks, null if they are
 *                 too few or of unusual colours
 * - `doubtful`    a sign of damage; `sign` says which, without content of the file
 * - `notChecked`  coded in a way that is not walked here
 */
export type JpegFinding =
  | { readonly kind: 'sound'; readonly small: SmallPicture | null }
  | { readonly kind: 'doubtful'; readonly sign: string }
  | { readonly kind: 'notChecked'; readonly what: NotWalked }

/** Larger than any photograph. The walk holds the file twice, and two to twelve bytes for each block of 64 pixels. */
export const MAX_JPEG_BYTES = 128 * 1_024 * 1_024

/** Blocks that all scans together pass: a hundred megapixels in ten scans. More only keep a reader busy. */
const MAX_BLOCKS = 200_000_000

const [SOF0, SOF2] = [0xc0, 0xc2]
const [DHT, SOI, EOI, SOS, DQT, DNL, DRI, APP0, APP14, TEM] = [
  0xc4, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xe0, 0xee, 0x01,
]
const NO_FRAMES = [DHT, 0xc8, 0xcc]
const LOSSLESS = [0xc3, 0xc5, 0xc6, 0xc7]

/**
 * What a container says of a JPEG inside it. `tables` is an abbreviated stream of tables before it (B.5), as TIFF stores
 * one; `pixels` are those that the container has for it, in whole blocks of at most 32 x 32.
 */
export type JpegContext = { readonly tables?: Buffer | undefined; readonly pixels?: number }

/** From start marker to end marker; what follows is another picture, or a trailer. Never throws for content. */
export function checkJpeg(file: Buffer, { tables, pixels = MAX_PIXELS }: JpegContext = {}): JpegFinding {
  if (file.length > MAX_JPEG_BYTES) return { kind: 'notChecked', what: 'size' }
  try {
    const state = new JpegState(pixels)
    if (tables) new JpegWalk(tables, state).tables()
    new JpegWalk(file, state).image()
    return { kind: 'sound', small: state.picture() }
  } catch (error) {
    if (error instanceof DamageSign) return { kind: 'doubtful', sign: error.message }
    if (error instanceof NotChecked) return { kind: 'notChecked', what: error.what }
    throw error
  }
}

/** What segments before a scan leave for it. */
class JpegState {
  readonly maxPixels: number
  /** By number: the step of the DC coefficient. */
  readonly dcSteps = new Map<number, number>()
  readonly dcCodes = new Map<number, HuffmanCode>()
  readonly acCodes = new Map<number, HuffmanCode>()
  restartInterval = 0
  frame: Frame | null = null
  /** Of each component, the bits still left out of each coefficient; -1 if nothing was sent of it. */
  bitsLeft: Int8Array[] = []
  hasJfif = false
  adobeTransform: number | null = null

  constructor(maxPixels: number) {
    this.maxPixels = maxPixels
  }

  picture(): SmallPicture | null {
    if (this.frame === null) return null
    const steps = this.frame.components.map(({ quantTable }) => this.dcSteps.get(quantTable) ?? 0)
    return pictureOfDc(this.frame, steps, this)
  }
}

class JpegWalk {
  readonly #file: Buffer
  readonly #state: JpegState
  #data: CodedData | null = null
  #hasScan = false
  #blocksLeft = MAX_BLOCKS

  constructor(file: Buffer, state: JpegState) {
    this.#file = file
    this.#state = state
  }

  /** B.5: no frame. */
  tables(): void {
    this.#walk()
  }

  image(): void {
    this.#walk()
    const { frame, bitsLeft } = this.#state
    if (frame === null || !this.#hasScan) throw new DamageSign('a JPEG ends before its image')
    if (bitsLeft.some((bits) => bits.some((left) => left !== 0)))
      throw new DamageSign('a JPEG lacks a part of its scans')
  }

  #walk(): void {
    if (this.#file[0] !== 0xff || this.#file[1] !== SOI) throw new DamageSign('a JPEG does not begin as one')
    let next = this.#markerAfter(2)
    while (next.marker !== EOI) {
      const { marker, end } = next
      if (marker === SOI) throw new DamageSign('a JPEG starts again inside itself')
      if (isRestart(marker) || marker === TEM) {
        next = this.#markerAfter(end)
        continue
      }
      const length = end + 2 <= this.#file.length ? this.#file.readUInt16BE(end) : 0
      const segment = this.#file.subarray(end + 2, end + length)
      if (length < 2 || segment.length !== length - 2)
        throw new DamageSign('a JPEG segment does not fit into its file')
      next = marker === SOS ? this.#scan(segment, end + length) : this.#segment(marker, segment, end + length)
    }
  }

  /** Stray bytes between segments are harmless: some cameras write them, and decoders skip them. */
  #markerAfter(from: number): { readonly marker: number; readonly end: number } {
    let at = this.#file.indexOf(0xff, from)
    while (at !== -1 && (this.#file[at + 1] === 0xff || this.#file[at + 1] === 0))
      at = this.#file.indexOf(0xff, at + 1)
    const marker = at === -1 ? undefined : this.#file[at + 1]
    if (marker === undefined) throw new DamageSign('a JPEG has no end marker')
    return { marker, end: at + 2 }
  }

  #segment(marker: number, segment: Buffer, end: number): ReturnType<JpegWalk['scanEnd']> {
    if (marker === DQT) this.#quantTables(segment)
    else if (marker === DHT) this.#huffmanTables(segment)
    else if (marker === DRI) this.#state.restartInterval = numberIn(segment, 0)
    else if (marker === DNL) {
      const { frame } = this.#state
      if (frame && numberIn(segment, 0) !== frame.height) throw new DamageSign('a JPEG states two heights')
    } else if (marker === APP0) this.#state.hasJfif ||= segment.toString('latin1', 0, 5) === 'JFIF\0'
    else if (marker === APP14) {
      if (segment.length >= 12 && segment.toString('latin1', 0, 5) === 'Adobe')
        this.#state.adobeTransform = segment[11] ?? null
    } else if (marker >= SOF0 && marker <= 0xcf && !NO_FRAMES.includes(marker))
      this.#frame(marker, segment, end)
    return this.#markerAfter(end)
  }

  /** B.2.4.1: only the step of the DC coefficient, which limits its size, matters here. */
  #quantTables(segment: Buffer): void {
    for (let at = 0; at < segment.length;) {
      const [precision, number] = [(segment[at] ?? 0) >> 4, (segment[at] ?? 0) & 15]
      const step = precision === 0 ? (segment[at + 1] ?? 0) : numberIn(segment, at + 1)
      at += 1 + (precision === 0 ? 64 : 128)
      if (step === 0 || precision > 1 || at > segment.length)
        throw new DamageSign('a quantisation table is none')
      this.#state.dcSteps.set(number, step)
    }
  }

  /** B.2.4.2. */
  #huffmanTables(segment: Buffer): void {
    for (let at = 0; at < segment.length;) {
      const [kind, number] = [(segment[at] ?? 0) >> 4, (segment[at] ?? 0) & 15]
      const counts = segment.subarray(at + 1, at + 17)
      const total = counts.reduce((sum, count) => sum + count, 0)
      const symbols = segment.subarray(at + 17, at + 17 + total)
      if (counts.length < 16 || kind > 1) throw new DamageSign('a Huffman table is none')
      const codes = kind === 0 ? this.#state.dcCodes : this.#state.acCodes
      codes.set(number, new HuffmanCode(counts, symbols))
      at += 17 + total
    }
  }

  /** B.2.2. */
  #frame(marker: number, segment: Buffer, end: number): void {
    if (this.#state.frame !== null) throw new DamageSign('a JPEG has two frames')
    if (LOSSLESS.includes(marker)) throw new NotChecked('lossless')
    if (marker > SOF2) throw new NotChecked('arithmetic')
    const count = segment[5] ?? 0
    if (segment.length !== 6 + count * 3) throw new DamageSign('a frame header is none')
    if (segment[0] !== 8) throw new NotChecked('twelveBits')
    const components = Array.from({ length: count }, (_, index): StatedComponent => {
      const at = 6 + index * 3
      const sampling = segment[at + 1] ?? 0
      return {
        id: segment[at] ?? 0,
        across: sampling >> 4,
        down: sampling & 15,
        quantTable: segment[at + 2] ?? 0,
      }
    })
    const width = numberIn(segment, 3)
    const height = numberIn(segment, 1) || this.#linesAfter(end)
    const isWrong = components.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)
    if (isWrong || width === 0 || count === 0) throw new DamageSign('a frame header is none')
    if (width * height > MAX_PIXELS || count > 4) throw new NotChecked('size')
    // Before memory is taken for it: there may be thousands in one file.
    if (width * height > this.#state.maxPixels) throw new DamageSign('a frame is larger than its image')
    this.#state.frame = frameOf({ width, height, isProgressive: marker === SOF2, components })
    this.#state.bitsLeft = components.map(() => new Int8Array(64).fill(-1))
  }

  /** The number of lines if only a segment after the first scan states it (B.2.5). */
  #linesAfter(from: number): number {
    for (let next = this.#markerAfter(from); next.marker !== EOI; next = this.#markerAfter(next.end))
      if (next.marker === DNL) return numberIn(this.#file, next.end + 2)
    throw new DamageSign('a JPEG states no height')
  }

  /** B.2.3. Returns the marker after the coded data. */
  #scan(header: Buffer, from: number): ReturnType<JpegWalk['scanEnd']> {
    const { frame, restartInterval } = this.#state
    if (frame === null) throw new DamageSign('a scan comes before its frame')
    this.#hasScan = true
    const count = header[0] ?? 0
    if (count < 1 || header.length !== 4 + count * 2) throw new DamageSign('a scan header is none')
    const [first = 0, last = 0, bits = 0] = header.subarray(1 + count * 2)
    const parts = Array.from({ length: count }, (_, index) =>
      this.#partOf(frame, header[1 + index * 2] ?? 0, header[2 + index * 2] ?? 0),
    )
    const blocks = parts.reduce((sum, { component }) => sum + component.across * component.down, 0)
    if (count > 1 && blocks > 10) throw new DamageSign('a scan header is none')
    const range = frame.isProgressive
      ? { from: first, to: last, high: bits >> 4, low: bits & 15 }
      : { from: 0, to: 63, high: 0, low: 0 }
    const scan: Scan = { frame, parts, restartInterval, ...range }
    this.#spend(scan)
    this.#data ??= new CodedData(this.#file)
    if (frame.isProgressive) walkProgressive(scan, this.#data, from)
    else walkSequential(scan, this.#data, from)
    return this.scanEnd()
  }

  scanEnd(): { readonly marker: number; readonly end: number } {
    return { marker: this.#data?.marker ?? EOI, end: this.#data?.next ?? 0 }
  }

  #partOf(frame: Frame, id: number, tables: number): ScanComponent {
    const component = frame.components.find((one) => one.id === id)
    if (!component) throw new DamageSign('a scan names a component that is not there')
    const step = this.#state.dcSteps.get(component.quantTable)
    if (step === undefined) throw new DamageSign('a quantisation table is missing')
    // Video frames leave the usual tables out, and decoders know them.
    if (this.#state.dcCodes.size + this.#state.acCodes.size === 0) throw new NotChecked('noTables')
    return {
      component,
      dcCode: this.#state.dcCodes.get(tables >> 4),
      acCode: this.#state.acCodes.get(tables & 15),
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
      throw new DamageSign('a scan header is none')
    if (high !== 0 && low !== high - 1) throw new DamageSign('a scan header is none')
    for (const { component } of parts) {
      this.#blocksLeft -= component.dc.length
      if (this.#blocksLeft < 0) throw new NotChecked('size')
      const bitsLeft = this.#state.bitsLeft[frame.components.indexOf(component)]
      for (let index = from; index <= to; index += 1) {
        if (bitsLeft?.[index] !== (high === 0 ? -1 : high))
          throw new DamageSign('a JPEG lacks a part of its scans')
        bitsLeft[index] = low
      }
    }
  }
}

/** Eight times a sample, and a third more: encoders that soften white letters write values beyond white. */
const MAX_DC = 1_365

function numberIn(bytes: Buffer, at: number): number {
  if (at + 2 > bytes.length) throw new DamageSign('a JPEG segment is shorter than it states')
  return bytes.readUInt16BE(at)
}
