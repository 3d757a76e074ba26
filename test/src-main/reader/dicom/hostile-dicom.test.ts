import { expect, it } from 'vitest'
import { factsIn } from '../../../../src-main/station/cases/meaning/dicom/facts.ts'
import { renderDicom } from '../../../../src-main/reader/dicom/picture.ts'
import { openDicom } from '../../../../src-main/reader/dicom/dicom.ts'
import { readElements } from '../../../../src-main/reader/dicom/data-set.ts'
import { elementsSchema, WANTED } from '../../../../src-main/reader/dicom-messages.ts'
import { Flaw, readAtOfBytes } from '../../../../src-main/reader/formats/bytes.ts'
import { randomFrom } from '../../../camera/random.ts'
import { dicomFile, type DicomFileOptions } from '../../../camera/write-dicom.ts'
import { propertySeed, runs } from '../../../tools/property.ts'
import { outline, soundness } from '../formats/soundness.ts'
import { mutationsOf } from '../mutations.ts'
import { colours, greys, PICTURES } from './dicom-samples.ts'

const SMALL: readonly DicomFileOptions[] = PICTURES.map(([, options]) => ({
  ...options,
  laterality: 'R',
  age: '045Y',
  patientName: Buffer.from('Yamada^Tarou=\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B', 'latin1'),
  characterSet: ['', 'ISO 2022 IR 87'],
  image: options.sop === 'op16' ? greys(12, 8, 12) : colours(12, 8),
  attributes: {
    ...options.attributes,
    '0022000B': { vr: 'FL', Value: [15] },
    '00104000': { vr: 'LT', Value: ['{"diopter": {"right": {"axis": "90"}}}'] },
  },
}))
const files = await Promise.all(SMALL.map((options) => dicomFile(options)))

/** Values that lie at the edges of what a length or a tag may be. */
const EDGES = '00000000 ffffffff feffffff ffffff7f feff00e0 feff0de0 feffdde0 5351 554e 00 ff'.split(' ')

/** Everything that reads DICOM, on one file; its answers as a line. */
async function readAll(bytes: Buffer): Promise<string> {
  const found = await outline(bytes, 'application/dicom')
  await soundness(bytes, 'application/dicom')
  try {
    const dicom = await openDicom(readAtOfBytes(bytes), bytes.length)
    const elements = await readElements(dicom)
    expect(elementsSchema.parse(elements)).toEqual(elements)
    for (const { message } of factsIn(elements, 'lastFirst').rejected) expect(message).toMatch(/\.$/)
    const rendered = await renderDicom(dicom)
    return `${found.kind} ${found.kind === 'whole' ? found.dicom : ''} ${rendered.kind}`
  } catch (error) {
    if (error instanceof Flaw) return `${found.kind} damaged`
    throw error
  }
}

it('answers every damaged file with a value', { timeout: 120_000 }, async () => {
  const random = randomFrom(propertySeed)
  const answers = new Set<string>()
  for (const file of files)
    for (const mutated of mutationsOf(file, runs(5_000) / files.length, file.length)) {
      if (random() < 0.5)
        mutated.write(
          EDGES[Math.floor(random() * EDGES.length)]!,
          Math.floor(random() * mutated.length),
          'hex',
        )
      answers.add(await readAll(mutated))
    }
  const seen = [...answers].join('\n')
  for (const kind of ['whole photo picture', 'whole photo declined', 'truncated', 'malformed', 'damaged']) {
    expect(seen).toContain(kind)
  }
})

it('answers any bytes behind the mark of DICOM with a value', { timeout: 60_000 }, async () => {
  const random = randomFrom(propertySeed)
  for (let round = 0; round < runs(500); round += 1) {
    const bytes = Buffer.from(files[0]!.subarray(0, 360))
    for (let at = 132 + Math.floor(random() * 228); at < 360; at += 1) bytes[at] = Math.floor(random() * 256)
    await readAll(bytes)
  }
})

