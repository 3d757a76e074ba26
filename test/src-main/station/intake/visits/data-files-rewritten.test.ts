/** What a data file stated before it was written over is not forgotten: it proves nothing more, and doubts still. */
import { describe, expect, it } from 'vitest'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { endAttempt, startAttempt } from '../../../../tools/outbox-with.ts'
import { type TestIntake, watchingIntake } from '../intake-with.ts'

type Row = Readonly<Record<string, string>>

/** Objects are data files, texts are the content of some, null is a picture, a dicom is the file of a number. */
type Content = object | string | null | { readonly dicom: string }

/** In their order. */
type Files = readonly (readonly [string, Content])[]

const DAY = { visit_date: '2026-11-20' }
const ANA = { history_number: 'H-00101', ...DAY }
const BEA = { history_number: 'H-00202', ...DAY }
const SYNTHIA = { ...ANA, last_name: 'Synthia', first_name: 'Ana' }
const PLACEBA = { ...ANA, last_name: 'Placeba', first_name: 'Otto' }

const COLUMNS = ['history_number', 'visit_date', 'last_name', 'file', 'eye']

function table(...rows: readonly Row[]): string {
  const lines = [COLUMNS.join(), ...rows.map((row) => COLUMNS.map((name) => row[name] ?? '').join())]
  return `${lines.join('\n')}\n`
}

const named = (patient: object, eye = 'OD', file = '1.png'): object => ({
  ...patient,
  images: { [file]: eye },
})

const at = (path: string, ...contents: readonly Content[]): Files =>
  contents.map((content) => [path, content] as const)
const record = (...contents: readonly Content[]): Files => at('scan/case.json', ...contents)
const document = (...contents: readonly object[]): Files => at('scan/1.json', ...contents)
const list = (...rows: readonly Row[]): Files => at('list.csv', ...rows.map((row) => table(row)))
const IMAGE = at('scan/1.png', null)
const BESIDE = at('1.png', null)
const dicomOf = (number: string, path = 'scan/1.dcm'): Files => at(path, { dicom: number })

async function stationWith(...files: Files): Promise<TestIntake> {
  const station = await watchingIntake({ sendWithoutReview: true })
  for (const [path, content] of files) {
    await station.clock.turn(1_000)
    if (content === null || typeof content === 'string') await station.arrive(path, content ?? undefined)
    else if ('dicom' in content) {
      const { dicom: patientId } = content
      const own = { patientId, patientName: '', studyDate: '20261120', laterality: 'R' }
      await station.arrive(path, await dicomFile(own))
    } else await station.arrive(path, JSON.stringify(content))
  }
  await station.quiet()
  return station
}

/** The verdicts and the state of every case. */
const verdicts = async (files: Files): Promise<string[]> =>
  (await stationWith(...files)).open().map(({ verdict, images, state }) => {
    const eyes = images.map(({ id }) => verdict.eyes[id]?.kind)
    return `who ${verdict.who.kind}, day ${verdict.day.kind}, eye ${eyes.join()}: ${state}`
  })

const PROVEN = 'who proven, day proven, eye proven: waiting'
const WHO_DISPUTED = [expect.stringMatching(/^who disputed.*incomplete$/)]

const ROW = { ...ANA, file: '1.png', eye: 'OD' }

