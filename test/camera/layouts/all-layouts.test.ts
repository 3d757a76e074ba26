import { createHash } from 'node:crypto'
import dcmjs from 'dcmjs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fromBuffer } from 'yauzl'
import { ALL_LAYOUTS, type LayoutName } from './all-layouts.ts'
import { layoutVisit, type ExportedFile } from './layout.ts'
import { PICTURE_SIZE, withRemark } from './pictures.ts'

const VISITS = [
  layoutVisit({ number: 512 }),
  layoutVisit({ number: 513 }),
  layoutVisit({ number: 512, visitDate: '2026-06-03' }),
]
const NAMES = Object.keys(ALL_LAYOUTS) as readonly LayoutName[]

function everyFile(files: readonly ExportedFile[]): readonly ExportedFile[] {
  return files.flatMap((file) => [file, ...(file.entries ?? [])])
}

/** The paths in an archive, as its own directory lists them. */
async function listed(archive: Buffer): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const names: string[] = []
    fromBuffer(archive, (error, zip) => {
      if (error) {
        reject(error)
        return
      }
      zip.on('entry', (entry: { readonly fileName: string }) => names.push(entry.fileName))
      zip.on('end', () => resolve(names))
      zip.on('error', reject)
    })
  })
}

/** The first value of an attribute of a DICOM file. */
function attributeOf(file: Buffer, tag: string): unknown {
  const bytes = new Uint8Array(file).buffer
  return dcmjs.data.DicomMessage.readFile(bytes).dict[tag]?.Value[0]
}

async function expectIsWhatItClaims(file: ExportedFile): Promise<void> {
  const bytes = await file.bytes()
  switch (file.kind) {
    case 'image': {
      if (/\.bmp$/i.test(file.relativePath)) {
        expect(bytes.toString('latin1', 0, 2)).toBe('BM')
        expect([bytes.readUInt32LE(2), bytes.readUInt16LE(28)]).toEqual([bytes.length, 24])
        expect([bytes.readInt32LE(18), bytes.readInt32LE(22)]).toEqual([
          PICTURE_SIZE.width,
          PICTURE_SIZE.height,
        ])
        return
      }
      const { format, width } = await sharp(bytes, { failOn: 'warning' }).metadata()
      await sharp(bytes, { failOn: 'warning' }).raw().toBuffer()
      const extension = { jpeg: /\.jpe?g$/i, tiff: /\.tiff?$/i, png: /\.png$/i }[
        format as 'jpeg' | 'tiff' | 'png'
      ]
      expect(file.relativePath).toMatch(extension)
      expect(width % PICTURE_SIZE.width).toBe(0)
      return
    }
    case 'dicomImage':
      expect(attributeOf(bytes, '00080016')).toBe('1.2.840.10008.5.1.4.1.1.77.1.5.1')
      expect(attributeOf(bytes, '00280010')).toBe(PICTURE_SIZE.height)
      return
    case 'otherDicom':
      expect(attributeOf(bytes, '00080016')).not.toBe('1.2.840.10008.5.1.4.1.1.77.1.5.1')
      return
    case 'dicomDirectory':
      expect(bytes.toString('latin1', 128, 132)).toBe('DICM')
      return
    case 'archive':
      expect(await listed(bytes)).toEqual(file.entries?.map((entry) => entry.relativePath))
      return
    case 'report':
    case 'sidecar':
    case 'raw':
    case 'junk':
      expect(bytes.length).toBeGreaterThan(0)
  }
}

describe.each(NAMES)('layout %s', (name) => {
  const files = everyFile(ALL_LAYOUTS[name](VISITS))

  it('writes files that are what they claim to be', async () => {
    for (const file of files) await expectIsWhatItClaims(file)
  })

  it('writes no two pictures of the same bytes, and the same ones each time', async () => {
    const hashesOf = async (some: readonly ExportedFile[]): Promise<readonly string[]> => {
      const images = some.filter((file) => file.kind === 'image' || file.kind === 'dicomImage')
      const bytes = await Promise.all(images.map((file) => file.bytes()))
      return bytes.map((one) => createHash('sha256').update(one).digest('hex'))
    }
    const hashes = await hashesOf(files)
    expect(hashes.length).toBeGreaterThan(3)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(await hashesOf(everyFile(ALL_LAYOUTS[name](VISITS)))).toEqual(hashes)
  })
})

describe('the DICOM files of a layout', () => {
  it('state the patient, the eye and the day', async () => {
    const [visit] = VISITS
    const [right, left] = ALL_LAYOUTS['6'](VISITS.slice(0, 1))
    if (!right || !left || !visit) throw new Error('Layout 6 writes a file of each eye.')
    const bytes = await right.bytes()
    expect(['00100020', '00080020', '00100030', '00100040'].map((tag) => attributeOf(bytes, tag))).toEqual([
      'HC-004512',
      '20260602',
      visit.birthDate.replaceAll('-', ''),
      visit.sex,
    ])
    expect(attributeOf(bytes, '0022000B')).toBe(14)
    expect(attributeOf(bytes, '00200062')).toBe('R')
    expect(attributeOf(await left.bytes(), '00200062')).toBe('L')
    expect(right.relativePath).toBe(`HC-004512_${String(attributeOf(bytes, '00080018'))}.dcm`)
  })
})

describe('a remark in a JPEG', () => {
  it('changes the bytes and not the picture', async () => {
    const [file] = ALL_LAYOUTS['2'](VISITS.slice(0, 1))
    const plain = (await file?.bytes()) ?? Buffer.alloc(0)
    const remarked = withRemark(plain, 'exported again')
    expect(remarked.equals(plain)).toBe(false)
    const pixels = await Promise.all([plain, remarked].map((one) => sharp(one).raw().toBuffer()))
    expect(pixels[0]).toEqual(pixels[1])
  })
})
