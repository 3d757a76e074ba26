/**
 * An `.ico`: pictures of several sizes, of which Windows takes the one that it needs.
 *
 * Layout as in https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10): a head, an entry for each picture,
 * then the pictures. They stand as bitmaps: PNG is understood in here, but not by everything that reads small sizes.
 */

/** Four bytes a pixel (red, green, blue, opacity), row by row from the top; or the bytes of a PNG file, for 256 pixels. */
export type Picture =
  | { readonly sizePixels: number; readonly rgba: Uint8Array }
  | { readonly sizePixels: number; readonly png: Buffer }

const HEAD_BYTES = 6
const ENTRY_BYTES = 16
const BITMAP_HEAD_BYTES = 40

/** The bytes of the file. At most 256 pixels a picture, which is written as 0. */
export function icoOf(pictures: readonly Picture[]): Buffer {
  const bitmaps = pictures.map((picture) => ('png' in picture ? picture.png : bitmapOf(picture)))
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = HEAD_BYTES + ENTRY_BYTES * pictures.length
  const entries = pictures.map(({ sizePixels }, index) => {
    const sizeBytes = bitmaps[index]?.length ?? 0
    const entry = Buffer.alloc(ENTRY_BYTES)
    entry.writeUInt8(sizePixels % 256, 0)
    entry.writeUInt8(sizePixels % 256, 1)
    entry.writeUInt16LE(1, 4)
    entry.writeUInt16LE(32, 6)
    entry.writeUInt32LE(sizeBytes, 8)
    entry.writeUInt32LE(offset, 12)
    offset += sizeBytes
    return entry
  })
  return Buffer.concat([head, ...entries, ...bitmaps])
}

/** Rows from the bottom, blue first; then one bit of transparency a pixel, which no program reads beside the opacity. */
function bitmapOf({ sizePixels, rgba }: Extract<Picture, { readonly rgba: Uint8Array }>): Buffer {
  const head = Buffer.alloc(BITMAP_HEAD_BYTES)
  head.writeUInt32LE(BITMAP_HEAD_BYTES, 0)
  head.writeInt32LE(sizePixels, 4)
  // Both parts are counted.
  head.writeInt32LE(sizePixels * 2, 8)
  head.writeUInt16LE(1, 12)
  head.writeUInt16LE(32, 14)
  const colors = Buffer.alloc(sizePixels * sizePixels * 4)
  const maskRowBytes = Math.ceil(sizePixels / 32) * 4
  const mask = Buffer.alloc(maskRowBytes * sizePixels)
  for (let row = 0; row < sizePixels; row += 1)
    for (let column = 0; column < sizePixels; column += 1) {
      const from = (row * sizePixels + column) * 4
      const to = ((sizePixels - 1 - row) * sizePixels + column) * 4
      const [red = 0, green = 0, blue = 0, opacity = 0] = rgba.subarray(from, from + 4)
      colors.set([blue, green, red, opacity], to)
      if (opacity === 0) {
        const at = (sizePixels - 1 - row) * maskRowBytes + (column >> 3)
        mask.writeUInt8(mask.readUInt8(at) | (0x80 >> (column & 7)), at)
      }
    }
  return Buffer.concat([head, colors, mask])
}
