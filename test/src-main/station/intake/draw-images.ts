/** Small pictures with some detail, in the formats and modes that cameras write. Nobody's eye: a disc on a ground. */
import sharp, { type Sharp, type TiffOptions } from 'sharp'

export type DrawnImage = {
  readonly name: string
  readonly bytes: Buffer
  /** Pixels as they are, without compression. */
  readonly isPlain: boolean
}

/** A disc with a spot and some noise, so that no compression makes nothing of it. */
export function drawing(width = 200, height = 150): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isInside = Math.hypot(x - width / 2, y - height / 2) < height / 2.2
      const noise = (x * 7_919 + y * 104_729) % 23
      const at = (y * width + x) * 3
      pixels[at] = isInside ? 150 + noise : 0
      pixels[at + 1] = isInside ? 60 + noise : 0
      pixels[at + 2] = isInside ? 30 + (x % 16) : 0
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** An APP1 segment that holds a whole small JPEG, as the EXIF thumbnail of a camera does. */
export function withThumbnail(jpeg: Buffer, thumbnail: Buffer): Buffer {
  const payload = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), thumbnail])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, payload, jpeg.subarray(2)])
}

export async function drawnJpegs(): Promise<DrawnImage[]> {
  const baseline = await drawing().jpeg({ quality: 85 }).toBuffer()
  const thumbnail = await drawing(40, 30).jpeg({ quality: 50 }).toBuffer()
  const progressive = await drawing().jpeg({ progressive: true, optimizeScans: true }).toBuffer()
  return [
    { name: 'baseline', bytes: baseline, isPlain: false },
    { name: 'progressive', bytes: progressive, isPlain: false },
    { name: 'with a thumbnail', bytes: withThumbnail(baseline, thumbnail), isPlain: false },
    { name: 'progressive with a thumbnail', bytes: withThumbnail(progressive, thumbnail), isPlain: false },
    { name: 'grey', bytes: await drawing().greyscale().jpeg().toBuffer(), isPlain: false },
    {
      name: 'with metadata',
      bytes: await drawing()
        .withExif({ IFD0: { Copyright: 'synthetic' } })
        .jpeg()
        .toBuffer(),
      isPlain: false,
    },
    {
      name: 'optimised by trellis',
      bytes: await drawing().jpeg({ mozjpeg: true }).toBuffer(),
      isPlain: false,
    },
  ]
}

export async function drawnPngs(): Promise<DrawnImage[]> {
  return [
    { name: 'plain PNG', bytes: await drawing().png().toBuffer(), isPlain: false },
    { name: 'PNG with a palette', bytes: await drawing().png({ palette: true }).toBuffer(), isPlain: false },
    { name: 'interlaced PNG', bytes: await drawing().png({ progressive: true }).toBuffer(), isPlain: false },
    { name: 'tiny PNG', bytes: await drawing(1, 1).png().toBuffer(), isPlain: false },
  ]
}

export async function drawnTiffs(): Promise<DrawnImage[]> {
  const tiff = async (name: string, options: TiffOptions): Promise<DrawnImage> => ({
    name: `TIFF ${name}`,
    bytes: await drawing().tiff(options).toBuffer(),
    isPlain: options.compression === 'none',
  })
  return [
    await tiff('without compression', { compression: 'none' }),
    await tiff('lzw', { compression: 'lzw' }),
    await tiff('deflate', { compression: 'deflate' }),
    await tiff('jpeg', { compression: 'jpeg' }),
    await tiff('in tiles', { compression: 'lzw', tile: true, tileWidth: 64, tileHeight: 64 }),
    await tiff('in jpeg tiles', { compression: 'jpeg', tile: true, tileWidth: 64, tileHeight: 64 }),
    await tiff('as a pyramid', {
      compression: 'none',
      tile: true,
      tileWidth: 64,
      tileHeight: 64,
      pyramid: true,
    }),
    await tiff('with wide offsets', { compression: 'lzw', bigtiff: true }),
  ]
}

export async function drawnImages(): Promise<DrawnImage[]> {
  return [...(await drawnJpegs()), ...(await drawnPngs()), ...(await drawnTiffs())]
}
