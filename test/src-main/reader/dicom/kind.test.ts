import { describe, expect, it } from 'vitest'
import type { DicomKind } from '../../../../src-main/reader/messages.ts'
import { randomFrom } from '../../../camera/random.ts'
import { dicomFile, type DicomFileOptions, type DicomSop } from '../../../camera/write-dicom.ts'
import { outline } from '../formats/soundness.ts'
import { colours, samplePictures, sequence } from './dicom-samples.ts'

const pictures = await samplePictures()

async function check(bytes: Uint8Array): Promise<string> {
  return (await outline(bytes, 'application/dicom')).kind
}

async function isWhole(bytes: Uint8Array): Promise<boolean> {
  return (await check(bytes)) === 'whole'
}

describe.each(pictures)('$name', ({ bytes }) => {
  it('is whole, and never when it is cut: at every 5 %, anywhere, at each byte of its head and end', async () => {
    expect(await check(bytes)).toBe('whole')
    const random = randomFrom(bytes.length)
    const lengths = [
      ...Array.from({ length: 20 }, (_, index) => Math.floor((bytes.length * index) / 20)),
      ...Array.from({ length: 300 }, () => Math.floor(random() * bytes.length)),
      ...Array.from({ length: 1_100 }, (_, index) => index),
      ...Array.from({ length: 200 }, (_, index) => bytes.length - 1 - index),
    ].filter((length) => length >= 0 && length < bytes.length)
    const accepted: number[] = []
    for (const length of lengths) if (await isWhole(bytes.subarray(0, length))) accepted.push(length)
    expect(accepted).toEqual([])
  })

  it('is never whole while its size is reserved and less than half of it is written', async () => {
    for (let percent = 0; percent < 50; percent += 5) {
      const written = writtenSoFar(bytes, Math.floor((bytes.length * percent) / 100))
      expect(await isWhole(written), `${percent} %`).toBe(false)
    }
  })
})

it.each(pictures.filter(({ name }) => /JPEG|RLE/.test(name)))(
  '$name is never whole while its size is reserved and anything of it is missing',
  async ({ bytes }) => {
    for (let missing = 8; missing < bytes.length; missing += 97)
      expect(await isWhole(writtenSoFar(bytes, bytes.length - missing)), `${missing}`).toBe(false)
  },
)

function writtenSoFar(bytes: Buffer, length: number): Buffer {
  const reserved = Buffer.alloc(bytes.length)
  bytes.copy(reserved, 0, 0, length)
  return reserved
}

it.each(['pdf', 'directory', 'oct', 'segmentation', 'surfaceSegmentation'] as const)(
  '%s is not whole before its content has come',
  async (sop) => {
    const bytes = await dicomFile({ sop, transferSyntax: 'explicitLittle', image: colours(20, 10) })
    const content = { pdf: '42001100', directory: '04002012', surfaceSegmentation: '66000200' }[sop as 'pdf']
    const at = bytes.indexOf(Buffer.from(content ?? 'e07f1000', 'hex'))
    expect(await check(bytes.subarray(0, at))).toBe('truncated')
  },
)

