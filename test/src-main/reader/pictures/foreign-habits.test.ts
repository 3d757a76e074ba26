/** Files that other programs read, and whose makers took liberties: taken, and called damaged only if they are. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync, zstdCompressSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeScreenPicture, makeThumbnail } from '../../../../src-main/reader/pictures/decode.ts'
import { readPhoto } from '../../../../src-main/reader/pictures/photo.ts'
import type { ImageType } from '../../../../src-shared/image-files.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawnOddBitmaps } from '../draw-bitmaps.ts'
import { drawing } from '../draw-images.ts'
import { outline } from '../formats/soundness.ts'
import {
  ASCII,
  BYTE,
  HEIGHT,
  LONG,
  RATIONAL,
  rgb,
  SHORT,
  SIGNED,
  tagsOf,
  type TiffTag,
  tiffOf,
  WIDTH,
} from '../write-tiff.ts'

let root: string
let path: string
beforeEach(async () => {
  root = temporaryFolder()
  path = join(root, 'original')
  await mkdir(join(root, 'pictures'))
})

/** `taken`, `doubted`, `damaged`, or what cannot be shown; `cut` if the file does not count as whole. */
async function classified(bytes: Buffer, type: ImageType): Promise<string> {
  await writeFile(path, bytes)
  if ((await outline(bytes, type)).kind !== 'whole') return 'cut'
  const request = {
    path,
    contentType: type,
    pictureFolder: join(root, 'pictures'),
  } as const
  const reading = await readPhoto(request)
  if (reading.kind !== 'whole') return reading.kind
  const [oddity] = reading.oddities.filter(({ kind }) => kind !== 'blankImage')
  if (oddity === undefined) return 'taken'
  const what = oddity.wording?.values?.['what']
  return oddity.kind === 'noPreview'
    ? `not shown: ${(what as { key: string }).key.split('.').at(-1)}`
    : 'doubted'
}

const short = (tag: number, ...values: number[]): TiffTag => ({ tag, type: SHORT, values })

