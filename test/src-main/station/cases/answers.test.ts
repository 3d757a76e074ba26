/** An answer to one question settles no other: what a person found wrong about one thing proves nothing of the rest. */
import { expect, it } from 'vitest'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { watchingCases } from './cases-with.ts'

const RECORD = { history_number: 'H-00101', visit_date: '2026-11-20' }
const DICOM = { patientId: 'H-00101', patientName: '', studyDate: '20261120' }
const NO_ONE = { patientId: '', patientName: '', studyDate: '' }

it.each<
  readonly [
    what: string,
    record: object,
    dicom: Parameters<typeof dicomFile>[0],
    chosen: 'right' | 'left',
    standing: readonly [who: string, day: string],
  ]
>([
  [
    'the record alone states it, and was wrong',
    { ...RECORD, eye: 'OS' },
    NO_ONE,
    'right',
    ['proposed', 'proposed'],
  ],
  [
    'the record alone states it, and was right',
    { ...RECORD, eye: 'OS' },
    NO_ONE,
    'left',
    ['proven', 'proven'],
  ],
  [
    'the attributes alone state the number, and were wrong',
    { visit_date: '2026-11-20', eye: 'OS' },
    DICOM,
    'left',
    ['proposed', 'proven'],
  ],
  [
    'the attributes alone state the number, and were right',
    { visit_date: '2026-11-20', eye: 'OS' },
    DICOM,
    'right',
    ['proven', 'proven'],
  ],
  [
    'the record alone states the day',
    { ...RECORD, eye: 'OS' },
    { ...DICOM, studyDate: '' },
    'right',
    ['proven', 'proposed'],
  ],
  ['both state it', { ...RECORD, eye: 'OS' }, DICOM, 'right', ['proven', 'proven']],
])('the eye was asked, and of the number and the day %s', async (_what, record, dicom, chosen, standing) => {
  const station = await watchingCases({ sendWithoutReview: true })
  await station.arrive('a/K-1.json', JSON.stringify(record))
  await station.arrive('a/K-1.dcm', await dicomFile({ ...dicom, laterality: 'R', sopUid: '2.25.5' }))
  await station.quiet()
  const [asked] = station.open()
  expect(asked?.reasons.map(({ kind }) => kind)).toContain('eyeConflict')
  const { outbox } = station.test
  for (const { id } of outbox.imageRowsOf(asked?.id ?? ''))
    outbox.setEye(id, { eye: chosen, source: 'person', statements: null })
  station.cases.settle(asked?.id ?? '', 'closing', { at: station.clock.now() })
  const [answered] = station.open()
  expect([answered?.verdict.who.kind, answered?.verdict.day.kind]).toEqual(standing)
  expect(answered?.state).toBe(standing.includes('proposed') ? 'review' : 'waiting')
})

it.each([
  ['a record that was wrong proves no eye', 'H-00202', 'proposed', 'review'],
  ['a record that was right does', 'H-00101', 'proven', 'waiting'],
])('the number was asked: %s', async (_what, entered, eye, state) => {
  const station = await watchingCases({ sendWithoutReview: true })
  await station.arrive('a/K-1.json', JSON.stringify({ ...RECORD, eye: 'OD' }))
  await station.arrive('a/K-1.dcm', await dicomFile({ ...DICOM, patientId: 'H-00202', sopUid: '2.25.5' }))
  await station.quiet()
  const id = station.open()[0]?.id ?? ''
  const fields = { history_number: entered }
  station.test.outbox.setContent(
    id,
    { fields, sources: { history_number: 'person' }, reasons: [] },
    station.clock.now(),
  )
  station.cases.settle(id, 'closing', { at: station.clock.now() })
  const [answered] = station.open()
  expect(Object.values(answered?.verdict.eyes ?? {}).map(({ kind }) => kind)).toEqual([eye])
  expect(answered?.state).toBe(state)
})
