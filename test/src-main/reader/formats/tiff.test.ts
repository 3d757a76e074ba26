import type { Sharp, TiffOptions } from 'sharp'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../../camera/random.ts'
import { drawing } from '../draw-images.ts'
import { soundness } from './soundness.ts'

const checked = async (tiff: Buffer): Promise<string> => (await soundness(tiff, 'image/tiff')).kind

const COMPRESSIONS = ['none', 'deflate', 'jpeg', 'lzw', 'packbits'] as const

/** The first strips or tiles of a little-endian TIFF: libvips writes them in order, after the header. */
function dataOf(tiff: Buffer): { readonly from: number; readonly to: number } {
  return { from: 8, to: tiff.readUInt32LE(4) }
}

describe('a sound TIFF', () => {
  const layouts: readonly (readonly [string, TiffOptions])[] = [
    ['strips', {}],
    ['tiles', { tile: true, tileWidth: 64, tileHeight: 32 }],
    ['tiles and smaller pictures', { tile: true, pyramid: true, tileWidth: 64, tileHeight: 64 }],
    ['differences', { predictor: 'horizontal' }],
  ]
  it.each(layouts)('in %s has no sign of damage, in any compression, size and depth', async (_, layout) => {
    for (const [width, height] of [
      [1, 1],
      [17, 9],
      [201, 150],
    ] as const) {
      const image = drawing(width, height)
      const kinds: readonly Sharp[] = [image, image.clone().greyscale(), image.clone().toColourspace('rgb16')]
      for (const compression of COMPRESSIONS)
        for (const one of kinds) {
          const tiff = await one
            .clone()
            .tiff({ compression, ...layout })
            .toBuffer()
            .catch(() => null)
          // libvips writes no JPEG of 16 bits.
          if (tiff !== null) expect(await checked(tiff)).toBe('sound')
        }
    }
  })

  it('may fill a word after a strip', async () => {
    const tiff = await drawing(40, 30).tiff({ compression: 'deflate' }).toBuffer()
    const entry = entryAt(tiff, 279)
    const data = tiff.subarray(8, 8 + tiff.readUInt32LE(entry + 8))
    for (const [rest, verdict] of [
      [[0, 0], 'sound'],
      [[0, 1], 'doubtful'],
      [[0, 0, 0, 0, 0, 0], 'doubtful'],
    ] as const) {
      const copy = Buffer.concat([tiff, data, Buffer.from(rest)])
      copy.writeUInt32LE(tiff.length, entryAt(copy, 273) + 8)
      copy.writeUInt32LE(data.length + rest.length, entry + 8)
      expect(await checked(copy)).toBe(verdict)
    }
  })

  it('of a compression that is not known here is not checked', async () => {
    const tiff = await drawing().tiff({ compression: 'deflate' }).toBuffer()
    const copy = Buffer.from(tiff)
    copy.writeUInt16LE(34_712, entryAt(copy, 259) + 8)
    expect(await checked(copy)).toBe('notChecked')
  })
})

