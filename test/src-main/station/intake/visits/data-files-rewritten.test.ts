/** What a data file stated before it was written over is not forgotten: it proves nothing more, and doubts still. */
import { describe, expect, it } from 'vitest'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { endAttempt, startAttempt } from '../../../../tools/outbox-with.ts'
import { type TestIntake, watchingIntake } from '../intake-with.ts'

const DAY = { visit_date: '2026-11-20' }
const ANA = { history_number: 'H-00101', ...DAY }
const BEA = { history_number: 'H-00202', ...DAY }
const SYNTHIA = { ...ANA, last_name: 'Synthia', first_name: 'Ana' }
const PLACEBA = { ...ANA, last_name: 'Placeba', first_name: 'Otto' }

type Row = Readonly<Record<string, unknown>>

/** In their order: objects are data files, texts are their content, null is a picture, a number is of a DICOM file. */
type Files = readonly (readonly [string, object | string | null | { readonly dicom: string }])[]

const COLUMNS = ['history_number', 'visit_date', 'last_name', 'file', 'eye']

const table = (...rows: readonly Row[]): string =>
  [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name] ?? ''))]
    .map((cells) => `${cells.join()}\n`)
    .join('')

async function stationWith(...files: Files): Promise<TestIntake> {
  const station = await watchingIntake({ sendWithoutReview: true })
  for (const [path, content] of files) {
    await station.clock.turn(1_000)
    if (content === null) await station.arrive(path)
    else if (typeof content === 'string') await station.arrive(path, content)
    else if ('dicom' in content)
      await station.arrive(
        path,
        await dicomFile({
          patientId: String(content.dicom),
          studyDate: '20261120',
          laterality: 'R',
          patientName: '',
        }),
      )
    else await station.arrive(path, JSON.stringify(content))
  }
  await station.quiet()
  return station
}

/** The verdicts and the state of every case. */
const verdicts = (station: TestIntake): string[] =>
  station.open().map(({ verdict, images, state }) => {
    const eyes = images.map(({ id }) => verdict.eyes[id]?.kind)
    return `who ${verdict.who.kind}, day ${verdict.day.kind}, eye ${eyes.join()}: ${state}`
  })

const PROVEN = 'who proven, day proven, eye proven: waiting'

const named = (patient: object, eye = 'OD', file = '1.png'): object => ({
  ...patient,
  images: { [file]: eye },
})
const CASE = 'scan/case.json'
const IMAGE = 'scan/1.png'

describe('two people under one number are a question about who', () => {
  const bySynthia = named(SYNTHIA)
  const byPlaceba = named(PLACEBA)
  const row = { ...ANA, last_name: 'Synthia', file: '1.png', eye: 'OD' }
  const other = { ...row, last_name: 'Placeba' }

  it.each<readonly [string, Files]>([
    [
      'by name',
      [
        [CASE, bySynthia],
        [CASE, byPlaceba],
        [IMAGE, null],
      ],
    ],
    [
      'by name, image first',
      [
        [IMAGE, null],
        [CASE, bySynthia],
        [CASE, byPlaceba],
      ],
    ],
    [
      'by name, image between',
      [
        [CASE, bySynthia],
        [IMAGE, null],
        [CASE, byPlaceba],
      ],
    ],
    [
      'by name, and then the first again',
      [
        [CASE, bySynthia],
        [CASE, byPlaceba],
        [CASE, bySynthia],
        [IMAGE, null],
      ],
    ],
    [
      'by birth date',
      [
        [CASE, named({ ...ANA, birth_date: '1957-03-11' })],
        [IMAGE, null],
        [CASE, named({ ...ANA, birth_date: '1988-07-01' })],
      ],
    ],
    [
      'by sex',
      [
        [CASE, named({ ...ANA, gender: 1 })],
        [CASE, named({ ...ANA, gender: 0 })],
        [IMAGE, null],
      ],
    ],
    [
      'with no name between',
      [
        [CASE, bySynthia],
        [CASE, named(ANA)],
        [CASE, byPlaceba],
        [IMAGE, null],
      ],
    ],
    [
      'with nothing between',
      [
        [CASE, bySynthia],
        [IMAGE, null],
        [CASE, '{}'],
        [CASE, byPlaceba],
      ],
    ],
    [
      'in a record that names other images',
      [
        [CASE, SYNTHIA],
        [CASE, PLACEBA],
        ['scan/1.dcm', { dicom: 'H-00101' }],
      ],
    ],
    [
      'in a document of the stem',
      [
        ['scan/1.json', { ...SYNTHIA, eye: 'OD' }],
        [IMAGE, null],
        ['scan/1.json', { ...PLACEBA, eye: 'OD' }],
      ],
    ],
    [
      'in a row of a table',
      [
        ['list.csv', table(row)],
        ['1.png', null],
        ['list.csv', table(other)],
      ],
    ],
    [
      'in a row of a table, image last',
      [
        ['list.csv', table(row)],
        ['list.csv', table(other)],
        ['1.png', null],
      ],
    ],
    [
      'in a row with an empty name between',
      [
        ['list.csv', table(row)],
        ['list.csv', table({ ...row, last_name: '' })],
        ['list.csv', table(other)],
        ['1.png', null],
      ],
    ],
    [
      'in a row without a number',
      [
        ['list.csv', table({ ...row, history_number: '' })],
        ['1.dcm', { dicom: 'H-00101' }],
        ['list.csv', table({ ...other, history_number: '', file: '1.dcm' })],
        ['list.csv', table({ ...row, history_number: '', file: '1.dcm' })],
      ],
    ],
  ])('%s', async (_how, files) => {
    const found = verdicts(await stationWith(...files))
    expect(found).toEqual([expect.stringMatching(/^who disputed.*incomplete$/)])
  })
})

