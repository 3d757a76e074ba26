import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeThumbnail } from '../../../../src-main/reader/pictures/decode.ts'
import { readPhoto } from '../../../../src-main/reader/pictures/photo.ts'
import type { PhotoReading } from '../../../../src-main/reader/messages.ts'
import type { ImageType } from '../../../../src-shared/image-files.ts'
import { isMaybeDamaged } from '../../../../src-shared/submission.ts'
import { worded } from '../../../../src-shared/wording.ts'
import { drawFundus, encodeBmp } from '../../../camera/draw-fundus.ts'
import { dicomFile, type DicomFileOptions, drawnDicomImage } from '../../../camera/write-dicom.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawnBitmaps } from '../draw-bitmaps.ts'
import { drawing, drawnImages } from '../draw-images.ts'
import { outline } from '../formats/soundness.ts'
import { mutationsOf } from '../mutations.ts'

let root: string
let pictureFolder: string
let thumbnailPath: string
beforeEach(async () => {
  root = temporaryFolder()
  pictureFolder = join(root, 'pictures')
  await mkdir(pictureFolder)
})

async function read(bytes: Uint8Array, contentType: ImageType): Promise<PhotoReading> {
  const path = join(root, 'original')
  await writeFile(path, bytes)
  thumbnailPath = join(root, 'thumbnail.jpg')
  await rm(thumbnailPath, { force: true })
  return readPhoto({ path, contentType, pictureFolder, thumbnailPath })
}

async function hasThumbnail(): Promise<boolean> {
  return (await readdir(root)).includes('thumbnail.jpg')
}

const plain = { kind: 'whole', elements: null, picture: null, grey: expect.any(String), oddities: [] }

describe('a photograph', async () => {
  const images = await drawnImages()
  it.each(images.filter(({ name }) => name !== 'tiny PNG'))(
    'that a browser or sharp can show ($name) is taken as it is',
    async ({ name, bytes }) => {
      const type = name.includes('PNG') ? 'image/png' : name.includes('TIFF') ? 'image/tiff' : 'image/jpeg'
      expect(await read(bytes, type)).toEqual(plain)
      expect(await readdir(pictureFolder)).toEqual([])
      expect(await hasThumbnail()).toBe(true)
    },
  )

  it.each((await drawnBitmaps()).filter(({ name }) => name !== 'BMP of two colours'))(
    '$name is shown as a PNG',
    async ({ bytes, rgb }) => {
      const reading = await read(bytes, 'image/bmp')
      expect(reading).toMatchObject({ kind: 'whole', picture: { contentType: 'image/png' }, oddities: [] })
      const { path } = (reading as Extract<PhotoReading, { kind: 'whole' }>).picture!
      expect(dirname(path)).toBe(pictureFolder)
      expect((await sharp(path).raw().toBuffer()).equals(rgb)).toBe(true)
      expect(await hasThumbnail()).toBe(true)
    },
  )
})

describe('what is damaged', async () => {
  const jpeg = await drawing(400, 300).jpeg().toBuffer()
  const [bitmap] = await drawnBitmaps()
  const damaged: readonly (readonly [what: string, bytes: Buffer, type: ImageType])[] = [
    ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), 'image/jpeg'],
    ['half a BMP', bitmap!.bytes.subarray(0, bitmap!.bytes.length / 2), 'image/bmp'],
    ['text under the name of an image', Buffer.from('no image'), 'image/bmp'],
  ]
  it.each(damaged)('(%s) is reported, and leaves nothing behind', async (_, bytes, type) => {
    const wording = { key: 'intake:image.damaged' }
    expect(await read(bytes, type)).toMatchObject({ kind: 'damaged', wording })
    expect([...(await readdir(pictureFolder)), await hasThumbnail()]).toEqual([false])
  })

  it.each(['image/jpeg', 'image/bmp', 'application/dicom'] as const)(
    'a file that is not there (%s) may come back',
    async (contentType) => {
      const request = {
        path: join(root, 'nothing'),
        contentType,
        pictureFolder,
      } as const
      expect(await readPhoto(request)).toEqual({ kind: 'notOpened' })
    },
  )

  it('a picture that cannot be written may be written later', async () => {
    await rm(pictureFolder, { recursive: true })
    expect(await read(bitmap!.bytes, 'image/bmp')).toEqual({ kind: 'notOpened' })
  })
})

