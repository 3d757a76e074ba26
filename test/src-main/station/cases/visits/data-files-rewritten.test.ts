/** What a data file stated before it was written over is not forgotten: it proves nothing more, and doubts still. */
import { describe, expect, it } from 'vitest'
import {
  type Files,
  DAY,
  ANA,
  BEA,
  SYNTHIA,
  PLACEBA,
  table,
  named,
  at,
  record,
  document,
  list,
  IMAGE,
  BESIDE,
  dicomOf,
  verdicts,
  PROVEN,
  WHO_DISPUTED,
  ROW,
} from './rewritten-files.ts'

describe('two people under one number are a question about who', () => {
  const [one, other] = [named(SYNTHIA), named(PLACEBA)]
  const [first, second] = [
    { ...ROW, last_name: 'Synthia' },
    { ...ROW, last_name: 'Placeba' },
  ]
  const { history_number: _first, ...first0 } = { ...first, file: 'K1.dcm' }
  const { history_number: _second, ...second0 } = { ...second, file: 'K1.dcm' }
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
    ['in a row without a number', [...list(first0), ...dicomOf('H-00101', 'K1.dcm'), ...list(second0)]],
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
  const image = at('scan/OD/K1.png', null)
  const dicom = dicomOf('H-00202', 'scan/OD/K1.dcm')

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
  const [PNG, PATH] = ['scan/K1.png', 'scan/FOP/K1.png']

  it.each<readonly [string, string, Files]>([
    ['in capitals', PNG, record(right, file('K1.PNG', 'OS'))],
    ['in another Unicode form', 'scan/\u00e9.png', record(file('\u00e9.png'), file('e\u0301.png', 'OS'))],
    ['without the folder', PATH, record(file('FOP/K1.png'), left)],
    ['with the folder', PATH, record(right, file('FOP/K1.png', 'OS'))],
    ['with no image between', PNG, record(right, { ...ANA, images: {} }, left)],
    ['with other images between', PNG, record(right, file('K2.png'), left)],
    ['with no patient between', PNG, record(right, '{}', left)],
    ['with no eye of the stem between', PNG, document({ ...ANA, eye: 'OD' }, ANA, { ...ANA, eye: 'OS' })],
    ['with an empty cell between', 'K1.png', list(ROW, { ...ROW, eye: '' }, { ...ROW, eye: 'OS' })],
    ['in a row in capitals', 'K1.png', list(ROW, { ...ROW, file: 'K1.PNG', eye: 'OS' })],
    ['another day, with none between', PNG, record(right, named(undated), named(NEXT_DAY))],
    ['another day and eye, after one without eyes', PNG, record(right, ANA, named(NEXT_DAY, 'OS'))],
    ['another day in a row', 'K1.png', list(ROW, { ...ROW, ...NEXT_DAY })],
  ])('%s', async (_what, image, files) => {
    const asked = [expect.stringMatching(/(day|eye) disputed.*incomplete$/)]
    expect.soft(await verdicts([...files, ...at(image, null)])).toEqual(asked)
    expect.soft(await verdicts([...files.slice(0, 1), ...at(image, null), ...files.slice(1)])).toEqual(asked)
  })

  it.each<readonly [string, Files]>([
    ['unchanged', record(right, right)],
    ['with more', record(ANA, right, named({ ...SYNTHIA, birth_date: '1957-03-11' }))],
    ['with more of the name', record(named({ ...ANA, last_name: 'Synthia' }), named(SYNTHIA))],
    ['with a row more', at('scan/list.csv', table(ROW), table(ROW, { ...BEA, file: 'K2.png' }))],
    ['once emptied', record(right, '{}', right)],
    ['after another day of the patient', record(right, named(NEXT_DAY, 'OD', 'K2.png'), right)],
    ['for another day of the patient', record(named(NEXT_DAY, 'OD', 'K2.png'), undated, right)],
    [
      'in a folder beside that of the other eye',
      [
        ...at('scan/OD/case.json', right, named(NEXT_DAY, 'OD', 'K2.png'), right),
        ...at('scan/OS/case.json', file('K3.png', 'OS')),
      ],
    ],
  ])('a data file that is written again %s proves', async (how, files) => {
    const image = how.startsWith('in a folder') ? at('scan/OD/K1.png', null) : IMAGE
    expect(await verdicts([...files, ...image])).toEqual([PROVEN])
  })
})