describe('a document of the stem that has named two patients proves nothing', () => {
  const document = (patient: object): readonly [string, object] => ['scan/1.json', { ...patient, eye: 'OD' }]

  it.each<readonly [string, Files]>([
    ['image last', [document(ANA), document(BEA), [IMAGE, null]]],
    ['with an emptied one between', [document(ANA), document(DAY), document(BEA), [IMAGE, null]]],
    [
      'image first, with an emptied one between',
      [document(ANA), [IMAGE, null], document(DAY), document(BEA)],
    ],
  ])('%s', async (_how, files) => {
    const found = verdicts(await stationWith(...files))
    expect(found).toEqual([expect.stringMatching(/^who (unknown|disputed).*incomplete$/)])
  })
})

describe('every case.json that governs an image is heard', () => {
  const [outer, right, left] = [CASE, 'scan/OD/case.json', 'scan/OS/case.json'] as const
  const dicom = ['scan/OD/1.dcm', { dicom: 'H-00202' }] as const

  it.each<readonly [string, Files]>([
    [
      'around it, last',
      [
        [right, named(BEA)],
        ['scan/OD/1.png', null],
        [outer, named(ANA)],
      ],
    ],
    [
      'around it, first',
      [
        [outer, named(ANA)],
        [right, named(BEA)],
        ['scan/OD/1.png', null],
      ],
    ],
    ['around it, naming none', [[outer, ANA], [right, BEA], dicom]],
    ['around it, beside one that names no one', [[outer, ANA], [right, { visit_reason: 'control' }], dicom]],
    ['of its eye, before that of the other', [[right, ANA], [left, BEA], dicom]],
    ['of its eye, all after the image', [dicom, [left, BEA], [right, ANA]]],
  ])('%s', async (_how, files) => {
    const found = verdicts(await stationWith(...files))
    expect(found).toEqual([expect.stringMatching(/^who disputed.*incomplete$/)])
  })

  it.each<readonly [string, readonly string[]]>([
    ['of a visit', ['scan/OD', 'scan/OS']],
    ['of the watched folder', ['OD', 'OS']],
  ])('those of both eyes of one patient prove: %s', async (_where, [od, os]) => {
    const files: Files = [
      [`${od}/case.json`, named(ANA, 'OD', 'a.png')],
      [`${od}/a.png`, null],
      [`${os}/case.json`, named(ANA, 'OS', 'b.png')],
      [`${os}/b.png`, null],
    ]
    expect(verdicts(await stationWith(...files))).toEqual([
      'who proven, day proven, eye proven,proven: waiting',
    ])
  })
})

