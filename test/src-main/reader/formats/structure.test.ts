import { describe, expect, it } from 'vitest'
import { type ReadAt, readAtOfBytes } from '../../../../src-main/reader/formats/bytes.ts'
import type { Outline } from '../../../../src-main/reader/inspect-file.ts'
import { contentKindOf, HEAD_BYTES, isImageType } from '../../../../src-main/reader/inspect-file.ts'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { drawnBitmaps } from '../draw-bitmaps.ts'
import {
  drawing,
  type DrawnImage,
  drawnImages,
  drawnJpegs,
  drawnPngs,
  drawnTiffs,
  tiffOfManyPointers,
  tiffOfSharedNumbers,
  withThumbnail,
} from '../draw-images.ts'
import { drawnZip } from '../draw-zips.ts'
import { mutationsOf } from '../mutations.ts'
import { outline } from './soundness.ts'

const rgb = await drawing(60, 40).raw().toBuffer()
const plainDicom = { transferSyntax: 'explicitLittle', image: { width: 60, height: 40, rgb } } as const
const zip = await drawnZip()
const images: readonly DrawnImage[] = [
  ...(await drawnImages()),
  {
    name: 'TIFF in many strips',
    bytes: await drawing(200, 700).tiff({ compression: 'none' }).toBuffer(),
    isPlain: true,
  },
  ...(await drawnBitmaps()),
  { name: 'DICOM with a JPEG inside', bytes: await dicomFile(), isPlain: false },
  { name: 'DICOM with plain pixels', bytes: await dicomFile(plainDicom), isPlain: true },
  { name: 'ZIP of images', bytes: zip, isPlain: false },
]

async function check(bytes: Uint8Array, readAt = readAtOfBytes(bytes)): Promise<Outline | null> {
  const kind = contentKindOf(bytes.subarray(0, HEAD_BYTES))
  return isImageType(kind) || kind === 'zip' ? outline(bytes, kind, readAt) : null
}

const isWhole = async (bytes: Uint8Array): Promise<boolean> => (await check(bytes))?.kind === 'whole'

/** Reads these bytes, and counts how much is read at once and in all. */
function countedReadAt(bytes: Uint8Array): { readonly readAt: ReadAt; longest: number; total: number } {
  const counted = {
    longest: 0,
    total: 0,
    readAt: async (position: number, length: number): Promise<Uint8Array> => {
      counted.longest = Math.max(counted.longest, length)
      counted.total += length
      return bytes.subarray(position, position + length)
    },
  }
  return counted
}

const twentieths = (sizeBytes: number): number[] =>
  Array.from({ length: 20 }, (_, index) => Math.floor((sizeBytes * index) / 20))

/** The lengths that leave out so many of the last bytes. */
const withoutLast = (sizeBytes: number, most: number): number[] =>
  Array.from({ length: Math.min(most, sizeBytes) }, (_, index) => sizeBytes - 1 - index)

it.each(images)(
  '$name is whole, and never accepted cut: at every 5 % and at every byte near its end',
  async ({ bytes }) => {
    expect(await isWhole(bytes)).toBe(true)
    const accepted: number[] = []
    for (const length of [...twentieths(bytes.length), ...withoutLast(bytes.length, 600)])
      if (await isWhole(bytes.subarray(0, length))) accepted.push(length - bytes.length)
    expect(accepted).toEqual([])
  },
)

// Plain pixels may end in zeros, so of them only a missing half is noticed; in a palette zero is a colour.
it.each(images.filter(({ name }) => !/BMP of 256/.test(name)))(
  '$name is never accepted while its size is reserved and the rest is still zeros',
  async ({ bytes, isPlain }) => {
    const accepted: number[] = []
    for (const length of twentieths(bytes.length).slice(0, isPlain ? 10 : 20)) {
      const reserved = Buffer.alloc(bytes.length)
      bytes.copy(reserved, 0, 0, length)
      if (await isWhole(reserved)) accepted.push(length - bytes.length)
    }
    expect(accepted).toEqual([])
  },
)

