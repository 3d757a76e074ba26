import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  decodePicture,
  heldBytes,
  makeScreenPicture,
  makeThumbnail,
  saveThumbnail,
} from '../../../../src-main/reader/pictures/decode.ts'
import { drawFundus } from '../../../camera/draw-fundus.ts'
import { randomFrom } from '../../../camera/random.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawing, drawnImages } from '../draw-images.ts'

let root: string
let imagePath: string
let thumbnailPath: string
beforeEach(() => {
  root = temporaryFolder()
  imagePath = join(root, 'image')
  thumbnailPath = join(root, 'thumbnails', 'one.jpg')
})

const jpeg = await drawing(800, 600).jpeg({ quality: 90 }).toBuffer()
const halfJpeg = jpeg.subarray(0, jpeg.length / 2)
const withStrayBytes = (whole: Buffer): Buffer =>
  Buffer.concat([whole.subarray(0, 2), Buffer.from([1, 2, 3, 4]), whole.subarray(2)])

function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}

async function kindOf(bytes: Buffer): Promise<string> {
  await writeFile(imagePath, bytes)
  return (await decodePicture(imagePath)).kind
}

describe('an image', async () => {
  it.each(await drawnImages())('that is whole ($name) is decoded and gets a thumbnail', async ({ bytes }) => {
    expect(await kindOf(bytes)).toBe('whole')
    expect(await makeThumbnail(imagePath, thumbnailPath)).toBe(true)
    const { format, space } = await sharp(thumbnailPath).metadata()
    expect([format, space]).toEqual(['jpeg', expect.stringMatching(/srgb|b-w/)])
  })

  const png = await drawing(800, 600).png().toBuffer()
  const tiff = await drawing(800, 600).tiff({ compression: 'lzw' }).toBuffer()
  // A header of 30,000 by 30,000 pixels costs its maker a few bytes and its reader gigabytes.
  const giant = changed(await drawing(10, 10).png().toBuffer(), (copy) => {
    copy.writeUInt32BE(30_000, 16)
    copy.writeUInt32BE(30_000, 20)
  })
  const overwritten = changed(jpeg, (copy) => copy.fill(0, jpeg.length / 2, jpeg.length / 2 + 4_096))
  const table: readonly (readonly [what: string, bytes: Buffer, kind: string])[] = [
    ['with stray bytes between its segments', withStrayBytes(jpeg), 'whole'],
    ['with padding behind its end', Buffer.concat([jpeg, Buffer.alloc(3_000)]), 'whole'],
    ['cut off', halfJpeg, 'refused'],
    ['cut off and given an end', Buffer.concat([halfJpeg, Buffer.from([0xff, 0xd9])]), 'refused'],
    ['overwritten in its middle', overwritten, 'refused'],
    ['a PNG with a wrong byte', changed(png, (copy) => copy.fill(0x55, 5_000, 5_001)), 'refused'],
    ['a TIFF with a hole', changed(tiff, (copy) => copy.fill(0, 5_000, 9_000)), 'refused'],
    ['text', Buffer.from('no image'), 'refused'],
    ['empty', Buffer.alloc(0), 'refused'],
    ['larger than any, as it says', giant, 'tooCostly'],
  ]
  it.each(table)('%s', async (_, bytes, kind) => {
    expect(await kindOf(bytes)).toBe(kind)
  })

  it('of which a decoder only warns is whole once its codes were checked', async () => {
    const revision9 = Buffer.from('ffe000104a46494600090101004800480000', 'hex')
    const ofNoKnownRevision = Buffer.concat([jpeg.subarray(0, 2), revision9, jpeg.subarray(2)])
    await writeFile(imagePath, ofNoKnownRevision)
    expect((await decodePicture(imagePath)).kind).toBe('refused')
    expect((await decodePicture(imagePath, 'sound')).kind).toBe('whole')
  })

  it.each(['doubtful', 'unknown', 'sound', 'plain'] as const)(
    'is not damaged by one failure that passes, whatever our walk has found (%s)',
    async (findings) => {
      await writeFile(imagePath, jpeg)
      const spy = vi.spyOn(sharp.prototype, 'toBuffer')
      onTestFinished(() => spy.mockRestore())
      spy.mockRejectedValueOnce(new Error('Input file is missing'))
      expect(await decodePicture(imagePath, findings)).toMatchObject({ kind: 'whole', isWarned: false })
    },
  )

  it('that is missing is not decoded, which says nothing about it', async () => {
    expect(await decodePicture(imagePath)).toEqual({ kind: 'notOpened' })
    expect(await makeThumbnail(imagePath, thumbnailPath)).toBe(false)
  })
})

