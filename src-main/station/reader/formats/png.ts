/** PNG files (W3C Recommendation): whether one is complete, and whether its chunks and its image data are sound. */
import { pipeline } from 'node:stream/promises'
import { crc32, createInflate } from 'node:zlib'
import { type Depth, malformed, MAX_PIXELS, NotChecked, type ReadAt, truncated, viewOf } from './bytes.ts'
import { isInflateError } from './tiff-file.ts'

const SIGNATURE_BYTES = 8

/** Length and type before the data; the CRC follows it. */
const HEAD_BYTES = 8
const CRC_BYTES = 4
const STEP_BYTES = 256 * 1_024

/** Writers use chunks of 8 KiB and more; more chunks than this only keep a reader busy. */
const MAX_CHUNKS = 100_000

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

/** Whole if the heads of all chunks lead to the end chunk; sound if all of them have their data. */
export async function walkPng(readAt: ReadAt, _sizeBytes: number, depth: Depth): Promise<void> {
  if (depth === 'data') return checkData(readAt)
  let hasData = false
  for await (const { type, at, length } of chunksOf(readAt)) {
    hasData ||= type === 'IDAT'
    // Empty, so it is the same in every PNG: it shows that the file is written to its end.
    if (type === 'IEND' && !(await hasChecksum(readAt, at + length, crc32(type)))) throw truncated()
  }
  if (!hasData) throw malformed('a PNG ends before its image')
}

type Chunk = { readonly type: string; readonly at: number; readonly length: number }

/** Up to the end chunk (section 5). Reads heads only. */
async function* chunksOf(readAt: ReadAt): AsyncGenerator<Chunk, void, void> {
  let position = SIGNATURE_BYTES
  for (let nth = 0; nth < MAX_CHUNKS; nth += 1) {
    const head = await readAt(position, HEAD_BYTES)
    // Zeros instead of a chunk: the space is preallocated and the rest not written yet.
    if (head.length < HEAD_BYTES || head.every((byte) => byte === 0)) throw truncated()
    const length = viewOf(head).getUint32(0)
    const type = String.fromCharCode(...head.subarray(4))
    if (!/^[A-Za-z]{4}$/.test(type) || length > 0x7fff_ffff) throw malformed('a PNG chunk has no proper head')
    if (nth === 0 && (type !== 'IHDR' || length !== 13))
      throw malformed('a PNG does not begin with its header')
    yield { type, at: position + HEAD_BYTES, length }
    if (type === 'IEND') return
    position += HEAD_BYTES + length + CRC_BYTES
  }
  throw malformed('a PNG has too many chunks')
}

async function hasChecksum(readAt: ReadAt, at: number, crc: number): Promise<boolean> {
  const stated = await readAt(at, CRC_BYTES)
  return stated.length === CRC_BYTES && viewOf(stated).getUint32(0) === crc
}

/** In pieces, to the Adler-32 that chunks in another order fail although each has a good CRC. */
async function checkData(readAt: ReadAt): Promise<void> {
  const data = new ImageData(readAt)
  const inflate = createInflate({ chunkSize: STEP_BYTES })
  const rows = new RowCheck(passesOf(await data.header()))
  try {
    await pipeline(data.packed(), inflate, async (plain) => {
      for await (const bytes of plain as AsyncIterable<Buffer>) rows.take(bytes)
    })
  } catch (error) {
    if (isInflateError(error)) throw malformed('packed image data are no deflated data')
    throw error
  }
  rows.end()
  if (inflate.bytesWritten !== data.bytes) throw malformed('packed image data go on after their end')
}

class ImageData {
  readonly #readAt: ReadAt
  readonly #chunks: AsyncGenerator<Chunk, void, void>
  /** Of image data so far. */
  bytes = 0

  constructor(readAt: ReadAt) {
    this.#readAt = readAt
    this.#chunks = chunksOf(readAt)
  }

  async header(): Promise<DataView> {
    const { value } = await this.#chunks.next()
    if (!value) throw truncated()
    const parts: Uint8Array[] = []
    for await (const bytes of this.#data(value)) parts.push(bytes)
    return viewOf(Buffer.concat(parts))
  }

  /** The data of all image chunks, which must follow each other (5.6); checks every other chunk on its way. */
  async *packed(): AsyncGenerator<Uint8Array> {
    let state: 'before' | 'inside' | 'after' = 'before'
    for await (const chunk of this.#chunks) {
      const isImage = chunk.type === 'IDAT'
      if (isImage && state === 'after') throw malformed('the image data of a PNG do not follow each other')
      if (isImage) {
        state = 'inside'
        this.bytes += chunk.length
      } else if (state === 'inside') state = 'after'
      for await (const bytes of this.#data(chunk)) if (isImage) yield bytes
    }
  }

  /** Up to the end of the chunk, and then its CRC, which is over its type and its data (5.3). */
  async *#data({ type, at, length }: Chunk): AsyncGenerator<Uint8Array> {
    let crc = crc32(type)
    for (let done = 0; done < length;) {
      const bytes = await this.#readAt(at + done, Math.min(length - done, STEP_BYTES))
      if (bytes.length === 0) throw truncated()
      crc = crc32(bytes, crc)
      done += bytes.length
      yield bytes
    }
    if (!(await hasChecksum(this.#readAt, at + length, crc)))
      throw malformed('the checksum of a PNG chunk differs')
  }
}

function passesOf(header: DataView): readonly Pass[] {
  const [width, height] = [header.getUint32(0), header.getUint32(4)]
  const [depth, colourType, interlace] = [header.getUint8(8), header.getUint8(9), header.getUint8(12)]
  const samples = SAMPLES[colourType]
  // More are not decoded, and inflating them would take minutes.
  if (width * height > MAX_PIXELS) throw new NotChecked('size')
  if (width === 0 || height === 0 || samples === undefined || interlace > 1)
    throw malformed('the header of a PNG is none')
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
      if (!pass) throw malformed('packed image data are longer than their image')
      if ((bytes[at] ?? 0) > MAX_FILTER) throw malformed('a row of a PNG has no known filter')
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
      throw malformed('packed image data are shorter than their image')
  }
}