describe('two people under one number are a question about who', () => {
  const [one, other] = [named(SYNTHIA), named(PLACEBA)]
  const [first, second] = [
    { ...ROW, last_name: 'Synthia' },
    { ...ROW, last_name: 'Placeba' },
  ]
  const { history_number: _first, ...first0 } = { ...first, file: '1.dcm' }
  const { history_number: _second, ...second0 } = { ...second, file: '1.dcm' }
  const born = (birth_date: string): object => named({ ...ANA, birth_date })

  it.each<readonly [string, Files]>([
    ['by name', [...record(one, other), ...IMAGE]],
    ['by name, image first', [...IMAGE, ...record(one, other)]],
    ['by name, image between', [...record(one), ...IMAGE, ...record(other)]],
    ['by name, and then the first again', [...record(one, other, one), ...IMAGE]],
    ['by birth date', [...record(born('1957-03-11')), ...IMAGE, ...record(born('1988-07-01'))]],
    ['by sex', [...record(named({ ...ANA, gender: 1 }), named({ ...ANA, gender: 0 })), ...IMAGE]],
    ['with no name between', [...record(one, named(ANA), other), ...IMAGE]],
    ['with nothing between', [...record(one), ...IMAGE, ...record('{}', other)]],
    ['in a record that names no images', [...record(SYNTHIA, PLACEBA), ...dicomOf('H-00101')]],
    [
      'in a document of the stem',
      [...document({ ...SYNTHIA, eye: 'OD' }), ...IMAGE, ...document({ ...PLACEBA, eye: 'OD' })],
    ],
    ['in a row of a table', [...list(first), ...BESIDE, ...list(second)]],
    ['in a row of a table, image last', [...list(first, second), ...BESIDE]],
    ['in a row with an empty name between', [...list(first, ROW, second), ...BESIDE]],
    ['in a row without a number', [...list(first0), ...dicomOf('H-00101', '1.dcm'), ...list(second0)]],
  ])('%s', async (_how, files) => {
    expect(await verdicts(files)).toEqual(WHO_DISPUTED)
  })
})

describe('a document of the stem that has named two patients proves nothing', () => {
  const [ana, bea, emptied] = [ANA, BEA, DAY].map((patient) => ({ ...patient, eye: 'OD' })) as [
    object,
    object,
    object,
  ]

  it.each<readonly [string, Files]>([
    ['image last', [...document(ana, bea), ...IMAGE]],
    ['with an emptied one between', [...document(ana, emptied, bea), ...IMAGE]],
    ['image first, with an emptied one between', [...document(ana), ...IMAGE, ...document(emptied, bea)]],
  ])('%s', async (_how, files) => {
    expect(await verdicts(files)).toEqual([expect.stringMatching(/^who (unknown|disputed).*incomplete$/)])
  })
})

describe('every case.json that governs an image is heard', () => {
  const right = (content: object): Files => at('scan/OD/case.json', content)
  const left = (content: object): Files => at('scan/OS/case.json', content)
  const image = at('scan/OD/1.png', null)
  const dicom = dicomOf('H-00202', 'scan/OD/1.dcm')

  it.each<readonly [string, Files]>([
    ['around it, last', [...right(named(BEA)), ...image, ...record(named(ANA))]],
    ['around it, first', [...record(named(ANA)), ...right(named(BEA)), ...image]],
    ['around it, naming none', [...record(ANA), ...right(BEA), ...dicom]],
    ['around it, beside one of no one', [...record(ANA), ...right({ visit_reason: 'control' }), ...dicom]],
    ['of its eye, before that of the other', [...right(ANA), ...left(BEA), ...dicom]],
    ['of its eye, all after the image', [...dicom, ...left(BEA), ...right(ANA)]],
  ])('%s', async (_how, files) => {
    expect(await verdicts(files)).toEqual(WHO_DISPUTED)
  })

  it.each([
    ['of a visit', 'scan/'],
    ['of the watched folder', ''],
  ])('those of both eyes of one patient prove: %s', async (_where, folder) => {
    const files = (['OD', 'OS'] as const).flatMap((eye) => [
      ...at(`${folder}${eye}/case.json`, named(ANA, eye, `${eye}.png`)),
      ...at(`${folder}${eye}/${eye}.png`, null),
    ])
    expect(await verdicts(files)).toEqual(['who proven, day proven, eye proven,proven: waiting'])
  })
})