describe('a data set', () => {
  const SMALL = { transferSyntax: 'explicitLittle', image: colours(8, 4) } as const

  async function withElement(hex: string): Promise<string> {
    const bytes = await dicomFile(SMALL)
    const at = bytes.indexOf(Buffer.from('e07f1000', 'hex'))
    return check(Buffer.concat([bytes.subarray(0, at), Buffer.from(hex, 'hex'), bytes.subarray(at)]))
  }

  const item = (inner: string): string => `feff00e0ffffffff${inner}feff0de000000000`
  const sequence = (inner: string): string =>
    `220018005351 0000ffffffff${inner}feffdde000000000`.replaceAll(' ', '')
  const nested = (depth: number): string => (depth === 0 ? '' : sequence(item(nested(depth - 1))))

  it.each([
    ['an empty sequence of known length', '2200180053510000 00000000'],
    ['an item and a sequence of known length', '2200180053510000 10000000 feff00e008000000 2200070055530000'],
    ['an item of known length in another', sequence('feff00e008000000 2200070055530000')],
    ['sequences in sequences', nested(10)],
    [
      'an unknown element of unknown length, implicit inside',
      `2900101055 4e0000ffffffff${item('0900100002000000 4142')}feffdde000000000`,
    ],
    [
      'an encapsulated icon',
      sequence(item('e07f10004f420000ffffffff feff00e000000000 feff00e002000000 4142 feffdde000000000')),
    ],
    ['trailing padding', 'fcfffcff4f42000004000000 00000000'],
  ])('may hold %s', async (_, hex) => {
    expect(await withElement(hex.replaceAll(' ', ''))).toBe('whole')
  })

  it.each([
    ['an item outside of any sequence', 'feff00e000000000'],
    ['the end of an item that never began', 'feff0de000000000'],
    ['an element inside a sequence', sequence('2200070055530000')],
    ['a text of unknown length', '1000004055540000ffffffff'],
    ['a type that does not exist', '220018005a5a0000'],
    ['sequences without an end of depth', nested(100)],
  ])('is malformed with %s', async (_, hex) => {
    expect(await withElement(hex)).toBe('malformed')
  })

  it('that is not written yet, in a size that was reserved, is truncated and not malformed', async () => {
    const bytes = await dicomFile(SMALL)
    const rest = bytes.indexOf(Buffer.from('e07f1000', 'hex'))
    expect(await check(writtenSoFar(bytes, rest))).toBe('truncated')
    expect(await check(writtenSoFar(bytes, 132))).toBe('truncated')
    const packed = await dicomFile({ ...SMALL, transferSyntax: 'rle' })
    expect(await check(writtenSoFar(packed, packed.length - 8))).toBe('truncated')
  })

  it('whose pixels are an empty sequence has none yet', async () => {
    const bytes = await dicomFile({ ...SMALL, transferSyntax: 'implicitLittle' })
    const before = bytes.subarray(0, bytes.indexOf(Buffer.from('e07f1000', 'hex')))
    const empty = Buffer.from('e07f1000fffffffffeffdde000000000', 'hex')
    expect(await check(Buffer.concat([before, empty]))).toBe('truncated')
  })

  it('that does not say what it is proves nothing, wherever it ends', async () => {
    const bytes = await dicomFile({ ...SMALL, attributes: { '00080016': null } })
    // The class in the first group becomes something else there.
    bytes.writeUInt16LE(0x0016, bytes.indexOf(Buffer.from('02000200', 'hex')) + 2)
    expect(await check(bytes)).toBe('malformed')
    const afterDate = bytes.indexOf(Buffer.from('08006000', 'hex'))
    expect(await check(bytes.subarray(0, afterDate))).toBe('malformed')
    const dataSet = bytes.indexOf(Buffer.from('08000500', 'hex'))
    expect(await check(bytes.subarray(0, dataSet))).toBe('truncated')
  })

  it('that states to be deflated, and is not, is malformed', async () => {
    const bytes = await dicomFile(SMALL)
    const uid = Buffer.from('1.2.840.10008.1.2.1\0')
    const at = bytes.indexOf(uid)
    const longer = Buffer.from('1.2.840.10008.1.2.1.99')
    const deflated = Buffer.concat([bytes.subarray(0, at), longer, bytes.subarray(at + uid.length)])
    deflated.writeUInt16LE(longer.length, at - 2)
    const message = expect.stringContaining('deflated')
    expect(await outline(deflated, 'application/dicom')).toMatchObject({ kind: 'malformed', message })
  })

  it('that is black in its second half counts as not yet written', async () => {
    const image = colours(40, 40)
    const half = Uint8Array.from(image.rgb, (value, index) => (index < 2_300 ? value : 0))
    const most = Uint8Array.from(image.rgb, (value, index) => (index < 2_500 ? value : 0))
    const file = async (rgb: Uint8Array): Promise<string> =>
      check(await dicomFile({ ...SMALL, image: { ...image, rgb } }))
    expect([await file(half), await file(most)]).toEqual(['truncated', 'whole'])
    const few = SMALL.image.rgb.map((value, index) => (index < 48 ? value : 0))
    expect(await check(await dicomFile({ ...SMALL, image: { ...SMALL.image, rgb: few } }))).toBe('truncated')
  })

  it('is checked without reading its pixels', async () => {
    const bytes = await dicomFile({ ...SMALL, image: colours(1_000, 500), frames: 4 })
    let read = 0
    const found = await outline(bytes, 'application/dicom', async (position, length) => {
      read += length
      return bytes.subarray(position, position + length)
    })
    expect(found.kind).toBe('whole')
    expect(bytes.length).toBeGreaterThan(6_000_000)
    expect(read).toBeLessThan(200_000)
  })
})

async function kindOf(options: DicomFileOptions): Promise<DicomKind | null> {
  const bytes = await dicomFile({ transferSyntax: 'explicitLittle', image: colours(20, 10), ...options })
  const found = await outline(bytes, 'application/dicom')
  return found.kind === 'whole' ? found.dicom : null
}

const KINDS: Readonly<Record<DicomSop, DicomKind>> = {
  op8: 'photo',
  op16: 'photo',
  vlp: 'photo',
  wideField: 'photo',
  sc: 'photo',
  scMultiFrame: 'photo',
  oct: 'dicomOct',
  segmentation: 'dicomSegmentation',
  surfaceSegmentation: 'dicomSegmentation',
  pdf: 'dicomReport',
  video: 'dicomOther',
  visualField: 'dicomOther',
  directory: 'dicomDirectory',
}

it.each(Object.entries(KINDS) as [DicomSop, DicomKind][])('%s is whole, and %s', async (sop, kind) => {
  const bytes = await dicomFile({ sop, transferSyntax: 'explicitLittle', image: colours(20, 10) })
  expect([await check(bytes), await kindOf({ sop })]).toEqual(['whole', kind])
})

const sopClass = (uid: string): NonNullable<DicomFileOptions['attributes']> => ({
  '00080016': { vr: 'UI', Value: [uid] },
})

const STORAGE = '1.2.840.10008.5.1.4.1.1'

it.each<readonly [string, DicomFileOptions, DicomKind]>([
  [
    'a structured report',
    { sop: 'visualField', attributes: { ...sopClass(`${STORAGE}.88.11`), '0040A730': sequence({}) } },
    'dicomReport',
  ],
  ['an en-face picture of a volume', { attributes: sopClass(`${STORAGE}.77.1.5.7`) }, 'dicomOct'],
  ['a picture of no eye', { attributes: sopClass(`${STORAGE}.1.1`) }, 'dicomOther'],
  ["a class of a maker's own", { attributes: sopClass('2.25.99') }, 'dicomOther'],
  ['a photograph as a film', { transferSyntax: 'mpeg4' }, 'dicomOther'],
  ['a class that only the first group names', { attributes: { '00080016': null } }, 'photo'],
])('%s', async (_, options, kind) => {
  expect(await kindOf(options)).toBe(kind)
})

it('what is no DICOM file is not whole', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(400), Buffer.from('text')])
    expect(await isWhole(bytes)).toBe(false)
})