it.each([
  ['JPEG', images.filter(({ bytes }) => bytes[0] === 0xff)],
  ...['PNG', 'TIFF', 'BMP', 'ZIP'].map((type) => [type, images.filter(({ name }) => name.includes(type))]),
] as [string, DrawnImage[]][])(
  '2,000 damaged files (%s) each end with a finding, and little more is read than each holds',
  async (_, originals) => {
    const findings = new Set<string | undefined>()
    for (const { bytes } of originals)
      for (const damaged of mutationsOf(bytes, Math.ceil(2_000 / originals.length))) {
        const counted = countedReadAt(damaged)
        findings.add((await check(damaged, counted.readAt))?.kind)
        expect(counted.longest).toBeLessThanOrEqual(Math.max(2 * damaged.length, 2_000_000))
      }
    expect([...findings]).toEqual(expect.arrayContaining(['whole', 'truncated']))
  },
  60_000,
)

it('a JPEG of more than one window is walked to its end without being held in memory', async () => {
  const big = await drawing(3_000, 2_000).jpeg({ quality: 100 }).toBuffer()
  expect(big.length).toBeGreaterThan(1_000_000)
  const counted = countedReadAt(big)
  expect((await check(big, counted.readAt))?.kind).toBe('whole')
  expect((await check(big.subarray(0, -1), counted.readAt))?.kind).toBe('truncated')
  expect(counted.longest).toBeLessThanOrEqual(256 * 1_024)
})

it('a TIFF is checked without reading its image', async () => {
  const [plain] = await drawnTiffs()
  const counted = countedReadAt(plain!.bytes)
  expect((await check(plain!.bytes, counted.readAt))?.kind).toBe('whole')
  expect(counted.total).toBeLessThan(plain!.bytes.length / 10)
})

/** A small TIFF of the other byte order, one strip of one grey pixel. */
function bigEndian(): Buffer {
  const entries = [
    [256, 3, 1, 1 << 16],
    [257, 3, 1, 1 << 16],
    [273, 4, 1, 8],
    [279, 4, 1, 1],
  ]
  const bytes = Buffer.alloc(10 + 2 + entries.length * 12 + 4)
  bytes.write('MM')
  bytes.writeUInt16BE(42, 2)
  bytes.writeUInt32BE(10, 4)
  bytes.writeUInt16BE(entries.length, 10)
  entries.forEach(([tag, type, count, value], index) => {
    const at = 12 + index * 12
    bytes.writeUInt16BE(tag!, at)
    bytes.writeUInt16BE(type!, at + 2)
    bytes.writeUInt32BE(count!, at + 4)
    bytes.writeUInt32BE(value!, at + 8)
  })
  return bytes
}

// Reading them in full would take minutes.
it.each([
  ['too many directories', tiffOfManyPointers()],
  ['more numbers than any image needs', tiffOfSharedNumbers()],
])('a TIFF with %s is malformed, and they are not read', async (what, bytes) => {
  expect(await check(bytes)).toMatchObject({ kind: 'malformed', message: expect.stringContaining(what) })
})

it('a TIFF of the other byte order is truncated when cut anywhere', async () => {
  const bytes = bigEndian()
  for (const length of withoutLast(bytes.length, bytes.length - 4))
    expect((await check(bytes.subarray(0, length)))?.kind).toBe('truncated')
})

