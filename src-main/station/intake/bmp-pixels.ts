/** The pixels of a BMP file, which sharp does not read: [MS-WMF] 2.1.1.7 (bits in a pixel) and 3.1.6 (run lengths). */
import { readBmpHeader, type BmpHeader } from './bmp-header.ts'
import { readBmpRuns } from './bmp-runs.ts'
import { MAX_PIXELS } from './decode-picture.ts'
import type { ReadAt } from './read-at.ts'

/** Run lengths are unpacked in memory, one byte a pixel. Who packs so has small drawings, not photographs. */
const MAX_PACKED_PIXELS = 40_000_000
const CHUNK_BYTES = 1_024 * 1_024

export type BmpPixels = {
  readonly width: number
  readonly height: number
  /** Rows from the top, red, green and blue of each pixel; each holds until the next is asked for. */
  readonly rows: AsyncIterable<Uint8Array>
  /** Which side of the picture lies last in the file. */
  readonly endOfFile: 'top' | 'bottom'
}

/** Turns the bytes of one row of the file into red, green and blue. */
type RowReader = (from: Uint8Array, to: Uint8Array) => void

/**
 * The picture in a BMP; null where it is no BMP, claims to be larger than any image, or refers to bytes beyond its end.
 * Holds about a megabyte of it at a time. Alpha is left out: no camera writes it, and zeros in it would hide the image.
 */
export async function readBmpPixels(readAt: ReadAt, sizeBytes: number): Promise<BmpPixels | null> {
  const found = await readBmpHeader(readAt)
  if (found.kind !== 'header') return null
  const { header } = found
  const { width, height, pixelsAt, pixelBytes } = header
  if (pixelsAt + pixelBytes > sizeBytes) return null
  const endOfFile = header.isTopDown ? 'bottom' : 'top'
  const readRow = await rowReaderOf(readAt, header)
  if (header.coding === 'plain') {
    if (width * height > MAX_PIXELS) return null
    return { width, height, rows: plainRows(readAt, header, readRow), endOfFile }
  }
  if (width * height > MAX_PACKED_PIXELS) return null
  const indices = await readBmpRuns(readAt, header)
  return indices === null ? null : { width, height, rows: unpackedRows(indices, header, readRow), endOfFile }
}

async function* plainRows(
  readAt: ReadAt,
  { width, height, rowBytes, pixelsAt, isTopDown }: BmpHeader,
  readRow: RowReader,
): AsyncGenerator<Uint8Array> {
  const atOnce = Math.max(1, Math.floor(CHUNK_BYTES / rowBytes))
  const row = new Uint8Array(width * 3)
  for (let top = 0; top < height; top += atOnce) {
    const count = Math.min(atOnce, height - top)
    const first = isTopDown ? top : height - top - count
    const chunk = await readAt(pixelsAt + first * rowBytes, count * rowBytes)
    for (let index = 0; index < count; index += 1) {
      const at = (isTopDown ? index : count - 1 - index) * rowBytes
      readRow(chunk.subarray(at, at + rowBytes), row)
      yield row
    }
  }
}

async function* unpackedRows(
  indices: Uint8Array,
  { width, height }: BmpHeader,
  readRow: RowReader,
): AsyncGenerator<Uint8Array> {
  const row = new Uint8Array(width * 3)
  for (let y = height - 1; y >= 0; y -= 1) {
    readRow(indices.subarray(y * width, (y + 1) * width), row)
    yield row
  }
}

async function rowReaderOf(readAt: ReadAt, header: BmpHeader): Promise<RowReader> {
  const { masks, palette, bitsPerPixel, coding } = header
  if (palette !== null) {
    const colours = await readPalette(readAt, header, palette)
    return byPalette(colours, coding === 'plain' ? bitsPerPixel : 8)
  }
  return masks === null ? blueGreenRed : byMasks(masks, bitsPerPixel === 16 ? 2 : 4)
}

/** 256 colours; an index beyond the palette of the file is black. */
async function readPalette(
  readAt: ReadAt,
  { pixelsAt }: BmpHeader,
  { at, count, entryBytes }: NonNullable<BmpHeader['palette']>,
): Promise<Uint8Array> {
  const colours = new Uint8Array(256 * 3)
  const bytes = await readAt(at, Math.min(count * entryBytes, pixelsAt - at))
  for (let index = 0; (index + 1) * entryBytes <= bytes.length; index += 1) {
    const from = index * entryBytes
    colours.set([bytes[from + 2] ?? 0, bytes[from + 1] ?? 0, bytes[from] ?? 0], index * 3)
  }
  return colours
}

function byPalette(colours: Uint8Array, bits: number): RowReader {
  const perByte = 8 / bits
  const mask = 2 ** bits - 1
  return (from, to) => {
    for (let x = 0; x * 3 < to.length; x += 1) {
      const byte = from[Math.floor(x / perByte)] ?? 0
      // The leftmost pixel lies in the highest bits.
      const index = (byte >> (8 - bits * ((x % perByte) + 1))) & mask
      to[x * 3] = colours[index * 3] ?? 0
      to[x * 3 + 1] = colours[index * 3 + 1] ?? 0
      to[x * 3 + 2] = colours[index * 3 + 2] ?? 0
    }
  }
}

function blueGreenRed(from: Uint8Array, to: Uint8Array): void {
  for (let at = 0; at < to.length; at += 3) {
    to[at] = from[at + 2] ?? 0
    to[at + 1] = from[at + 1] ?? 0
    to[at + 2] = from[at] ?? 0
  }
}

function byMasks(masks: readonly [number, number, number], bytes: 2 | 4): RowReader {
  const channels = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
    return { mask, shift, most: mask === 0 ? 1 : mask >>> shift }
  })
  return (from, to) => {
    const view = new DataView(from.buffer, from.byteOffset, from.byteLength)
    for (let x = 0; x * 3 < to.length; x += 1) {
      const at = x * bytes
      if (at + bytes > view.byteLength) return
      const pixel = bytes === 2 ? view.getUint16(at, true) : view.getUint32(at, true)
      channels.forEach(({ mask, shift, most }, channel) => {
        to[x * 3 + channel] = Math.round((((pixel & mask) >>> shift) * 255) / most)
      })
    }
  }
}
