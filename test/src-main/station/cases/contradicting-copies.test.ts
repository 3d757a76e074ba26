/** What contradicts a case after it was sent, and comes with a copy of one of its images under another name. */
import { describe, expect, it } from 'vitest'
import { dicomFile } from '../../../camera/write-dicom.ts'
import type { Submission } from '../../../../src-shared/submission.ts'
import { startAttempt } from '../../../tools/outbox-with.ts'
import { picture, type TestCases, watchingCases } from './cases-with.ts'

const ANA = { history_number: 'H-00101', visit_date: '2026-11-20', eye: 'OD' }
const BEA = { ...ANA, history_number: 'H-00202' }

const PATIENT = 'FC may be of another patient. Call the reading service.'
const DAY = 'FC may be of another day. Call the reading service.'
const EYE = 'An image of FC may show the other eye. Call the reading service.'

const alarms = ({ test }: TestCases): string[] =>
  test.outbox.openAlarms().map(({ message, reference }) => message.replace(reference ?? '-', 'FC'))

const reasonsIn = ({ state, reasons }: Submission): string[] => [state, ...reasons.map(({ kind }) => kind)]

/** A station that has sent `a/K1.png`, and the bytes of that image. */
async function withSent(): Promise<{ readonly station: TestCases; readonly bytes: Buffer }> {
  const station = await watchingCases({ sendWithoutReview: true })
  const bytes = await picture()
  await station.arrive('a/K1.json', JSON.stringify(ANA))
  await station.arrive('a/K1.png', bytes)
  await station.quiet()
  const [sent] = station.open()
  expect(sent?.state).toBe('waiting')
  startAttempt(station.test, sent?.id ?? '')
  return { station, bytes }
}

const { eye: _eye, ...BEA_ONLY } = BEA
const TABLE = 'history_number,visit_date,file\nH-00202,2026-11-20,b/K9.png\n'
const dicomOf = (patientId: string): Promise<Buffer> =>
  dicomFile({ patientId, patientName: '', studyDate: '20261120', laterality: 'R', sopUid: '2.25.5' })

/** Its path, the path of the copy, what it holds, and the alarms. */
const ROWS: readonly (readonly [string, string, string, object | string, readonly string[]])[] = [
  ['another patient', 'b/K9.json', 'b/K9.png', BEA, [PATIENT]],
  ['another eye', 'b/K9.json', 'b/K9.png', { ...ANA, eye: 'OS' }, [EYE]],
  ['another day', 'b/K9.json', 'b/K9.png', { ...ANA, visit_date: '2026-11-19' }, [DAY]],
  ['a name of other capitals', 'B/K9.json', 'b/K9.PNG', BEA, [PATIENT]],
  [
    'the record of its folder that names it',
    'b/case.json',
    'b/K9.png',
    { ...BEA_ONLY, images: { 'K9.png': 'OD' } },
    [PATIENT],
  ],
  [
    'named without the folder of its kind',
    'b/case.json',
    'b/OD/K9.png',
    { ...BEA_ONLY, images: { 'K9.png': 'OD' } },
    [PATIENT],
  ],
  ['a table that names it', 'list.csv', 'b/K9.png', TABLE, [PATIENT]],
  ['the same patient, day and eye', 'b/K9.json', 'b/K9.png', ANA, []],
]

describe('a data file about a copy of an image that was sent', () => {
  describe.each(['the data file', 'the copy'] as const)('%s comes first', (first) => {
    it.each(ROWS)('%s', async (_what, record, copy, content, expected) => {
      const { station, bytes } = await withSent()
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      const before = station.all()
      if (first === 'the data file') await station.arrive(record, text)
      await station.arrive(copy, bytes)
      if (first === 'the copy') await station.arrive(record, text)
      expect(alarms(station)).toEqual(expected)
      // With the data file it is no copy any more, and is read again.
      if (first === 'the copy' && expected.length > 0) await station.see(copy)
      await station.quiet()
      const waiting = station.all().filter(({ id }) => !before.some((one) => one.id === id))
      const asks = expect.arrayContaining(['incomplete', 'looksLikeDuplicate', 'lateImage'])
      expect(waiting.map(reasonsIn)).toEqual(expected.map(() => asks))
      expect(alarms(station)).toEqual(expected)
    })
  })

  it('a name that was used again for another image raises none: the record may be of that one', async () => {
    const { station, bytes } = await withSent()
    await station.arrive('b/K9.png', bytes)
    await station.arrive('b/K9.png')
    await station.arrive('b/K9.json', JSON.stringify(BEA))
    expect(alarms(station)).toEqual([])
  })

  it('the note about the copy says that it may be of another patient', async () => {
    const { station, bytes } = await withSent()
    await station.arrive('b/K9.json', JSON.stringify(BEA))
    await station.arrive('b/K9.png', bytes)
    expect(station.cases.folders.status()[0]?.notes.map(({ wording }) => wording?.key)).toEqual([
      'intake:ingest.duplicateOfOther',
    ])
  })
})

