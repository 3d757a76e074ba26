import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { PngOptions } from 'sharp'
import { describe, expect, it } from 'vitest'
import { decodePicture } from '../../../../src-main/reader/pictures/decode.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawing } from '../draw-images.ts'
import { soundness } from './soundness.ts'

/** True if neither the walk nor the decoder finds anything. */
async function hasNoSign(png: Buffer): Promise<boolean> {
  const path = join(temporaryFolder(), 'png')
  await writeFile(path, png)
  const [walked, decoded] = [await soundness(png, 'image/png'), await decodePicture(path)]
  return walked.kind === 'sound' && decoded.kind === 'whole'
}

type Chunk = { readonly type: string; readonly data: Buffer }

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data })
  }
  return chunks
}

/** Each chunk with the CRC that it should have. */
function pngOf(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ type, data }) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  })
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

/** The image data in as many chunks. */
function split(chunks: readonly Chunk[], count: number): readonly Chunk[] {
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((one) => one.data))
  const size = Math.ceil(data.length / count)
  return Array.from({ length: count }, (_, index) => ({
    type: 'IDAT',
    data: data.subarray(index * size, (index + 1) * size),
  }))
}

describe('a sound PNG', () => {
  const kinds: readonly (readonly [string, PngOptions])[] = [
    ['plain', {}],
    ['interlaced', { progressive: true }],
    ['with a palette', { palette: true }],
    ['of two colours', { palette: true, colours: 2, progressive: true }],
    ['not packed', { compressionLevel: 0 }],
    ['with a filter for each row', { adaptiveFiltering: true }],
  ]
  it.each(kinds)('(%s) has no sign of damage, in any size and depth', async (_, options) => {
    for (const [width, height] of [
      [1, 1],
      [3, 9],
      [17, 5],
      [200, 150],
    ] as const) {
      const image = drawing(width, height)
      const grey = image.clone().greyscale()
      for (const one of [image, grey, image.clone().ensureAlpha(), image.clone().toColourspace('rgb16')])
        expect(await hasNoSign(await one.png(options).toBuffer())).toBe(true)
    }
  })
})

describe('a damaged PNG', async () => {
  const png = await drawing(300, 200).png().toBuffer()
  const chunks = chunksOf(png)
  const before = chunks.filter(({ type }) => type !== 'IDAT' && type !== 'IEND')
  const end = { type: 'IEND', data: Buffer.alloc(0) }
  const [first, second, third, ...rest] = split(chunks, 6)
  if (!first || !second || !third) throw new Error('There are six chunks.')
  const joined = split(chunks, 1)[0]?.data ?? Buffer.alloc(0)
  const text = { type: 'tEXt', data: Buffer.from('Title\0none') }

  it('is none if its image data are in several chunks, and text is among the others', async () => {
    expect(await hasNoSign(pngOf([...before, text, first, second, third, ...rest, text, end]))).toBe(true)
  })

  const signs: readonly (readonly [string, Buffer])[] = [
    ['two chunks in the wrong order', pngOf([...before, first, third, second, ...rest, end])],
    ['a chunk that is missing', pngOf([...before, first, third, ...rest, end])],
    ['a chunk twice', pngOf([...before, first, second, second, third, ...rest, end])],
    [
      'image data apart',
      pngOf([...before, first, { type: 'tEXt', data: Buffer.from('a\0b') }, second, third, ...rest, end]),
    ],
    ['no end', pngOf([...before, first, second, third, ...rest])],
    ['no header first', pngOf([text, ...before, { type: 'IDAT', data: joined }, end])],
    ['a changed checksum of the end', Buffer.from(png).fill(0, png.length - 1)],
    ['a changed byte of the image', Buffer.from(png).fill(1, 2_000, 2_001)],
    ['a changed byte of the header', Buffer.from(png).fill(1, 19, 20)],
  ]
  it.each(signs)('has a sign of it: %s', async (_, damaged) => {
    expect(await hasNoSign(damaged)).toBe(false)
  })
})
