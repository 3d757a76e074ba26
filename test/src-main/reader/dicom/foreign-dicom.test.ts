/** DICOM files that other readers read, and whose writers took liberties: taken, and not doubted. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { readPhoto } from '../../../../src-main/reader/pictures/photo.ts'
import { dicomFile, type DicomFileOptions } from '../../../camera/write-dicom.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawing } from '../draw-images.ts'
import { outline } from '../formats/soundness.ts'
import { colours, greys } from './dicom-samples.ts'

let root: string
beforeEach(async () => {
  root = temporaryFolder()
  await mkdir(join(root, 'pictures'))
})

/** `taken` with the patient and as many pixels as there are; else what is wrong. */
async function classified(bytes: Buffer): Promise<string> {
  const path = join(root, 'original')
  await writeFile(path, bytes)
  const found = await outline(bytes, 'application/dicom')
  if (found.kind !== 'whole') return found.kind
  const request = {
    path,
    contentType: 'application/dicom',
    pictureFolder: join(root, 'pictures'),
  } as const
  const reading = await readPhoto(request)
  if (reading.kind !== 'whole') return reading.kind
  if (reading.oddities.length > 0) return reading.oddities.map(({ kind }) => kind).join()
  const { width, height } = await sharp(reading.picture?.path).metadata()
  return `taken ${reading.elements?.patientIds.join()} ${width}x${height}`
}

const [width, height] = [60, 50]
const image = colours(width, height)
const plain = (more: DicomFileOptions = {}): Promise<Buffer> =>
  dicomFile({ transferSyntax: 'explicitLittle', image, patientId: 'H-4711', ...more })
const packed = (more: DicomFileOptions = {}): Promise<Buffer> =>
  dicomFile({ transferSyntax: 'rle', image, patientId: 'H-4711', ...more })
const TAKEN = `taken H-4711 ${width}x${height}`

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const PIXELS = hex('e07f1000')

/** The same file with this in front of its pixels. */
const withElements = (bytes: Buffer, elements: Buffer): Buffer => {
  const at = bytes.lastIndexOf(PIXELS)
  return Buffer.concat([bytes.subarray(0, at), elements, bytes.subarray(at)])
}

/** The last delimiter, of this length. */
const withLastLength = (bytes: Buffer, length: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy.writeUInt32LE(length, bytes.length - 4)
  return copy
}

/** Pixels of the length that they have with this behind them. */
const withPadding = (bytes: Buffer, padding: Buffer, isImplicit = false): Buffer => {
  const copy = Buffer.concat([bytes, padding])
  copy.writeUInt32LE(image.rgb.length + padding.length, bytes.lastIndexOf(PIXELS) + (isImplicit ? 4 : 8))
  return copy
}

const item = (inner: string, itemEnd = 'feff0de000000000'): string => `feff00e0ffffffff ${inner} ${itemEnd}`
const sequence = (inner: string, end = 'feffdde000000000'): Buffer =>
  hex(`220018005351 0000ffffffff ${inner} ${end}`)

