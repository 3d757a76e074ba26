/** Which statements of a program read more the more cases were sent, as SQLite plans them. */
import Database from 'better-sqlite3'
import { onTestFinished, vi } from 'vitest'
import { databasePathIn } from '../../src-main/station/outbox/open-outbox.ts'
import { openTestOutbox } from './outbox-with.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A search by a state, of which nearly every case is. */
const BY_STATE = /submissions_by_(?:age|state) \(state=\?\)/

/**
 * A table as a whole. The indexes of what is unconfirmed, unread or has no report yet hold few rows, however much was
 * sent. The other tables are of folders, alarms and settings.
 */
const WHOLE =
  /^SCAN (?:submissions|s|attempts|evidence|images|sightings|sidecar_records|sidecar_matches|known_cases|report_watches|watch|report_versions|latest|audit)\b(?! USING (?:COVERING )?INDEX (?:submissions_unconfirmed|report_watches_missing|report_watches_unread))/

/** All that a folder has had, of which most was sent. */
const BY_FOLDER =
  /^SEARCH (?:submissions|s|images|sightings|sidecar_records|sidecar_matches|submission_keys) USING (?:COVERING )?INDEX \w+ \(folder_path=\?(?: AND became=\?)?\)/

/** Asked once for each opening of a delivery, and the first row of an index. */
const ONCE = /GROUP BY center_id|LIMIT 1$/

/** The first rows in the order of an index, unless all are read to be sorted. */
const FIRST_ROWS = /LIMIT \?$/
const SORTED = /USE TEMP B-TREE FOR ORDER BY/

function grows(text: string, step: string): boolean {
  return (
    WHOLE.test(step) ||
    BY_FOLDER.test(step) ||
    (BY_STATE.test(step) && /(?<!later\.state) = 'sent'/.test(text) && !/'unconfirmed'/.test(text))
  )
}

/** What the program asks from now on, each text once. */
export function recordStatements(): () => readonly string[] {
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
  const plan = steps
    .all(...values, ...(Object.keys(named).length > 0 ? [named] : []))
    .map(({ detail }) => detail)
  if (FIRST_ROWS.test(text) && !plan.some((detail) => SORTED.test(detail))) return []
  return plan.filter((detail) => grows(text, detail))
}

/** The texts among these that read or change more the more was sent, with their steps. */
export function growing(texts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  // The plan of an insertion names the tables that refer to it, which are read only if a row is replaced.
  const asked = texts.filter((text) => /^\s*(?:SELECT|WITH|UPDATE|DELETE)\b/i.test(text) && !ONCE.test(text))
  if (asked.length < 20) throw new Error(`Only ${asked.length} statements were recorded.`)
  const empty = openTestOutbox(temporaryFolder())
  empty.close()
  const sql = new Database(databasePathIn(empty.folder), { readonly: true })
  onTestFinished(() => void sql.close())
  const found = asked.map((text) => [text, growingSteps(sql, text)] as const)
  return Object.fromEntries(found.filter(([, steps]) => steps.length > 0))
}
