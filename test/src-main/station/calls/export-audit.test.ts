import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { exportAudit, isoWithOffset } from '../../../../src-main/station/calls/csv-export.ts'
import { MORNING, newSubmission, openTestOutbox } from '../../../tools/outbox-with.ts'
import { partsWith } from './parts-with.ts'

describe('the trail as a file', () => {
  it('has a line for every entry, oldest first, with who, why and from where to where', async () => {
    const test = await partsWith()
    const id = test.outbox.submissions.create(newSubmission())
    test.outbox.submissions.transition(id, 'gatheredForReview', {}, { at: MORNING + 1 })
    await test.call('submissions.hold', { ids: [id], by: '=AB', why: 'wrong "patient"?\r\n@ask' })
    const answer = await test.call('audit.export', { submissionId: id })
    if (!answer.ok) throw new Error('no file')
    const { csv, entries, fileName } = answer.value
    expect(fileName).toMatch(/^fundus-courier-audit_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.csv$/)
    expect(csv.startsWith('\ufeff"id","time","reference","what","from","to","by","why","details"\r\n')).toBe(
      true,
    )
    const rows = parse(csv, { bom: true, columns: true })
    expect(entries).toBe(3)
    const reference = test.outbox.submissions.row(id)?.reference
    expect(rows).toMatchObject([
      { id: '1', reference, what: 'added', from: '', to: '', by: '', why: '' },
      { what: 'gatheredForReview', from: 'collecting', to: 'review', by: '' },
      {
        what: 'held',
        from: 'review',
        to: 'held',
        by: "'=AB",
        why: 'wrong "patient"?\r\n\'@ask',
        details: '',
      },
    ])
  })

  it('keeps to the filter, and says in its name when it is not all', async () => {
    const { outbox } = openTestOutbox()
    outbox.write(() => {
      for (let index = 0; index < 4_500; index += 1) {
        const what = index % 2 === 0 ? 'even' : 'odd'
        outbox.audit.append({ at: index, submissionId: null, what, by: null, details: { index } })
      }
    })
    const all = await exportAudit(outbox, { what: ['even'], since: 100, until: 4_400 }, MORNING)
    expect(all.entries).toBe(2_150)
    const rows = parse(all.csv, { bom: true, columns: true })
    expect(new Set(rows.map((row) => (row as { what: string }).what))).toEqual(new Set(['even']))
    const some = await exportAudit(outbox, {}, MORNING, 3_000)
    expect(some.entries).toBe(3_000)
    expect(some.fileName).toMatch(/_first-3000-of-4500\.csv$/)
    expect(parse(some.csv, { bom: true, columns: true }).at(-1)).toMatchObject({ id: '3000' })
  })
})

it.each([
  [0, '2026-11-20T09:00:00.000+00:00'],
  [60, '2026-11-20T10:00:00.000+01:00'],
  [-210, '2026-11-20T05:30:00.000-03:30'],
])('an instant %i minutes from UTC is written %s', (offset, text) => {
  expect(isoWithOffset(MORNING, offset)).toBe(text)
  expect(Date.parse(text)).toBe(MORNING)
})