describe('an eye or a day that is stated otherwise is asked about', () => {
  const { visit_date: _day, ...undated } = ANA
  const dated = (visit_date: string, images: object): object => ({ ...undated, visit_date, images })
  const row = (eye: string, more: Row = {}): string => table({ ...ANA, file: '1.png', eye, ...more })

  it.each<readonly [string, string, Files]>([
    [
      'in capitals',
      IMAGE,
      [
        [CASE, named(ANA)],
        [CASE, named(ANA, 'OS', '1.PNG')],
      ],
    ],
    [
      'in another Unicode form',
      'scan/\u00e9.png',
      [
        [CASE, named(ANA, 'OD', '\u00e9.png')],
        [CASE, named(ANA, 'OS', 'e\u0301.png')],
      ],
    ],
    [
      'without the folder',
      'scan/FOP/1.png',
      [
        [CASE, named(ANA, 'OD', 'FOP/1.png')],
        [CASE, named(ANA, 'OS', '1.png')],
      ],
    ],
    [
      'with the folder',
      'scan/FOP/1.png',
      [
        [CASE, named(ANA, 'OD', '1.png')],
        [CASE, named(ANA, 'OS', 'FOP/1.png')],
      ],
    ],
    [
      'with no image between',
      IMAGE,
      [
        [CASE, named(ANA)],
        [CASE, { ...ANA, images: {} }],
        [CASE, named(ANA, 'OS')],
      ],
    ],
    [
      'with other images between',
      IMAGE,
      [
        [CASE, named(ANA)],
        [CASE, named(ANA, 'OD', '2.png')],
        [CASE, named(ANA, 'OS')],
      ],
    ],
    [
      'with no patient between',
      IMAGE,
      [
        [CASE, named(ANA)],
        [CASE, '{}'],
        [CASE, named(ANA, 'OS')],
      ],
    ],
    [
      'with no eye of the stem between',
      IMAGE,
      [
        ['scan/1.json', { ...ANA, eye: 'OD' }],
        ['scan/1.json', ANA],
        ['scan/1.json', { ...ANA, eye: 'OS' }],
      ],
    ],
    [
      'with an empty cell between',
      '1.png',
      [
        ['list.csv', row('OD')],
        ['list.csv', row('')],
        ['list.csv', row('OS')],
      ],
    ],
    [
      'in a row in capitals',
      '1.png',
      [
        ['list.csv', row('OD')],
        ['list.csv', row('OS', { file: '1.PNG' })],
      ],
    ],
    [
      'another day, with none between',
      IMAGE,
      [
        [CASE, dated('2026-11-20', { '1.png': 'OD' })],
        [CASE, { ...undated, images: { '1.png': 'OD' } }],
        [CASE, dated('2026-11-19', { '1.png': 'OD' })],
      ],
    ],
    [
      'another day and eye, after one without eyes',
      IMAGE,
      [
        [CASE, named(ANA)],
        [CASE, ANA],
        [CASE, dated('2026-11-19', { '1.png': 'OS' })],
      ],
    ],
    [
      'another day in a row',
      '1.png',
      [
        ['list.csv', row('OD')],
        ['list.csv', row('OD', { visit_date: '2026-11-19' })],
      ],
    ],
  ])('%s', async (_how, image, files) => {
    const [first, ...others] = files
    for (const order of [
      [...files, [image, null] as const],
      [first, [image, null] as const, ...others],
    ]) {
      const found = verdicts(await stationWith(...order.flatMap((file) => (file ? [file] : []))))
      expect.soft(found).toEqual([expect.stringMatching(/(day|eye) disputed.*incomplete$/)])
    }
  })

  it.each<readonly [string, Files]>([
    [
      'unchanged',
      [
        [CASE, named(ANA)],
        [CASE, named(ANA)],
      ],
    ],
    [
      'with more',
      [
        [CASE, ANA],
        [CASE, named(ANA)],
        [CASE, named({ ...SYNTHIA, birth_date: '1957-03-11' })],
      ],
    ],
    [
      'with more of the name',
      [
        [CASE, named({ ...ANA, last_name: 'Synthia' })],
        [CASE, named(SYNTHIA)],
      ],
    ],
    [
      'with a row more',
      [
        ['scan/list.csv', row('OD')],
        ['scan/list.csv', `${row('OD')}${BEA.history_number},,,2.png,OS\n`],
      ],
    ],
    [
      'once emptied',
      [
        [CASE, named(ANA)],
        [CASE, '{}'],
        [CASE, named(ANA)],
      ],
    ],
  ])('a data file that is written again %s proves', async (_how, files) => {
    expect(verdicts(await stationWith(...files, [IMAGE, null]))).toEqual([PROVEN])
  })
})

describe('a statement that is withdrawn proves nothing of what comes later', () => {
  const row = { ...ANA, file: '1.png', eye: 'OD' }
  const next = { ...BEA, file: '2.png', eye: 'OD' }
  const many = Array.from({ length: 120 }, (_, index) => ({
    ...DAY,
    history_number: `H-2${100 + index}`,
    file: `x${index}.png`,
  }))

  it.each<readonly [string, string, string, object | string, string]>([
    ['a case.json cut off', CASE, IMAGE, named(ANA), '{"history_number": "H-00202", "ima'],
    ['a case.json without content', CASE, IMAGE, named(ANA), ''],
    ['a document cut off', 'scan/1.json', IMAGE, { ...ANA, eye: 'OD' }, '{"history_number": "H-00202", "ey'],
    ['a document without content', 'scan/1.json', IMAGE, { ...ANA, eye: 'OD' }, ''],
    ['a table of headings alone', 'list.csv', '1.png', table(row), table()],
    ['a row that is gone', 'list.csv', '1.png', table(row), table(next)],
    ['a row that is gone from many', 'list.csv', '1.png', table(row, ...many), table(next, ...many)],
  ])('%s', async (_what, path, image, before, after) => {
    const later = await stationWith([path, before], [path, after], [image, null])
    expect.soft(verdicts(later)).toEqual([expect.not.stringMatching(/^who proven|waiting$/)])
    const earlier = await stationWith([path, before], [image, null], [path, after])
    expect.soft(verdicts(earlier)).toEqual([PROVEN])
    const again = await stationWith([path, before], [path, after], [image, null], [path, before])
    expect.soft(verdicts(again)).toEqual([PROVEN])
  })

  it('but it doubts: the name of a row that was corrected', async () => {
    const files: Files = [
      ['list.csv', table({ ...row, last_name: 'Synthia' })],
      ['list.csv', table()],
      ['list.csv', table({ ...row, last_name: 'Placeba' })],
      ['1.png', null],
    ]
    expect(verdicts(await stationWith(...files))).toEqual([expect.stringMatching(/^who disputed/)])
  })

  it('nor does it fill in anything: the corrected row of a patient alone does', async () => {
    const names = (last_name: string): string => table({ ...ANA, last_name }, { ...BEA, last_name: 'Probe' })
    const station = await stationWith(
      ['list.csv', names('Synthja')],
      ['list.csv', names('Synthia')],
      ['1.dcm', { dicom: 'H-00101' }],
    )
    expect(station.open().map(({ state, fields }) => [state, fields.last_name])).toEqual([
      ['waiting', 'Synthia'],
    ])
  })
})

