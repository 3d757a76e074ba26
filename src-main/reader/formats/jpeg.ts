/**
 * JPEG files, ISO/IEC 10918-1: whether one is complete, and whether its image data are sound.
 *
 * The last two bytes of a file prove nothing: thumbnails have end markers, and cameras pad files. And decoders conceal
 * damage: libjpeg resumes after foreign bytes and shows stripes or another colour, without a word (measured: 20 of 20
 * images with 4 KB of foreign bytes). What a check of every code passes, a decoder can decode to its end.
 */
import { open } from 'node:fs/promises'
import { withFile } from '../../station/lib/files.ts'
import {
  bufferOf,
  ByteWindow,
  type Depth,
  Flaw,
  malformed,
  MAX_PIXELS,
  NotChecked,
  type ReadAt,
  readAtOfBytes,
  readAtOfHandle,
} from './bytes.ts'
import {
  CodedData,
  type Frame,
  frameHeaderOf,
  frameOf,
  HuffmanCode,
  isFrameHeader,
  JpegWalk,
  nextImage,
  type Scan,
  type ScanComponent,
  type SegmentVisitor,
  SOS,
} from './jpeg-bytes.ts'
import { walkProgressive, walkSequential } from './jpeg-scans.ts'

/** Larger than any photograph. The check holds the file twice, and eight bytes for each block of a progressive one. */
const MAX_JPEG_BYTES = 128 * 1_024 * 1_024

/** Whole if a walk reaches the end marker, and likewise each image that follows; sound if the first one is. */
export async function walkJpeg(readAt: ReadAt, sizeBytes: number, depth: Depth): Promise<void> {
  if (depth === 'data' && sizeBytes > MAX_JPEG_BYTES) throw new NotChecked('size')
  if (depth === 'data') return checkJpeg(bufferOf(await readAt(0, sizeBytes)))
  const window = new ByteWindow(readAt, sizeBytes)
  let end = await new JpegWalk(window).image()
  // Multi-picture files (CIPA DC-007) append further images to the first; other trailers are vendor-specific.
  for (let next = await nextImage(window, end); next !== null; next = await nextImage(window, end)) {
    try {
      end = await new JpegWalk(window).image(next)
    } catch (error) {
      if (error instanceof Flaw && error.kind === 'malformed') break
      throw error
    }
  }
}

/**
 * Every code of every scan, from start marker to end marker. `mostPixels` are those that a container has for it, in whole
 * blocks of at most 32 x 32. Throws `Flaw` and `NotChecked`.
 */
export async function checkJpeg(file: Buffer, mostPixels = MAX_PIXELS): Promise<void> {
  if (file.length > MAX_JPEG_BYTES) throw new NotChecked('size')
  const check = new JpegCheck(file, mostPixels)
  await new JpegWalk(windowOf(file), check).image()
  check.end()
}

/** What a JPEG says of its image, whether or not its data are sound. Throws `Flaw` if it is not whole. */
export async function outlineOfJpeg(file: Buffer): Promise<JpegWalk> {
  const walk = new JpegWalk(windowOf(file))
  await walk.image()
  return walk
}

function windowOf(bytes: Buffer): ByteWindow {
  return new ByteWindow(readAtOfBytes(bytes), bytes.length, bytes.length)
}

/** Disks write this much at once. Valid black may be zeros too, so this is checked only after a decoder's warning. */
const HOLE = Buffer.alloc(2_048)

/**
 * True if a hole explains a decoder's warning of extraneous bytes: a JPEG that was copied out of order may have zeros
 * in a scan, and libjpeg reports them just like harmless stray bytes. False if the file cannot be read.
 */
export async function hasHoleInScans(path: string): Promise<boolean> {
  try {
    return await withFile(open(path, 'r'), async (handle) => {
      const [readAt, { size }] = [readAtOfHandle(handle), await handle.stat()]
      const walk = new JpegWalk(new ByteWindow(readAt, size))
      const end = await walk.image().catch((error: unknown) => {
        if (!(error instanceof Flaw)) throw error
        return size
      })
      // Then the warning is about these, and they are harmless.
      if (walk.hasStrays || walk.scansAt === null) return false
      return bufferOf(await readAt(walk.scansAt, end - walk.scansAt)).includes(HOLE)
    })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return false
  }
}

/** Blocks that all scans together pass: a hundred megapixels in ten scans. More only keep a reader busy. */
const MAX_BLOCKS = 200_000_000

const [SOF2, DHT, DQT, DRI] = [0xc2, 0xc4, 0xdb, 0xdd]
const LOSSLESS = [0xc3, 0xc5, 0xc6, 0xc7]

/** Takes the segments of a file. Throws `Flaw` and `NotChecked`. */
class JpegCheck implements SegmentVisitor {
  readonly #file: Buffer
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

  constructor(file: Buffer, maxPixels: number) {
    this.#file = file
    this.#maxPixels = maxPixels
  }

  take(marker: number, segment: Buffer, after: number): number {
    if (marker === SOS) return this.#scan(segment, after)
    if (marker === DQT) this.#quantTables(segment)
    else if (marker === DHT) this.#huffmanTables(segment)
    else if (marker === DRI) this.#restartInterval = numberIn(segment, 0)
    else if (isFrameHeader(marker)) this.#takeFrame(marker, segment)
    return after
  }

  /** After the end marker. */
  end(): void {
    if (this.#bitsLeft.some((bits) => bits.some((left) => left !== 0)))
      throw malformed('a JPEG lacks a part of its scans')
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
  #takeFrame(marker: number, segment: Buffer): void {
    if (this.#frame !== null) throw malformed('a JPEG has two frames')
    if (LOSSLESS.includes(marker)) throw new NotChecked('lossless')
    if (marker > SOF2) throw new NotChecked('arithmetic')
    const header = frameHeaderOf(marker, segment)
    const count = header?.components.length ?? 0
    if (!header || segment.length !== 6 + count * 3) throw malformed('a frame header is none')
    if (header.bits !== 8) throw new NotChecked('twelveBits')
    const { width, height, components } = header
    const isWrong = components.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)
    // A height that follows the first scan (B.2.5) is read by no decoder.
    if (isWrong || width === 0 || height === 0 || count === 0) throw malformed('a frame header is none')
    if (width * height > MAX_PIXELS || count > 4) throw new NotChecked('size')
    // Before memory is taken for it: there may be thousands in one file.
    if (width * height > this.#maxPixels) throw malformed('a frame is larger than its image')
    this.#frame = frameOf({ width, height, isProgressive: marker === SOF2, components })
    this.#bitsLeft = components.map(() => new Int8Array(64).fill(-1))
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
      this.#blocksLeft -= component.blocks
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
