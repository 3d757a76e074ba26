/** An outbox of a version that knew other states and kinds than this one opens; what only describes reads as `unknown`. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS, openDatabase } from '../../../../src-main/station/outbox/migrations/migrate.ts'
import { databasePathIn, openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { worded } from '../../../../src-shared/wording.ts'
import { MORNING, openTestOutbox, type TestOutbox } from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { reportVersion } from './case-in.ts'

/** A data folder whose schema has these words in place of those of today. */
function writtenWith(from: string, to: string, row = ''): string {
  const folder = temporaryFolder()
  const sql = openDatabase(databasePathIn(folder))
  const schema = MIGRATIONS.join('')
  expect(schema).toContain(from)
  sql.exec(schema.replace(from, to))
  sql.exec(row)
  sql.pragma(`user_version = ${MIGRATIONS.length}`)
  sql.close()
  return folder
}

const open = (folder: string): TestOutbox => openTestOutbox(folder)

describe('an outbox of a version that knew what this one does not', () => {
  it('an alarm kind opens, and the alarm is shown as of an unknown kind', () => {
    const row = `INSERT INTO alarms (id, kind, case_ids, message, raised_at)
      VALUES ('a-1', 'retiredAlarm', '[]', 'It happened.', ${MORNING});`
    const { outbox } = open(writtenWith("'foundUnsent'", "'foundUnsent', 'retiredAlarm'", row))
    expect(outbox.openAlarms()).toMatchObject([{ kind: 'unknown', message: 'It happened.' }])
    expect(outbox.settleAlarm('a-1', { by: null, why: null, at: MORNING })).toBe(true)
  })

  /** Closes an outbox with one sent case, changes a row as another version would have written it, and opens it. */
  const changed = (statement: string): { readonly outbox: TestOutbox['outbox']; readonly id: string } => {
    const test = open(temporaryFolder())
    const id = sentCase(test, '4711')
    test.outbox.saveReportVersion(reportVersion(id, '4711', { kind: 'pdf' }))
    test.close()
    const sql = openDatabase(join(test.folder, 'outbox.sqlite'))
    sql.pragma('ignore_check_constraints = ON')
    expect(sql.prepare(statement).run().changes).toBeGreaterThan(0)
    sql.close()
    const opened = openOutbox(test.folder)
    return { outbox: opened.outbox, id }
  }

  it('alarms and evidence read as written, without a wording if theirs cannot be read', () => {
    const test = open(temporaryFolder())
    const { outbox } = test
    const id = sentCase(test, '4711')
    const entry = { at: MORNING, caseIds: [], ...worded('outbox:contentChanged') }
    outbox.raiseAlarm({ ...entry, kind: 'contentChanged', submissionId: id })
    const attemptId = outbox.attemptsOf(id)[0]?.id ?? ''
    outbox.appendEvidence({ ...entry, submissionId: id, attemptId, kind: 'absent', by: null })
    const shown = (): unknown[] => [outbox.openAlarms()[0], outbox.detailsOf(id)?.evidence[0]]
    expect(shown()).toMatchObject([worded('outbox:contentChanged'), worded('outbox:contentChanged')])
    test.close()
    const sql = openDatabase(join(test.folder, 'outbox.sqlite'))
    sql.exec("UPDATE alarms SET wording = '7'")
    sql.close()
    const [alarm] = open(test.folder).outbox.openAlarms()
    expect([alarm?.message, alarm?.wording]).toEqual([entry.message, undefined])
  })

  it('an oddity kind reads as unknown, with its sentence', () => {
    const oddity = '[{"kind":"retiredOddity","message":"It is odd."}]'
    const { outbox, id } = changed(`UPDATE submissions SET oddities = '${oddity}'`)
    expect(outbox.submissionOf(id)).toMatchObject({
      state: 'sent',
      oddities: [{ kind: 'unknown', message: 'It is odd.' }],
    })
    expect(outbox.quarantined()).toEqual([])
  })

  it('a report kind reads as unknown', () => {
    const { outbox } = changed("UPDATE report_versions SET kind = 'retiredReport'")
    expect(outbox.listReports()).toMatchObject([{ kind: 'unknown' }])
  })

  it('a kind of the trail is listed', () => {
    const { outbox } = changed("INSERT INTO audit (at, what, details) VALUES (1, 'retiredEvent', '{}')")
    expect(outbox.listAudit({ limit: 1 })).toMatchObject([{ what: 'retiredEvent' }])
  })

  it('an outcome blocks its case alone', () => {
    const { outbox, id } = changed("UPDATE attempts SET outcome = 'retiredOutcome'")
    expect(outbox.submissionOf(id)).toMatchObject({ state: 'sent', unreadable: 'attempts.outcome' })
  })
})