describe('a table of one row beside the image of its stem is heard as a document is', () => {
  const dicom = ['scan/1.dcm', { dicom: 'H-00101' }] as const
  const CELLS = [
    'history_number,visit_date,eye',
    'H-00202,2026-11-20,OD',
    'H-00101,2026-11-19,OD',
    'H-00101,2026-11-20,OS',
    'H-00101,2026-11-20,OD',
  ]
  const cells = (at: number): string => `${CELLS[0]}\n${CELLS[at]}\n`

  it.each<readonly [string, string, string]>([
    ['of another patient', 'scan/1.csv', cells(1)],
    ['of another patient, separated by tabs', 'scan/1.csv', cells(1).replaceAll(',', '\t')],
    ['of another day', 'scan/1.csv', cells(2)],
    ['of the other eye', 'scan/1.CSV', cells(3)],
  ])('%s', async (_what, path, text) => {
    const disputed = [expect.stringMatching(/disputed.*incomplete$/)]
    expect.soft(verdicts(await stationWith(dicom, [path, text]))).toEqual(disputed)
    expect.soft(verdicts(await stationWith([path, text], dicom))).toEqual(disputed)
    const sent = await stationWith(dicom)
    const id = sent.open()[0]?.id ?? ''
    startAttempt(sent.test, id)
    endAttempt(sent.test, id, 'delivered')
    await sent.arrive(path, text)
    expect.soft(sent.test.outbox.alarms.listOpen().map(({ kind }) => kind)).toEqual(['contradicted'])
  })

  it.each<readonly [string, string]>([
    ['that agrees', cells(4)],
    [
      'with the measurements of both eyes',
      'history_number,visit_date,eye,iop\nH-00101,2026-11-20,OD,14\nH-00101,2026-11-20,OS,15\n',
    ],
    ['with a measurement of the other eye', 'history_number,visit_date,eye,iop\nH-00101,2026-11-20,OS,15\n'],
    ['of several visits', `${cells(4)}${CELLS[1]}\n`],
  ])('not one %s', async (_what, text) => {
    expect(verdicts(await stationWith(dicom, ['scan/1.csv', text]))).toEqual([PROVEN])
  })

  it('proves on its own, until the table has other rows', async () => {
    expect(verdicts(await stationWith(['scan/1.csv', cells(4)], [IMAGE, null]))).toEqual([PROVEN])
    const both = await stationWith(['scan/1.csv', cells(4)], ['scan/1.csv', cells(1)], [IMAGE, null])
    expect(verdicts(both)).not.toContain(PROVEN)
    const first = await stationWith(
      ['scan/1.csv', `${cells(4)}${CELLS[1]}\n`],
      ['scan/1.csv', cells(1)],
      dicom,
    )
    expect(verdicts(first)).not.toContain(PROVEN)
  })
})

describe('data files of one folded path are one', () => {
  it.each([
    ['letter case', CASE, 'scan/Case.json', 'scan/2.png'],
    ['letter case of the folder', CASE, 'Scan/case.json', 'scan/2.png'],
    ['Unicode form', 'jos\u00e9/case.json', 'jose\u0301/case.json', 'jose\u0301/2.png'],
    ['Unicode form, in capitals', 'JOS\u00c9/case.json', 'jos\u00e9/case.json', 'jos\u00e9/2.png'],
  ])('%s', async (_what, one, other, image) => {
    const files: Files = [
      [one, named(ANA)],
      [other, named(BEA, 'OD', '2.png')],
      [image, null],
    ]
    expect(verdicts(await stationWith(...files))).not.toContain(PROVEN)
  })
})
