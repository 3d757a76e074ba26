import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { ICNS_KINDS } from '../../tools/icns.ts'
import { icoOf } from '../../tools/ico.ts'
import { icoSizes } from './ico-sizes.ts'

const assets = resolve(import.meta.dirname, '../../assets')

/** The kinds and PNG widths in an `.icns`, read as the system does: block by block to the end. */
async function icnsPictures(bytes: Buffer) {
  expect(bytes.toString('latin1', 0, 4)).toBe('icns')
  expect(bytes.readUInt32BE(4)).toBe(bytes.length)
  const found: { readonly kind: string; readonly sizePixels: number }[] = []
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at + 4)) {
    const content = bytes.subarray(at + 8, at + bytes.readUInt32BE(at + 4))
    const { width, format } = await sharp(content).metadata()
    expect(format).toBe('png')
    found.push({ kind: bytes.toString('latin1', at, at + 4), sizePixels: width })
  }
  return found
}

describe('the icon of the app', () => {
  it('holds for Windows what each scale of the screen asks for; 0 means 256', async () => {
    expect(await icoSizes(join(assets, 'icon.ico'))).toEqual([16, 20, 24, 32, 40, 48, 64, 96, 128, 0])
  })

  it('holds for macOS a PNG of each size', async () => {
    expect(await icnsPictures(await readFile(join(assets, 'icon.icns')))).toEqual(ICNS_KINDS)
  })
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
