import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newSubmission, openTestOutbox } from '../../../tools/outbox-with.ts'

describe('the audit trail', () => {
  it('has the newest first, by submission and by page', () => {
    const { outbox } = openTestOutbox()
    const id = outbox.createSubmission(newSubmission())
    for (const what of ['one', 'two', 'three'])
      outbox.appendAudit({
        at: 5,
        submissionId: what === 'two' ? id : null,
        what,
        by: 'AB',
        details: { count: 2 },
      })
    const all = outbox.listAudit({ limit: 10 })
    expect(all.map((entry) => entry.what)).toEqual(['three', 'two', 'one', 'added'])
    expect(outbox.listAudit({ submissionId: id, limit: 10 }).map((entry) => entry.what)).toEqual([
      'two',
      'added',
    ])
    expect(outbox.listAudit({ limit: 1, before: all[1]?.id })).toEqual([
      { id: all[2]?.id, at: 5, submissionId: null, what: 'one', by: 'AB', details: { count: 2 } },
    ])
  })

  it('can be added to and not be changed, not even behind the back of the station', () => {
    const test = openTestOutbox()
    test.outbox.createSubmission(newSubmission())
    test.close()
    const database = new Database(join(test.folder, 'outbox.sqlite'))
    for (const change of ["UPDATE audit SET what = 'nothing'", 'DELETE FROM audit'])
      expect(() => database.exec(change)).toThrow('append-only')
    expect(database.prepare('SELECT count(*) FROM audit').pluck().get()).toBe(1)
    database.close()
  })

  it('holds no value of a patient field', () => {
    const { outbox } = openTestOutbox()
    const fields = { history_number: 'H-SECRET', first_name: 'Ada', last_name: 'Lovelace' }
    const id = outbox.createSubmission(newSubmission({ fields, groupKey: 'H-SECRET/2026' }))
    outbox.moveSubmission(id, 'gatheredToSend', {}, { at: 1 })
    expect(JSON.stringify(outbox.listAudit({ limit: 10 }))).not.toMatch(/H-SECRET|Ada|Lovelace/)
  })
})
