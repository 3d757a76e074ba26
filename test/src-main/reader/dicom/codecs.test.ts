/** JPEG 2000, JPEG-LS and lossless JPEG in DICOM: the right picture, what is noticed of damage, and what hostile heads cost. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Codec, CODECS, openDecoder } from '../../../../src-main/reader/dicom/codecs.ts'
import { Flaw, NotChecked } from '../../../../src-main/reader/formats/bytes.ts'
import { readPhoto } from '../../../../src-main/reader/pictures/photo.ts'
import { randomFrom } from '../../../camera/random.ts'
import { encodeJpeg2000, encodeJpegLs, type Samples } from '../../../camera/write-codecs.ts'
import { type DicomAttributes, dicomFile, type DicomFileOptions } from '../../../camera/write-dicom.ts'
import { encodeLossless } from '../../../camera/write-lossless.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawing } from '../draw-images.ts'
import { mutationsOf } from '../mutations.ts'

const [width, height] = [60, 45]
const rgb = await drawing(width, height).raw().toBuffer()
const wide = (values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer)
const random = randomFrom(9)
const grey = (bits: number): number[] =>
  Array.from(
    { length: width * height },
    (_, at) => (Math.floor(at / width) * 31 + (at % width) * 17 + Math.floor(random() * 5)) % 2 ** bits,
  )

const ENCODERS: Readonly<Record<Codec, (samples: Samples) => Promise<Buffer>>> = {
  jpeg2000: (samples) => encodeJpeg2000(samples),
  jpegLs: (samples) => encodeJpegLs(samples),
  jpegLossless: async ({ bytes, bits, components, ...size }) => {
    const values = bits > 8 ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) : bytes
    return encodeLossless(values, { ...size, bits, components: components === 3 ? 3 : 1 })
  },
}

const coloured: Samples = { width, height, components: 3, bits: 8, bytes: rgb }
const shape = { columns: width, rows: height, samples: 3 }

describe.each(CODECS)('%s', (codec) => {
  it('is decoded to every value, of one colour and of three', async () => {
    const decode = await openDecoder(codec)
    const frame = await ENCODERS[codec](coloured)
    expect(await decode(frame, shape)).toMatchObject({ bits: 8, isSigned: false, isWarned: false })
    expect((await decode(frame, shape)).bytes.equals(rgb)).toBe(true)
    for (const bits of [8, 10, 12, 16]) {
      const values = grey(bits)
      const bytes = bits > 8 ? wide(values) : Buffer.from(values)
      const packed = await ENCODERS[codec]({ width, height, components: 1, bits, bytes })
      const decoded = await decode(packed, { ...shape, samples: 1 })
      expect([bits, decoded.bits, decoded.bytes.equals(bytes)]).toEqual([bits, bits, true])
      // A byte fills a fragment.
      const padded = await decode(Buffer.concat([packed, Buffer.alloc(1)]), { ...shape, samples: 1 })
      expect(padded.bytes.equals(bytes)).toBe(true)
    }
  })

  /** `sound`, `doubted` or `refused`, by what it throws. */
  const classified = async (frame: Buffer, stated = shape): Promise<string> => {
    const decode = await openDecoder(codec)
    try {
      return (await decode(frame, stated)).isWarned ? 'doubted' : 'sound'
    } catch (error) {
      if (error instanceof Flaw || error instanceof NotChecked) return 'refused'
      throw error
    }
  }

  it('that is cut is never sound', async () => {
    const frame = await ENCODERS[codec](coloured)
    for (const left of [
      0,
      1,
      2,
      3,
      40,
      frame.length / 2,
      frame.length - 300,
      frame.length - 2,
      frame.length - 1,
    ])
      expect([left, await classified(frame.subarray(0, Math.floor(left)))]).toEqual([left, 'refused'])
    // Its end in the middle of it.
    const glued = Buffer.concat([frame.subarray(0, frame.length / 2), Buffer.from([0xff, 0xd9])])
    expect(await classified(glued)).not.toBe('sound')
  }, 30_000)

  it('that is none is refused, whatever it is', async () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.alloc(400),
      Buffer.alloc(400, 0xff),
      Buffer.from('no picture'),
    ])
      expect(await classified(bytes)).toBe('refused')
    for (let nth = 0; nth < 10; nth += 1)
      expect(
        await classified(Buffer.from(Array.from({ length: 500 }, () => Math.floor(random() * 256)))),
      ).toBe('refused')
  })

  it('is decoded in the size of its file only', async () => {
    const frame = await ENCODERS[codec](coloured)
    for (const other of [{ rows: height + 1 }, { columns: width - 1 }, { samples: 1 }])
      expect(await classified(frame, { ...shape, ...other })).toBe('refused')
  })

  it('ends with a finding on every damaged frame', async () => {
    const frame = await ENCODERS[codec](coloured)
    const findings = new Set<string>()
    for (const damaged of mutationsOf(frame, 20)) findings.add(await classified(damaged))
    expect([...findings]).toContain('refused')
  }, 60_000)
})