describe('what may be damaged', async () => {
  const maybeDamaged = [{ kind: 'maybeDamaged', ...worded('intake:image.maybeDamaged') }]
  /** Bytes of another file in the middle of this one, none of which is a marker. */
  const withForeignBytes = (bytes: Buffer): Buffer =>
    Buffer.from(bytes).fill('not a picture', bytes.length >> 1, (bytes.length >> 1) + 512)

  it.each([
    ['small', 400, {}],
    ['large', 900, {}],
    ['large and progressive', 900, { progressive: true }],
  ])(
    'is a JPEG (%s) that a decoder shows without a word, and foreign bytes are in it',
    async (_, width, how) => {
      const jpeg = await drawing(width, width)
        .jpeg({ quality: 90, chromaSubsampling: '4:4:4', ...how })
        .toBuffer()
      expect(await read(jpeg, 'image/jpeg')).toEqual(plain)
      const reading = await read(withForeignBytes(jpeg), 'image/jpeg')
      expect(reading).toEqual({ ...plain, oddities: maybeDamaged })
      expect(reading.kind === 'whole' && isMaybeDamaged(reading.oddities)).toBe(true)
    },
  )

  it('is the JPEG in a DICOM file', async () => {
    const { jpeg, width, height } = await drawnDicomImage()
    const bytes = await dicomFile({ image: { jpeg: withForeignBytes(jpeg), width, height } })
    expect(await read(bytes, 'application/dicom')).toMatchObject({ kind: 'whole', oddities: maybeDamaged })
  })

  it('is none of the other oddities', () => {
    expect(isMaybeDamaged([{ kind: 'noPreview' }, { kind: 'blankImage' }])).toBe(false)
  })
})

describe('what would take too much memory', () => {
  /** An interlaced PNG that states these dimensions in a header with the right checksum. */
  const withHeader = (png: Buffer, pixels: number): Buffer => {
    const copy = Buffer.from(png)
    copy.writeUInt32BE(pixels, 16)
    copy.writeUInt32BE(pixels, 20)
    copy.writeUInt32BE(crc32(copy.subarray(12, 29)), 29)
    return copy
  }

  it('is not opened, and is kept without a preview', async () => {
    const png = await drawing(60, 40).png({ progressive: true }).toBuffer()
    expect(await read(withHeader(png, 9_500), 'image/png')).toMatchObject({
      kind: 'whole',
      oddities: [{ kind: 'noPreview', wording: { key: 'intake:image.notOpened' } }],
    })
    expect(await makeThumbnail(join(root, 'original'), join(root, 'thumbnail.jpg'))).toBe(false)
    // One of 400 million pixels, which is no interlaced one, too.
    expect(await read(withHeader(await drawing(60, 40).png().toBuffer(), 20_000), 'image/png')).toMatchObject(
      {
        oddities: [{ kind: 'noPreview', wording: { key: 'intake:image.notOpened' } }],
      },
    )
    const damagedHeader = withHeader(png, 9_500).fill(0, 29, 33)
    expect(await outline(damagedHeader, 'image/png')).toMatchObject({ kind: 'malformed' })
    // What fits is opened, and is damaged: its data do not suffice.
    expect(await read(withHeader(png, 900), 'image/png')).toMatchObject({ kind: 'damaged' })
  })
})

describe('what is odd', async () => {
  const [width, height] = [400, 325]
  const fundus = await drawFundus({ eye: 'left', seed: 5, width, height, format: 'png' })
  const rgb = await sharp(fundus).removeAlpha().raw().toBuffer()

  /** Plain pixels of which the last rows of the file were never written. */
  const unwritten = async (format: 'bmp' | 'tiff', share: number): Promise<Buffer> => {
    const tiff = sharp(rgb, { raw: { width, height, channels: 3 } }).tiff({ compression: 'none' })
    const bytes = format === 'bmp' ? encodeBmp(rgb, { width, height }) : await tiff.toBuffer()
    // libvips writes the directory of a TIFF behind its pixels; the pixels begin at once.
    const end = format === 'bmp' ? bytes.length : 8 + rgb.length
    return Buffer.from(bytes).fill(0, Math.floor(end - rgb.length * share), end)
  }

  it.each(['bmp', 'tiff'] as const)('a %s that ends in nothing is shown as such', async (format) => {
    const type = `image/${format}` as const
    expect(await read(await unwritten(format, 0), type)).toMatchObject({ oddities: [] })
    expect(await read(await unwritten(format, 0.3), type)).toMatchObject({
      oddities: [{ kind: 'blankImage', wording: { key: 'intake:image.unwritten' } }],
    })
  })

  it('a black frame is shown as blank, in every format, and is whole all the same', async () => {
    const black = sharp({ create: { width: 60, height: 40, channels: 3, background: '#000' } })
    const oddities = [{ kind: 'blankImage', ...worded('intake:image.blank') }]
    expect(await read(await black.clone().jpeg().toBuffer(), 'image/jpeg')).toEqual({ ...plain, oddities })
    expect(await read(await black.clone().tiff().toBuffer(), 'image/tiff')).toEqual({ ...plain, oddities })
    const bitmap = encodeBmp(Buffer.alloc(60 * 40 * 3), { width: 60, height: 40 })
    expect(await read(bitmap, 'image/bmp')).toMatchObject({ kind: 'whole', oddities })
  })

  it('is nothing about an eye', async () => {
    expect(await read(fundus, 'image/png')).toEqual(plain)
  })
})

