import { describe, expect, it } from 'vitest'
import { readAtOfBytes, type Structure } from '../../../../src-main/station/intake/file-structure.ts'
import {
  contentKindOf,
  HEAD_BYTES,
  isImageType,
  structureOf,
} from '../../../../src-main/station/intake/inspect-file.ts'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { drawnBitmaps } from './draw-bitmaps.ts'
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
} from './draw-images.ts'
import { drawnZip } from './draw-zips.ts'
import { mutationsOf } from './mutations.ts'

const rgb = await drawing(60, 40).raw().toBuffer()
const manyStrips = await drawing(200, 700).tiff({ compression: 'none' }).toBuffer()
const images: readonly DrawnImage[] = [
  ...(await drawnImages()),
  { name: 'TIFF in many strips', bytes: manyStrips, isPlain: true },
  ...(await drawnBitmaps()),
  { name: 'DICOM with a JPEG inside', bytes: await dicomFile(), isPlain: false },
  {
    name: 'DICOM with plain pixels',
    bytes: await dicomFile({ transferSyntax: 'explicitLittle', image: { width: 60, height: 40, rgb } }),
    isPlain: true,
  },
  { name: 'ZIP of images', bytes: await drawnZip(), isPlain: false },
]

async function check(bytes: Uint8Array): Promise<Structure | { kind: 'noImage' }> {
  const kind = contentKindOf(bytes.subarray(0, HEAD_BYTES))
  if (!isImageType(kind) && kind !== 'zip') return { kind: 'noImage' }
  return structureOf(kind, readAtOfBytes(bytes), bytes.length)
}

function twentieths(sizeBytes: number): number[] {
  return Array.from({ length: 20 }, (_, index) => Math.floor((sizeBytes * index) / 20))
}

/** The lengths that leave out so many of the last bytes. */
function withoutLast(sizeBytes: number, most: number): number[] {
  return Array.from({ length: Math.min(most, sizeBytes) }, (_, index) => sizeBytes - 1 - index)
}

describe.each(images)('$name', ({ bytes }) => {
  it('is whole as it was written', async () => {
    expect(await check(bytes)).toEqual({ kind: 'whole' })
  })

  it('is never accepted when it is cut, at every 5 % and at every byte near its end', async () => {
    const accepted: number[] = []
    for (const length of [...twentieths(bytes.length), ...withoutLast(bytes.length, 600)]) {
      if ((await check(bytes.subarray(0, length))).kind === 'whole') accepted.push(length - bytes.length)
    }
    expect(accepted).toEqual([])
  })
})

// Plain pixels may end in zeros by right, so of them only what is half missing is told; in a palette zero is a colour.
it.each(images.filter(({ name }) => !/BMP of (256|16 greys|two)/.test(name)))(
  '$name is never accepted when its size was reserved and the rest is still zeros',
  async ({ bytes, isPlain }) => {
    const accepted: number[] = []
    for (const length of twentieths(bytes.length).slice(0, isPlain ? 10 : 20)) {
      const reserved = Buffer.alloc(bytes.length)
      bytes.copy(reserved, 0, 0, length)
      if ((await check(reserved)).kind === 'whole') accepted.push(length - bytes.length)
    }
    expect(accepted).toEqual([])
  },
)

it.each([
  ['JPEG', images.filter(({ bytes }) => bytes[0] === 0xff)],
  ['PNG', images.filter(({ name }) => name.includes('PNG'))],
  ['TIFF', images.filter(({ name }) => name.startsWith('TIFF'))],
  ['BMP', images.filter(({ name }) => name.startsWith('BMP'))],
  ['ZIP', images.filter(({ name }) => name.startsWith('ZIP'))],
])(
  'ends with a finding on 2,000 damaged files (%s), and reads little more than each holds',
  async (_, originals) => {
    const findings = new Set<string>()
    for (const { bytes } of originals) {
      for (const damaged of mutationsOf(bytes, Math.ceil(2_000 / originals.length))) {
        let longest = 0
        const kind = contentKindOf(damaged.subarray(0, HEAD_BYTES))
        if (!isImageType(kind) && kind !== 'zip') continue
        const readAt = async (position: number, length: number): Promise<Uint8Array> => {
          longest = Math.max(longest, length)
          return damaged.subarray(position, position + length)
        }
        findings.add((await structureOf(kind, readAt, damaged.length)).kind)
        expect(longest).toBeLessThanOrEqual(Math.max(2 * damaged.length, 2_000_000))
      }
    }
    expect([...findings]).toEqual(expect.arrayContaining(['whole', 'truncated']))
  },
  60_000,
)

