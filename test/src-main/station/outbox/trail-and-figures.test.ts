import { describe, expect, it } from 'vitest'
import {
  addWaiting,
  MORNING,
  newSubmission,
  openMemoryOutbox,
  openTestOutbox,
  startAttempt,
} from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'

describe('the audit trail', () => {
  it('has the newest first, by submission, and no value of a patient field', () => {
    const { outbox } = openTestOutbox()
    const fields = { history_number: 'H-SECRET', first_name: 'Ada', last_name: 'Lovelace' }
    const id = outbox.createSubmission(newSubmission({ fields, groupKey: 'H-SECRET/2026' }))
    outbox.moveSubmission(id, 'gatheredForReview', {}, { at: 1 })
    const note = { at: 5, submissionId: null, reference: null, what: 'one', by: 'AB', details: { count: 2 } }
    outbox.appendAudit(note)
    const all = outbox.listAudit({ limit: 10 })
    const own = ['gatheredForReview', 'added']
    expect(all.map((entry) => entry.what)).toEqual(['one', ...own])
    expect(outbox.listAudit({ submissionId: id, limit: 10 }).map((entry) => entry.what)).toEqual(own)
    expect(outbox.listAudit({ limit: 1 })).toEqual([{ id: all[0]?.id, ...note }])
    expect(JSON.stringify(all)).not.toMatch(/H-SECRET|Ada|Lovelace/)
  })

  it('is narrowed to a case by its reference, or by the id that the service gave it', () => {
    const test = openTestOutbox()
    const id = sentCase(test, '88390')
    addWaiting(test)
    const all = test.outbox.listAudit({ submissionId: id, limit: 99 })
    expect(all.length).toBeGreaterThan(2)
    const reference = test.outbox.submissionOf(id)?.reference ?? ''
    expect(new Set(all.map((entry) => entry.reference))).toEqual(new Set([reference]))
    for (const asked of [reference, '88390'])
      expect(test.outbox.listAudit({ reference: asked, limit: 99 })).toEqual(all)
    expect(test.outbox.countAudit({ reference: '8839' })).toBe(0)
  })

  it('is narrowed by what was done, by whom, and when', () => {
    const { outbox } = openTestOutbox()
    const add = (at: number, what: string, by: string | null): void =>
      outbox.appendAudit({ at, submissionId: null, what, by, details: {} })
    add(10, 'held', 'AB')
    add(20, 'held', 'CD')
    add(30, 'released', 'AB')
    add(40, 'discarded', null)
    const at = (query: Partial<Parameters<typeof outbox.listAudit>[0]>): number[] =>
      outbox.listAudit({ limit: 10, ...query }).map((entry) => entry.at)
    expect(at({ what: ['held', 'discarded'] })).toEqual([40, 20, 10])
    expect(at({ what: [] })).toEqual([])
    expect(at({ by: 'AB' })).toEqual([30, 10])
    expect(at({ since: 20, until: 40 })).toEqual([30, 20])
    expect(at({ what: ['held'], by: 'AB', since: 0, until: 20 })).toEqual([10])
    expect(outbox.countAudit({ by: 'AB' })).toBe(2)
    expect(outbox.auditAfter({ what: ['held'] }, 1, 9).map((entry) => entry.at)).toEqual([20])
  })

  it('can be added to and not be changed, not even behind the back of the station', () => {
    const { outbox, sql: database } = openMemoryOutbox()
    outbox.createSubmission(newSubmission())
    const before = database.prepare('SELECT * FROM audit').all()
    const values = "(id, at, what, details) VALUES (1, 0, 'nothing', '{}')"
    for (const change of [
      "UPDATE audit SET what = 'nothing'",
      "UPDATE OR REPLACE audit SET what = 'nothing'",
      'DELETE FROM audit',
      `REPLACE INTO audit ${values}`,
      `INSERT OR REPLACE INTO audit ${values}`,
      `INSERT INTO audit ${values} ON CONFLICT DO UPDATE SET what = 'nothing'`,
    ])
      expect(() => database.exec(change), change).toThrow('append-only')
    expect(database.prepare('SELECT * FROM audit').all()).toEqual(before)
  })
})

it('shows since when the oldest of a state stands, except of the last states', () => {
  const test = openTestOutbox()
  const [first, second] = [addWaiting(test, { at: MORNING }), addWaiting(test, { at: MORNING + 5 })]
  addWaiting(test, { at: MORNING + 9 })
  startAttempt(test, first)
  test.outbox.moveSubmission(first, 'deliveredNow', { caseId: '9', sentAt: MORNING }, { at: MORNING })
  expect(second).not.toBe(first)
  expect(test.outbox.stateAges()).toEqual([
    { state: 'sent', count: 1, oldestAddedAt: null, unchangedSince: null },
    { state: 'waiting', count: 2, oldestAddedAt: MORNING + 5, unchangedSince: MORNING + 5 },
  ])
  expect(test.outbox.tallyAttempts(10)).toMatchObject([{ outcome: null, count: 1 }])
})
