import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawFundus, type ImageFormat } from './draw-fundus.ts'

const SMALL = { width: 320, height: 240 }

type Region = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

/** The mean red, green and blue of a part of a picture. */
async function meanOf(image: Buffer, region: Region): Promise<readonly number[]> {
  const { channels } = await sharp(await sharp(image).extract(region).png().toBuffer()).stats()
  return channels.map((channel) => channel.mean)
}

async function greenOf(image: Buffer, left: number): Promise<number> {
  const [, green = 0] = await meanOf(image, { left, top: 105, width: 20, height: 20 })
  return green
}

describe('a drawn fundus photograph', () => {
  it('has its disc on the right in a right eye and on the left in a left eye', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const right = await drawFundus({ eye: 'right', seed, ...SMALL })
      const left = await drawFundus({ eye: 'left', seed, ...SMALL })
      expect(await greenOf(right, 218)).toBeGreaterThan((await greenOf(right, 82)) * 1.25)
      expect(await greenOf(left, 82)).toBeGreaterThan((await greenOf(left, 218)) * 1.25)
    }
  })

  it('is orange in a dark surround, and printed on', async () => {
    const image = await drawFundus({ eye: 'right', seed: 1, ...SMALL })
    const [red = 0, green = 0, blue = 0] = await meanOf(image, {
      left: 100,
      top: 60,
      width: 120,
      height: 120,
    })
    expect(red).toBeGreaterThan(green * 1.7)
    expect(green).toBeGreaterThan(blue)
    const [, corner = 255] = await meanOf(image, { left: 290, top: 0, width: 30, height: 30 })
    expect(corner).toBeLessThan(10)
    const [, caption = 0] = await meanOf(image, { left: 6, top: 226, width: 52, height: 9 })
    expect(caption).toBeGreaterThan(40)
  })

  it('is the same for the same seed and never the same for another seed, eye or shot', async () => {
    const options = { eye: 'right', seed: 1, ...SMALL } as const
    const images = [
      await drawFundus(options),
      await drawFundus(options),
      await drawFundus({ ...options, seed: 2 }),
      await drawFundus({ ...options, eye: 'left' }),
      await drawFundus({ ...options, shot: 1 }),
      await drawFundus({ ...options, field: 'disc' }),
    ].map((image) => image.toString('base64'))
    expect(images[0]).toBe(images[1])
    expect(new Set(images).size).toBe(5)
  })

  it.each<ImageFormat>(['jpeg', 'png', 'tiff'])('is a %s of the size asked for', async (format) => {
    const { width, height, ...found } = await sharp(
      await drawFundus({ eye: 'left', seed: 1, ...SMALL, format }),
    ).metadata()
    expect({ width, height, format: found.format }).toEqual({ ...SMALL, format })
  })
})
