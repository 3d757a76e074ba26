import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { ICNS_KINDS, icnsOf } from '../../tools/icns.ts'
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
  it('holds for Windows what each scale of the screen asks for; 0 stands for 256', async () => {
    expect(await icoSizes(join(assets, 'icon.ico'))).toEqual([16, 20, 24, 32, 40, 48, 64, 96, 128, 0])
  })

  it('holds for macOS a PNG of each size', async () => {
    expect(await icnsPictures(await readFile(join(assets, 'icon.icns')))).toEqual(ICNS_KINDS)
  })

  it('holds for Linux a file of each size under its name', async () => {
    const names = await readdir(join(assets, 'icons'))
    expect(names).toEqual(expect.arrayContaining(['16x16.png', '32x32.png', '48x48.png', '256x256.png']))
    for (const name of names) {
      const { width, height, hasAlpha } = await sharp(join(assets, 'icons', name)).metadata()
      expect(`${width}x${height}.png`).toBe(name)
      expect(hasAlpha).toBe(true)
    }
  })

  it('is drawn separately in small sizes, with less in it', async () => {
    const colorsOf = async (name: string): Promise<number> => {
      const { data } = await sharp(join(assets, 'icons', name))
        .resize(16)
        .raw()
        .toBuffer({ resolveWithObject: true })
      return new Set(Array.from({ length: data.length / 4 }, (_, at) => data.readUInt32LE(at * 4))).size
    }
    expect(await colorsOf('16x16.png')).toBeLessThan(await colorsOf('64x64.png'))
  })

  it('has blocks whose lengths count their heads', () => {
    const file = icnsOf((sizePixels) => Buffer.alloc(sizePixels / 32, 7))
    expect(file.readUInt32BE(4)).toBe(file.length)
    expect(file.subarray(8, 16)).toEqual(Buffer.from('ic11\0\0\0\u0009', 'latin1'))
  })
})