describe('an eye or a day that is stated otherwise is asked about', () => {
  const { visit_date: _day, ...undated } = ANA
  const NEXT_DAY = { ...ANA, visit_date: '2026-11-19' }
  const [right, left] = [named(ANA), named(ANA, 'OS')]
  const file = (name: string, eye = 'OD'): object => named(ANA, eye, name)
  const [PNG, PATH] = ['scan/1.png', 'scan/FOP/1.png']

  it.each<readonly [string, string, Files]>([
    ['in capitals', PNG, record(right, file('1.PNG', 'OS'))],
    ['in another Unicode form', 'scan/\u00e9.png', record(file('\u00e9.png'), file('e\u0301.png', 'OS'))],
    ['without the folder', PATH, record(file('FOP/1.png'), left)],
    ['with the folder', PATH, record(right, file('FOP/1.png', 'OS'))],
    ['with no image between', PNG, record(right, { ...ANA, images: {} }, left)],
    ['with other images between', PNG, record(right, file('2.png'), left)],
    ['with no patient between', PNG, record(right, '{}', left)],
    ['with no eye of the stem between', PNG, document({ ...ANA, eye: 'OD' }, ANA, { ...ANA, eye: 'OS' })],
    ['with an empty cell between', '1.png', list(ROW, { ...ROW, eye: '' }, { ...ROW, eye: 'OS' })],
    ['in a row in capitals', '1.png', list(ROW, { ...ROW, file: '1.PNG', eye: 'OS' })],
    ['another day, with none between', PNG, record(right, named(undated), named(NEXT_DAY))],
    ['another day and eye, after one without eyes', PNG, record(right, ANA, named(NEXT_DAY, 'OS'))],
    ['another day in a row', '1.png', list(ROW, { ...ROW, ...NEXT_DAY })],
  ])('%s', async (_what, image, files) => {
    const asked = [expect.stringMatching(/(day|eye) disputed.*incomplete$/)]
    expect.soft(await verdicts([...files, ...at(image, null)])).toEqual(asked)
    expect.soft(await verdicts([...files.slice(0, 1), ...at(image, null), ...files.slice(1)])).toEqual(asked)
  })

  it.each<readonly [string, Files]>([
    ['unchanged', record(right, right)],
    ['with more', record(ANA, right, named({ ...SYNTHIA, birth_date: '1957-03-11' }))],
    ['with more of the name', record(named({ ...ANA, last_name: 'Synthia' }), named(SYNTHIA))],
    ['with a row more', at('scan/list.csv', table(ROW), table(ROW, { ...BEA, file: '2.png' }))],
    ['once emptied', record(right, '{}', right)],
    ['after another day of the patient', record(right, named(NEXT_DAY, 'OD', '2.png'), right)],
    ['for another day of the patient', record(named(NEXT_DAY, 'OD', '2.png'), undated, right)],
    [
      'in a folder beside that of the other eye',
      [
        ...at('scan/OD/case.json', right, named(NEXT_DAY, 'OD', '2.png'), right),
        ...at('scan/OS/case.json', file('3.png', 'OS')),
      ],
    ],
  ])('a data file that is written again %s proves', async (how, files) => {
    const image = how.startsWith('in a folder') ? at('scan/OD/1.png', null) : IMAGE
    expect(await verdicts([...files, ...image])).toEqual([PROVEN])
  })
})

describe('a statement that is withdrawn proves nothing of what comes later', () => {
  const next = { ...BEA, file: '2.png', eye: 'OD' }
  const many = Array.from({ length: 120 }, (_, index) => ({ ...DAY, history_number: `H-2${100 + index}` }))
  const own = { ...ANA, eye: 'OD' }

  it.each<readonly [string, readonly [string, Content], string, Files]>([
    ['a case.json cut off', ['scan/case.json', named(ANA)], '{"history_number": "H-00202", "ima', IMAGE],
    ['a case.json without content', ['scan/case.json', named(ANA)], '', IMAGE],
    ['a document cut off', ['scan/1.json', own], '{"history_number": "H-00202", "ey', IMAGE],
    ['a document without content', ['scan/1.json', own], '', IMAGE],
    ['a table of headings alone', ['list.csv', table(ROW)], table(), BESIDE],
    ['a row that is gone', ['list.csv', table(ROW)], table(next), BESIDE],
    ['a row that is gone from many', ['list.csv', table(ROW, ...many)], table(next, ...many), BESIDE],
  ])('%s', async (_what, before, after, image) => {
    const rewritten = at(before[0], after)
    const later = await verdicts([before, ...rewritten, ...image])
    expect.soft(later).toEqual([expect.not.stringMatching(/^who proven|waiting$/)])
    expect.soft(await verdicts([before, ...image, ...rewritten])).toEqual([PROVEN])
    // Stated again, it proves again.
    expect.soft(await verdicts([before, ...rewritten, ...image, before])).toEqual([PROVEN])
  })

  it('but it doubts: the name of a row that was corrected', async () => {
    const [first, second] = ['Synthia', 'Placeba'].map((last_name) => table({ ...ROW, last_name }))
    const files = at('list.csv', first ?? '', table(), second ?? '')
    expect(await verdicts([...files, ...BESIDE])).toEqual(WHO_DISPUTED)
  })

  it('nor does it fill in anything: the corrected row of a patient alone does', async () => {
    const rows = (last_name: string): string => table({ ...ANA, last_name }, { ...BEA, last_name: 'Probe' })
    const files = at('list.csv', rows('Synthja'), rows('Synthia'))
    const [found] = (await stationWith(...files, ...dicomOf('H-00101'))).open()
    expect([found?.state, found?.fields.last_name]).toEqual(['waiting', 'Synthia'])
  })
})