describe('a sound TIFF of a sloppy maker', () => {
  const plain = (...others: TiffTag[]): Buffer => tiffOf(tagsOf(others), rgb)
  const rowBytes = WIDTH * 3
  const strips = Array.from({ length: HEIGHT / 5 }, (_, index) => index * 5 * rowBytes)
  /** In strips of five rows, at these distances. */
  const inStrips = (sizes: number, without: readonly number[] = [], gap = 0): Buffer => {
    const make = (from: number): Buffer =>
      tiffOf(
        tagsOf(
          [
            short(278, 5),
            { tag: 279, type: LONG, values: Array.from({ length: sizes }, () => 5 * rowBytes) },
            { tag: 273, type: LONG, values: strips.map((at, index) => from + at + index * gap) },
          ].filter(({ tag }) => !without.includes(tag)),
          without,
        ),
        Buffer.concat(
          strips.map((at) => Buffer.concat([rgb.subarray(at, at + 5 * rowBytes), Buffer.alloc(gap, 9)])),
        ),
      )
    return make(make(0).length - rgb.length - strips.length * gap)
  }
  const files: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['a name without its closing zero', plain({ tag: 271, type: ASCII, values: 'Maker Corp' })],
    ['such a name inside its entry', plain({ tag: 272, type: ASCII, values: 'Cam1' })],
    ['tags out of order', tiffOf(tagsOf().toReversed(), rgb, { isUnsorted: true })],
    [
      "tags of the maker's own, of no known type",
      plain({ ...short(60_000, 5), type: 129 }, { ...short(60_001, 5), type: 0 }),
    ],
    ["the maker's own bytes", plain({ tag: 65_000, type: 7, values: Buffer.alloc(40, 9) })],
    [
      'offsets that are odd',
      tiffOf(tagsOf([{ tag: 305, type: ASCII, values: 'Program' }]), rgb, { isOdd: true }),
    ],
    [
      'the other order of bytes, and no order of tags',
      tiffOf(tagsOf().toReversed(), rgb, { isBig: true, isUnsorted: true }),
    ],
    ['no rows per strip', tiffOf(tagsOf([], [278]), rgb)],
    ['the most rows per strip', plain({ tag: 278, type: LONG, values: [0xffff_ffff] })],
    ['no sizes of strips', tiffOf(tagsOf([], [279]), rgb)],
    ['sizes of nothing', plain({ tag: 279, type: LONG, values: [0] })],
    [
      'the size of the file in place of the strip',
      plain({ tag: 279, type: LONG, values: [rgb.length + 500] }),
    ],
    ['one number of bits for three colours', plain(short(258, 8))],
    ['a number of bits more than it has colours', plain(short(258, 8, 8, 8, 8))],
    ['several strips', inStrips(9)],
    ['several strips, and no number of their rows', inStrips(9, [278])],
    ['several strips that lie apart', inStrips(9, [], 7)],
    ['a tag twice', plain(short(256, WIDTH), short(256, WIDTH))],
    [
      'a resolution of nothing, in no unit',
      plain({ tag: 282, type: RATIONAL, values: [0, 0] }, short(296, 9)),
    ],
    ['a resolution that is no fraction', plain({ tag: 282, type: LONG, values: [72] })],
    ['an orientation that is none', plain(short(274, 0))],
    ['a date in another form', plain({ tag: 306, type: ASCII, values: '3/7/2026' })],
    ['a text that is shorter than it says', plain({ tag: 305, type: ASCII, values: 'Program', count: 300 })],
    ['a text as long as no file', plain({ tag: 305, type: ASCII, values: 'Program', count: 4_000_000 })],
    ['a next directory that was never set', tiffOf(tagsOf(), rgb, { next: 0xcdcd_cdcd })],
    ['a next directory amid its pixels', tiffOf(tagsOf(), rgb, { next: 8 + 200 })],
    ['a pointer to EXIF that is none', plain({ tag: 34_665, type: LONG, values: [0xdead_beef] })],
    ['a width with a sign', plain({ tag: 256, type: SIGNED, values: [WIDTH] })],
    ['a table of colours that it does not need', plain(short(320, 1, 2, 3))],
    ['a page number of one number', plain(short(297, 1))],
    ['XMP that is cut', plain({ tag: 700, type: BYTE, values: Buffer.from('<x:xmp') })],
  ]
  it.each(files)('with %s is taken, undoubted, and shown', async (_, bytes) => {
    expect(await classified(bytes, 'image/tiff')).toBe('taken')
    expect(await makeThumbnail(path, join(root, 'thumbnail.jpg'))).toBe(true)
    expect(await makeScreenPicture(path, join(root, 'screen.png'))).toBe(true)
    const shown = await sharp(join(root, 'screen.png')).raw().toBuffer()
    expect(shown.equals(rgb)).toBe(true)
  })

  it.each(['lzw', 'packbits', 'deflate', 'jpeg'] as const)('is taken in %s, too', async (compression) => {
    const sound = await drawing(WIDTH, HEIGHT).tiff({ compression, predictor: 'none' }).toBuffer()
    const packed = sound.subarray(8, sound.readUInt32LE(4))
    const coded = { lzw: 5, packbits: 32_773, deflate: 8, jpeg: 7 }[compression]
    const entry = (tag: number): number => {
      for (let at = sound.readUInt32LE(4) + 2; ; at += 12) if (sound.readUInt16LE(at) === tag) return at
    }
    const strip = packed.subarray(0, sound.readUInt32LE(entry(279) + 8))
    const tables = compression === 'jpeg' ? tablesOf(sound, entry(347)) : []
    const colours = compression === 'jpeg' ? [short(262, 6), short(530, 2, 2)] : []
    const tags = [short(259, coded), ...tables, ...colours, { tag: 271, type: ASCII, values: 'Maker Corp' }]
    const file = (bytes: Buffer, how = {}): Buffer =>
      tiffOf(tagsOf(tags, [278], bytes.length).toReversed(), bytes, how)
    expect(await classified(file(strip, { isUnsorted: true }), 'image/tiff')).toBe('taken')
    for (const damaged of [strip.subarray(0, -40), Buffer.from(strip).fill(0xa5, 400, 460)])
      expect(await classified(file(damaged, { isUnsorted: true }), 'image/tiff')).toMatch(/damaged|doubted/)
  })

  function tablesOf(tiff: Buffer, entry: number): TiffTag[] {
    const at = tiff.readUInt32LE(entry + 8)
    return [{ tag: 347, type: 7, values: tiff.subarray(at, at + tiff.readUInt32LE(entry + 4)) }]
  }

  it.each([
    ['two widths', plain(short(256, WIDTH), short(256, WIDTH + 1)), /doubted/],
    ['sizes of some of its strips only', inStrips(2), /doubted|not shown/],
    ['no rows for strips that lie apart', inStrips(9, [278], 10), /doubted|not shown/],
    ['several strips of no sizes', inStrips(9, [279]), /not shown: layout/],
    ['a strip of fewer rows', tiffOf(tagsOf([], [], 999), rgb), /doubted|damaged/],
    ['half of its pixels', plain().subarray(0, -rgb.length / 2), /cut/],
    [
      'no sizes, and half of its pixels',
      tiffOf(tagsOf([], [279]), rgb).subarray(0, -rgb.length / 2),
      /cut|doubted|damaged/,
    ],
    ['a second directory that was cut off', tiffOf(tagsOf(), rgb, { next: 8 + 150 + rgb.length }), /cut/],
  ])('with %s is not', async (_, bytes, verdict) => {
    expect(await classified(bytes, 'image/tiff')).toMatch(verdict)
  })
})

