import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { unpackRle } from '../../../../src-main/reader/dicom/frames.ts'
import { type DicomPicture, renderDicom } from '../../../../src-main/reader/dicom/picture.ts'
import { openDicom } from '../../../../src-main/reader/dicom/dicom.ts'
import { Flaw, readAtOfBytes } from '../../../../src-main/reader/formats/bytes.ts'
import {
  bytePlanes,
  type DicomAttributes,
  dicomFile,
  type DicomFileOptions,
  drawnDicomImage,
  encodeRle,
} from '../../../camera/write-dicom.ts'
import { colours, greys } from './dicom-samples.ts'

type Rendered = DicomPicture | { readonly kind: 'damaged' }

async function renderBytes(bytes: Uint8Array): Promise<Rendered> {
  try {
    return await renderDicom(await openDicom(readAtOfBytes(bytes), bytes.length))
  } catch (error) {
    if (error instanceof Flaw) return { kind: 'damaged' }
    throw error
  }
}

const render = async (options: DicomFileOptions): Promise<Rendered> => renderBytes(await dicomFile(options))

function pictureOf(rendered: Rendered): Extract<DicomPicture, { kind: 'picture' }> {
  if (rendered.kind !== 'picture') throw new Error(JSON.stringify(rendered))
  return rendered
}

const declined = (what: string): object => ({
  kind: 'declined',
  why: { wording: { values: { what: { key: `intake:image.coding.${what}` } } } },
})

/** Values of eight bits; of a grey PNG one a pixel. */
async function pixelsOf(rendered: Rendered): Promise<readonly number[]> {
  return [...(await sharp(pictureOf(rendered).bytes).raw().toBuffer())]
}

const pixelsIn = async (options: DicomFileOptions): Promise<readonly number[]> =>
  pixelsOf(await render(options))
const widePixelsIn = async (options: DicomFileOptions): Promise<readonly number[]> =>
  widePixelsOf(await render(options))

async function widePixelsOf(rendered: Rendered): Promise<readonly number[]> {
  const { bytes } = pictureOf(rendered)
  expect((await sharp(bytes).metadata()).depth).toBe('ushort')
  const raw = await sharp(bytes).toColourspace('grey16').raw({ depth: 'ushort' }).toBuffer()
  return [...new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2)]
}

const us = (value: number): DicomAttributes[string] => ({ vr: 'US', Value: [value] })
const cs = (value: string): DicomAttributes[string] => ({ vr: 'CS', Value: [value] })
const bytesOf = (vr: string, values: readonly number[]): DicomAttributes[string] => ({
  vr,
  Value: [Uint8Array.from(values).buffer],
})

const EXACT = ['explicitLittle', 'implicitLittle', 'explicitBig', 'rle', 'jpegLossless'] as const

