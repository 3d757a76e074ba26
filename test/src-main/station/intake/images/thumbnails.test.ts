import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodabilityOf, makeThumbnail } from '../../../../../src-main/station/intake/images/decode.ts'
import { drawFundus } from '../../../../camera/draw-fundus.ts'
import { drawing, drawnImages } from '../draw-images.ts'

let root: string
let imagePath: string
let thumbnailPath: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'thumbnail-'))
  imagePath = join(root, 'image')
  thumbnailPath = join(root, 'thumbnails', 'one.jpg')
})
afterEach(() => rm(root, { recursive: true }))

const images = await drawnImages()
const jpeg = await drawing(800, 600).jpeg({ quality: 90 }).toBuffer()

function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}

describe('an image', async () => {
  it.each(images)('that is whole ($name) can be decoded and gets a thumbnail', async ({ bytes }) => {
    await writeFile(imagePath, bytes)
    expect(await decodabilityOf(imagePath)).toBe('whole')
    expect(await makeThumbnail(imagePath, thumbnailPath)).toBe(true)
    expect(await sharp(thumbnailPath).metadata()).toMatchObject({
      format: 'jpeg',
      space: expect.stringMatching(/srgb|b-w/),
    })
  })

  const harmless: readonly (readonly [what: string, bytes: Buffer])[] = [
    [
      'stray bytes between its segments',
      Buffer.concat([jpeg.subarray(0, 2), Buffer.from([1, 2, 3, 4]), jpeg.subarray(2)]),
    ],
    ['padding behind its end', Buffer.concat([jpeg, Buffer.alloc(3_000)])],
  ]
  it.each(harmless)('with %s can be decoded', async (_, bytes) => {
    await writeFile(imagePath, bytes)
    expect(await decodabilityOf(imagePath)).toBe('whole')
  })

  const damaged: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['cut off', jpeg.subarray(0, jpeg.length / 2)],
    [
      'cut off and given an end',
      Buffer.concat([jpeg.subarray(0, jpeg.length / 2), Buffer.from([0xff, 0xd9])]),
    ],
    [
      'overwritten in its middle',
      changed(jpeg, (copy) => copy.fill(0, jpeg.length / 2, jpeg.length / 2 + 4_096)),
    ],
    [
      'a PNG with a wrong byte',
      changed(await drawing(800, 600).png().toBuffer(), (copy) => copy.fill(0x55, 5_000, 5_001)),
    ],
    [
      'a TIFF with a hole',
      changed(await drawing(800, 600).tiff({ compression: 'lzw' }).toBuffer(), (copy) =>
        copy.fill(0, 5_000, 9_000),
      ),
    ],
    ['text', Buffer.from('no image')],
    ['empty', Buffer.alloc(0)],
  ]
  it.each(damaged)('that is %s cannot', async (_, bytes) => {
    await writeFile(imagePath, bytes)
    expect(await decodabilityOf(imagePath)).toBe('damaged')
  })

  it('that is not there cannot, which says nothing about it', async () => {
    expect(await decodabilityOf(imagePath)).toBe('notOpened')
    expect(await makeThumbnail(imagePath, thumbnailPath)).toBe(false)
  })

  it('that claims to be larger than any is not decoded', async () => {
    // A header of 30,000 by 30,000 pixels costs its maker a few bytes and its reader gigabytes.
    const claim = changed(await drawing(10, 10).png().toBuffer(), (copy) => {
      copy.writeUInt32BE(30_000, 16)
      copy.writeUInt32BE(30_000, 20)
    })
    await writeFile(imagePath, claim)
    expect(await decodabilityOf(imagePath)).toBe('damaged')
  })
})

describe('a JPEG with a hole of zeros', async () => {
  const detailed = await drawFundus({ eye: 'right', seed: 3, width: 1_000, height: 800, format: 'png' })
  const jpegs: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['baseline', await sharp(detailed).jpeg({ quality: 90 }).toBuffer()],
    ['grey', await sharp(detailed).greyscale().jpeg({ quality: 90 }).toBuffer()],
    ['trellis and many scans', await sharp(detailed).jpeg({ mozjpeg: true }).toBuffer()],
    ['progressive', await sharp(detailed).jpeg({ quality: 90, progressive: true }).toBuffer()],
  ]
  // What hides a hole of one page altogether are the lowest bits of a progressive image, which may all be zeros by right.
  it.each(jpegs)('(%s) is damaged wherever 16 KiB are missing', async (_, bytes) => {
    const unseen: number[] = []
    for (let at = 4_096; at + 16_384 < bytes.length; at += 4_096) {
      await writeFile(
        imagePath,
        changed(bytes, (copy) => copy.fill(0, at, at + 16_384)),
      )
      if ((await decodabilityOf(imagePath)) === 'whole') unseen.push(at)
    }
    expect(unseen).toEqual([])
  })

  it.each(jpegs)('(%s) is not what a black rim and stray bytes make', async (_, bytes) => {
    const black = { background: '#000', top: 900, bottom: 900, left: 300, right: 300 }
    const isGrey = (await sharp(bytes).metadata()).channels === 1
    const image = sharp(bytes)
      .extend(black)
      .toColourspace(isGrey ? 'b-w' : 'srgb')
    const rimmed = await image.jpeg({ mozjpeg: true }).toBuffer()
    await writeFile(imagePath, rimmed)
    expect(await decodabilityOf(imagePath)).toBe('whole')
    const baseline = await sharp(rimmed).jpeg({ quality: 90 }).toBuffer()
    const stray = Buffer.concat([baseline.subarray(0, 2), Buffer.from([1, 2, 3, 4]), baseline.subarray(2)])
    await writeFile(imagePath, stray)
    expect(await decodabilityOf(imagePath)).toBe('whole')
  })
})

describe('a thumbnail', () => {
  it('is small and upright', async () => {
    await writeFile(imagePath, await drawing(800, 600).withMetadata({ orientation: 6 }).jpeg().toBuffer())
    await makeThumbnail(imagePath, thumbnailPath)
    const { width, height, orientation } = await sharp(thumbnailPath).metadata()
    expect([width, height, orientation ?? 1]).toEqual([192, 256, 1])
  })

  it('of a small image is no larger than the image', async () => {
    await writeFile(imagePath, await drawing(40, 30).png().toBuffer())
    await makeThumbnail(imagePath, thumbnailPath)
    expect(await sharp(thumbnailPath).metadata()).toMatchObject({ width: 40, height: 30 })
  })

  it('replaces the one before, and leaves nothing else behind', async () => {
    await writeFile(imagePath, jpeg)
    await Promise.all([makeThumbnail(imagePath, thumbnailPath), makeThumbnail(imagePath, thumbnailPath)])
    expect(await readdir(join(root, 'thumbnails'))).toEqual(['one.jpg'])
  })
})
