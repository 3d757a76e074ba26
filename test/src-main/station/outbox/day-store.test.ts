import Database from 'better-sqlite3'
import { createStore } from '../../../../src-main/station/outbox/database.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MIGRATIONS } from '../../../../src-main/station/outbox/migrations/migrate.ts'
import { countPeriods } from '../../../../src-main/station/outbox/oversight.ts'
import { DAY } from '../../../../src-shared/durations.ts'
import { addWaiting, startAttempt, MORNING, openTestOutbox } from '../../../tools/outbox-with.ts'

/** 100,000 submissions of the last 30 days in the tables of the outbox, without what hangs on them. */
function manySubmissions(): InstanceType<typeof Database> {
  const sql = new Database(':memory:')
  onTestFinished(() => void sql.close())
  for (const text of MIGRATIONS) sql.exec(text)
  for (const name of ['submission_is_counted', 'manifest_of_submission']) sql.exec(`DROP TRIGGER ${name}`)
  sql.exec(`WITH RECURSIVE many (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM many WHERE n < 99999)
    INSERT INTO submissions (id, reference, state, fields, sources, identity, reasons, case_id, added_at, changed_at, sent_at)
    SELECT 's' || n, 'r' || n, 'sent', '{}', '{}', '{}', '[]', 'c' || n,
      ${MORNING} - (n % 30) * ${DAY}, 0, ${MORNING} - (n % 30) * ${DAY} FROM many`)
  return sql
}

describe('the counts between instants', () => {
  it('have each submission if it came and if it was sent', () => {
    const test = openTestOutbox()
    addWaiting(test, { at: MORNING - DAY })
    const sent = addWaiting(test, { at: MORNING - 1 })
    addWaiting(test, { at: MORNING })
    startAttempt(test, sent)
    test.outbox.submissions.transition(
      sent,
      'deliveredNow',
      { caseId: '9', sentAt: MORNING },
      { at: MORNING },
    )
    expect(test.outbox.oversight.countPeriods([MORNING - DAY, MORNING, MORNING + DAY])).toEqual([
      { added: 2, sent: 0 },
      { added: 1, sent: 1 },
    ])
    expect(test.outbox.oversight.countPeriods([MORNING])).toEqual([])
  })

  it('of 30 days go through indexes alone, and not through all of 100,000 submissions for each day', () => {
    const sql = manySubmissions()
    const bothOnce = sql
      .prepare<[], number>(`SELECT (SELECT count(*) FROM submissions WHERE added_at >= 0)
      + (SELECT count(*) FROM submissions WHERE sent_at >= 0)`)
      .pluck()
    for (const column of ['added_at', 'sent_at']) {
      const plan = sql
        .prepare<[], { detail: string }>(
          `EXPLAIN QUERY PLAN SELECT count(*) FROM submissions WHERE ${column} >= 1 AND ${column} < 2`,
        )
        .all()
      expect(plan.map(({ detail }) => detail).join()).toContain('COVERING INDEX')
    }
    const store = createStore(sql, () => undefined)
    const bounds = Array.from({ length: 31 }, (_nothing, index) => MORNING - (29.5 - index) * DAY)
    let fastest = Infinity
    let fastestOnce = Infinity
    // By turns, and against each other, as the machine may be busy with something else.
    for (let turn = 0; turn < 9; turn += 1) {
      const began = performance.now()
      const counts = countPeriods(store, bounds)
      const counted = performance.now()
      expect(bothOnce.get()).toBe(200_000)
      fastestOnce = Math.min(fastestOnce, performance.now() - counted)
      fastest = Math.min(fastest, counted - began)
      expect(counts.reduce((sum, { added, sent }) => sum + added + sent, 0)).toBe(200_000)
    }
    // Two to three times as long; all of them for each day would be thirty times.
    expect(fastest / fastestOnce).toBeLessThan(10)
  })
})