describe('a JPEG', async () => {
  const image = await drawnDicomImage()

  it.each<readonly [what: string, options: DicomFileOptions, frames: number]>([
    ['in one fragment', {}, 1],
    ['in several fragments', { isFragmented: true }, 1],
    ['of several frames', { frames: 3 }, 3],
    ['of several frames in several fragments', { frames: 2, isFragmented: true }, 2],
    ['in the extended process', { transferSyntax: 'jpegExtended' }, 1],
  ])('%s comes out byte for byte, also if it is progressive', async (_, options, frames) => {
    const large = sharp(image.jpeg).resize(600, 500)
    for (const progressive of [false, true]) {
      const jpeg = {
        jpeg: await large.jpeg({ quality: 98, progressive }).toBuffer(),
        width: 600,
        height: 500,
      }
      const rendered = pictureOf(await render({ ...options, image: jpeg }))
      expect(rendered).toMatchObject({ contentType: 'image/jpeg', frames })
      expect(rendered.bytes.equals(jpeg.jpeg)).toBe(true)
    }
    expect(pictureOf(await render({ ...options, image })).bytes.equals(image.jpeg)).toBe(true)
  })

  it.each([0, 1, 2, 3])('of a length with %i bytes more comes out without padding', async (more) => {
    const comment = Buffer.from([0xff, 0xfe, 0, 2 + more, ...Buffer.alloc(more, 65)])
    const jpeg = Buffer.concat([image.jpeg.subarray(0, 2), comment, image.jpeg.subarray(2)])
    expect(pictureOf(await render({ image: { ...image, jpeg } })).bytes.equals(jpeg)).toBe(true)
  })

  it('whose table of offsets is empty is found by its end mark', async () => {
    const large = await sharp(image.jpeg).resize(600, 500).jpeg({ quality: 98 }).toBuffer()
    const picture = { jpeg: large, width: 600, height: 500 }
    const bytes = await dicomFile({ frames: 2, isFragmented: true, image: picture })
    const table = bytes.indexOf(Buffer.from('e07f10004f420000ffffffff', 'hex')) + 12
    const without = Buffer.concat([bytes.subarray(0, table + 4), Buffer.alloc(4), bytes.subarray(table + 16)])
    expect(pictureOf(await renderBytes(without)).bytes.equals(large)).toBe(true)
  })

  it('in RGB without a mark is given the mark, and keeps its colours', async () => {
    const red = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#c83214' } })
      .raw()
      .toBuffer()
    // Three planes, Y, Cb and Cr, and no mark that says so.
    const planes = await sharp(red, { raw: { width: 16, height: 16, channels: 3 } })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer()
    const plain = await pixelsIn({ image: { jpeg: planes, width: 16, height: 16 } })
    const marked = await pixelsIn({
      image: { jpeg: planes, width: 16, height: 16 },
      attributes: { '00280004': cs('RGB') },
    })
    expect(isNear(plain, [200, 50, 20])).toBe(true)
    // The Y, Cb and Cr of that red, read as colours.
    expect(isNear(marked, [91, 88, 205])).toBe(true)
    // A file that only calls itself RGB keeps its JFIF mark and its colours.
    const wrong = await render({
      image: { jpeg: withJfif(planes), width: 16, height: 16 },
      attributes: { '00280004': cs('RGB') },
    })
    expect(pictureOf(wrong).bytes.equals(withJfif(planes))).toBe(true)
    expect(isNear(await pixelsOf(wrong), [200, 50, 20])).toBe(true)
  })

  it.each<readonly [what: string, damage: (jpeg: Buffer) => Buffer]>([
    ['cut', (jpeg) => jpeg.subarray(0, jpeg.length / 2)],
    ['without its beginning', (jpeg) => jpeg.subarray(2)],
    ['of one byte', () => Buffer.from([0xff, 0])],
    ['of zeros', (jpeg) => Buffer.alloc(jpeg.length)],
  ])('that is %s is damaged', async (_, damage) => {
    // The writer reads the picture, so it is inserted afterwards.
    const bytes = await dicomFile({ image })
    const start = bytes.indexOf(image.jpeg.subarray(0, 20))
    const wrong = damage(image.jpeg)
    const even = Buffer.concat([wrong, Buffer.alloc(wrong.length % 2)])
    const head = Buffer.from(bytes.subarray(0, start))
    head.writeUInt32LE(even.length, start - 4)
    const end = Buffer.from('feffdde000000000', 'hex')
    expect(await renderBytes(Buffer.concat([head, even, end]))).toEqual({ kind: 'damaged' })
  })

  it('of another size than the file says is damaged', async () => {
    expect(await render({ image, attributes: { '00280010': us(199) } })).toEqual({ kind: 'damaged' })
  })

  function isNear(pixels: readonly number[], expected: readonly number[]): boolean {
    return expected.every((value, index) => Math.abs(value - pixels[index]!) <= 2)
  }

  function withJfif(jpeg: Buffer): Buffer {
    const mark = Buffer.from('ffe000104a46494600010100000100010000', 'hex')
    return Buffer.concat([jpeg.subarray(0, 2), mark, jpeg.subarray(2)])
  }
})