it.each(['lzw', 'packbits'] as const)(
  'a TIFF of %s is damaged by 512 bytes anywhere',
  async (compression) => {
    const random = randomFrom(5)
    const tiff = await drawing(400, 300).tiff({ compression }).toBuffer()
    const end = tiff.readUInt32LE(4)
    const unseen: number[] = []
    for (let nth = 0; nth < 20; nth += 1) {
      const at = 8 + Math.floor(random() * (end - 8 - 512))
      const foreign = changed(tiff, (copy) => {
        for (let index = 0; index < 512; index += 1) copy[at + index] = Math.floor(random() * 255)
      })
      for (const bytes of [foreign, changed(tiff, (copy) => copy.fill(0, at, at + 512))])
        if ((await kindOf(bytes)) === 'whole') unseen.push(at)
    }
    expect(unseen).toEqual([])
  },
)

describe('a JPEG with a hole of zeros', async () => {
  const detailed = await drawFundus({ eye: 'right', seed: 3, width: 1_000, height: 800, format: 'png' })
  const jpegs: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['baseline', await sharp(detailed).jpeg({ quality: 90 }).toBuffer()],
    ['grey', await sharp(detailed).greyscale().jpeg({ quality: 90 }).toBuffer()],
    ['trellis and many scans', await sharp(detailed).jpeg({ mozjpeg: true }).toBuffer()],
    ['progressive', await sharp(detailed).jpeg({ quality: 90, progressive: true }).toBuffer()],
  ]
  // A hole of one page can hide in the lowest bits of a progressive image, which may all be zeros.
  it.each(jpegs)('(%s) is damaged wherever 16 KiB are missing', async (_, bytes) => {
    const unseen: number[] = []
    for (let at = 4_096; at + 16_384 < bytes.length; at += 4_096)
      if ((await kindOf(changed(bytes, (copy) => copy.fill(0, at, at + 16_384)))) === 'whole') unseen.push(at)
    expect(unseen).toEqual([])
  })

  it.each(jpegs)('(%s) is not what a black rim and stray bytes make', async (_, bytes) => {
    const black = { background: '#000', top: 900, bottom: 900, left: 300, right: 300 }
    const isGrey = (await sharp(bytes).metadata()).channels === 1
    const image = sharp(bytes)
      .extend(black)
      .toColourspace(isGrey ? 'b-w' : 'srgb')
    const rimmed = await image.jpeg({ mozjpeg: true }).toBuffer()
    expect(await kindOf(rimmed)).toBe('whole')
    expect(await kindOf(withStrayBytes(await sharp(rimmed).jpeg({ quality: 90 }).toBuffer()))).toBe('whole')
  })
})

describe('a thumbnail', () => {
  it.each([
    ['is small and upright', drawing(800, 600).withMetadata({ orientation: 6 }).jpeg(), [192, 256]],
    ['of a small image is no larger than the image', drawing(40, 30).png(), [40, 30]],
  ] as [string, Sharp, number[]][])('%s', async (_, image, size) => {
    await writeFile(imagePath, await image.toBuffer())
    await makeThumbnail(imagePath, thumbnailPath)
    const { width, height, orientation } = await sharp(thumbnailPath).metadata()
    expect([width, height, orientation ?? 1]).toEqual([...size, 1])
  })

  it('replaces the one before, and leaves nothing else behind', async () => {
    await writeFile(imagePath, jpeg)
    await Promise.all([makeThumbnail(imagePath, thumbnailPath), makeThumbnail(imagePath, thumbnailPath)])
    expect(await readdir(join(root, 'thumbnails'))).toEqual(['one.jpg'])
  })
})

describe('the thumbnail of what was decoded', () => {
  const decoded = async (image: Sharp) => {
    await writeFile(imagePath, await image.toBuffer())
    const picture = await decodePicture(imagePath)
    if (picture.kind !== 'whole') throw new Error('It is whole.')
    return picture
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is as upright as one made on demand (orientation %i)',
    async (orientation) => {
      const image = drawing(500, 300).composite([
        { input: await drawing(90, 60).png().toBuffer(), left: 0, top: 0 },
      ])
      await saveThumbnail(await decoded(image.withMetadata({ orientation }).png()), thumbnailPath)
      const small = await sharp(thumbnailPath).raw().toBuffer({ resolveWithObject: true })
      await makeThumbnail(imagePath, thumbnailPath)
      const expected = await sharp(thumbnailPath).raw().toBuffer({ resolveWithObject: true })
      expect(small.info).toEqual(expected.info)
      const differences = small.data.map((level, index) => Math.abs(level - (expected.data[index] ?? 0)))
      expect(differences.reduce((sum, one) => sum + one, 0) / differences.length).toBeLessThan(3)
    },
  )

  it('has no transparency, and is none if it cannot be written', async () => {
    const picture = await decoded(drawing(40, 30).ensureAlpha(0.5).png())
    await saveThumbnail(picture, thumbnailPath)
    expect(await sharp(thumbnailPath).metadata()).toMatchObject({ format: 'jpeg', channels: 3 })
    await saveThumbnail(picture, join(imagePath, 'one.jpg'))
    expect(await readdir(root)).toEqual(['image', 'thumbnails'])
  })
})