it('a hole in a JPEG 2000 is a doubt wherever it is, and a black rim is none', async () => {
  const [columns, rows] = [200, 150]
  const of = (bytes: Buffer): Promise<Buffer> =>
    encodeJpeg2000({ width: columns, height: rows, components: 3, bits: 8, bytes })
  const decode = await openDecoder('jpeg2000')
  const pixels = await drawing(columns, rows).raw().toBuffer()
  const noisy = pixels.map((byte) => Math.min(255, byte + Math.floor(random() * 20)))
  const frame = await of(Buffer.from(noisy))
  for (let at = 300; at + 600 < frame.length; at += 2_300) {
    const decoded = await decode(Buffer.from(frame).fill(0, at, at + 512), { columns, rows, samples: 3 })
    expect([at, decoded.isWarned]).toEqual([at, true])
  }
  const rimmed = await of(Buffer.from(noisy).fill(0, (noisy.length * 2) / 3))
  expect((await decode(rimmed, { columns, rows, samples: 3 })).isWarned).toBe(false)
})

describe('lossless JPEG', () => {
  const cases = [1, 2, 3, 4, 5, 6, 7].flatMap((predictor) =>
    [0, 9].map((restartRows) => ({ predictor, restartRows })),
  )
  it.each(cases)('is decoded by predictor $predictor, with restarts after $restartRows rows', async (how) => {
    const decode = await openDecoder('jpegLossless')
    expect(
      (
        await decode(encodeLossless(rgb, { width, height, components: 3, bits: 8, ...how }), shape)
      ).bytes.equals(rgb),
    ).toBe(true)
    const values = Array.from({ length: width * height }, () => Math.floor(random() * 65_536))
    const packed = encodeLossless(values, { width, height, components: 1, bits: 16, ...how })
    expect((await decode(packed, { ...shape, samples: 1 })).bytes.equals(wide(values))).toBe(true)
  })

  it('is refused for foreign bytes, holes and restarts out of order', async () => {
    const decode = await openDecoder('jpegLossless')
    const frame = encodeLossless(rgb, { width, height, components: 3, bits: 8, restartRows: 9 })
    const restart = frame.indexOf(Buffer.from([0xff, 0xd1]))
    for (const damaged of [
      Buffer.from(frame).fill(0xa5, 800, 1_000),
      Buffer.from(frame).fill(0, 800, 1_300),
      Buffer.from(frame).fill(0xd3, restart + 1, restart + 2),
    ])
      await expect(decode(damaged, shape)).rejects.toThrow(Flaw)
  })
})