describe.each(EXACT)('%s', (transferSyntax) => {
  it.each([
    ['even', 2, colours(32, 18)],
    ['odd', 1, colours(31, 17)],
  ] as const)('RGB of an %s number of bytes keeps every value', async (_, frames, image) => {
    const rendered = await render({ transferSyntax, image, frames })
    expect(rendered).toMatchObject({ contentType: 'image/png', frames })
    expect(await pixelsOf(rendered)).toEqual([...image.rgb])
  })

  it.each([8, 10, 12, 16])('grey of %i bits in 16 keeps every value', async (bits) => {
    const grey = greys(20, 10, bits)
    const bytes = await dicomFile({ sop: 'op16', transferSyntax, image: grey })
    const before = Buffer.from(bytes)
    const rendered = await renderBytes(bytes)
    expect(bytes.equals(before)).toBe(true)
    if (bits === 8) expect(await greyOf(rendered)).toEqual([...grey.gray16])
    else expect(await widePixelsOf(rendered)).toEqual([...grey.gray16].map((value) => value << (16 - bits)))
  })

  it('signed grey and grey whose white is low come out right', async () => {
    const grey = { ...greys(4, 1, 16), gray16: Uint16Array.from([0x8000, 0xffff, 0, 0x7fff]) }
    const signed = { '00280103': us(1) }
    expect(await widePixelsIn({ transferSyntax, image: grey, attributes: signed })).toEqual([
      0, 0x7fff, 0x8000, 0xffff,
    ])
    const low = { '00280004': cs('MONOCHROME1') }
    expect(await widePixelsIn({ transferSyntax, image: grey, attributes: low })).toEqual([
      0x7fff, 0, 0xffff, 0x8000,
    ])
  })

  it('stored bits may lie high', async () => {
    const grey = { gray16: Uint16Array.from([0x0010, 0xfff0]), width: 2, height: 1, bitsStored: 12 }
    const high = { '00280102': us(15) }
    expect(await widePixelsIn({ transferSyntax, image: grey, attributes: high })).toEqual([0x10, 0xfff0])
  })

  it('a palette is applied', async () => {
    const isBig = transferSyntax === 'explicitBig'
    const swapped = (...values: number[]): number[] =>
      values.flatMap((value) => (isBig ? [value, 0] : [0, value]))
    const entries = (values: number[]): DicomAttributes[string] => bytesOf('OW', swapped(...values))
    const descriptor = { vr: 'US', Value: [3, 10, 16] }
    const attributes = {
      '00280004': cs('PALETTE COLOR'),
      '00281101': descriptor,
      '00281102': descriptor,
      '00281103': descriptor,
      '00281201': entries([1, 2, 3]),
      '00281202': entries([4, 5, 6]),
      '00281203': entries([7, 8, 9]),
    }
    const image = { gray8: Uint8Array.from([10, 11, 12, 200]), width: 4, height: 1 }
    expect(await pixelsIn({ transferSyntax, image, attributes })).toEqual([
      1, 4, 7, 2, 5, 8, 3, 6, 9, 3, 6, 9,
    ])
  })

  it('YBR becomes RGB', async () => {
    const grey = { rgb: Uint8Array.from([100, 128, 128, 76, 85, 255]), width: 2, height: 1 }
    const attributes = { '00280004': cs('YBR_FULL') }
    expect(await pixelsIn({ transferSyntax, image: grey, attributes })).toEqual([100, 100, 100, 254, 0, 0])
  })
})

async function greyOf(rendered: Rendered): Promise<readonly number[]> {
  return [...(await sharp(pictureOf(rendered).bytes).toColourspace('b-w').raw().toBuffer())]
}

