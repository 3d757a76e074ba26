/** Small pictures with some detail, in the formats and modes that cameras write. No eye: a disc on a ground. */
import sharp, { type Sharp } from 'sharp'

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

/** Images of these names; `made` draws each. */
async function namedImages(
  made: Readonly<Record<string, Sharp | Buffer>>,
  isPlain: (name: string) => boolean = () => false,
): Promise<DrawnImage[]> {
  return Promise.all(
    Object.entries(made).map(async ([name, image]) => ({
      name,
      bytes: Buffer.isBuffer(image) ? image : await image.toBuffer(),
      isPlain: isPlain(name),
    })),
  )
}

export async function drawnJpegs(): Promise<DrawnImage[]> {
  const baseline = await drawing().jpeg({ quality: 85 }).toBuffer()
  const thumbnail = await drawing(40, 30).jpeg({ quality: 50 }).toBuffer()
  const progressive = await drawing().jpeg({ progressive: true, optimizeScans: true }).toBuffer()
  return namedImages({
    baseline,
    progressive,
    'with a thumbnail': withThumbnail(baseline, thumbnail),
    'progressive with a thumbnail': withThumbnail(progressive, thumbnail),
    grey: drawing().greyscale().jpeg(),
    'with metadata': drawing()
      .withExif({ IFD0: { Copyright: 'synthetic' } })
      .jpeg(),
    'optimised by trellis': drawing().jpeg({ mozjpeg: true }),
  })
}

export function drawnPngs(): Promise<DrawnImage[]> {
  return namedImages({
    'plain PNG': drawing().png(),
    'PNG with a palette': drawing().png({ palette: true }),
    'interlaced PNG': drawing().png({ progressive: true }),
    'tiny PNG': drawing(1, 1).png(),
  })
}

export function drawnTiffs(): Promise<DrawnImage[]> {
  const tiles = { tile: true, tileWidth: 64, tileHeight: 64 }
  return namedImages(
    {
      'TIFF without compression': drawing().tiff({ compression: 'none' }),
      'TIFF lzw': drawing().tiff({ compression: 'lzw' }),
      'TIFF deflate': drawing().tiff({ compression: 'deflate' }),
      'TIFF jpeg': drawing().tiff({ compression: 'jpeg' }),
      'TIFF in tiles': drawing().tiff({ compression: 'lzw', ...tiles }),
      'TIFF in jpeg tiles': drawing().tiff({ compression: 'jpeg', ...tiles }),
      'TIFF as a pyramid': drawing().tiff({ compression: 'none', ...tiles, pyramid: true }),
    },
    (name) => name === 'TIFF without compression' || name === 'TIFF as a pyramid',
  )
}

export async function drawnImages(): Promise<DrawnImage[]> {
  return [...(await drawnJpegs()), ...(await drawnPngs()), ...(await drawnTiffs())]
}

/** One entry of a directory of a TIFF; its values lie at `at`, or are `at` if one fits into the entry. */
type DrawnEntry = { readonly tag: number; readonly type: 3 | 4; readonly count: number; readonly at: number }

/** A TIFF, little endian, of these directories one after the other, behind them `numbers` of four bytes each. */
export function drawnDirectories(
  directories: (numbersAt: number) => readonly (readonly DrawnEntry[])[],
  numbers: Uint32Array,
): Buffer {
  const bytesOf = (entries: number): number => 2 + entries * 12 + 4
  const headBytes = directories(0).reduce((sum, entries) => sum + bytesOf(entries.length), 8)
  const head = Buffer.alloc(headBytes)
  head.write('II*\0', 'latin1')
  head.writeUInt32LE(8, 4)
  const all = directories(headBytes)
  let at = 8
  for (const [index, entries] of all.entries()) {
    head.writeUInt16LE(entries.length, at)
    for (const [nth, entry] of entries.entries()) {
      const entryAt = at + 2 + nth * 12
      head.writeUInt16LE(entry.tag, entryAt)
      head.writeUInt16LE(entry.type, entryAt + 2)
      head.writeUInt32LE(entry.count, entryAt + 4)
      head.writeUInt32LE(entry.at, entryAt + 8)
    }
    at += bytesOf(entries.length)
    head.writeUInt32LE(index + 1 < all.length ? at : 0, at - 4)
  }
  return Buffer.concat([head, Buffer.from(numbers.buffer)])
}

/** A TIFF of 8 by 8 pixels that points to 900,000 further directories: 3.6 MB. */
export function tiffOfManyPointers(): Buffer {
  const numbers = new Uint32Array(900_000).fill(8)
  return drawnDirectories(
    (at) => [
      [
        { tag: 256, type: 3, count: 1, at: 8 },
        { tag: 257, type: 3, count: 1, at: 8 },
        { tag: 273, type: 4, count: 1, at },
        { tag: 279, type: 4, count: 1, at: 64 },
        { tag: 330, type: 4, count: numbers.length, at },
      ],
    ],
    numbers,
  )
}

/** A TIFF of a hundred directories that share one array of a million numbers: 4 MB, and minutes for a reader that reads them all. */
export function tiffOfSharedNumbers(): Buffer {
  const numbers = new Uint32Array(1_000_000).fill(8)
  return drawnDirectories(
    (at) =>
      Array.from({ length: 100 }, () => [
        { tag: 273, type: 4, count: numbers.length, at },
        { tag: 279, type: 4, count: numbers.length, at },
      ]),
    numbers,
  )
}
