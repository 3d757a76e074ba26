/** The check of a stored file, whichever its type: a BMP has no walk of its own. */
import { describe, expect, it } from 'vitest'
import { readAtOfBytes } from '../../../../../src-main/station/intake/file-structure.ts'
import { soundnessOf } from '../../../../../src-main/station/intake/soundness/soundness.ts'
import { encodeBmp } from '../../../../camera/draw-fundus.ts'
import { randomFrom } from '../../../../camera/random.ts'

describe('a BMP', () => {
  const random = randomFrom(3)
  const pixels = Uint8Array.from({ length: 90 * 70 * 3 }, () => Math.floor(random() * 256))
  const bmp = encodeBmp(pixels, { width: 90, height: 70 })
  const kindOf = async (bytes: Buffer): Promise<string> =>
    (await soundnessOf(readAtOfBytes(bytes), bytes.length, 'image/bmp')).kind

  it('of plain pixels is checked', async () => {
    expect(await kindOf(bmp)).toBe('sound')
  })

  it.each([1, 270, bmp.length - 60])('that lacks its last %i bytes is doubted', async (bytes) => {
    expect(await kindOf(bmp.subarray(0, bmp.length - bytes))).toBe('doubtful')
  })

  it('of run lengths is left to the decoder', async () => {
    const packed = Buffer.from(bmp)
    packed.writeUInt32LE(1, 30)
    expect(await kindOf(packed)).toBe('notChecked')
  })
})
