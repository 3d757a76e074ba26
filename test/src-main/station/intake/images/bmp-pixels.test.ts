import { expect, it } from 'vitest'
import { readAtOfBytes } from '../../../../../src-main/station/intake/file-structure.ts'
import { readBmpPixels } from '../../../../../src-main/station/intake/images/bmp.ts'
import { drawnBitmaps } from '../draw-bitmaps.ts'
import { mutationsOf } from '../mutations.ts'

const bitmaps = await drawnBitmaps()

async function read(bytes: Buffer): Promise<Buffer | null> {
  const pixels = await readBmpPixels(readAtOfBytes(bytes), bytes.length)
  if (pixels === null) return null
  const rows: Buffer[] = []
  for await (const row of pixels.rows) rows.push(Buffer.from(row))
  expect(rows.length).toBe(pixels.height)
  return Buffer.concat(rows)
}

it.each(bitmaps)('$name is read to the same colours', async ({ bytes, rgb }) => {
  expect((await read(bytes))?.equals(rgb)).toBe(true)
})

it('is not read if the pixels lie beyond the end', async () => {
  const { bytes } = bitmaps[0]!
  expect(await read(bytes.subarray(0, bytes.length - 1))).toBeNull()
})

it('is not read if it claims to be larger than any image', async () => {
  const giant = Buffer.from(bitmaps[0]!.bytes)
  giant.writeInt32LE(60_000, 18)
  giant.writeInt32LE(60_000, 22)
  expect(await readBmpPixels(readAtOfBytes(giant), Number.MAX_SAFE_INTEGER)).toBeNull()
})

it('ends with a picture or without one on every mutated bitmap, and never asks for more than a little memory', async () => {
  let [read, refused] = [0, 0]
  for (const { bytes } of bitmaps) {
    for (const mutated of mutationsOf(bytes, 2_000 / bitmaps.length, 64)) {
      let longest = 0
      const readAt = readAtOfBytes(mutated)
      const pixels = await readBmpPixels((position, length) => {
        longest = Math.max(longest, length)
        return readAt(position, length)
      }, mutated.length)
      if (pixels === null) refused += 1
      else read += 1
      // A row may be claimed as wide as the file is long, no wider.
      for await (const row of pixels?.rows ?? []) expect(row.length).toBe(pixels!.width * 3)
      expect(longest).toBeLessThanOrEqual(1_024 * 1_024)
    }
  }
  expect(Math.min(read, refused)).toBeGreaterThan(100)
}, 60_000)
