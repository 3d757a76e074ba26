import { describe, expect, it } from 'vitest'
import type { Sidecar } from '../../../../src-main/station/cases/meaning/sources.ts'
import { earlierRecords } from '../../../../src-main/station/cases/visits/restated.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import { startAttempt } from '../../../tools/outbox-with.ts'
import { type TestCases, watchingCases } from './cases-with.ts'

const CASE = { history_number: 'H-00017', visit_date: '2026-11-20' }
const VISIT = 'H-00017_20261120'

let station: TestCases

/** The notes on files beside the images, and the activity of the case. */
const noted = () => ({
  notes: (station.cases.folders.status()[0]?.notes ?? []).map(({ kind, message }) => ({ kind, message })),
  activity: station.test.outbox.listAudit({ what: ['dataCameLate'], limit: 10 }),
})

/** One visit whose sending has begun, with this beside its images. */
async function sending(record: object | null): Promise<string> {
  station = await watchingCases({ sendWithoutReview: true })
  if (record !== null) await station.arrive(`${VISIT}/case.json`, JSON.stringify({ ...CASE, ...record }))
  for (const eye of ['OD', 'OS']) await station.arrive(`${VISIT}/${VISIT}_${eye}_1.png`)
  await station.quiet()
  const id = station.all()[0]?.id ?? ''
  // The eyes stand in the names only, so a person approves it.
  expect(station.test.outbox.moveSubmission(id, 'approved', {}, { at: 1 })).toBe('waiting')
  startAttempt(station.test, id)
  return id
}

const sentence = (reference: string, what: string): string =>
  `This arrived after the sending of ${reference} had begun, and differs: ${what}. Nothing was changed: correct the case if you still can, or call the reading service.`

describe('data that come when the sending of their case has begun', () => {
  it('change nothing, and are noted with the case and with what they say otherwise', async () => {
    const id = await sending({ od_iop: 14 })
    const before = station.test.outbox.submissionOf(id)
    const eyes = { [`${VISIT}_OD_1.png`]: 'OS' }
    await station.arrive(
      `${VISIT}/case.json`,
      JSON.stringify({ ...CASE, od_iop: 15, os_va: 0.8, images: eyes }),
    )
    expect(station.test.outbox.submissionOf(id)).toEqual(before)
    expect(noted().notes).toEqual([
      {
        kind: 'dataCameLate',
        message: sentence(before?.reference ?? '', 'OD IOP, OS visual acuity, eyes'),
      },
    ])
    expect(noted().activity).toMatchObject([
      { submissionId: id, by: null, details: { fields: ['od_iop', 'os_va'], otherEyes: 1 } },
    ])
    // The other eye of a file that is named is more than late.
    expect(station.test.outbox.openAlarms()).toMatchObject([{ kind: 'contradicted', submissionId: id }])
  })

  it('are noted if they only hint at another eye, as a name does that two devices may count', async () => {
    station = await watchingCases({ sendWithoutReview: true })
    for (const path of ['OD/12.png', 'OS/13.png']) await station.arrive(`${VISIT}/${path}`)
    await station.quiet()
    const id = station.all()[0]?.id ?? ''
    expect(station.test.outbox.moveSubmission(id, 'approved', {}, { at: 1 })).toBe('waiting')
    startAttempt(station.test, id)
    await station.arrive(`${VISIT}/OD/12.json`, JSON.stringify({ ...CASE, eye: 'OS' }))
    expect(noted().activity).toMatchObject([{ submissionId: id, details: { otherEyes: 1 } }])
    expect(station.test.outbox.openAlarms()).toEqual([])
  })

  it.each([
    ['its folder', `${VISIT}/case.json`, JSON.stringify({ ...CASE, od_iop: 15 })],
    ['its files', 'values.csv', `file,od_iop\n${VISIT}/${VISIT}_OD_1.png,15\n`],
    [
      'its patient and day',
      'values.csv',
      'history_number,visit_date,od_iop,od_axis\nh-00017,2026-11-20,15,\nh-00017,2026-11-20,,90\n',
    ],
    ['an age', 'births.csv', 'history_number,visit_date,birth_date\nH-00017,2026-11-20,1950-02-03\n'],
  ])('are noted once of a case that had none, by %s', async (_what, path, content) => {
    const id = await sending(null)
    await station.arrive(path, content)
    expect(noted().activity.map(({ submissionId }) => submissionId)).toEqual([id])
  })

  it.each([
    ['say the same', { ...CASE, od_iop: 14 }],
    ['are of the next patient', { ...CASE, history_number: 'H-00018', od_iop: 20 }],
    ['are of another day', { ...CASE, visit_date: '2026-11-21', od_iop: 20 }],
    ['could be of any patient', { od_iop: 20 }],
  ])('raise nothing if they %s', async (_what, later) => {
    await sending({ od_iop: 14 })
    await station.arrive(`${VISIT}/case.json`, JSON.stringify({ note: 'written again', ...later }))
    expect(noted()).toEqual({ notes: [], activity: [] })
  })

  it('raise nothing if a person has decided what they say, or they are of a patient on no day', async () => {
    const id = await sending({ od_iop: 14, os_iop: 13 })
    const submission = station.test.outbox.submissionOf(id)
    if (!submission) throw new Error('There is no case.')
    const { os_iop: _emptied, ...fields } = submission.fields
    const sources = { ...submission.sources, od_iop: 'person', os_iop: 'person' } as const
    station.test.outbox.setContent(
      id,
      { fields: { ...fields, od_iop: 18 }, sources, reasons: submission.reasons },
      0,
    )
    await station.arrive(`${VISIT}/case.json`, JSON.stringify({ ...CASE, od_iop: 15, os_iop: 16 }))
    await station.arrive('ages.csv', 'history_number,age\nH-00017,71\n')
    expect(noted()).toEqual({ notes: [], activity: [] })
  })

  it('hide nothing else that is noted of their file', async () => {
    const id = await sending(null)
    const { reference } = station.test.outbox.submissionOf(id) ?? {}
    const rows = ['history_number,visit_date,od_iop', 'H-00017,2026-11-20,15', 'H-00018,2026-11-20,15,16,17']
    await station.arrive('values.csv', `${rows.join('\n')}\n`)
    expect(noted().notes).toEqual([
      { kind: 'sidecarUnreadable', message: expect.stringContaining(sentence(reference ?? '', 'OD IOP')) },
    ])
    expect(noted().notes[0]?.message).not.toMatch(/^It came/)
  })
})