describe('a JPEG', async () => {
  const [baseline] = await drawnJpegs()
  const jpeg = baseline!.bytes
  const small = await drawing(40, 30).jpeg().toBuffer()

  it.each([
    ['zeros behind its end', Buffer.alloc(5_000)],
    ['FF behind its end', Buffer.alloc(4_096, 0xff)],
    ["the maker's own data behind its end", Buffer.from('MAKER\u0001\u0002 trailer')],
    ['a further whole image behind its end', small],
    ['padding and a further whole image', Buffer.concat([Buffer.alloc(100), small])],
  ])('is whole with %s', async (_, trailer) => {
    expect(await check(Buffer.concat([jpeg, trailer]))).toEqual({ kind: 'whole' })
  })

  it('is truncated when a further image behind it is', async () => {
    const cut = small.subarray(0, small.length - 40)
    expect(await check(Buffer.concat([jpeg, Buffer.alloc(10), cut]))).toEqual({ kind: 'truncated' })
  })

  it('is whole with fill bytes before a marker', async () => {
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xff, 0xff]), jpeg.subarray(2)])
    expect(await check(filled)).toEqual({ kind: 'whole' })
  })

  it('is not taken for whole by the end of the thumbnail inside it', async () => {
    const both = withThumbnail(jpeg, small)
    const afterThumbnail = both.indexOf(Buffer.from([0xff, 0xd9])) + 2
    expect(await check(both.subarray(0, afterThumbnail))).toEqual({ kind: 'truncated' })
  })

  it('is malformed without an image between its beginning and its end', async () => {
    expect(await check(Buffer.from([0xff, 0xd8, 0xff, 0xd9]))).toMatchObject({ kind: 'malformed' })
  })

  it('is malformed with a segment that is shorter than its own length', async () => {
    expect(await check(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 0, 0]))).toMatchObject({
      kind: 'malformed',
    })
  })

  it('of more than one window is walked to its end without being held in memory', async () => {
    const big = await drawing(3_000, 2_000).jpeg({ quality: 100 }).toBuffer()
    let longest = 0
    const readAt = async (position: number, length: number): Promise<Uint8Array> => {
      longest = Math.max(longest, length)
      return big.subarray(position, position + length)
    }
    expect(big.length).toBeGreaterThan(1_000_000)
    expect(await structureOf('image/jpeg', readAt, big.length)).toEqual({ kind: 'whole' })
    expect(await structureOf('image/jpeg', readAt, big.length - 1)).toEqual({ kind: 'truncated' })
    expect(longest).toBeLessThanOrEqual(256 * 1_024)
  })
})

describe('a BMP', async () => {
  const [plain] = await drawnBitmaps()
  const bitmap = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(plain!.bytes)
    change(bytes)
    return bytes
  }

  it('is whole where only the size of the file is stated wrongly', async () => {
    expect(await check(bitmap((bytes) => bytes.writeUInt32LE(9, 2)))).toEqual({ kind: 'whole' })
    expect(await check(bitmap((bytes) => bytes.writeUInt32LE(9_999_999, 2)))).toEqual({ kind: 'whole' })
  })

  it.each([
    ['an unknown depth', (bytes: Buffer) => bytes.writeUInt16LE(12, 28)],
    ['a packing for printers', (bytes: Buffer) => bytes.writeUInt32LE(4, 30)],
    ['a negative width', (bytes: Buffer) => bytes.writeInt32LE(-61, 18)],
    ['a giant height', (bytes: Buffer) => bytes.writeInt32LE(-0x8000_0000, 22)],
    ['pixels inside its head', (bytes: Buffer) => bytes.writeUInt32LE(20, 10)],
  ])('is malformed with %s', async (_, change) => {
    expect(await check(bitmap(change))).toMatchObject({ kind: 'malformed' })
  })

  it('is black at its rim by right', async () => {
    const pixels = plain!.bytes.length - 54
    const rim = bitmap((bytes) => bytes.fill(0, bytes.length - Math.floor(pixels * 0.45)))
    expect(await check(rim)).toEqual({ kind: 'whole' })
  })
})

