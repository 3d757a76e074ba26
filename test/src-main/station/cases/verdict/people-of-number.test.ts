/** Who is found through the number, in a table or in the clinic's list, gives facts; another person doubts the number. */
import { describe, expect, it } from 'vitest'
import { peopleOfNumber } from '../../../../../src-main/station/cases/patient-list.ts'
import { readPatientList } from '../../../../../src-main/station/readers/read-data.ts'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { type TestCases, watchingCases } from '../cases-with.ts'
import { type Learnt, picture, shown, type Stated, TODAY } from './pictures.ts'

const ID = 'H-00101'
const OTTO: Stated = { name: 'Placeba^Otto', birth: '1957-03-11', sex: 'M' }

const found = (...people: readonly Stated[]): Learnt => ({ found: { [ID]: people } })

const dicom = (path: string, more: Stated = {}) =>
  picture(path, { dicom: { id: ID, day: TODAY, eye: 'right', ...more } })

describe('another person under the number is a question', () => {
  it.each<readonly [string, ReturnType<typeof picture>, Learnt, string]>([
    ['in the folder', dicom('Lopez_Maria_H-00101/1.dcm'), found(OTTO), 'Placeba Otto 1957-03-11 M | maria'],
    ['in the file', dicom('H-00101 Lopez.dcm'), found(OTTO), 'Placeba Otto 1957-03-11 M | lopez'],
    [
      'in names alone',
      picture('H-00101_Lopez_20261120_OD.png'),
      found(OTTO),
      'Placeba Otto 1957-03-11 M | lopez',
    ],
    [
      'in DICOM',
      dicom('1.dcm', { name: 'Synthia^Ana' }),
      found(OTTO),
      'Placeba Otto 1957-03-11 M | Synthia Ana',
    ],
    [
      'with another birth date',
      dicom('1.dcm', { birth: '1957-03-12' }),
      found(OTTO),
      'Placeba Otto 1957-03-11 M | 1957-03-12',
    ],
    [
      'of two in the table',
      dicom('1.dcm'),
      found({ name: 'Placeba^Otto' }, { name: 'Synthia^Ana' }),
      'Placeba Otto | Synthia Ana',
    ],
  ])('%s', (_where, image, learnt, statements) => {
    expect(shown([image], learnt)).toMatchObject({
      who: `disputed ${statements} (twoPeople)`,
      clearance: 'needsAnswer',
    })
  })

  it('a word that is not beside the number makes a look', () => {
    expect(shown([dicom('Lopez/1.dcm')], found(OTTO)).who).toBe('proposed H-00101 (unknownTerm lopez)')
  })
})

describe('no question', () => {
  it.each<readonly [string, ReturnType<typeof picture>, Learnt]>([
    ['the same name', dicom('Placeba_Otto_H-00101/1.dcm'), found(OTTO)],
    ['a part of it', dicom('H-00101_Placeba.dcm'), found(OTTO)],
    ['its initials', dicom('H-00101_P_O.dcm'), found(OTTO)],
    ['cut off', dicom('H-00101_Maximili.dcm'), found({ name: 'Maximilian^Otto' })],
    ['no name', dicom('H-00101/1.dcm'), found(OTTO)],
    ['the same name in DICOM', dicom('1.dcm', { name: 'PLACEBA^OTTO' }), found(OTTO)],
    ['one person in parts', dicom('1.dcm'), found({ name: 'Placeba^' }, { birth: '1957-03-11' })],
    ['a word of many patients', dicom('Lopez_H-00101/1.dcm'), { ...found(OTTO), constants: ['lopez'] }],
    ['another number', dicom('Lopez_H-00101/1.dcm'), { found: { 'H-00202': [OTTO] } }],
    [
      'as was answered',
      dicom('Lopez_H-00101/1.dcm'),
      { ...found({ name: 'Placeba^Otto' }), onePerson: [['Placeba Otto', 'lopez']], constants: [] },
    ],
  ])('%s', (_what, image, learnt) => {
    expect(shown([image], learnt).who).toMatch(/^proven H-00101|unknownTerm lopez/)
  })
})

