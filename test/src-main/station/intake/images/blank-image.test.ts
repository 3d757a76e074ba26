import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isBlank } from '../../../../../src-main/station/intake/images/blank.ts'
import { decodePicture } from '../../../../../src-main/station/intake/images/decode.ts'
import { drawFundus } from '../../../../camera/draw-fundus.ts'
import { randomFrom } from '../../../../camera/random.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blank-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function judged(image: Sharp): Promise<boolean> {
  const path = join(folder, 'image')
  await writeFile(path, await image.jpeg({ quality: 92 }).toBuffer())
  const decoded = await decodePicture(path)
  if (decoded.kind !== 'whole') throw new Error('This drawing should be decoded.')
  return isBlank(decoded.small)
}

/** A frame of one level with the noise of a sensor, about normally spread. */
function frame(level: number, spread: number, width = 640, height = 480): Sharp {
  const random = randomFrom(level * 1_000 + spread)
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 1) {
    const noise = (random() + random() + random() + random() - 2) * spread * 1.7
    pixels[at] = Math.min(255, Math.max(0, Math.round(level + noise)))
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

function drawn(shapes: string): Sharp {
  const caption = '<rect x="10" y="10" width="60" height="40" fill="#ccc"/>'
  const svg = `<svg width="640" height="480"><rect width="640" height="480"/>${shapes}${caption}</svg>`
  return sharp(Buffer.from(svg)).flatten()
}

describe('a frame that shows nothing', () => {
  const frames: readonly (readonly [what: string, image: Sharp])[] = [
    ['black', frame(0, 0)],
    ['black, with the noise of a sensor', frame(4, 5)],
    ['black, with the noise of a tired sensor', frame(8, 8)],
    ['black and small, with noise', frame(4, 5, 200, 150)],
    ['black and large, with noise', frame(3, 15, 1_600, 1_200)],
    ['white', frame(255, 0)],
    ['nearly white', frame(250, 3)],
    ['grey', frame(128, 3)],
    ['grey in one channel', frame(128, 3).greyscale()],
    ['black, with a caption of the camera', drawn('')],
    ['lost in the flash inside its rim', drawn('<circle cx="320" cy="240" r="230" fill="#fff"/>')],
  ]
  it.each(frames)('(%s) is blank', async (_, image) => {
    expect(await judged(image)).toBe(true)
  })
})

it('an even tone inside a rim may be what a camera saw', async () => {
  expect(await judged(drawn('<circle cx="320" cy="240" r="230" fill="#c63"/>'))).toBe(false)
})

describe.each([
  { eye: 'right', seed: 1, field: 'macula' },
  { eye: 'left', seed: 2, field: 'disc' },
  { eye: 'right', seed: 3, field: 'macula' },
] as const)('the fundus of a $eye eye ($field)', async ({ eye, seed, field }) => {
  const png = await drawFundus({ eye, seed, field, width: 800, height: 650, format: 'png' })
  const fundus = (): Sharp => sharp(png)
  const inside = (): Sharp => sharp(png).extract({ left: 240, top: 160, width: 320, height: 320 })

  const views: readonly (readonly [what: string, image: Sharp])[] = [
    ['as it is', fundus()],
    ['at a third of its light', fundus().linear(0.3, 0)],
    ['at a tenth of its light', fundus().linear(0.1, 0)],
    ['without its rim', inside()],
    ['without its rim at a tenth of its light', inside().linear(0.1, 0)],
    ['quite out of focus', fundus().blur(40)],
    ['in too much light', fundus().linear(4, 0)],
    ['in grey', fundus().greyscale().linear(0.2, 0)],
  ]
  it.each(views)('%s is not blank', async (_, image) => {
    expect(await judged(sharp(await image.png().toBuffer()))).toBe(false)
  })
})