describe('a damaged TIFF', () => {
  const noise = randomFrom(5)
  const foreign = (tiff: Buffer, at: number): void => {
    for (let index = 0; index < 512; index += 1) tiff[at + index] = Math.floor(noise() * 255)
  }
  it.each(['deflate', 'jpeg', 'lzw'] as const)('of %s is noticed at every place', async (compression) => {
    const tiff = await drawing(400, 300).tiff({ compression, quality: 95 }).toBuffer()
    const { from, to } = dataOf(tiff)
    for (let nth = 0; nth < 20; nth += 1) {
      const at = from + Math.floor(noise() * (to - from - 512))
      const withForeignBytes = Buffer.from(tiff)
      foreign(withForeignBytes, at)
      expect([at, await checked(withForeignBytes)]).toEqual([at, 'doubtful'])
      expect([at, await checked(Buffer.from(tiff).fill(0, at, at + 512))]).toEqual([at, 'doubtful'])
    }
  })

  it('of plain pixels is noticed if a strip has another length than its rows', async () => {
    const tiff = await drawing(40, 30).tiff({ compression: 'none' }).toBuffer()
    for (const change of [-1, 1, -120]) {
      const copy = Buffer.from(tiff)
      const entry = entryAt(copy, 279)
      copy.writeUInt32LE(40 * 30 * 3 + change, entry + 8)
      expect(await checked(copy)).toBe(change === 0 ? 'sound' : 'doubtful')
    }
  })

  it.each([
    ['of more rows than its strip holds', 257, 31],
    ['of fewer rows', 257, 29],
    ['of other strips than it has', 278, 10],
  ])('%s is noticed, in any compression', async (_, tag, value) => {
    for (const compression of ['none', 'deflate', 'lzw', 'packbits'] as const) {
      const tiff = await drawing(40, 30).tiff({ compression, predictor: 'none' }).toBuffer()
      const copy = Buffer.from(tiff)
      copy.writeUInt16LE(value, entryAt(copy, tag) + 8)
      expect([compression, await checked(copy)]).toEqual([compression, 'doubtful'])
    }
  })

  it.each([
    ['type', 2, 5],
    ['count', 4, 3],
    ['value', 8, 7],
  ])('whose predictor has another %s is noticed: decoders leave it out', async (_, offset, value) => {
    const tiff = await drawing(40, 30).tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer()
    expect(await checked(tiff)).toBe('sound')
    tiff.writeUInt16LE(value, entryAt(tiff, 317) + offset)
    expect(await checked(tiff)).toBe('doubtful')
  })

  it.each([
    ['wider', 256, 44],
    ['higher', 257, 31],
  ])('that states a picture %s than its JPEG is noticed', async (_, tag, value) => {
    for (const tile of [false, true]) {
      const how = { compression: 'jpeg', tile, tileWidth: 48, tileHeight: 32 } as const
      const tiff = await drawing(40, 30).tiff(how).toBuffer()
      expect(await checked(tiff)).toBe('sound')
      tiff.writeUInt16LE(value + (tile ? 32 : 0), entryAt(tiff, tile ? tag + 66 : tag) + 8)
      expect([tile, await checked(tiff)]).toEqual([tile, 'doubtful'])
    }
  })

  it('of deflate is noticed by its checksum, and by its length', async () => {
    const tiff = await drawing(40, 30).tiff({ compression: 'deflate' }).toBuffer()
    const entry = entryAt(tiff, 279)
    const end = 8 + tiff.readUInt32LE(entry + 8)
    const wrongSum = Buffer.from(tiff)
    wrongSum[end - 1] = (wrongSum[end - 1] ?? 0) ^ 1
    const short = Buffer.from(tiff)
    short.writeUInt32LE(end - 8 - 3, entry + 8)
    for (const damaged of [wrongSum, short]) expect(await checked(damaged)).toBe('doubtful')
  })

  it.each(['none', 'deflate', 'lzw', 'packbits'] as const)(
    'of more strips than its rows need, or of fewer, is noticed (%s)',
    async (compression) => {
      const tiff = await drawing(400, 300).tiff({ compression, predictor: 'none' }).toBuffer()
      for (const height of [900, 100]) {
        const copy = Buffer.from(tiff)
        copy.writeUInt16LE(height, entryAt(copy, 257) + 8)
        expect([height, await checked(copy)]).toEqual([height, 'doubtful'])
      }
    },
  )

  it('is noticed in an image behind one that is packed in an unknown way', async () => {
    const layout = { tile: true, pyramid: true, tileWidth: 128, tileHeight: 128 } as const
    const tiff = await drawing()
      .tiff({ compression: 'deflate', ...layout })
      .toBuffer()
    tiff.writeUInt16LE(34_712, entryAt(tiff, 259) + 8)
    expect(await checked(tiff)).toBe('notChecked')
    const first = tiff.readUInt32LE(4)
    const second = tiff.readUInt32LE(first + 2 + tiff.readUInt16LE(first) * 12)
    // Its only tile.
    tiff.fill(0, tiff.readUInt32LE(entryAt(tiff, 324, second) + 8) + 40, second)
    expect(await checked(tiff)).toBe('doubtful')
  })

  it('with tiles of no width is noticed', async () => {
    const tiff = await drawing(90, 70).tiff({ tile: true, tileWidth: 64, tileHeight: 64 }).toBuffer()
    tiff.writeUInt16LE(0, entryAt(tiff, 322) + 8)
    expect(await checked(tiff)).toBe('doubtful')
  })
})

/** The entry of this tag in a directory of a little-endian TIFF: the first one, if not stated. */
function entryAt(tiff: Buffer, tag: number, directory = tiff.readUInt32LE(4)): number {
  for (let at = directory + 2; at < tiff.length; at += 12) if (tiff.readUInt16LE(at) === tag) return at
  throw new Error('There is no such entry.')
}
