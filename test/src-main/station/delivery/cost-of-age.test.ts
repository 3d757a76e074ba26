/** No statement of a delivery, of a lookup or of a look at overdue cases reads more because more was sent before. */
import Database from 'better-sqlite3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { databasePathIn } from '../../../../src-main/station/outbox/open-outbox.ts'
import { MORNING, SERVICE } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { sending, type TestDelivery } from './delivery-with.ts'
import { LOST } from './scripted-service.ts'

/** A search by a state, of which nearly every case is. */
const BY_STATE = /submissions_by_(?:age|state) \(state=\?\)/

/** A table as a whole. The indexes of what is unconfirmed or has no report yet hold few rows, however much was sent. */
const WHOLE =
  /^SCAN (?:submissions|s|attempts|evidence|images|known_cases|case_states|said|report_watches|report_versions|audit)\b(?! USING (?:COVERING )?INDEX (?:submissions_unconfirmed|report_watches_missing))/

/** Asked once for each opening of a delivery, and the first row of an index. */
const ONCE = /GROUP BY center_id|LIMIT 1$/

function grows(text: string, step: string): boolean {
  return (
    WHOLE.test(step) ||
    (BY_STATE.test(step) && /(?<!later\.state) = 'sent'/.test(text) && !/'unconfirmed'/.test(text))
  )
}

/** What the program asks from now on, each text once. */
function recordStatements(): () => readonly string[] {
  const prepare = vi.spyOn(Database.prototype, 'prepare')
  onTestFinished(() => prepare.mockRestore())
  return () => [...new Set(prepare.mock.calls.map(([text]) => text))]
}

/** The steps of a statement that grow with what was sent, as SQLite plans it. */
function growingSteps(sql: Database.Database, text: string): readonly string[] {
  const steps = sql.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
  const values = Array.from(text.matchAll(/\?/g), () => null)
  const named = Object.fromEntries(
    Array.from(text.matchAll(/[@:$]([a-z]\w*)/gi), ([, name = '']) => [name, null]),
  )
  return steps
    .all(...values, ...(Object.keys(named).length > 0 ? [named] : []))
    .flatMap(({ detail }) => (grows(text, detail) ? [detail] : []))
}

/** The texts among these that read what was sent, with their steps. */
function growing(folder: string, texts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const sql = new Database(databasePathIn(folder), { readonly: true })
  onTestFinished(() => void sql.close())
  const selects = texts.filter((text) => /^\s*(?:SELECT|WITH)\b/i.test(text) && !ONCE.test(text))
  expect(selects.length).toBeGreaterThan(20)
  const found = selects.map((text) => [text, growingSteps(sql, text)] as const)
  return Object.fromEntries(found.filter(([, steps]) => steps.length > 0))
}

const overdue = ({ outbox }: TestDelivery): unknown =>
  outbox.overdueRows(
    {
      notSentBefore: MORNING - HOUR,
      notConfirmedBefore: MORNING - HOUR,
      noReportBefore: MORNING - DAY,
    },
    50,
  )

it.each([
  ['taken and read back', [{ kind: 'taken' } as const]],
  ['lost, looked up and found', [LOST, { kind: 'taken' } as const]],
])('a case that is %s reads nothing of what was sent before', async (_what, plan) => {
  let asked = (): readonly string[] => []
  const { test, ids } = await sending(
    { plan, cases: 2, turnMs: 10 * MINUTE, folder: temporaryFolder() },
    () => {
      asked = recordStatements()
    },
  )
  expect(ids.map((id) => test.outbox.submissionOf(id)?.state)).toEqual(['sent', 'sent'])
  overdue(test)
  test.outbox.announcedReports({ ...SERVICE, centerId: null }, 20)
  test.close()
  expect(growing(test.folder, asked())).toEqual({})
})
