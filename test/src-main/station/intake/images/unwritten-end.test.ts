import { describe, expect, it } from 'vitest'
import { hasUnwrittenEnd } from '../../../../../src-main/station/intake/images/blank.ts'
import type { SmallPicture } from '../../../../../src-main/station/intake/images/decode.ts'

/** A grey picture of 100 rows, with so many black ones above and below. */
function picture(above: number, below: number, channels = 1): SmallPicture {
  const width = 40
  const pixels = new Uint8Array(width * 100 * channels)
  for (let y = above; y < 100 - below; y += 1)
    pixels.fill(90, y * width * channels, (y + 1) * width * channels)
  return { pixels, width, height: 100, channels }
}

describe('the end of a picture', () => {
  it.each([
    ['no rim', 0, 0, 'bottom', false],
    ['the rim of a round picture', 2, 2, 'bottom', false],
    ['a broad rim on both sides', 20, 20, 'bottom', false],
    ['a broad rim, a little broader below', 15, 22, 'bottom', false],
    ['black below', 2, 40, 'bottom', true],
    ['black below a picture without a rim', 0, 15, 'bottom', true],
    ['black above, in a file that begins with the uppermost row', 40, 2, 'bottom', false],
    ['black above, in a file that ends with the uppermost row', 40, 2, 'top', true],
  ] as const)(
    'with %s (%i above, %i below, the file ends at the %s): %s',
    (_, above, below, end, isUnwritten) => {
      expect(hasUnwrittenEnd(picture(above, below), end)).toBe(isUnwritten)
      expect(hasUnwrittenEnd(picture(above, below, 3), end)).toBe(isUnwritten)
    },
  )

  it('does not take transparency for light', () => {
    const { pixels, ...rest } = picture(0, 40, 4)
    for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255
    expect(hasUnwrittenEnd({ pixels, ...rest }, 'bottom')).toBe(true)
  })
})