describe('a head that claims too much takes no memory for it', () => {
  const giant = { columns: 60_000, rows: 60_000, samples: 3 }
  it('in JPEG 2000: a size, a tile, and tiles of a pixel each', async () => {
    const decode = await openDecoder('jpeg2000')
    const frame = await encodeJpeg2000(coloured)
    const stating = (...numbers: readonly (readonly [at: number, value: number])[]): Buffer => {
      const copy = Buffer.from(frame)
      for (const [at, value] of numbers) copy.writeUInt32BE(value, at)
      return copy
    }
    const before = process.memoryUsage().rss
    await expect(decode(stating([8, 60_000], [12, 60_000]), shape)).rejects.toThrow(Flaw)
    await expect(
      decode(stating([8, 60_000], [12, 60_000], [24, 60_000], [28, 60_000]), shape),
    ).rejects.toThrow(Flaw)
    await expect(decode(stating([24, 0], [28, 0]), shape)).rejects.toThrow()
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1_024 * 1_024)
  })

  it.each(CODECS)('in %s: the DICOM file is kept without a preview, and undecoded', async (codec) => {
    const us = (value: number): DicomAttributes[string] => ({ vr: 'US', Value: [value] })
    const image = { width, height, rgb }
    const attributes = { '00280010': us(giant.rows / 10), '00280011': us(giant.columns / 10) }
    expect(await fileClass({ transferSyntax: codec, image, attributes })).toMatchObject({
      kind: 'whole',
      picture: null,
      oddities: [
        { kind: 'noPreview', wording: { values: { what: { key: 'intake:image.coding.tooLarge' } } } },
      ],
    })
  })
})

let root: string
beforeEach(async () => {
  root = temporaryFolder()
  await mkdir(join(root, 'pictures'))
})

async function classOf(bytes: Buffer) {
  const path = join(root, 'original')
  await writeFile(path, bytes)
  return readPhoto({
    path,
    contentType: 'application/dicom',
    pictureFolder: join(root, 'pictures'),
  })
}

async function fileClass(options: DicomFileOptions) {
  return classOf(await dicomFile(options))
}