it.each<readonly [what: string, element: string]>([
  ['empty elements', '1000004055540000 00000000'],
  ['sequences in sequences', '2200180053510000 ffffffff feff00e0 ffffffff'],
  ['items in one sequence', 'feff00e0 00000000'],
  ['frames', 'feff00e0 00000000'],
])('a file of nothing but %s ends soon', { timeout: 60_000 }, async (what, element) => {
  const opening = { frames: 'e07f10004f420000ffffffff', 'items in one sequence': '2200180053510000ffffffff' }
  const one = Buffer.from(element.replaceAll(' ', ''), 'hex')
  const meta = await metaOnly()
  const begun = Buffer.from(opening[what as 'frames'] ?? '', 'hex')
  const bytes = Buffer.concat([meta, begun, Buffer.alloc(16 * 1_024 * 1_024, one)])
  expect(await readAll(bytes)).not.toContain('whole')
})

it('a sequence whose items hold too many elements together is damaged', { timeout: 60_000 }, async () => {
  const bytes = await dicomFile({ transferSyntax: 'explicitLittle', image: colours(12, 8) })
  const pixels = bytes.indexOf(Buffer.from('e07f1000', 'hex'))
  const empty = Buffer.from('2200180055530000', 'hex')
  const withItems = async (count: number): Promise<string> => {
    const item = Buffer.concat([Buffer.from('feff00e080380100', 'hex'), Buffer.alloc(80_000, empty)])
    const head = Buffer.from('005230925351000000000000', 'hex')
    head.writeUInt32LE(item.length * count, 8)
    const sequence = [head, ...Array.from({ length: count }, () => item)]
    return readAll(Buffer.concat([bytes.subarray(0, pixels), ...sequence, bytes.subarray(pixels)]))
  }
  expect(await withItems(19)).toBe('whole photo picture')
  expect(await withItems(20)).toBe('whole damaged')
})

it.each([
  ['values', 'R\\', 20],
  ['letters', 'R', 27],
])('more %s than one message should have are damage', async (_, value, most) => {
  const bytes = await dicomFile({ transferSyntax: 'explicitLittle', image: colours(12, 8) })
  const pixels = bytes.indexOf(Buffer.from('e07f1000', 'hex'))
  const laterality = Buffer.concat([
    Buffer.from('2000620055540000409c0000', 'hex'),
    Buffer.alloc(40_000, value),
  ])
  const withElements = (count: number): Promise<string> => {
    const all = Array.from({ length: count }, () => laterality)
    return readAll(Buffer.concat([bytes.subarray(0, pixels), ...all, bytes.subarray(pixels)]))
  }
  expect(await withElements(1)).toBe('whole photo picture')
  expect(await withElements(most)).toBe('whole damaged')
})

it('texts are read of one of each element, and of two are damage', async () => {
  const bytes = await dicomFile({ transferSyntax: 'explicitLittle', image: colours(12, 8) })
  const pixels = bytes.indexOf(Buffer.from('e07f1000', 'hex'))
  const tags = Object.values(WANTED).flatMap((one) => (one.as === 'letters' ? one.tags : []))
  const withEach = (times: number): Promise<string> => {
    const elements = tags.flatMap((tag) =>
      Array.from({ length: times }, (_, nth) => {
        const head = Buffer.from('000000004c4fe803', 'hex')
        head.writeUInt16LE(tag >>> 16, 0)
        head.writeUInt16LE(tag & 0xffff, 2)
        return Buffer.concat([head, Buffer.alloc(1_000, `${String.fromCodePoint(65 + nth)}od `)])
      }),
    )
    return readAll(Buffer.concat([bytes.subarray(0, pixels), ...elements, bytes.subarray(pixels)]))
  }
  expect(await withEach(1)).toBe('whole photo picture')
  expect(await withEach(2)).toBe('whole damaged')
})

async function metaOnly(): Promise<Buffer> {
  const bytes = await dicomFile({ transferSyntax: 'explicitLittle', image: colours(2, 2) })
  return bytes.subarray(0, bytes.indexOf(Buffer.from('080005004353', 'hex')))
}
