import { describe, expect, it } from 'vitest'
import { openDicom } from '../../../../src-main/reader/dicom/dicom.ts'
import { readFirstFrame, readPixels } from '../../../../src-main/reader/dicom/frames.ts'
import { readAtOfBytes } from '../../../../src-main/reader/formats/bytes.ts'
import { randomFrom } from '../../../camera/random.ts'
import { dicomFile, type DicomFileOptions, type DicomImage } from '../../../camera/write-dicom.ts'
import { drawing } from '../draw-images.ts'
import { soundness } from '../formats/soundness.ts'

const checked = async (dicom: Buffer): Promise<string> => (await soundness(dicom, 'application/dicom')).kind

const [width, height] = [240, 200]
const noise = randomFrom(2)
const jpegImage = async (progressive = false): Promise<DicomImage> => ({
  jpeg: await drawing(width, height).jpeg({ quality: 95, progressive }).toBuffer(),
  width,
  height,
})
const plain: DicomImage = {
  rgb: new Uint8Array(await drawing(width, height).raw().toBuffer()).map((value) =>
    value > 0 ? value + Math.floor(noise() * 8) : 0,
  ),
  width,
  height,
}
const deep: DicomImage = {
  gray16: Uint16Array.from({ length: width * height }, () => Math.floor(noise() * 4_096)),
  bitsStored: 12,
  width,
  height,
}

describe('the pixels of a sound DICOM file', async () => {
  const files: readonly (readonly [string, DicomFileOptions])[] = [
    ['a JPEG', { image: await jpegImage() }],
    ['a progressive JPEG', { image: await jpegImage(true) }],
    ['a JPEG in fragments', { image: await jpegImage(), isFragmented: true }],
    ['JPEGs of several frames', { image: await jpegImage(), frames: 3 }],
    ['JPEGs of several frames in fragments', { image: await jpegImage(), frames: 2, isFragmented: true }],
    ['run lengths', { image: plain, transferSyntax: 'rle' }],
    ['run lengths of 16 bits', { image: deep, transferSyntax: 'rle' }],
    ['plain pixels', { image: plain, transferSyntax: 'explicitLittle' }],
    ['plain pixels of 16 bits', { image: deep, transferSyntax: 'implicitLittle' }],
    ['plain pixels, big endian', { image: deep, transferSyntax: 'explicitBig' }],
    ['plain pixels of several frames', { image: plain, transferSyntax: 'explicitLittle', frames: 2 }],
  ]
  it.each(files)('(%s) have no sign of damage', async (_, options) => {
    expect(await checked(await dicomFile(options))).toBe('sound')
  })

  it('of several frames in fragments are distinguished without the table of their offsets', async () => {
    const dicom = await dicomFile({ image: await jpegImage(), frames: 2, isFragmented: true })
    const table = dicom.indexOf(Buffer.from([0xfe, 0xff, 0x00, 0xe0, 8, 0, 0, 0]))
    expect(await checked(Buffer.from(dicom).fill(7, table + 8, table + 16))).toBe('sound')
  })

  it('are not checked in JPEG XL', async () => {
    expect(await checked(await dicomFile({ transferSyntax: 'jpegXl' }))).toBe('notChecked')
  })

  it('are not checked in more frames than any series has: a few bytes each would fill the memory', async () => {
    const image = { gray8: Uint8Array.of(7, 8), width: 2, height: 1 }
    const of = async (frames: number) =>
      soundness(await dicomFile({ transferSyntax: 'explicitLittle', image, frames }), 'application/dicom')
    expect(await of(1)).toMatchObject({ kind: 'sound' })
    expect(await of(2_001)).toEqual({ kind: 'notChecked', what: 'size' })
  })

  it('are not checked in so many frames of JPEG 2000 that decoding them would take minutes', async () => {
    const attributes = {
      '00280010': { vr: 'US', Value: [8_000] },
      '00280011': { vr: 'US', Value: [8_000] },
    }
    const one = { gray8: Uint8Array.of(7), width: 1, height: 1 }
    const of = async (frames: number) =>
      soundness(
        await dicomFile({ transferSyntax: 'jpeg2000', image: one, frames, attributes }),
        'application/dicom',
      )
    expect(await of(4)).toMatchObject({ kind: 'doubtful' })
    expect(await of(5)).toEqual({ kind: 'notChecked', what: 'size' })
  })

  it('are not checked, and not unpacked, if they are more than a picture may have', async () => {
    const us = (value: number) => ({ vr: 'US', Value: [value] })
    const one = { gray8: Uint8Array.of(7), width: 1, height: 1 }
    const of = async (rows: number, columns: number) => {
      const attributes = { '00280010': us(rows), '00280011': us(columns) }
      const packed = await dicomFile({ transferSyntax: 'rle', image: one, attributes })
      return soundness(packed, 'application/dicom')
    }
    expect(await of(12_000, 10_000)).toMatchObject({ kind: 'doubtful' })
    expect(await of(12_001, 10_000)).toEqual({ kind: 'notChecked', what: 'size' })
  })

  it('are read without a copy of them', async () => {
    const bytes = await dicomFile({ image: plain, transferSyntax: 'explicitLittle' })
    const pixels = await readPixels(await openDicom(readAtOfBytes(bytes), bytes.length))
    const frame = pixels && (await readFirstFrame(pixels, bytes.length))
    expect(frame?.buffer).toBe(bytes.buffer)
  })
})

