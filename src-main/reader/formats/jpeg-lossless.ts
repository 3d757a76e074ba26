/**
 * Lossless JPEG (ISO/IEC 10918-1 annex H), which DICOM files hold and no decoder of files reads: checked code by code, and
 * decoded by the same walk.
 */
import { bufferOf, ByteWindow, malformed, NotChecked, readAtOfBytes } from './bytes.ts'
import {
  CodedData,
  frameHeaderOf,
  HuffmanCode,
  isFrameHeader,
  JpegWalk,
  nextSegment,
  type SegmentVisitor,
  SOS,
} from './jpeg-bytes.ts'

export type LosslessPicture = {
  /** Of a sample. */
  readonly bits: number
  /** The samples of each pixel one after the other, in a byte each or, of more than eight bits, in two, low first. */
  readonly bytes: Buffer
}

/** What the container states, which limits the memory that is taken. */
type Shape = { readonly columns: number; readonly rows: number; readonly samples: number }

/** Throws `Flaw` unless every code of it is sound, and `NotChecked` for what no camera writes. */
export async function decodeLossless(file: Buffer, shape: Shape): Promise<LosslessPicture> {
  const picture = new LosslessWalk(file, shape)
  const window = new ByteWindow(readAtOfBytes(file), file.length, file.length)
  await new JpegWalk(window, picture).image()
  return picture.result()
}

const [SOF3, DHT, DRI] = [0xc3, 0xc4, 0xdd]

/** A difference of this length has no bits of its own (table H.2). */
const WIDEST = 16

class LosslessWalk implements SegmentVisitor {
  readonly #shape: Shape
  readonly #data: CodedData
  readonly #codes = new Map<number, HuffmanCode>()
  #restartInterval = 0
  #bits = 0
  #ids: readonly number[] = []
  readonly #decoded = new Set<number>()
  #samples = new Uint16Array(0)

  constructor(file: Buffer, shape: Shape) {
    this.#shape = shape
    this.#data = new CodedData(file)
  }

  take(marker: number, segment: Buffer, after: number): number {
    if (marker === SOS) return this.#scan(segment, after)
    if (marker === DHT) this.#huffmanTables(segment)
    else if (marker === DRI) this.#restartInterval = segment.length < 2 ? 0 : segment.readUInt16BE(0)
    else if (isFrameHeader(marker)) this.#takeFrame(marker, segment)
    return after
  }

  /** After the end marker. */
  result(): LosslessPicture {
    if (this.#decoded.size !== this.#shape.samples) throw malformed('a JPEG lacks a part of its scans')
    const wide = this.#samples
    const bytes = this.#bits > 8 ? bufferOf(new Uint8Array(wide.buffer)) : Buffer.from(wide)
    return { bits: this.#bits, bytes }
  }

  /** B.2.4.2; all are of the kind that is for DC coefficients elsewhere. */
  #huffmanTables(segment: Buffer): void {
    for (let at = 0; at < segment.length;) {
      const counts = segment.subarray(at + 1, at + 17)
      const total = counts.reduce((sum, count) => sum + count, 0)
      if (counts.length < 16) throw malformed('a Huffman table is none')
      const code = new HuffmanCode(counts, segment.subarray(at + 17, at + 17 + total))
      this.#codes.set((segment[at] ?? 0) & 15, code)
      at += 17 + total
    }
  }

  #takeFrame(marker: number, segment: Buffer): void {
    const { columns, rows, samples } = this.#shape
    const header = frameHeaderOf(marker, segment)
    if (header === null || this.#bits !== 0) throw malformed('a frame header is none')
    if (header.width !== columns || header.height !== rows || header.components.length !== samples)
      throw malformed('a JPEG is of another size than its DICOM file says')
    const areSimple = header.components.every(({ across, down }) => across === 1 && down === 1)
    if (marker !== SOF3 || !areSimple) throw new NotChecked('lossless')
    if (header.bits < 2 || header.bits > 16) throw malformed('a frame header is none')
    this.#bits = header.bits
    this.#ids = header.components.map(({ id }) => id)
    this.#samples = new Uint16Array(columns * rows * samples)
  }

  /** H.1.2. Returns the position of the marker after the coded data. */
  #scan(header: Buffer, from: number): number {
    const count = header[0] ?? 0
    if (count < 1 || header.length !== 4 + count * 2) throw malformed('a scan header is none')
    const [predictor = 0, , low = 0] = header.subarray(1 + count * 2)
    const shift = low & 15
    if (predictor < 1 || predictor > 7 || shift >= this.#bits) throw malformed('a scan header is none')
    const parts = Array.from({ length: count }, (_, index) => {
      const component = this.#ids.indexOf(header[1 + index * 2] ?? 0)
      const code = this.#codes.get((header[2 + index * 2] ?? 0) >> 4)
      if (component === -1 || code === undefined || this.#decoded.has(component))
        throw malformed('a scan names a component that is not there')
      this.#decoded.add(component)
      return { component, code }
    })
    if (this.#restartInterval % this.#shape.columns !== 0) throw new NotChecked('lossless')
    this.#decode(parts, predictor, shift, from)
    return this.#data.next - 2
  }

  #decode(
    parts: readonly { readonly component: number; readonly code: HuffmanCode }[],
    predictor: number,
    shift: number,
    from: number,
  ): void {
    const { columns, rows, samples } = this.#shape
    const [data, pixels] = [this.#data, this.#samples]
    const { view } = data
    const perRow = columns * samples
    const rowsAtOnce = this.#restartInterval / columns || rows
    const first = 2 ** (this.#bits - shift - 1)
    data.load(from)
    let [at, restarts] = [0, 0]
    for (let y = 0; y < rows; y += 1) {
      const isFirstRow = y % rowsAtOnce === 0
      if (isFirstRow && y > 0) {
        nextSegment(data, at, restarts)
        restarts += 1
        at = 0
      }
      for (let x = 0; x < columns; x += 1)
        for (const { component, code } of parts) {
          const found = code.find((view.getInt32(at >>> 3) << (at & 7)) >>> 16)
          const size = found & 0xff
          if (found === 0 || size > WIDEST) throw malformed('coded data hold a code of no symbol')
          at += found >> 8
          let difference = size === WIDEST ? 0x8000 : 0
          if (size > 0 && size < WIDEST) {
            const bits = view.getInt32(at >>> 3) << (at & 7)
            difference = bits < 0 ? bits >>> (32 - size) : (bits >>> (32 - size)) - (1 << size) + 1
            at += size
          }
          const to = y * perRow + x * samples + component
          const left = (pixels[to - samples] ?? 0) >> shift
          const above = (pixels[to - perRow] ?? 0) >> shift
          const corner = (pixels[to - perRow - samples] ?? 0) >> shift
          const guess = isFirstRow
            ? x === 0
              ? first
              : left
            : x === 0
              ? above
              : guessOf(predictor, left, above, corner)
          pixels[to] = ((guess + difference) & 0xffff) << shift
          if (!data.holds(at)) throw malformed('coded data end before their last block')
        }
    }
    data.end(at)
  }
}

/** Table H.1. */
function guessOf(predictor: number, left: number, above: number, corner: number): number {
  switch (predictor) {
    case 1:
      return left
    case 2:
      return above
    case 3:
      return corner
    case 4:
      return left + above - corner
    case 5:
      return left + ((above - corner) >> 1)
    case 6:
      return above + ((left - corner) >> 1)
    default:
      return (left + above) >> 1
  }
}