describe('without packing', () => {
  const image = colours(6, 4)

  it('planes are put together', async () => {
    const planes = [0, 1, 2].flatMap((channel) => [...image.rgb].filter((_, index) => index % 3 === channel))
    const options = { transferSyntax: 'explicitLittle', attributes: { '00280006': us(1) } } as const
    expect(await pixelsIn({ ...options, image: { ...image, rgb: Uint8Array.from(planes) } })).toEqual([
      ...image.rgb,
    ])
  })

  it('pixels that share their colour become RGB', async () => {
    const attributes = {
      '00280004': cs('YBR_FULL_422'),
      '7FE00010': bytesOf('OB', [76, 100, 85, 255, 100, 50, 128, 128]),
    }
    const four = { ...colours(4, 1) }
    expect(await pixelsIn({ transferSyntax: 'explicitLittle', image: four, attributes })).toEqual([
      254, 0, 0, 255, 24, 24, 100, 100, 100, 50, 50, 50,
    ])
  })

  it.each<readonly [what: string, attributes: DicomAttributes]>([
    ['fewer pixels than rows and columns', { '00280010': us(5) }],
    ['fewer frames than stated', { '00280008': { vr: 'IS', Value: [2] } }],
    ['frames that are no number', { '00280008': { vr: 'IS', Value: [0] } }],
    ['no rows', { '00280010': us(0) }],
    ['more stored bits than there are', { '00280101': us(9), '00280102': us(8) }],
  ])('%s are damaged', async (_, attributes) => {
    expect(await render({ transferSyntax: 'explicitLittle', image, attributes })).toEqual({ kind: 'damaged' })
  })

  it.each<readonly [what: string, why: string, attributes: DicomAttributes]>([
    ['a size that would fill the memory', 'tooLarge', { '00280010': us(65_535), '00280011': us(65_535) }],
    ['a series without end', 'tooManyFrames', { '00280008': { vr: 'IS', Value: [2_001] } }],
    ['single bits', 'unusualPixels', { '00280100': us(1), '00280101': us(1), '00280102': us(0) }],
    ['colours of no known kind', 'unusualPixels', { '00280004': cs('CIELAB') }],
    ['four colours', 'unusualPixels', { '00280002': us(4) }],
    ['no palette', 'unusualPixels', { '00280004': cs('PALETTE COLOR'), '00280002': us(1) }],
  ])('%s is declined as %s', async (_, why, attributes) => {
    expect(await render({ transferSyntax: 'explicitLittle', image, attributes })).toMatchObject(declined(why))
  })
})

describe('RLE', () => {
  const image = colours(6, 4)

  it('of a damaged frame is damaged, wherever the damage is', async () => {
    const bytes = await dicomFile({ transferSyntax: 'rle', image })
    const frame = bytes.indexOf(Buffer.from('030000004000000', 'hex'))
    for (const [at, value] of [
      [0, 2],
      [4, 3],
      [8, 0xffff],
    ] as const) {
      const damaged = Buffer.from(bytes)
      damaged.writeUInt16LE(value, frame + at)
      expect(await renderBytes(damaged)).toEqual({ kind: 'damaged' })
    }
  })

  it('that claims a giant in a few bytes takes no memory for it', async () => {
    const attributes = { '00280010': us(10_000), '00280011': us(10_000) }
    expect(await render({ transferSyntax: 'rle', image, attributes })).toEqual({ kind: 'damaged' })
    // More than there is to take: taking it would throw.
    const frame = encodeRle(bytePlanes(image.rgb, 3, 1))
    const giant = { rows: 2 ** 23, columns: 2 ** 22, samples: 3, bitsAllocated: 8 }
    expect(() => unpackRle(frame, giant)).toThrow(Flaw)
  })
})

it.each([
  ['jpegXl', 'other'],
  ['mpeg4', 'video'],
] as const)('%s is declined as %s', async (transferSyntax, why) => {
  expect(await render({ transferSyntax })).toMatchObject(declined(why))
})

it('a report is declined, and a file that is cut is damaged', async () => {
  expect(await render({ sop: 'pdf', transferSyntax: 'explicitLittle' })).toMatchObject(declined('noPicture'))
  const bytes = await dicomFile({})
  expect(await renderBytes(bytes.subarray(0, bytes.length - 100))).toEqual({ kind: 'damaged' })
})