describe('the pixels of a damaged DICOM file', async () => {
  const foreign = Buffer.from(Array.from({ length: 512 }, () => Math.floor(noise() * 255)))
  const files: readonly (readonly [string, Buffer])[] = [
    ['a JPEG', await dicomFile({ image: await jpegImage() })],
    ['the JPEG of the last frame', await dicomFile({ image: await jpegImage(), frames: 3 })],
    ['run lengths', await dicomFile({ image: plain, transferSyntax: 'rle' })],
  ]
  it.each(files)('(%s) are noticed', async (_, dicom) => {
    for (let nth = 0; nth < 10; nth += 1) {
      const at = dicom.length - 2_000 - Math.floor(noise() * 8_000)
      const damaged = Buffer.from(dicom)
      damaged.set(foreign, at)
      expect([at, await checked(damaged)]).toEqual([at, 'doubtful'])
      expect([at, await checked(Buffer.from(dicom).fill(0, at, at + 512))]).toEqual([at, 'doubtful'])
    }
  })

  it('are noticed if plain pixels have a hole', async () => {
    const dicom = await dicomFile({ image: plain, transferSyntax: 'explicitLittle' })
    const middle = dicom.length - (width * height * 3) / 2 - 400
    expect(await checked(Buffer.from(dicom).fill(0, middle, middle + 600))).toBe('doubtful')
  })

  it('are noticed if plain pixels are more than their rows', async () => {
    const dicom = await dicomFile({
      image: plain,
      transferSyntax: 'explicitLittle',
      attributes: { '00280010': { vr: 'US', Value: [height - 2] } },
    })
    expect(await checked(dicom)).toBe('doubtful')
  })

  it('are noticed if the header of run lengths is none', async () => {
    const dicom = await dicomFile({ image: plain, transferSyntax: 'rle' })
    // Three segments, of which the first begins after 64 bytes.
    const header = dicom.indexOf(Buffer.from([3, 0, 0, 0, 64, 0, 0, 0]))
    for (const [position, byte] of [
      [0, 4],
      [4, 63],
      [9, 255],
    ] as const)
      expect(await checked(Buffer.from(dicom).fill(byte, header + position, header + position + 1))).toBe(
        'doubtful',
      )
  })

  it('are noticed if there are fewer frames than it states', async () => {
    const attributes = { '00280008': { vr: 'IS', Value: ['2'] } }
    expect(await checked(await dicomFile({ image: await jpegImage(), attributes }))).toBe('doubtful')
  })
})