describe('what no decoder here knows is kept, and is not called damaged', async () => {
  const bytesOf = (length: number): Buffer =>
    Buffer.from(Array.from({ length }, (_, index) => (index * 37) & 0xff))
  const isLast = ({ tag }: TiffTag, index: number, all: readonly TiffTag[]): boolean =>
    all.findLastIndex((other) => other.tag === tag) === index
  const grey = (bits: number, ...others: TiffTag[]): Buffer => {
    const pixels = bytesOf(Math.ceil((WIDTH * bits) / 8) * HEIGHT)
    return tiffOf(
      tagsOf([short(258, bits), short(277, 1), short(262, 1), ...others].filter(isLast), [], pixels.length),
      pixels,
    )
  }
  const packed = (compression: number, bytes: Buffer, ...others: TiffTag[]): Buffer =>
    tiffOf(tagsOf([short(259, compression), ...others], [], bytes.length), bytes)
  const jpeg = await drawing(WIDTH, HEIGHT).jpeg().toBuffer()
  const files: readonly (readonly [what: string, why: string, bytes: Buffer])[] = [
    ...[6, 10, 12, 14, 24].map((bits) => [`${bits} bits`, 'bits', grey(bits)] as const),
    [
      'three colours of 12 bits',
      'bits',
      tiffOf(tagsOf([short(258, 12, 12, 12)], [], rgb.length * 1.5), bytesOf(rgb.length * 1.5)),
    ],
    [
      '16 bits shared by three colours',
      'bits',
      tiffOf(tagsOf([short(258, 5, 6, 5)], [], WIDTH * HEIGHT * 2), bytesOf(WIDTH * HEIGHT * 2)),
    ],
    ['numbers that are complex', 'layout', grey(16, short(339, 5))],
    ['the colours of a sensor', 'colours', tiffOf(tagsOf([short(262, 32_803)]), rgb)],
    ['a mask', 'colours', grey(8, short(262, 4))],
    ['no colours that it names', 'colours', tiffOf(tagsOf([], [262]), rgb)],
    ['no number of rows', 'layout', tiffOf(tagsOf([short(278, 0)]), rgb)],
    ['planes of no number', 'layout', tiffOf(tagsOf([short(284, 0)]), rgb)],
    ['no bits', 'layout', tiffOf(tagsOf([], [258]), rgb)],
    [
      'old-style JPEG',
      'compression',
      packed(
        6,
        jpeg,
        short(262, 6),
        { tag: 513, type: LONG, values: [0] },
        { tag: 514, type: LONG, values: [jpeg.length] },
      ),
    ],
    [
      'old-style JPEG without strips',
      'compression',
      tiffOf(tagsOf([short(259, 6), short(262, 6), { tag: 513, type: LONG, values: [0] }], [273, 279]), jpeg),
    ],
    ['JBIG', 'compression', packed(34_661, bytesOf(3_000))],
    ['LERC', 'compression', packed(34_887, bytesOf(3_000))],
    ['Zstandard', 'compression', packed(50_000, zstdCompressSync(rgb))],
    ['LZMA', 'compression', packed(34_925, bytesOf(3_000))],
    ["a maker's own packing", 'compression', packed(65_001, bytesOf(3_000))],
  ]
  it.each(files)('(a TIFF of %s: %s)', async (_, why, bytes) => {
    expect(await classified(bytes, 'image/tiff')).toBe(`not shown: ${why}`)
    expect(await classified(bytes.subarray(0, -rgb.length / 3), 'image/tiff')).toMatch(/cut|damaged/)
  })

  it('is shown if the decoder does know it', async () => {
    const webp = await drawing(WIDTH, HEIGHT).webp().toBuffer()
    expect(await classified(packed(50_001, webp), 'image/tiff')).toBe('taken')
    expect(await classified(packed(32_946, deflateSync(rgb)), 'image/tiff')).toBe('taken')
    expect(await classified(grey(16), 'image/tiff')).toBe('taken')
  })

  /** The same JPEG with another start of its frame, or more bits. */
  const withFrame = (marker: number, bits = 8): Buffer => {
    const copy = Buffer.from(jpeg)
    const at = copy.indexOf(Buffer.from([0xff, 0xc0]))
    copy[at + 1] = marker
    copy[at + 4] = bits
    return copy
  }
  it.each([
    ['of 12 bits', 'twelveBits', withFrame(0xc1, 12)],
    ['without loss', 'lossless', withFrame(0xc3)],
    [
      'with a marker of later standards',
      'layout',
      Buffer.concat([jpeg.subarray(0, 2), Buffer.from('fff00004abcd', 'hex'), jpeg.subarray(2)]),
    ],
  ])('(a JPEG %s: %s)', async (_, why, bytes) => {
    expect(await classified(bytes, 'image/jpeg')).toBe(`not shown: ${why}`)
    expect(await classified(bytes.subarray(0, -200), 'image/jpeg')).toBe('cut')
  })

  it.each(await drawnOddBitmaps())('($name)', async ({ bytes }) => {
    expect(await classified(bytes, 'image/bmp')).toBe('not shown: bitmap')
    expect(await classified(bytes.subarray(0, bytes.length / 2), 'image/bmp')).toBe('cut')
  })
})