const HEADINGS = 'history_number,visit_date,last_name,first_name'
const ROW = `${ID},2026-11-20,Placeba,Otto`
const TABLE = `${HEADINGS}\n${ROW}\n`
const TWO = `${TABLE}${ID},2026-11-20,Synthia,Ana\n`
const STRANGE = 'Lopez_Maria_H-00101/1.dcm'

/** A station with this clinic's list. */
function withList(text: string): Promise<TestCases> {
  const reading = readPatientList(Buffer.from(text), { columns: {}, dateOrder: 'ymd' })
  if (!reading.ok) throw new Error(reading.problem.message)
  return watchingCases({ sendWithoutReview: true }, [], {
    peopleInPatientList: (number) => peopleOfNumber(reading.people, number),
  })
}

const outcome = (station: TestCases): string => {
  const [only, ...others] = station.open()
  expect(others).toEqual([])
  const reasons = only?.reasons.map(({ kind }) => kind).join() ?? ''
  return [only?.state, only?.fields.last_name ?? '-', reasons].join(' ').trim()
}

const imageOf = (name = ''): Promise<Buffer> =>
  dicomFile({ patientId: ID, patientName: name, studyDate: '20261120', laterality: 'R' })

describe.each([
  [
    'a table, before the image',
    async (text: string, path: string) => {
      const station = await watchingCases({ sendWithoutReview: true })
      await station.arrive('list.csv', text)
      await station.arrive(path, await imageOf())
      return station
    },
  ],
  [
    'a table, after the case went quiet',
    async (text: string, path: string) => {
      const station = await watchingCases({ sendWithoutReview: true })
      await station.arrive(path, await imageOf())
      await station.quiet()
      await station.arrive('list.csv', text)
      return station
    },
  ],
  [
    'the patient list',
    async (text: string, path: string) => {
      const station = await withList(text)
      await station.arrive(path, await imageOf())
      return station
    },
  ],
] as const)('%s', (_source, withSource) => {
  it.each([
    ['names another person than the folder', TABLE, STRANGE, 'incomplete - twoPatients'],
    ['names two people', TWO, '1.dcm', 'incomplete - twoPatients'],
    ['names the person of the folder', TABLE, 'Placeba_Otto_H-00101/1.dcm', 'waiting Placeba'],
    ['names a person, and the names of files none', TABLE, '1.dcm', 'waiting Placeba'],
  ])('%s', async (_what, text, path, expected) => {
    const station = await withSource(text, path)
    await station.quiet()
    expect(outcome(station)).toBe(expected)
  })
})

it.each([
  ['a table', TABLE, STRANGE],
  ['a table with two people', TWO, '1.dcm'],
])('“Same patient” is remembered: %s', async (_what, text, path) => {
  const station = await watchingCases({ sendWithoutReview: true })
  await station.arrive('list.csv', text)
  await station.arrive(path, await imageOf())
  await station.quiet()
  const id = station.open()[0]?.id ?? ''
  station.cases.rememberSamePatient(id, { by: 'AB', at: station.clock.now() })
  station.cases.reread([id])
  expect(station.open()[0]?.verdict.who.kind).not.toBe('disputed')
})

it('the number that a person enters is theirs: who is found through the stated one doubts it no more', async () => {
  const station = await watchingCases({ sendWithoutReview: true })
  await station.arrive('list.csv', TABLE)
  await station.arrive(STRANGE, await imageOf())
  await station.quiet()
  const id = station.open()[0]?.id ?? ''
  station.test.outbox.setContent(
    id,
    { fields: { history_number: 'H-00202' }, sources: { history_number: 'person' }, reasons: [] },
    station.clock.now(),
  )
  station.cases.settle(id, 'closing', { at: station.clock.now() })
  expect(outcome(station)).toBe('waiting -')
})
