import sharp, { type JpegOptions as SharpOptions } from 'sharp'
import { describe, expect, it } from 'vitest'
import { soundnessBy } from '../../../../src-main/reader/inspect-file.ts'
import { checkJpeg } from '../../../../src-main/reader/formats/jpeg.ts'
import { randomFrom } from '../../../camera/random.ts'
import { drawing } from '../draw-images.ts'
import { soundness } from './soundness.ts'
import { type JpegOptions, writeJpeg } from './write-jpeg.ts'

const END = Buffer.from([0xff, 0xd9])

const colours = [
  [2, 2],
  [1, 1],
  [1, 1],
] as const

describe('a sound JPEG', () => {
  const encodings: readonly (readonly [string, SharpOptions])[] = [
    ['baseline', {}],
    ['with the usual tables', { optimiseCoding: false }],
    ['of full colours', { chromaSubsampling: '4:4:4' }],
    ['of the best quality', { quality: 100, chromaSubsampling: '4:4:4' }],
    ['of the least quality', { quality: 1 }],
    ['progressive', { progressive: true }],
    ['progressive, of the best quality', { progressive: true, quality: 100 }],
    ['progressive, of the least quality', { progressive: true, quality: 1 }],
    ['optimised by trellis', { mozjpeg: true }],
    ['with softened rims', { trellisQuantisation: true, overshootDeringing: true, optimiseScans: true }],
  ]
  it.each(encodings)('(%s) has no sign of damage, in any size and in grey', async (_, options) => {
    for (const [width, height] of [
      [1, 1],
      [8, 8],
      [17, 9],
      [200, 150],
      [251, 333],
    ] as const) {
      const image = drawing(width, height)
      for (const one of [image, image.clone().greyscale(), image.clone().toColourspace('cmyk')])
        expect(await soundness(await one.jpeg(options).toBuffer())).toMatchObject({ kind: 'sound' })
    }
  })

  const layouts: readonly (readonly [string, JpegOptions])[] = [
    ['of one block', { width: 5, height: 3 }],
    ['with restarts after each block', { width: 200, height: 90, restartInterval: 1 }],
    ['with restarts after each row', { width: 200, height: 90, sampling: colours, restartInterval: 13 }],
    ['with restarts that do not come out even', { width: 200, height: 90, restartInterval: 7 }],
    ['with a scan for each component', { width: 203, height: 91, sampling: colours, isSeparate: true }],
    [
      'with scans and restarts',
      { width: 203, height: 91, sampling: colours, isSeparate: true, restartInterval: 9 },
    ],
    ['with colours halved across', { width: 203, height: 91, sampling: [[2, 1], colours[1], colours[2]] }],
    ['with colours halved down', { width: 203, height: 91, sampling: [[1, 2], colours[1], colours[2]] }],
    ['padded with zeros', { width: 203, height: 91, padding: 'zeros' }],
    ['that fills a word with zeros', { width: 203, height: 91, left: [0, 0, 0] }],
    ['that fills a word with ones', { width: 203, height: 91, left: [0xff, 0, 0xff, 0] }],
  ]
  it.each(layouts)('(%s) has no sign of damage', async (_, options) => {
    const jpeg = writeJpeg(options)
    expect(await soundness(jpeg)).toMatchObject({ kind: 'sound' })
    expect(await sharp(jpeg).metadata()).toMatchObject({ width: options.width, height: options.height })
  })

  it('may be followed by anything, and have stray bytes between its segments', async () => {
    const jpeg = writeJpeg({ width: 40, height: 40 })
    const trailer = Buffer.from([0, 0xff, 0xd8, 1, 2, 3])
    const strays = Buffer.from([1, 2, 0, 0xff, 0])
    expect(await soundness(Buffer.concat([jpeg, trailer]))).toMatchObject({ kind: 'sound' })
    const astray = Buffer.concat([jpeg.subarray(0, 2), strays, jpeg.subarray(2)])
    expect(await soundness(astray)).toMatchObject({ kind: 'sound' })
  })
})

it('without a height in its frame is doubted, as libjpeg refuses it', async () => {
  const jpeg = writeJpeg({ width: 64, height: 32 })
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  expect(await soundness(Buffer.from(jpeg).fill(0, frame + 5, frame + 7))).toMatchObject({ kind: 'doubtful' })
})

it('is as large as its container has pixels for', async () => {
  const jpeg = writeJpeg({ width: 64, height: 32 })
  expect(await soundnessBy(checkJpeg(jpeg, 64 * 32))).toMatchObject({ kind: 'sound' })
  expect(await soundnessBy(checkJpeg(jpeg, 64 * 31))).toMatchObject({ kind: 'doubtful' })
})

describe('what is not walked', () => {
  const frameOf = (marker: number): Buffer => {
    const jpeg = writeJpeg({ width: 40, height: 40 })
    return jpeg.fill(
      marker,
      jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 1,
      jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 2,
    )
  }
  it('is named, and is no sign of damage', async () => {
    expect(await soundness(frameOf(0xc9))).toEqual({ kind: 'notChecked', what: 'arithmetic' })
    expect(await soundness(frameOf(0xc3))).toEqual({ kind: 'notChecked', what: 'lossless' })
    const deep = writeJpeg({ width: 40, height: 40 })
    deep[deep.indexOf(Buffer.from([0xff, 0xc0])) + 4] = 12
    expect(await soundness(deep)).toEqual({ kind: 'notChecked', what: 'twelveBits' })
  })

  it('is a frame without tables, as video cameras write it', async () => {
    const jpeg = writeJpeg({ width: 40, height: 40 })
    const tables = jpeg.indexOf(Buffer.from([0xff, 0xc4]))
    const bare = Buffer.concat([
      jpeg.subarray(0, tables),
      jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda]))),
    ])
    expect(await soundness(bare)).toEqual({ kind: 'notChecked', what: 'noTables' })
  })
})