describe('a file is', async () => {
  const concat = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts)
  const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(bytes)
    change(copy)
    return copy
  }
  const jpeg = (await drawnJpegs())[0]!.bytes
  const small = await drawing(40, 30).jpeg().toBuffer()
  const both = withThumbnail(jpeg, small)
  const afterThumbnail = both.indexOf(Buffer.of(0xff, 0xd9)) + 2

  const plainBmp = (await drawnBitmaps())[0]!.bytes
  const bmp = (change: (copy: Buffer) => void): Buffer => changed(plainBmp, change)
  const rimBytes = Math.floor((plainBmp.length - 54) * 0.45)

  const commented = concat(zip, Buffer.from('a comment'))
  commented.writeUInt16LE(9, zip.length - 2)
  const secondFile = zip.indexOf('PK\u0003\u0004', 4, 'latin1')
  const directory = zip.indexOf('PK\u0001\u0002', 0, 'latin1')

  const png = (await drawnPngs())[0]!.bytes
  const tiff = (await drawnTiffs())[0]!.bytes
  // libvips writes the pixels, 200 by 150 of three bytes, right behind the header of eight.
  const pixelsEnd = 8 + 90_000
  const tiffWithout = (share: number): Buffer =>
    changed(tiff, (copy) => copy.fill(0, Math.floor(pixelsEnd - 90_000 * share), pixelsEnd))
  const big = (change: (copy: Buffer) => void): Buffer => changed(bigEndian(), change)

  const table: Readonly<Record<Outline['kind'], readonly (readonly [what: string, bytes: Buffer])[]>> = {
    whole: [
      ['a JPEG with zeros behind its end', concat(jpeg, Buffer.alloc(5_000))],
      ['a JPEG with FF behind its end', concat(jpeg, Buffer.alloc(4_096, 0xff))],
      ["a JPEG with the maker's own data behind its end", concat(jpeg, Buffer.from('MAKER\u0001 trailer'))],
      ['a JPEG with a further whole image', concat(jpeg, small)],
      ['a JPEG with padding and a further whole image', concat(jpeg, Buffer.alloc(100), small)],
      ['a JPEG with fill bytes', concat(jpeg.subarray(0, 2), Buffer.alloc(3, 0xff), jpeg.subarray(2))],
      ['a BMP that states too small a file', bmp((copy) => copy.writeUInt32LE(9, 2))],
      ['a BMP that states too large a file', bmp((copy) => copy.writeUInt32LE(9_999_999, 2))],
      ['a BMP with a black rim', bmp((copy) => copy.fill(0, copy.length - rimBytes))],
      ['a ZIP with a comment behind its directory', commented],
      ['a TIFF of the other byte order', bigEndian()],
      ['a TIFF whose directories form a ring', big((copy) => copy.writeUInt32BE(10, copy.length - 4))],
      ['a TIFF with a black rim', tiffWithout(0.45)],
    ],
    truncated: [
      ['a JPEG with half of a further one', concat(jpeg, Buffer.alloc(10), small.subarray(0, -40))],
      ['a JPEG that ends with the thumbnail inside it', both.subarray(0, afterThumbnail)],
      ['a ZIP with half of its comment', commented.subarray(0, commented.length - 3)],
      ['a ZIP without a file', changed(zip, (copy) => copy.fill(0, secondFile, secondFile + 512))],
      ['a TIFF with a directory and half of its plain pixels', tiffWithout(0.5)],
      ['a TIFF with a directory and no pixels', tiffWithout(1)],
      ['a TIFF with a strip beyond its end', big((copy) => copy.writeUInt32BE(9_999, 12 + 2 * 12 + 8))],
    ],
    malformed: [
      ['a JPEG without an image', Buffer.of(0xff, 0xd8, 0xff, 0xd9)],
      ['a JPEG with a segment shorter than its length', Buffer.of(0xff, 0xd8, 0xff, 0xe0, 0, 1, 0, 0)],
      ['a BMP with a negative width', bmp((copy) => copy.writeInt32LE(-61, 18))],
      ['a BMP with a giant height', bmp((copy) => copy.writeInt32LE(-0x8000_0000, 22))],
      ['a BMP with pixels inside its head', bmp((copy) => copy.writeUInt32LE(20, 10))],
      ['a ZIP with another directory', changed(zip, (copy) => copy.fill(0x51, directory, directory + 1))],
      ['a PNG without its header', concat(png.subarray(0, 8), png.subarray(33))],
      ['a PNG with a chunk of no name', changed(png, (copy) => copy.fill(0x07, 37, 41))],
      [
        'a TIFF without any image',
        big((copy) => {
          copy.writeUInt16BE(1_273, 12 + 2 * 12)
          copy.writeUInt16BE(1_279, 12 + 3 * 12)
        }),
      ],
    ],
  }
  it.each(Object.entries(table).flatMap(([kind, rows]) => rows.map((row) => [kind, ...row] as const)))(
    '%s: %s',
    async (kind, _, bytes) => {
      expect((await check(bytes))?.kind).toBe(kind)
    },
  )
})