describe('a copy of an image that was sent', () => {
  it.each<readonly [what: string, copy: string, expected: readonly string[]]>([
    ['in the folder of another patient', 'H-00202_20261120/OD_4.png', [PATIENT]],
    ['named after another patient', 'H-00303_OD.png', [PATIENT]],
    ['named after the other eye', 'a/left_2.png', [EYE]],
    ['in a folder of a backup', 'backup/a/K1.png', []],
    ['of a counted name', 'a/IMG_0007.png', []],
    ['named after the same patient', 'H-00101_OD_3.png', []],
  ])('%s', async (_what, copy, expected) => {
    const { station, bytes } = await withSent()
    await station.arrive(copy, bytes)
    await station.quiet()
    expect(alarms(station)).toEqual(expected)
    expect(station.all()).toHaveLength(1 + expected.length)
  })

  it('in the folder of the record of another patient', async () => {
    const { station, bytes } = await withSent()
    await station.arrive('b/case.json', JSON.stringify(BEA_ONLY))
    await station.arrive('b/K9.png', bytes)
    await station.quiet()
    expect(alarms(station)).toEqual([PATIENT])
    expect(station.all()).toHaveLength(2)
  })

  it('waits as a case of its own once, and its own name once more is a copy of that', async () => {
    const { station, bytes } = await withSent()
    await station.arrive('b/K9.json', JSON.stringify(BEA))
    await station.arrive('b/K9.png', bytes)
    await station.arrive('c/K9.json', JSON.stringify(BEA))
    await station.arrive('c/K9.png', bytes)
    await station.quiet()
    expect(station.all()).toHaveLength(2)
  })
})

describe('DICOM files of one photograph', () => {
  const object = (
    patientId: string,
    laterality: string,
    sopUid: string,
    pixelsOf = '2.25.5',
  ): Promise<Buffer> =>
    dicomFile({
      patientId,
      patientName: '',
      studyDate: '20261120',
      laterality,
      sopUid: pixelsOf,
      attributes: { '00080018': { vr: 'UI', Value: [sopUid] } },
    })

  async function sentDicom(): Promise<TestCases> {
    const station = await watchingCases({ sendWithoutReview: true })
    await station.arrive('a/K1.dcm', await object('H-00101', 'R', '2.25.5'))
    await station.quiet()
    startAttempt(station.test, station.open()[0]?.id ?? '')
    return station
  }

  it.each<readonly [what: string, make: () => Promise<Buffer>, expected: readonly string[], cases: number]>([
    ['exported again as it was', () => object('H-00101', 'R', '2.25.5'), [], 1],
    ['exported again under another UID', () => object('H-00101', 'R', '2.25.6'), [], 1],
    ['exported again for another patient', () => object('H-00202', 'R', '2.25.5'), [PATIENT], 2],
    ['of another patient, under another UID', () => object('H-00202', 'R', '2.25.6'), [PATIENT], 2],
    ['exported again for the other eye', () => object('H-00101', 'L', '2.25.5'), [EYE], 2],
    ['another photograph under its UID', () => object('H-00101', 'R', '2.25.5', '2.25.7'), [], 2],
    [
      'another photograph under its UID, of another patient',
      () => object('H-00202', 'R', '2.25.5', '2.25.7'),
      [],
      2,
    ],
  ])('%s', async (_what, make, expected, cases) => {
    const station = await sentDicom()
    await station.arrive('b/K2.dcm', await make())
    await station.quiet()
    expect(alarms(station)).toEqual(expected)
    expect(station.all()).toHaveLength(cases)
    // Nothing of it leaves without a look.
    expect(station.open().filter(({ state }) => state === 'waiting')).toEqual([])
  })

  it('two photographs under one UID are two images of the case, and a person looks', async () => {
    const station = await watchingCases({ sendWithoutReview: true })
    await station.arrive('a/K1.dcm', await object('H-00101', 'R', '2.25.5'))
    await station.arrive('a/K2.dcm', await object('H-00101', 'L', '2.25.5', '2.25.7'))
    await station.quiet()
    expect(station.open().map(({ state, images }) => [state, images.length])).toEqual([['review', 2]])
  })

  it('two photographs under names of their own leave', async () => {
    const station = await watchingCases({ sendWithoutReview: true })
    await station.arrive('a/K1.dcm', await object('H-00101', 'R', '2.25.5'))
    await station.arrive('a/K2.dcm', await object('H-00101', 'L', '2.25.7', '2.25.7'))
    await station.quiet()
    expect(station.open().map(({ state, images }) => [state, images.length])).toEqual([['waiting', 2]])
  })
})

describe('a DICOM file beside a copy of an image that was sent', () => {
  it.each([
    ['of another patient', 'H-00202', [PATIENT]],
    ['of the same patient', 'H-00101', []],
  ])('%s', async (_whose, patientId, expected) => {
    for (const isCopyFirst of [true, false]) {
      const { station, bytes } = await withSent()
      if (isCopyFirst) await station.arrive('b/K9.png', bytes)
      await station.arrive('b/K9.dcm', await dicomOf(patientId))
      if (!isCopyFirst) await station.arrive('b/K9.png', bytes)
      expect(alarms(station)).toEqual(expected)
    }
  })
})
