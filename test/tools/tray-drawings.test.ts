import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { icoOf } from '../../tools/ico.ts'
import { trayDrawings, type Drawing } from '../../tools/tray-drawings.ts'

const { tray, templates, badges } = trayDrawings(
  readFileSync(resolve(import.meta.dirname, '../../assets/tray.svg'), 'utf8'),
)

/** The view of a person who sees no colours: how light each of 16 × 16 pixels is on a grey bar. */
async function greysOf({ svg }: Drawing): Promise<Buffer> {
  return sharp(Buffer.from(svg))
    .resize(16, 16)
    .flatten({ background: '#808080' })
    .greyscale()
    .raw()
    .toBuffer()
}

/** A quarter of the way from black to white: it cannot be overlooked. */
const PLAIN_DIFFERENCE = 64

it.each([
  ['beside the clock', tray.filter(({ name }) => !/-\d|many/.test(name)), 12],
  ['in one colour', templates, 12],
  // A figure is small, and its neighbours may look alike at a glance; the tooltip says it in words.
  ['on the taskbar', badges, 6],
])('two pictures %s can be told apart without colours', async (_where, drawings, leastPixels) => {
  const seen = await Promise.all(drawings.map(async (one) => ({ name: one.name, greys: await greysOf(one) })))
  for (const [index, one] of seen.entries())
    for (const other of seen.slice(index + 1)) {
      const different = one.greys.filter(
        (grey, at) => Math.abs(grey - (other.greys[at] ?? 0)) >= PLAIN_DIFFERENCE,
      )
      expect([one.name, other.name, different.length >= leastPixels]).toEqual([one.name, other.name, true])
    }
})

it('what macOS tints is black and see-through, and nothing else', async () => {
  for (const { svg } of templates) {
    const rgba = await sharp(Buffer.from(svg)).resize(36, 36).ensureAlpha().raw().toBuffer()
    const coloured = rgba.filter((value, at) => at % 4 !== 3 && value > 0)
    expect(coloured).toHaveLength(0)
  }
})

it('an icon for Windows has its rows from the bottom, blue first, and says what is see-through', () => {
  const red = [255, 0, 0, 255]
  const blue = [0, 0, 255, 128]
  const nothing = [0, 0, 0, 0]
  const ico = icoOf([
    { sizePixels: 2, rgba: Uint8Array.from([...red, ...blue, ...nothing, ...red]) },
    { sizePixels: 1, rgba: Uint8Array.from(blue) },
  ])
  expect([...ico.subarray(0, 6)]).toEqual([0, 0, 1, 0, 2, 0])
  expect([ico.readUInt8(6), ico.readUInt32LE(6 + 8), ico.readUInt32LE(6 + 12)]).toEqual([2, 40 + 16 + 8, 38])
  expect([ico.readUInt8(22), ico.readUInt32LE(22 + 12)]).toEqual([1, 38 + 64])
  expect([...ico.subarray(38 + 40, 38 + 56)]).toEqual([
    0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 255, 255, 0, 0, 128,
  ])
  // The lower row first: its left pixel is see-through.
  expect([...ico.subarray(38 + 56, 38 + 64)]).toEqual([0x80, 0, 0, 0, 0, 0, 0, 0])
  expect(ico).toHaveLength(38 + 64 + 40 + 4 + 4)
})