/** At how many of 25 positions in the coded data damage is not noticed. */
async function missed(jpeg: Buffer, damage: (copy: Buffer, at: number) => Buffer): Promise<number> {
  const random = randomFrom(7)
  const from = jpeg.lastIndexOf(Buffer.from([0xff, 0xda])) + 16
  const positions = Array.from({ length: 25 }, () => from + Math.floor(random() * (jpeg.length - from - 600)))
  const found = await Promise.all(positions.map((at) => soundness(damage(Buffer.from(jpeg), at))))
  return found.filter(({ kind }) => kind !== 'doubtful').length
}

describe('a damaged JPEG', async () => {
  const noise = randomFrom(3)
  const pictures = {
    baseline: await drawing(900, 700).jpeg({ quality: 90 }).toBuffer(),
    'of full colours': await drawing(900, 700).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(),
    progressive: await drawing(900, 700).jpeg({ progressive: true, quality: 92 }).toBuffer(),
    'with restarts': writeJpeg({ width: 900, height: 700, sampling: colours, restartInterval: 57 }),
  }

  it.each(Object.entries(pictures))('(%s) is noticed at every place', async (_, jpeg) => {
    const foreign = (copy: Buffer, at: number): Buffer => {
      for (let index = 0; index < 512; index += 1) copy[at + index] = Math.floor(noise() * 255)
      return copy
    }
    expect(await missed(jpeg, foreign)).toBe(0)
    expect(await missed(jpeg, (copy, at) => copy.fill(0, at, at + 512))).toBe(0)
    expect(await missed(jpeg, (copy, at) => Buffer.concat([copy.subarray(0, at), END]))).toBe(0)
  })
})

describe('each sign of damage', () => {
  const options: JpegOptions = { width: 200, height: 90, sampling: colours, restartInterval: 13 }
  const jpeg = writeJpeg(options)
  const markerAt = (code: number): number => jpeg.indexOf(Buffer.from([0xff, code]))
  const spliced = (from: number, to: number, ...bytes: readonly number[]): Buffer =>
    Buffer.concat([jpeg.subarray(0, from), Buffer.from(bytes), jpeg.subarray(to)])
  const end = jpeg.length - 2
  const signs: readonly (readonly [string, Buffer])[] = [
    ['a restart marker out of order', spliced(markerAt(0xd1) + 1, markerAt(0xd1) + 2, 0xd2)],
    ['a restart marker that is missing', spliced(markerAt(0xd1), markerAt(0xd1) + 2)],
    ['a whole interval that is missing', spliced(markerAt(0xd0), markerAt(0xd1))],
    ['the last interval that is missing', spliced(jpeg.lastIndexOf(Buffer.from([0xff, 0xd4])), end)],
    ['bytes after the last block', spliced(end, end, 1, 2, 3)],
    ['more zeros after the last block than a word', spliced(end, end, 0, 0, 0, 0, 0, 0)],
    ['no end marker', spliced(end, jpeg.length)],
    ['no scan', spliced(markerAt(0xda), end)],
    [
      'a scan of a component that is not there',
      writeJpeg(options).fill(9, markerAt(0xda) + 5, markerAt(0xda) + 6),
    ],
    [
      'a frame twice',
      spliced(markerAt(0xc0), markerAt(0xc0), ...jpeg.subarray(markerAt(0xc0), markerAt(0xc4))),
    ],
    ['no quantisation table', spliced(markerAt(0xdb), markerAt(0xc0))],
    ['a component without a scan', oneScanOf(writeJpeg({ ...options, isSeparate: true }))],
  ]
  it.each(signs)('%s is one', async (_, damaged) => {
    expect(await soundness(jpeg)).toMatchObject({ kind: 'sound' })
    expect(await soundness(damaged)).toMatchObject({ kind: 'doubtful' })
  })

  it('a progressive picture that lacks its last scans is one, at whichever scan it ends', async () => {
    const progressive = await drawing(300, 200).jpeg({ progressive: true, quality: 90 }).toBuffer()
    expect(await soundness(progressive)).toMatchObject({ kind: 'sound' })
    let scans = 0
    for (
      let at = progressive.indexOf('ffda', 0, 'hex');
      at !== -1;
      at = progressive.indexOf('ffda', at + 1, 'hex')
    ) {
      const cut = Buffer.concat([progressive.subarray(0, at), Buffer.from([0xff, 0xd9])])
      expect(await soundness(cut)).toMatchObject({ kind: 'doubtful' })
      scans += 1
    }
    expect(scans).toBeGreaterThan(5)
  })
})

/** A JPEG with a scan for each component, without its last scan. */
function oneScanOf(jpeg: Buffer): Buffer {
  return Buffer.concat([
    jpeg.subarray(0, jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))),
    Buffer.from([0xff, 0xd9]),
  ])
}