describe('a sound PNG or JPEG of a sloppy maker', async () => {
  const png = await drawing(WIDTH, HEIGHT).png().toBuffer()
  const chunk = (
    type: string,
    data: Buffer,
    sum = crc32(Buffer.concat([Buffer.from(type), data])),
  ): Buffer => {
    const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)])
    bytes.writeUInt32BE(data.length)
    bytes.writeUInt32BE(sum, bytes.length - 4)
    return bytes
  }
  const withChunk = (...parts: Parameters<typeof chunk>): Buffer =>
    Buffer.concat([png.subarray(0, 33), chunk(...parts), png.subarray(33)])
  const jpeg = await drawing(WIDTH, HEIGHT).jpeg().toBuffer()
  const withSegment = (hex: string): Buffer =>
    Buffer.concat([jpeg.subarray(0, 2), Buffer.from(hex, 'hex'), jpeg.subarray(2)])
  const files: readonly (readonly [what: string, bytes: Buffer, type: ImageType])[] = [
    ['a wrong checksum of a text', withChunk('tEXt', Buffer.from('a\0b'), 5), 'image/png'],
    ['a profile of colours that is none', withChunk('iCCP', Buffer.from('x\0\0nothing')), 'image/png'],
    ['a size of pixels that is cut', withChunk('pHYs', Buffer.alloc(3)), 'image/png'],
    ["a chunk of the maker's own", withChunk('prVt', Buffer.from('hello')), 'image/png'],
    ['words behind its end', Buffer.concat([png, Buffer.from('made by')]), 'image/png'],
    ['an unknown revision', withSegment('ffe000104a46494600090101004800480000'), 'image/jpeg'],
    ['EXIF that is none', withSegment('ffe1000845786966ffff'), 'image/jpeg'],
    ['a thumbnail that is not there', withSegment('ffe000104a46494600010100004800480505'), 'image/jpeg'],
    ['a transform of colours that is none', withSegment('ffee000e41646f626500640000000009'), 'image/jpeg'],
  ]
  it.each(files)('with %s is taken', async (_, bytes, type) => {
    expect(await classified(bytes, type)).toBe('taken')
    expect(await makeThumbnail(path, join(root, 'thumbnail.jpg'))).toBe(true)
  })
})