describe('a DICOM file is taken, undoubted', () => {
  const noise = (length: number): Buffer =>
    Buffer.from(Array.from({ length }, (_, index) => (index * 37 + 5) & 0xff))

  it.each([0xffff_ffff, 8, 0x2000_0000])('if its last delimiter states a length of %i', async (length) => {
    expect(await classified(withLastLength(await packed(), length))).toBe(TAKEN)
  })

  it('if the delimiters of its items and sequences state one', async () => {
    const ends = [item('', 'feff0de0 ffffffff'), item('', 'feff0de0 04000000')]
    const bytes = withElements(await plain(), sequence(ends.join(''), 'feffdde0 ffffffff'))
    expect(await classified(bytes)).toBe(TAKEN)
  })

  it.each([1, 2, 3, 8, 510, 512])('if its pixels go on for %i bytes', async (length) => {
    for (const padding of [Buffer.alloc(length), Buffer.alloc(length, 0xff), noise(length)]) {
      expect(await classified(withPadding(await plain(), padding))).toBe(TAKEN)
      expect(
        await classified(withPadding(await plain({ transferSyntax: 'implicitLittle' }), padding, true)),
      ).toBe(TAKEN)
    }
  })

  it.each([1, 2, 7, 8, 510, 4_000])('if %i bytes follow its last element', async (length) => {
    for (const bytes of [await plain(), await packed(), await plain({ transferSyntax: 'explicitBig' })])
      for (const padding of [Buffer.alloc(length), Buffer.alloc(length, 0x20), noise(length)])
        expect(await classified(Buffer.concat([bytes, padding]))).toBe(TAKEN)
  })

  it('if its pixels are padded to the block of a disk', async () => {
    expect(
      await classified(withPadding(await plain(), Buffer.alloc(4_096 - (image.rgb.length % 4_096)))),
    ).toBe(TAKEN)
  })

  it.each([
    ['trailing padding', hex('fcfffcff 4f420000 04000000 00000000')],
    ['trailing padding that is cut', hex('fcfffcff 4f420000 00100000 0000')],
    ['trailing padding without an end', hex('fcfffcff 4f420000 ffffffff 0000')],
    ['a signature', hex('fafffaff 53510000 00000000')],
    ['one delimiter more', hex('feffdde0 00000000')],
  ])('with %s behind its pixels', async (_, rest) => {
    expect(await classified(Buffer.concat([await plain(), rest]))).toBe(TAKEN)
    expect(await classified(Buffer.concat([await packed(), rest]))).toBe(TAKEN)
  })

  it.each([
    ['lengths of its groups', hex('28000000 554c0400 ffffff7f')],
    ["a maker's own element of an unknown type", hex('29001010 554e0000 03000000 010203')],
    ['an element of an odd length', hex('29001110 4c4f0300 616263')],
    [
      "a maker's own sequence",
      hex('29001210 554e0000 ffffffff feff00e0 0a000000 09001000 02000000 4142 feffdde0 00000000'),
    ],
  ])('with %s', async (_, elements) => {
    expect(await classified(withElements(await plain(), elements))).toBe(TAKEN)
  })

  it('with elements that no dictionary knows, and no types', async () => {
    const bytes = await plain({ transferSyntax: 'implicitLittle' })
    const unknown = hex(
      '29001010 03000000 010203 29001110 ffffffff feff00e0 ffffffff 29000110 02000000 4142 feff0de0 00000000 feffdde0 00000000',
    )
    expect(await classified(withElements(bytes, unknown))).toBe(TAKEN)
  })

  it('if it is big endian, of 16 bits, too', async () => {
    expect(await classified(await plain({ transferSyntax: 'explicitBig' }))).toBe(TAKEN)
    const deep = { sop: 'op16', transferSyntax: 'explicitBig', image: greys(width, height, 12) } as const
    expect(await classified(await plain(deep))).toBe(TAKEN)
  })

  /** The file under another transfer syntax, its elements as they are. */
  const stating = (bytes: Buffer, stated: string, written: string): Buffer => {
    const [from, to] = [Buffer.from(even(written)), Buffer.from(even(stated))]
    const at = bytes.indexOf(from)
    const copy = Buffer.concat([bytes.subarray(0, at), to, bytes.subarray(at + from.length)])
    copy.writeUInt16LE(to.length, at - 2)
    return copy
  }
  const even = (uid: string): string => (uid.length % 2 === 0 ? uid : `${uid}\0`)
  const [IMPLICIT, EXPLICIT, DEFLATED] = [
    '1.2.840.10008.1.2',
    '1.2.840.10008.1.2.1',
    '1.2.840.10008.1.2.1.99',
  ]

  it('if it is written in another way than it states, or states none', async () => {
    const implicit = await plain({ transferSyntax: 'implicitLittle' })
    expect(await classified(stating(await plain(), IMPLICIT, EXPLICIT))).toBe(TAKEN)
    expect(await classified(stating(implicit, EXPLICIT, IMPLICIT))).toBe(TAKEN)
    for (const bytes of [implicit, await plain()]) {
      const unnamed = Buffer.from(bytes)
      // Another element of the meta information in its place.
      unnamed.writeUInt16LE(0x0017, bytes.indexOf(hex('02001000 5549')) + 2)
      expect(await classified(unnamed)).toBe(TAKEN)
    }
  })

  /** Everything behind the meta information as one stream. */
  const deflated = (bytes: Buffer): Buffer => {
    const renamed = stating(bytes, DEFLATED, EXPLICIT)
    const from = renamed.indexOf(hex('08000500 4353'))
    return Buffer.concat([renamed.subarray(0, from), deflateRawSync(renamed.subarray(from))])
  }

  it('if it is deflated as a whole, also with a byte behind it', async () => {
    const bytes = deflated(await plain())
    expect(await classified(bytes)).toBe(TAKEN)
    expect(await classified(Buffer.concat([bytes, Buffer.alloc(1)]))).toBe(TAKEN)
    const half = bytes.subarray(0, bytes.length - 400)
    expect(await classified(half)).toBe('truncated')
    expect(await classified(Buffer.from(bytes).fill(0xff, bytes.length - 900, bytes.length - 300))).toMatch(
      /malformed|damaged|maybe|trunc/,
    )
  })

  it('if it is deflated, and not with a hole or foreign bytes in it, which end the stream elsewhere', async () => {
    const size = { width: 200, height: 150 }
    const rgb = (await drawing(size.width, size.height).raw().toBuffer()).map((byte, at) => byte ^ (at % 7))
    const bytes = deflated(await plain({ image: { ...size, rgb } }))
    const from = bytes.lastIndexOf(Buffer.from(DEFLATED)) + 200
    for (let at = from; at + 612 < bytes.length; at += Math.ceil(bytes.length / 25)) {
      const hole = Buffer.from(bytes).fill(0, at, at + 512)
      expect([at, await classified(hole)]).toEqual([at, expect.stringMatching(/malformed|truncated/)])
      const foreign = Buffer.from(bytes)
      for (let index = at; index < at + 512; index += 1) foreign[index] = (index * 7919 + at) % 251
      expect([at, await classified(foreign)]).toEqual([at, expect.stringMatching(/malformed|truncated/)])
    }
  })

  it('if it is deflated, and not if it grows beyond what fits into the memory', async () => {
    const bytes = deflated(await plain())
    const bomb = deflateRawSync(Buffer.alloc(300 * 1_024 * 1_024))
    const meta = bytes.subarray(0, bytes.lastIndexOf(Buffer.from(DEFLATED)) + DEFLATED.length)
    expect(await classified(Buffer.concat([meta, bomb]))).toMatch(/malformed|truncated/)
  })
})

describe('a DICOM file is not taken as sound', () => {
  it.each([
    ['cut amid its pixels', async () => (await plain()).subarray(0, -1_000), /truncated/],
    ['cut before its last delimiter', async () => (await packed()).subarray(0, -8), /truncated/],
    ['cut amid it', async () => (await packed()).subarray(0, -2), /truncated/],
    ['cut amid a frame', async () => (await packed()).subarray(0, -200), /truncated/],
    [
      'of fewer pixels than its rows',
      () => plain({ attributes: { '00280010': { vr: 'US', Value: [height + 1] } } }),
      /damaged/,
    ],
    [
      'of more rows than it states',
      () => plain({ attributes: { '00280010': { vr: 'US', Value: [height - 4] } } }),
      /maybeDamaged/,
    ],
    [
      'of more frames than it states',
      () => plain({ frames: 2, attributes: { '00280008': { vr: 'IS', Value: ['1'] } } }),
      /maybeDamaged/,
    ],
  ])('%s', async (_, make, verdict) => {
    expect(await classified(await make())).toMatch(verdict)
  })
})