describe('a picture for the screen', () => {
  let picturePath: string
  beforeEach(() => {
    picturePath = join(root, 'picture.png')
  })

  /** Each pixel differs from its neighbours. */
  function pixels(width: number, height: number): { readonly raw: Buffer; readonly image: Sharp } {
    const values = { length: width * height * 3 }
    const raw = Buffer.from(Uint8Array.from(values, (_, index) => (index * 37 + (index >> 8)) & 255))
    return { raw, image: sharp(raw, { raw: { width, height, channels: 3 } }) }
  }

  it.each(['none', 'lzw', 'deflate'] as const)('has each pixel of a TIFF (%s)', async (compression) => {
    const { raw, image } = pixels(301, 199)
    await writeFile(imagePath, await image.tiff({ compression }).toBuffer())
    expect(await makeScreenPicture(imagePath, picturePath)).toBe(true)
    const { data, info } = await sharp(picturePath).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, info.channels, data.equals(raw)]).toEqual([301, 199, 3, true])
  })

  it('is upright, and of 8 bits', async () => {
    const { image } = pixels(30, 20)
    const wide = image.toColourspace('rgb16').withMetadata({ orientation: 6 }).tiff({ compression: 'lzw' })
    await writeFile(imagePath, await wide.toBuffer())
    expect(await makeScreenPicture(imagePath, picturePath)).toBe(true)
    expect(await sharp(picturePath).metadata()).toMatchObject({ width: 20, height: 30, depth: 'uchar' })
  })

  it('is not made of what is no image, or half of one', async () => {
    await writeFile(imagePath, 'no image')
    expect(await makeScreenPicture(imagePath, picturePath)).toBe(false)
    const whole = await pixels(300, 200).image.tiff({ compression: 'lzw' }).toBuffer()
    await writeFile(imagePath, whole.subarray(0, whole.length / 2))
    expect(await makeScreenPicture(imagePath, picturePath)).toBe(false)
  })
})

it.each([
  ['a JPEG that comes by rows', { format: 'jpeg', isProgressive: false }, 0],
  ['the coefficients of a progressive JPEG', { format: 'jpeg', isProgressive: true }, 6_000],
  ['those of four colours', { format: 'jpeg', isProgressive: true, channels: 4 }, 8_000],
  ['a PNG that comes by rows', { format: 'png', isProgressive: false, depth: 'ushort' }, 0],
  ['the pixels of an interlaced PNG', { format: 'png', isProgressive: true }, 3_000],
  ['those of 16 bits', { format: 'png', isProgressive: true, depth: 'ushort', channels: 4 }, 8_000],
  ['a strip of a TIFF', { format: 'tiff', isProgressive: false }, 77],
] as const)('decoding holds %s', (_what, shape, bytes) => {
  const rest = { width: 50, height: 20, channels: 3, depth: 'uchar' } as const
  expect(heldBytes({ ...rest, ...shape }, 77)).toBe(bytes)
})

describe('a TIFF', () => {
  /** The height that its directory states. */
  const withHeight = async (tiff: Buffer, height: number): Promise<Buffer> =>
    changed(tiff, (copy) => {
      const directory = copy.readUInt32LE(4)
      for (let at = directory + 2; at < directory + 2 + copy.readUInt16LE(directory) * 12; at += 12)
        if (copy.readUInt16LE(at) === 257 || copy.readUInt16LE(at) === 278) {
          copy.writeUInt16LE(4, at + 2)
          copy.writeUInt32LE(height, at + 8)
        }
    })

  it('of which one strip would take more than 256 MB is not decoded, nor made a preview of', async () => {
    const tiff = await drawing(1_000, 4).tiff({ compression: 'lzw' }).toBuffer()
    expect(await kindOf(tiff)).toBe('whole')
    expect(await kindOf(await withHeight(tiff, 100_000))).toBe('tooCostly')
    expect(await makeThumbnail(imagePath, thumbnailPath)).toBe(false)
    // The walk finds what is missing; the decoder only refuses it.
    expect(await kindOf(await withHeight(tiff, 80_000))).toBe('refused')
  })
})
