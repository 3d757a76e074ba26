import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readDicomFacts } from '../../../../../src-main/station/intake/dicom/facts.ts'
import { dicomKindOf, dicomStructure } from '../../../../../src-main/station/intake/dicom/kind.ts'
import { renderDicom } from '../../../../../src-main/station/intake/dicom/render.ts'
import { readAtOfBytes } from '../../../../../src-main/station/intake/file-structure.ts'
import { between, randomFrom } from '../../../../camera/random.ts'
import { dicomFile, type DicomFileOptions } from '../../../../camera/write-dicom.ts'
import { propertySeed, runs } from '../../../../tools/property.ts'
import { colours, greys, PICTURES } from './dicom-samples.ts'

const folder = await mkdtemp(join(tmpdir(), 'hostile-dicom-'))
afterAll(() => rm(folder, { recursive: true }))

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

type Random = () => number

/** Values that lie at the edges of what a length or a tag may be. */
const EDGES = '00000000 ffffffff feffffff ffffff7f feff00e0 feff0de0 feffdde0 5351 554e 00 ff'.split(' ')

function mutate(file: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(file)
  const hits = 1 + Math.floor(between(random, 0, 5))
  for (let hit = 0; hit < hits; hit += 1) {
    const at = Math.floor(random() * bytes.length)
    if (random() < 0.5) bytes[at] = Math.floor(random() * 256)
    else bytes.write(EDGES[Math.floor(random() * EDGES.length)]!, at, 'hex')
  }
  if (random() < 0.8) return bytes
  // What lies between two offsets comes twice, or is missing.
  const [one, two] = [Math.floor(random() * bytes.length), Math.floor(random() * bytes.length)]
  return Buffer.concat([bytes.subarray(0, Math.max(one, two)), bytes.subarray(Math.min(one, two))])
}

/** Everything that reads DICOM, on one file; its answers as a line. */
async function readAll(bytes: Buffer): Promise<string> {
  const readAt = readAtOfBytes(bytes)
  const path = join(folder, 'file.dcm')
  await writeFile(path, bytes)
  const structure = await dicomStructure(readAt, bytes.length)
  const kind = await dicomKindOf(readAt, bytes.length)
  const facts = await readDicomFacts(readAt, bytes.length)
  const rendered = await renderDicom(path)
  for (const { message } of facts.rejected) expect(message).toMatch(/\.$/)
  return `${structure.kind} ${kind} ${rendered.kind}`
}

it('answers every damaged file with a value', { timeout: 120_000 }, async () => {
  const random = randomFrom(propertySeed)
  const answers = new Map<string, number>()
  for (let round = 0; round < runs(5_000); round += 1) {
    const answer = await readAll(mutate(files[round % files.length]!, random))
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
  }
  const seen = [...answers.keys()].join('\n')
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
  const bytes = Buffer.concat([
    meta,
    Buffer.from(opening[what as 'frames'] ?? '', 'hex'),
    Buffer.alloc(16 * 1_024 * 1_024, one),
  ])
  const answer = await readAll(bytes)
  expect(answer).not.toContain('whole')
})

async function metaOnly(): Promise<Buffer> {
  const bytes = await dicomFile({ transferSyntax: 'explicitLittle', image: colours(2, 2) })
  return bytes.subarray(0, bytes.indexOf(Buffer.from('080005004353', 'hex')))
}
