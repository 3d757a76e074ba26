import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { Flaw } from '../../../../src-main/reader/formats/bytes.ts'
import { checkPlainPixels } from '../../../../src-main/reader/formats/pixel-data.ts'
import { drawFundus } from '../../../camera/draw-fundus.ts'
import { randomFrom } from '../../../camera/random.ts'

const [width, height] = [700, 560]

function hasNoSign(bytes: Buffer, rowBytes: number): boolean {
  try {
    checkPlainPixels(bytes, rowBytes)
    return true
  } catch (error) {
    if (error instanceof Flaw) return false
    throw error
  }
}

const eye = async (seed: number): Promise<Buffer> =>
  sharp(await drawFundus({ eye: 'right', seed, width, height, format: 'png' }))
    .removeAlpha()
    .raw()
    .toBuffer()

/** Noise of a sensor in all that is lit, or everywhere. */
function withNoise(pixels: Buffer, levels: number, isEverywhere: boolean): Buffer {
  const random = randomFrom(9)
  return pixels.map((value) => {
    const noise = Math.round((random() - 0.5) * 2 * levels)
    return isEverywhere || value > 12 ? Math.min(255, Math.max(0, value + noise)) : value
  }) as Buffer
}

describe('plain pixels of an eye', async () => {
  const rgb = withNoise(await eye(4), 3, false)
  const grey = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .greyscale()
    .raw()
    .toBuffer()
  const rowBytes = width * 3

  /** A box of this colour, as a program draws it. */
  const withBox = (
    box: { left: number; top: number; across: number; down: number },
    value: number,
  ): Buffer => {
    const copy = Buffer.from(rgb)
    for (let row = box.top; row < box.top + box.down; row += 1)
      copy.fill(value, (row * width + box.left) * 3, (row * width + box.left + box.across) * 3)
    return copy
  }

  const sound: readonly (readonly [string, Buffer, number])[] = [
    ['in colours', rgb, rowBytes],
    ['in grey', grey, width],
    ['with a rim that is not quite black', withNoise(rgb, 2, true), rowBytes],
    ['washed out in its middle', Buffer.from(rgb.map((value) => Math.min(255, value * 2))), rowBytes],
    ['in the dark', Buffer.from(rgb.map((value) => value >> 4)), rowBytes],
    ['with a black box', withBox({ left: 200, top: 200, across: 250, down: 30 }, 0), rowBytes],
    ['with a white box', withBox({ left: 200, top: 200, across: 250, down: 30 }, 255), rowBytes],
    ['with a line of two rows', withBox({ left: 200, top: 200, across: 250, down: 2 }, 255), rowBytes],
    [
      'under another one, with a bar between them',
      Buffer.concat([rgb, Buffer.alloc(rowBytes * 20), rgb]),
      rowBytes,
    ],
    ['with a dead row', withBox({ left: 0, top: 250, across: width, down: 1 }, 0), rowBytes],
    ['upside down', Buffer.from(rgb.toReversed()), rowBytes],
    ['of nothing', Buffer.alloc(rowBytes * height), rowBytes],
  ]
  it.each(sound)('(%s) have no sign of damage', (_, bytes, rowBytes) => {
    expect(hasNoSign(bytes, rowBytes)).toBe(true)
  })

  const holes = [600, 1_024, 4_096, 40_960]
  it.each(holes)('have one with a hole of %i bytes in its lit part', (bytes) => {
    const middle = Math.floor(height / 2) * rowBytes
    for (const value of [0, 255, 0xe5])
      for (const offset of [rowBytes * 0.3, rowBytes * 0.41 + 1, rowBytes * 0.6 + 2]) {
        const at = Math.floor(middle + offset)
        const damaged = Buffer.from(rgb).fill(value, at, at + bytes)
        expect([value, at, hasNoSign(damaged, rowBytes)]).toEqual([value, at, false])
      }
  })

  it('have one with a hole that begins and ends in the black beside the eye', () => {
    const at = rowBytes * 60 - 60
    for (const value of rgb.subarray(at - 200, at + 120)) expect(value).toBeLessThan(8)
    expect(hasNoSign(Buffer.from(rgb).fill(0, at, at + rowBytes + 120), rowBytes)).toBe(false)
  })

  it('have one with a hole in grey', () => {
    const at = Math.floor(height / 2) * width + 60
    expect(hasNoSign(Buffer.from(grey).fill(0, at, at + 2_000), width)).toBe(false)
  })

  it('have none with a hole in the black around it', () => {
    expect(hasNoSign(Buffer.from(rgb).fill(0, 0, 4_096), rowBytes)).toBe(true)
  })
})