describe('a DICOM photograph', () => {
  const image = {
    width: 60,
    height: 40,
    rgb: new Uint8Array(60 * 40 * 3).map((_, index) => (index * 7) % 251),
  }
  const photographs: readonly (readonly [string, DicomFileOptions, string, readonly string[]])[] = [
    ['with a JPEG inside', {}, 'image/jpeg', []],
    ['with plain pixels', { transferSyntax: 'explicitLittle', image }, 'image/png', []],
    ['of several pictures', { frames: 3 }, 'image/jpeg', ['noPreview']],
  ]
  it.each(photographs)(
    '%s is shown, and what it holds is read',
    async (_, options, contentType, oddities) => {
      const file = await dicomFile({ ...options, patientName: 'Prueba^Ana Maria' })
      const reading = await read(file, 'application/dicom')
      if (reading.kind !== 'whole') throw new Error('This file is whole.')
      expect(reading.elements).toMatchObject({
        sopUid: ['2.25.297362505'],
        patientNames: [expect.stringContaining('Prueba')],
      })
      expect(reading.oddities.map(({ kind }) => kind)).toEqual(oddities)
      expect(reading.picture?.contentType).toBe(contentType)
      expect(dirname(reading.picture?.path ?? '')).toBe(pictureFolder)
      const { width, height } = options.image ?? { width: 240, height: 200 }
      expect(await sharp(reading.picture!.path).metadata()).toMatchObject({ width, height })
      expect(await hasThumbnail()).toBe(true)
    },
  )

  it('that cannot be shown here is whole, and says so', async () => {
    const bytes = await dicomFile({ transferSyntax: 'jpegXl' })
    const reading = await read(bytes, 'application/dicom')
    expect(reading).toMatchObject({
      kind: 'whole',
      elements: { sopUid: ['2.25.297362505'] },
      picture: null,
      oddities: [{ kind: 'noPreview', wording: { key: 'intake:image.notShown' } }],
    })
    expect(await readdir(pictureFolder)).toEqual([])
  })

  it('with a damaged JPEG inside is damaged, and leaves nothing behind', async () => {
    const { jpeg, width, height } = await drawnDicomImage()
    const damaged = Buffer.from(jpeg).fill(0, 7_000, 11_000)
    const bytes = await dicomFile({ image: { jpeg: damaged, width, height } })
    expect(await read(bytes, 'application/dicom')).toMatchObject({ kind: 'damaged' })
    expect(await readdir(pictureFolder)).toEqual([])
  })
})

it('answers for every mutated photograph, and keeps no picture of a damaged one', async () => {
  const originals: readonly (readonly [ImageType, Buffer])[] = [
    ['image/jpeg', await drawing(120, 90).jpeg().toBuffer()],
    ['image/png', await drawing(60, 40).png().toBuffer()],
    ['image/tiff', await drawing(60, 40).tiff({ compression: 'lzw' }).toBuffer()],
    ['image/bmp', (await drawnBitmaps())[0]!.bytes],
    ['application/dicom', await dicomFile()],
  ]
  const kinds = new Set<string>()
  let pictures = 0
  for (const [type, bytes] of originals) {
    for (const mutated of mutationsOf(bytes, 150)) {
      const reading = await read(mutated, type)
      kinds.add(reading.kind)
      if (reading.kind === 'whole' && reading.picture !== null) pictures += 1
    }
  }
  expect([...kinds].sort()).toEqual(['damaged', 'whole'])
  expect(await readdir(pictureFolder)).toHaveLength(pictures)
}, 60_000)