describe('a table of one row beside the image of its stem is heard as a document is', () => {
  const dicom = dicomOf('H-00101')
  const csv = (text: string): Files => at('scan/1.csv', text)
  const HEADINGS = 'history_number,visit_date,eye'
  const same = `${HEADINGS}\nH-00101,2026-11-20,OD\n`
  const other = `${HEADINGS}\nH-00202,2026-11-20,OD\n`
  const several = `${same}H-00202,2026-11-20,OD\n`

  it.each<readonly [string, string]>([
    ['of another patient', other],
    ['of another patient, separated by tabs', other.replaceAll(',', '\t')],
    ['of another day', `${HEADINGS}\nH-00101,2026-11-19,OD\n`],
    ['of the other eye', `${HEADINGS}\nH-00101,2026-11-20,OS\n`],
  ])('%s', async (_what, text) => {
    const disputed = [expect.stringMatching(/disputed.*incomplete$/)]
    expect.soft(await verdicts([...dicom, ...csv(text)])).toEqual(disputed)
    expect.soft(await verdicts([...csv(text), ...dicom])).toEqual(disputed)
    const sent = await stationWith(...dicom)
    const id = sent.open()[0]?.id ?? ''
    startAttempt(sent.test, id)
    endAttempt(sent.test, id, 'delivered')
    await sent.arrive('scan/1.csv', text)
    expect.soft(sent.test.outbox.alarms.listOpen().map(({ kind }) => kind)).toEqual(['contradicted'])
  })

  it.each<readonly [string, string]>([
    ['that agrees', same],
    [
      'with measurements of both eyes',
      `${HEADINGS},iop\nH-00101,2026-11-20,OD,14\nH-00101,2026-11-20,OS,15\n`,
    ],
    ['with a measurement of the other eye', `${HEADINGS},iop\nH-00101,2026-11-20,OS,15\n`],
    ['of several visits', several],
  ])('not one %s', async (_what, text) => {
    expect(await verdicts([...dicom, ...csv(text)])).toEqual([PROVEN])
  })

  it('proves on its own, unless the table has had other rows', async () => {
    expect.soft(await verdicts([...csv(same), ...IMAGE])).toEqual([PROVEN])
    expect.soft(await verdicts([...csv(same), ...csv(other), ...IMAGE])).not.toContain(PROVEN)
    expect.soft(await verdicts([...csv(several), ...csv(other), ...dicom])).not.toContain(PROVEN)
  })
})

it.each([
  ['letter case', 'scan/case.json', 'scan/Case.json', 'scan/2.png'],
  ['letter case of the folder', 'scan/case.json', 'Scan/case.json', 'scan/2.png'],
  ['Unicode form', 'jos\u00e9/case.json', 'jose\u0301/case.json', 'jose\u0301/2.png'],
  ['Unicode form, in capitals', 'JOS\u00c9/case.json', 'jos\u00e9/case.json', 'jos\u00e9/2.png'],
])('data files whose paths differ in nothing but %s are one', async (_what, one, other, image) => {
  const files = [...at(one, named(ANA)), ...at(other, named(BEA, 'OD', '2.png')), ...at(image, null)]
  expect(await verdicts(files)).not.toContain(PROVEN)
})