describe('a DICOM file', () => {
  const cs = (value: string): DicomAttributes[string] => ({ vr: 'CS', Value: [value] })
  const us = (value: number): DicomAttributes[string] => ({ vr: 'US', Value: [value] })
  const shown = async (options: DicomFileOptions): Promise<number[]> => {
    const reading = await fileClass(options)
    if (reading.kind !== 'whole' || !reading.picture) throw new Error(JSON.stringify(reading))
    expect(reading.oddities.filter(({ kind }) => kind !== 'blankImage')).toEqual([])
    return [...(await sharp(reading.picture.path).raw().toBuffer())]
  }

  it.each(CODECS)('with %s is shown, undoubted, with all of its frames', async (codec) => {
    expect(await shown({ transferSyntax: codec, image: { width, height, rgb } })).toEqual([...rgb])
    const three = await fileClass({ transferSyntax: codec, image: { width, height, rgb }, frames: 3 })
    expect(three).toMatchObject({
      kind: 'whole',
      oddities: [{ wording: { key: 'intake:image.firstOfSeveral' } }],
    })
  })

  it.each(['YBR_RCT', 'YBR_ICT', 'RGB'])(
    'whose JPEG 2000 is of %s shows its colours',
    async (photometric) => {
      const attributes = { '00280004': cs(photometric) }
      expect(await shown({ transferSyntax: 'jpeg2000', image: { width, height, rgb }, attributes })).toEqual([
        ...rgb,
      ])
    },
  )

  /** The file with another frame in place of its only one. */
  function withFrame(bytes: Buffer, frame: Buffer): Buffer {
    const start = bytes.lastIndexOf(Buffer.from('feff00e0', 'hex'))
    const even = Buffer.concat([frame, Buffer.alloc(frame.length % 2)])
    const head = Buffer.from(bytes.subarray(0, start + 8))
    head.writeUInt32LE(even.length, start + 4)
    return Buffer.concat([head, even, Buffer.from('feffdde000000000', 'hex')])
  }

  it.each(CODECS)('with %s of YBR shows its colours', async (codec) => {
    const ybr = Uint8Array.from({ length: width * height * 3 }, (_, at) => [76, 85, 255][at % 3] ?? 0)
    for (const photometric of ['YBR_FULL', 'YBR_FULL_422']) {
      const pixels = await shown({
        transferSyntax: codec,
        image: { width, height, rgb: ybr },
        attributes: { '00280004': cs(photometric) },
      })
      expect(pixels.slice(0, 3)).toEqual([254, 0, 0])
    }
  })

  it('whose JPEG 2000 lies in the boxes of a file is shown', async () => {
    const boxes = Buffer.from(
      '0000000c6a5020200d0a870a00000014667479706a703220000000006a703220000000006a703263',
      'hex',
    )
    const bytes = await dicomFile({ transferSyntax: 'jpeg2000', image: { width, height, rgb } })
    const stream = await encodeJpeg2000(coloured)
    const reading = await classOf(withFrame(bytes, Buffer.concat([boxes, stream])))
    expect(reading).toMatchObject({ kind: 'whole', picture: { contentType: 'image/png' }, oddities: [] })
  })

  it('with a scan for each colour shows its colours', async () => {
    const bytes = await dicomFile({ transferSyntax: 'jpegLs', image: { width, height, rgb } })
    const reading = await classOf(withFrame(bytes, await encodeJpegLs(coloured, true)))
    if (reading.kind !== 'whole' || !reading.picture) throw new Error(JSON.stringify(reading))
    expect((await sharp(reading.picture.path).raw().toBuffer()).equals(rgb)).toBe(true)
  })

  it('with signed bytes in JPEG 2000 shows the least of them as black', async () => {
    const values = Buffer.from(grey(8))
    const jpeg = await encodeJpeg2000({ width, height, components: 1, bits: 8, bytes: values })
    // The encoder takes no signed bytes; unsigned ones with the sign in their head are those less 128.
    const signed = Buffer.from(jpeg)
    signed[42] = 0x87
    const bytes = await dicomFile({
      transferSyntax: 'jpeg2000',
      image: { width, height, gray8: values },
      attributes: { '00280103': us(1) },
    })
    const reading = await classOf(withFrame(bytes, signed))
    if (reading.kind !== 'whole' || !reading.picture) throw new Error(JSON.stringify(reading))
    const pixels = await sharp(reading.picture.path).toColourspace('b-w').raw().toBuffer()
    expect(pixels.equals(values)).toBe(true)
  })

  it.each(CODECS)('with %s of 12 bits in samples of 16 is as bright as it is', async (codec) => {
    const values = grey(12)
    const frame = await ENCODERS[codec]({ width, height, components: 1, bits: 16, bytes: wide(values) })
    const bytes = await dicomFile({
      sop: 'op16',
      transferSyntax: codec,
      image: { width, height, gray16: Uint16Array.from(values), bitsStored: 12 },
    })
    const reading = await classOf(withFrame(bytes, frame))
    if (reading.kind !== 'whole' || !reading.picture) throw new Error(JSON.stringify(reading))
    const raw = await sharp(reading.picture.path).toColourspace('grey16').raw({ depth: 'ushort' }).toBuffer()
    expect(raw.equals(wide(values.map((value) => value << 4)))).toBe(true)
  })

  it.each(CODECS)(
    'with %s that is cut is damaged, and doubted if it is in a later frame',
    async (codec) => {
      const frame = await ENCODERS[codec](coloured)
      const bytes = await dicomFile({ transferSyntax: codec, image: { width, height, rgb } })
      expect(await classOf(withFrame(bytes, frame.subarray(0, frame.length / 2)))).toMatchObject({
        kind: 'damaged',
      })
      const two = await dicomFile({ transferSyntax: codec, image: { width, height, rgb }, frames: 2 })
      const second = two.lastIndexOf(frame.subarray(0, 40))
      const later = Buffer.from(two).fill(0, second + frame.length - 300)
      Buffer.from('feffdde000000000', 'hex').copy(later, later.length - 8)
      expect(await classOf(later)).toMatchObject({
        kind: 'whole',
        oddities: expect.arrayContaining([expect.objectContaining({ kind: 'maybeDamaged' })]),
      })
    },
    30_000,
  )
})
