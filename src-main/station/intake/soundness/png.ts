/** Whether a PNG is sound (W3C Recommendation): the CRC of every chunk, and image data that inflate to its size. */
import { pipeline } from 'node:stream/promises'
import { crc32, createInflate } from 'node:zlib'
import { type ReadAt, viewOf } from '../file-structure.ts'
import { DamageSign, NotChecked } from './signs.ts'
import { MAX_PIXELS } from '../images/decode.ts'
import { isInflateError } from './packings.ts'

const SIGNATURE_BYTES = 8
const HEAD_BYTES = 8
const CRC_BYTES = 4
const STEP_BYTES = 256 * 1_024

/** Bits of a pixel are the depth times the samples of the colour type (11.2.1). */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** First column and row of the passes of Adam7, and the steps to their next ones (8.2). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

const MAX_FILTER = 4

/** Rows of the same length, each with its filter byte in front. */
type Pass = { readonly rowBytes: number; readonly rows: number }

/**
 * Reads a PNG in pieces to its Adler-32, which chunks in another order fail although each has a good CRC. Throws
 * `DamageSign` and the errors of `readAt`.
 */
export async function checkPng(readAt: ReadAt): Promise<void> {
  const chunks = new PngChunks(readAt)
  const header = await chunks.header()
  const rows = new RowCheck(passesOf(header))
  const inflate = createInflate({ chunkSize: STEP_BYTES })
  try {
    await pipeline(chunks.imageData(), inflate, async (plain) => {
      for await (const bytes of plain as AsyncIterable<Buffer>) rows.take(bytes)
    })
  } catch (error) {
    if (isInflateError(error)) throw new DamageSign('packed image data are no deflated data')
    throw error
  }
  rows.end()
  if (inflate.bytesWritten !== chunks.imageBytes)
    throw new DamageSign('packed image data go on after their end')
}

class PngChunks {
  readonly #readAt: ReadAt
  #position = SIGNATURE_BYTES
  /** Bytes of image data so far. */
  imageBytes = 0

  constructor(readAt: ReadAt) {
    this.#readAt = readAt
  }

  async header(): Promise<DataView> {
    const { type, length } = await this.#head()
    if (type !== 'IHDR' || length !== 13) throw new DamageSign('a PNG does not begin with its header')
    const header = await this.#readAt(this.#position, length)
    await this.#pass(type, length)
    return viewOf(header)
  }

  /** The data of all image chunks, which must follow each other (5.6); checks every other chunk on its way. */
  async *imageData(): AsyncGenerator<Uint8Array> {
    let state: 'before' | 'inside' | 'after' = 'before'
    for (;;) {
      const { type, length } = await this.#head()
      if (type === 'IDAT') {
        if (state === 'after') throw new DamageSign('the image data of a PNG do not follow each other')
        state = 'inside'
        this.imageBytes += length
        yield* this.#data(type, length)
        continue
      }
      if (state === 'inside') state = 'after'
      await this.#pass(type, length)
      if (type === 'IEND') return
    }
  }

  /** Checks a chunk whose data do not matter. */
  async #pass(type: string, length: number): Promise<void> {
    const data = this.#data(type, length)
    while ((await data.next()).done !== true);
  }

  async #head(): Promise<{ readonly type: string; readonly length: number }> {
    const head = await this.#readAt(this.#position, HEAD_BYTES)
    if (head.length < HEAD_BYTES) throw new DamageSign('a PNG has no end')
    this.#position += HEAD_BYTES
    return { type: String.fromCharCode(...head.subarray(4)), length: viewOf(head).getUint32(0) }
  }

  /** Up to the end of the chunk, and then its CRC, which is over its type and its data (5.3). */
  async *#data(type: string, length: number): AsyncGenerator<Uint8Array> {
    let crc = crc32(type)
    for (let left = length; left > 0;) {
      const bytes = await this.#readAt(this.#position, Math.min(left, STEP_BYTES))
      if (bytes.length === 0) throw new DamageSign('a PNG has no end')
      crc = crc32(bytes, crc)
      left -= bytes.length
      this.#position += bytes.length
      yield bytes
    }
    const stated = await this.#readAt(this.#position, CRC_BYTES)
    this.#position += CRC_BYTES
    if (stated.length < CRC_BYTES || viewOf(stated).getUint32(0) !== crc)
      throw new DamageSign('the checksum of a PNG chunk differs')
  }
}

function passesOf(header: DataView): readonly Pass[] {
  const [width, height] = [header.getUint32(0), header.getUint32(4)]
  const [depth, colourType, interlace] = [header.getUint8(8), header.getUint8(9), header.getUint8(12)]
  const samples = SAMPLES[colourType]
  // More are not decoded, and inflating them would take minutes.
  if (width * height > MAX_PIXELS) throw new NotChecked('size')
  if (width === 0 || height === 0 || samples === undefined || interlace > 1)
    throw new DamageSign('the header of a PNG is none')
  const passOf = (columns: number, rows: number): Pass => ({
    rowBytes: columns === 0 ? 0 : 1 + Math.ceil((columns * samples * depth) / 8),
    rows: columns === 0 ? 0 : rows,
  })
  if (interlace === 0) return [passOf(width, height)]
  return PASSES.map(([left, top, across, down]) =>
    passOf(Math.ceil((width - left) / across), Math.ceil((height - top) / down)),
  )
}

/** Counts the inflated rows, and checks the filter byte of each (9.2). */
class RowCheck {
  readonly #passes: readonly Pass[]
  #pass = 0
  #row = 0
  /** Bytes until the next filter byte. */
  #left = 0

  constructor(passes: readonly Pass[]) {
    this.#passes = passes.filter(({ rows }) => rows > 0)
  }

  take(bytes: Uint8Array): void {
    for (let at = this.#left; at < bytes.length; at += this.#left) {
      const pass = this.#passes[this.#pass]
      if (!pass) throw new DamageSign('packed image data are longer than their image')
      if ((bytes[at] ?? 0) > MAX_FILTER) throw new DamageSign('a row of a PNG has no known filter')
      this.#left = pass.rowBytes
      this.#row += 1
      if (this.#row === pass.rows) {
        this.#row = 0
        this.#pass += 1
      }
      if (at + this.#left >= bytes.length) {
        this.#left = at + this.#left - bytes.length
        return
      }
    }
    this.#left -= bytes.length
  }

  end(): void {
    if (this.#pass < this.#passes.length || this.#left > 0)
      throw new DamageSign('packed image data are shorter than their image')
  }
}
