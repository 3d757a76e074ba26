/** Offset of the pixels: the file header of 14 bytes and the BITMAPINFOHEADER of 40. */
const HEADER_BYTES = 54
/** 72 dots per inch, as most programs write, in pixels per metre. */
const RESOLUTION = 2_835

/**
 * An uncompressed 24-bit BMP, as cameras with an old export write it: rows from the bottom up, blue before red, each row
 * filled up to four bytes (BITMAPINFOHEADER, Microsoft's "Bitmap Storage"). `rgb` holds three bytes a pixel from the top
 * left on.
 */
export function encodeBmp(
  rgb: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Buffer {
  const { width, height } = size
  if (rgb.length !== width * height * 3) throw new Error('Three bytes for each pixel make a picture.')
  const rowBytes = Math.ceil((width * 3) / 4) * 4
  const bmp = Buffer.alloc(HEADER_BYTES + rowBytes * height)
  bmp.write('BM', 0, 'latin1')
  bmp.writeUInt32LE(bmp.length, 2)
  bmp.writeUInt32LE(HEADER_BYTES, 10)
  bmp.writeUInt32LE(40, 14)
  bmp.writeInt32LE(width, 18)
  bmp.writeInt32LE(height, 22)
  bmp.writeUInt16LE(1, 26)
  bmp.writeUInt16LE(24, 28)
  bmp.writeUInt32LE(rowBytes * height, 34)
  bmp.writeInt32LE(RESOLUTION, 38)
  bmp.writeInt32LE(RESOLUTION, 42)
  for (let y = 0; y < height; y += 1) {
    const row = HEADER_BYTES + (height - 1 - y) * rowBytes
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 3
      bmp[row + x * 3] = rgb[from + 2] ?? 0
      bmp[row + x * 3 + 1] = rgb[from + 1] ?? 0
      bmp[row + x * 3 + 2] = rgb[from] ?? 0
    }
  }
  return bmp
}
