import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  makeScreenPicture,
  screenPictureBytes,
} from '../../../../../src-main/station/intake/images/decode.ts'

let root: string
let imagePath: string
let picturePath: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'screen-picture-'))
  imagePath = join(root, 'image.tif')
  picturePath = join(root, 'picture.png')
})
afterEach(() => rm(root, { recursive: true }))

/** Each pixel another one. */
function pixels(width: number, height: number): Buffer {
  return Buffer.from(
    Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * 37 + (index >> 8)) & 255),
  )
}

describe('a picture for the screen', () => {
  it.each(['none', 'lzw', 'deflate'] as const)(
    'has each pixel of a TIFF (%s) as it is',
    async (compression) => {
      const raw = pixels(301, 199)
      await sharp(raw, { raw: { width: 301, height: 199, channels: 3 } })
        .tiff({ compression })
        .toFile(imagePath)
      expect(await screenPictureBytes(imagePath)).toBe(301 * 199 * 3)
      expect(await makeScreenPicture(imagePath, picturePath)).toBe(true)
      const { data, info } = await sharp(picturePath).raw().toBuffer({ resolveWithObject: true })
      expect([info.width, info.height, info.channels]).toEqual([301, 199, 3])
      expect(data.equals(raw)).toBe(true)
    },
  )

  it('is upright, and of 8 bits', async () => {
    await sharp(pixels(30, 20), { raw: { width: 30, height: 20, channels: 3 } })
      .toColourspace('rgb16')
      .withMetadata({ orientation: 6 })
      .tiff({ compression: 'lzw' })
      .toFile(imagePath)
    expect(await makeScreenPicture(imagePath, picturePath)).toBe(true)
    expect(await sharp(picturePath).metadata()).toMatchObject({ width: 20, height: 30, depth: 'uchar' })
  })

  it.each([
    ['no image', Buffer.from('no image')],
    ['half an image', null],
  ])('is not made of %s', async (_name, bytes) => {
    const whole = await sharp(pixels(300, 200), { raw: { width: 300, height: 200, channels: 3 } })
      .tiff({ compression: 'lzw' })
      .toBuffer()
    await writeFile(imagePath, bytes ?? whole.subarray(0, whole.length / 2))
    if (bytes !== null) expect(await screenPictureBytes(imagePath)).toBeNull()
    expect(await makeScreenPicture(imagePath, picturePath)).toBe(false)
  })
})
