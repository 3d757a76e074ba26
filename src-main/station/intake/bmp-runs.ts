/** Run lengths of BMP, RLE8 and RLE4: [MS-WMF] 3.1.6.1 and 3.1.6.2. */
import type { BmpHeader } from './bmp-header.ts'
import type { ReadAt } from './read-at.ts'

/** Unpacked it is a byte a pixel, so packed by more than its escapes it is no packing any more. */
const MAX_BYTES_PER_PIXEL = 4
const [END_OF_LINE, END_OF_BITMAP, DELTA] = [0, 1, 2]

/**
 * The index into the palette of every pixel, rows as in the file (the lowest first). Pixels that are passed over are 0.
 * Null where the data does not reach its end, or is longer than any packing of this many pixels.
 */
export async function readBmpRuns(readAt: ReadAt, header: BmpHeader): Promise<Uint8Array | null> {
  const { width, height, coding, pixelsAt, pixelBytes } = header
  if (pixelBytes > width * height * MAX_BYTES_PER_PIXEL + 1_024) return null
  const packed = await readAt(pixelsAt, pixelBytes)
  const pixels = new Uint8Array(width * height)
  const isHalf = coding === 'rle4'
  let [x, y, at] = [0, 0, 0]
  /** Lays a run of pixels, as far as it fits into its row: one that claims to be longer costs no time. */
  const lay = (count: number, index: (nth: number) => number): void => {
    const fitting = y < height ? Math.min(count, width - x) : 0
    for (let nth = 0; nth < fitting; nth += 1) pixels[y * width + x + nth] = index(nth)
    x += count
  }
  /** The index of the `nth` pixel in bytes that begin at `from`: one a byte, or two with the left one in the high bits. */
  const indexAt = (from: number, nth: number): number => {
    if (!isHalf) return packed[from + nth] ?? 0
    const byte = packed[from + Math.floor(nth / 2)] ?? 0
    return nth % 2 === 0 ? byte >> 4 : byte & 0xf
  }
  while (at + 1 < packed.length) {
    const count = packed[at] ?? 0
    const what = packed[at + 1] ?? 0
    at += 2
    if (count > 0) {
      const from = at - 1
      lay(count, (nth) => (isHalf ? indexAt(from, nth % 2) : what))
    } else if (what === END_OF_LINE) {
      x = 0
      y += 1
    } else if (what === END_OF_BITMAP) {
      return pixels
    } else if (what === DELTA) {
      x += packed[at] ?? 0
      y += packed[at + 1] ?? 0
      at += 2
    } else {
      const from = at
      lay(what, (nth) => indexAt(from, nth))
      // Filled up to two bytes.
      at += Math.ceil(what / (isHalf ? 4 : 2)) * 2
    }
  }
  // Some writers leave the end out after the last line.
  return y >= height - 1 && (x >= width || x === 0) && at <= packed.length ? pixels : null
}
