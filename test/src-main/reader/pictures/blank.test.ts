import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { hasUnwrittenEnd, isBlank } from '../../../../src-main/reader/pictures/photo.ts'
import { decodePicture, type SmallPicture } from '../../../../src-main/reader/pictures/decode.ts'
import { drawFundus } from '../../../camera/draw-fundus.ts'
import { randomFrom } from '../../../camera/random.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

async function isFoundBlank(image: Sharp): Promise<boolean> {
  const path = join(temporaryFolder(), 'image')
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

/** Black, with a caption of the camera and a circle of this colour. */
function drawn(colour: string): Sharp {
  const circle = `<circle cx="320" cy="240" r="230" fill="${colour}"/>`
  const caption = '<rect x="10" y="10" width="60" height="40" fill="#ccc"/>'
  const svg = `<svg width="640" height="480"><rect width="640" height="480"/>${circle}${caption}</svg>`
  return sharp(Buffer.from(svg)).flatten()
}

it.each<readonly [what: string, image: Sharp, isBlank: boolean]>([
  ['black', frame(0, 0), true],
  ['black, with the noise of a sensor', frame(4, 5), true],
  ['black, with the noise of a tired sensor', frame(8, 8), true],
  ['black and small, with noise', frame(4, 5, 200, 150), true],
  ['black and large, with noise', frame(3, 15, 1_600, 1_200), true],
  ['white', frame(255, 0), true],
  ['nearly white', frame(250, 3), true],
  ['grey', frame(128, 3), true],
  ['grey in one channel', frame(128, 3).greyscale(), true],
  ['black, with a caption of the camera', drawn('#000'), true],
  ['lost in the flash inside its rim', drawn('#fff'), true],
  ['an even tone inside a rim, which a camera may have seen', drawn('#c63'), false],
])('a frame (%s) is blank: %s', async (_, image, expected) => {
  expect(await isFoundBlank(image)).toBe(expected)
})

describe.each([
  { eye: 'right', seed: 1, field: 'macula' },
  { eye: 'left', seed: 2, field: 'disc' },
  { eye: 'right', seed: 3, field: 'macula' },
] as const)('the fundus of a $eye eye ($field)', async ({ eye, seed, field }) => {
  const png = await drawFundus({ eye, seed, field, width: 800, height: 650, format: 'png' })
  const fundus = (): Sharp => sharp(png)
  const inside = (): Sharp => sharp(png).extract({ left: 240, top: 160, width: 320, height: 320 })

  it.each<readonly [what: string, image: Sharp]>([
    ['as it is', fundus()],
    ['at a third of its light', fundus().linear(0.3, 0)],
    ['at a tenth of its light', fundus().linear(0.1, 0)],
    ['without its rim', inside()],
    ['without its rim at a tenth of its light', inside().linear(0.1, 0)],
    ['quite out of focus', fundus().blur(40)],
    ['in too much light', fundus().linear(4, 0)],
    ['in grey', fundus().greyscale().linear(0.2, 0)],
  ])('%s is not blank', async (_, image) => {
    expect(await isFoundBlank(sharp(await image.png().toBuffer()))).toBe(false)
  })
})

describe('the end of a picture', () => {
  /** Grey, 100 rows, with so many black ones above and below; a fourth channel is opaque. */
  function picture(above: number, below: number, channels: number): SmallPicture {
    const width = 40
    const pixels = new Uint8Array(width * 100 * channels)
    for (let y = above; y < 100 - below; y += 1)
      pixels.fill(90, y * width * channels, (y + 1) * width * channels)
    if (channels === 4) for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255
    return { pixels, width, height: 100, channels }
  }

  it.each([
    ['no rim', 0, 0, 'bottom', false],
    ['the rim of a round picture', 2, 2, 'bottom', false],
    ['a broad rim above and below', 20, 20, 'bottom', false],
    ['a broad rim, a little broader below', 15, 22, 'bottom', false],
    ['black below', 2, 40, 'bottom', true],
    ['black below a picture without a rim', 0, 15, 'bottom', true],
    ['black above, in a file that begins with the uppermost row', 40, 2, 'bottom', false],
    ['black above, in a file that ends with the uppermost row', 40, 2, 'top', true],
  ] as const)(
    'with %s (%i above, %i below, file ends at the %s): %s',
    (_, above, below, end, isUnwritten) => {
      const found = [1, 3, 4].map((channels) => hasUnwrittenEnd(picture(above, below, channels), end))
      expect(found).toEqual([isUnwritten, isUnwritten, isUnwritten])
    },
  )
})