const NO_FILES = { birthDate: null, eyes: {}, rejected: [] }
const record = (fields: Fields, files: readonly string[] = []): Sidecar => ({ ...NO_FILES, fields, files })
const kept = (...records: readonly (Sidecar | null)[]) =>
  records.map((content, index) => ({
    id: index + 1,
    folder_path: '/camera',
    relative_path: 'values.json',
    form: 'document' as const,
    content: content === null ? null : JSON.stringify(content),
    trouble: null,
    stated_before: null,
    withdrawn_at: null,
    at: 0,
  }))

/** Which rows these records replace, one after the other. */
function replacedBy(form: 'case' | 'document' | 'table', rows: ReturnType<typeof kept>, ...later: Sidecar[]) {
  const earlier = earlierRecords(form, (id) => rows[id - 1] ?? null)
  earlier.add(rows)
  const replaced = new Set<number>()
  return later.map((one) => {
    const id = earlier.findReplaced(one, (known) => replaced.has(known))?.id ?? null
    if (id !== null) replaced.add(id)
    return id
  })
}

const otherwise = (one: Sidecar): Sidecar => ({ ...one, fields: { ...one.fields, od_iop: 15 } })
const dated = record({ history_number: 'H-00017', visit_date: '2026-11-20', od_iop: 14 })
const undated = record({ history_number: 'H-00017', age: 70 })
const next = record({ history_number: 'H-00018' })
const spelled = (history_number: string): Sidecar => record({ history_number })
const ana = record({ history_number: 'H-00017', first_name: 'Ana' })
const otto = record({ history_number: 'H-00017', first_name: 'Otto' })
const [right, left] = [record({ od_iop: 14 }, ['OD.jpg']), record({ od_iop: 14 }, ['OS.jpg'])]

it.each([
  ['one of one visit', 'document', [dated, undated], [otherwise(dated), undated, undated], [1, 2, null]],
  ['the row of the file', 'table', [right, left], [otherwise(left), right, right], [2, 1, null]],
  ['what could not be read', 'case', [null], [next], [1]],
  ['nothing of another visit', 'case', [undated], [next], [null]],
  ['nothing of another number', 'case', [spelled('12-345')], [spelled('123-45')], [null]],
  ['nothing of another person', 'case', [ana], [otto], [null]],
  ['no row of another person', 'table', [ana], [otto], [null]],
  ['nor a row that names more', 'table', [record(undated.fields, ['OD.jpg'])], [undated], [null]],
] as const)('records take the place of: %s', (_what, form, earlier, later, ids) => {
  expect(replacedBy(form, kept(...earlier), ...later)).toEqual(ids)
})
