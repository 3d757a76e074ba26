import { describe, expect, it } from 'vitest'
import { readBmpPixels } from '../../../../src-main/reader/formats/bmp.ts'
import { Flaw, readAtOfBytes } from '../../../../src-main/reader/formats/bytes.ts'
import { encodeBmp } from '../../../camera/draw-fundus.ts'
import { randomFrom } from '../../../camera/random.ts'
import { drawnBitmaps } from '../draw-bitmaps.ts'
import { mutationsOf } from '../mutations.ts'
import { soundness } from './soundness.ts'

const bitmaps = await drawnBitmaps()

/** Null for a flaw. */
async function read(bytes: Buffer, sizeBytes = bytes.length): Promise<Uint8Array | null> {
  try {
    return (await readBmpPixels(readAtOfBytes(bytes), sizeBytes)).pixels
  } catch (error) {
    if (error instanceof Flaw) return null
    throw error
  }
}

it.each(bitmaps)('$name is read to the same colours', async ({ bytes, rgb }) => {
  expect(rgb.equals((await read(bytes)) ?? Buffer.alloc(0))).toBe(true)
})

it('is not read if the pixels lie beyond the end', async () => {
  const { bytes } = bitmaps[0]!
  expect(await read(bytes.subarray(0, bytes.length - 1))).toBeNull()
  expect(await read(bytes.subarray(0, bytes.length - 1), bytes.length)).toBeNull()
})

it('is not read if it claims to be larger than any image', async () => {
  const giant = Buffer.from(bitmaps[0]!.bytes)
  giant.writeInt32LE(60_000, 18)
  giant.writeInt32LE(60_000, 22)
  expect(await read(giant, Number.MAX_SAFE_INTEGER)).toBeNull()
})

it('ends with a picture or without one on every mutated bitmap', async () => {
  let [whole, refused] = [0, 0]
  for (const { bytes } of bitmaps)
    for (const mutated of mutationsOf(bytes, 2_000 / bitmaps.length, 64)) {
      if ((await read(mutated)) === null) refused += 1
      else whole += 1
    }
  expect(Math.min(whole, refused)).toBeGreaterThan(100)
}, 60_000)

describe('plain pixels', () => {
  const random = randomFrom(3)
  const pixels = Uint8Array.from({ length: 90 * 70 * 3 }, () => Math.floor(random() * 256))
  const bmp = encodeBmp(pixels, { width: 90, height: 70 })
  const kindOf = async (bytes: Buffer): Promise<string> => (await soundness(bytes, 'image/bmp')).kind

  it('are checked', async () => {
    expect(await kindOf(bmp)).toBe('sound')
  })

  it.each([1, 270, bmp.length - 60])('that lack their last %i bytes are doubted', async (bytes) => {
    expect(await kindOf(bmp.subarray(0, bmp.length - bytes))).toBe('doubtful')
  })
})