describe('a ZIP', async () => {
  const zip = await drawnZip()

  it('is whole with a comment behind its directory, and not with half of the comment', async () => {
    const commented = Buffer.concat([zip, Buffer.from('a comment')])
    commented.writeUInt16LE(9, zip.length - 2)
    expect(await check(commented)).toEqual({ kind: 'whole' })
    expect(await check(commented.subarray(0, commented.length - 3))).toEqual({ kind: 'truncated' })
  })

  it('is truncated where its directory has come and a file has not', async () => {
    const second = zip.indexOf('PK\u0003\u0004', 4, 'latin1')
    expect(await check(Buffer.from(zip).fill(0, second, second + 512))).toEqual({ kind: 'truncated' })
  })

  it('is malformed where its directory names something else than files', async () => {
    const at = zip.indexOf('PK\u0001\u0002', 0, 'latin1')
    const wrong = Buffer.from(zip)
    wrong[at] = 0x51
    expect(await check(wrong)).toMatchObject({ kind: 'malformed' })
  })
})

describe('a PNG', async () => {
  const [plain] = await drawnPngs()

  it('is malformed without its header', async () => {
    const without = Buffer.concat([plain!.bytes.subarray(0, 8), plain!.bytes.subarray(33)])
    expect(await check(without)).toMatchObject({ kind: 'malformed' })
  })

  it('is malformed with a chunk of no name', async () => {
    const wrong = Buffer.from(plain!.bytes)
    wrong.fill(0x07, 37, 41)
    expect(await check(wrong)).toMatchObject({ kind: 'malformed' })
  })
})

describe('a TIFF', async () => {
  const [plain] = await drawnTiffs()

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

  it('in the other byte order is whole, and truncated when cut anywhere', async () => {
    const bytes = bigEndian()
    expect(await check(bytes)).toEqual({ kind: 'whole' })
    for (const length of withoutLast(bytes.length, bytes.length - 4)) {
      expect(await check(bytes.subarray(0, length))).toEqual({ kind: 'truncated' })
    }
  })

  it('whose directories point to one another in a ring is read once', async () => {
    const bytes = bigEndian()
    bytes.writeUInt32BE(10, bytes.length - 4)
    expect(await check(bytes)).toEqual({ kind: 'whole' })
  })

  it('whose directory has come before half of its plain pixels is truncated, and black at its rim by right', async () => {
    // libvips writes the pixels, 200 by 150 of three bytes, right behind the header of eight.
    const end = 8 + 200 * 150 * 3
    const without = (share: number): Buffer =>
      Buffer.from(plain!.bytes).fill(0, Math.floor(end - 90_000 * share), end)
    expect(await check(without(0.45))).toEqual({ kind: 'whole' })
    expect(await check(without(0.5))).toEqual({ kind: 'truncated' })
    expect(await check(without(1))).toEqual({ kind: 'truncated' })
  })

  it('with a strip beyond its end is truncated', async () => {
    const bytes = bigEndian()
    bytes.writeUInt32BE(9_999, 12 + 3 * 12 + 8)
    expect(await check(bytes)).toEqual({ kind: 'truncated' })
  })

  it('with more directories than any file has is malformed, and they are not read', async () => {
    expect(await check(tiffOfManyPointers())).toEqual({
      kind: 'malformed',
      what: 'a TIFF has too many directories',
    })
  })

  it('with more numbers than any image needs is malformed, and they are not read', async () => {
    expect(await check(tiffOfSharedNumbers())).toEqual({
      kind: 'malformed',
      what: 'a TIFF holds more numbers than any image needs',
    })
  })

  it('without any image is malformed', async () => {
    const bytes = bigEndian()
    bytes.writeUInt16BE(1_273, 12 + 2 * 12)
    bytes.writeUInt16BE(1_279, 12 + 3 * 12)
    expect(await check(bytes)).toMatchObject({ kind: 'malformed' })
  })

  it('is checked without reading its image', async () => {
    let read = 0
    const readAt = async (position: number, length: number): Promise<Uint8Array> => {
      read += length
      return plain!.bytes.subarray(position, position + length)
    }
    expect(await structureOf('image/tiff', readAt, plain!.bytes.length)).toEqual({ kind: 'whole' })
    expect(read).toBeLessThan(plain!.bytes.length / 10)
  })
})
