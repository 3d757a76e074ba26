/** Each column of each table is damaged in turn, in a case that was sent and in one that waits: it blocks that case alone. */
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUnreadable, applyFindings, isIntact } from '../../../../src-main/station/outbox/check-rows.ts'
import type { Outbox } from '../../../../src-main/station/outbox/outbox.ts'
import { MORNING, SERVICE } from '../../../tools/outbox-with.ts'
import { makeThreeCases, opened, type ThreeCases } from './three-cases.ts'

let three: ThreeCases
beforeAll(async () => {
  three = await makeThreeCases()
})
afterAll(() => rmSync(three.manifestsFolder, { recursive: true, force: true }))
const open = (sql: Database.Database): Promise<Outbox> => opened(sql, three.manifestsFolder)

/** Tables whose rows belong to no case, or only describe: a change there never blocks one. */
const DESCRIBING = (
  'submission_keys image_copies evidence seen_files report_watches report_versions audit alarms sidecar_records ' +
  'sidecar_matches case_lists calibrations case_states known_cases facts submission_counts spool_leftovers quarantine'
).split(' ')
/**
 * Columns whose every value can be read: what is in them says nothing that the program relies on on its own. The digest
 * that was approved says whether this is what was; who approved it, and when, decides nothing. The bytes of an image
 * are looked for when it is sent, and an image without its bytes is damaged.
 */
const PLAIN = Object.entries({
  submissions:
    'folder_path center_id case_id approved_by approved_at passed_at quiet_until not_before added_at changed_at ' +
    'sent_at confirmed_at',
  images:
    'id position folder_path file_name stem_key mtime_ms spool_name excluded_because added_at removed_at',
  attempts:
    'id base_url client_id center_id answer_status answer_body found_at warned_case_id started_at ended_at',
  manifests: 'revision kept_revision',
}).flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`))

type Column = { readonly table: string; readonly column: string; readonly type: string }

function columnsOf(bytes: Buffer): Column[] {
  const sql = new Database(bytes)
  const found = sql
    .prepare<[], Column>(
      `SELECT t.name AS "table", c.name AS "column", c.type FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
       WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE 'submission_words%'`,
    )
    .all()
  sql.close()
  return found
}

const VALUES: Readonly<Record<string, unknown>> = {
  TEXT: 'spoilt',
  INTEGER: -7,
  REAL: -7.5,
  BLOB: Buffer.from([0]),
}

/** Changes one row behind the back of all triggers and constraints, as a disk does. False if the case has no such row. */
function damage(sql: Database.Database, { table, column, type }: Column, id: string): boolean {
  const triggers = sql
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all()
  for (const { name } of triggers) sql.exec(`DROP TRIGGER ${name}`)
  sql.pragma('foreign_keys = OFF')
  sql.pragma('ignore_check_constraints = ON')
  const has = (name: string): boolean =>
    sql.prepare(`SELECT 1 FROM pragma_table_info('${table}') WHERE name = ?`).get(name) !== undefined
  const owner =
    table === 'submissions' ? 'id = @id' : has('submission_id') ? 'submission_id = @id' : '@id = @id'
  const value = VALUES[type]
  const keyed = has('position') ? ` AND position = (SELECT min(position) FROM ${table} WHERE ${owner})` : ''
  const { changes } = sql
    .prepare(`UPDATE OR IGNORE ${table} SET ${column} = @value WHERE ${owner}${keyed}`)
    .run({ id, value })
  sql.pragma('ignore_check_constraints = OFF')
  sql.pragma('foreign_keys = ON')
  for (const one of triggers) sql.exec(one.sql)
  return changes > 0
}

function expectOthersGoOn(outbox: Outbox): void {
  const { other, sent, waiting } = three.cases
  for (const order of ['added', 'urgency'] as const)
    expect(
      outbox.submissions
        .list({ limit: 9, order })
        .items.map(({ reference }) => reference)
        .toSorted(),
      order,
    ).toEqual([other, sent, waiting].map(({ reference }) => reference).toSorted())
  expect(outbox.submissions.get(other.id)).toMatchObject({
    state: 'waiting',
    fields: { history_number: 'H-3' },
  })
  expect(outbox.submissions.get(other.id)?.unreadable).toBeUndefined()
  expect(outbox.attempts.dueSubmissions(MORNING, 9).map(({ id }) => id)).toContain(other.id)
  // No image is taken in again, by its bytes or by its DICOM name.
  for (const { sha256, sopUid } of Object.values(three.cases)) {
    expect(outbox.images.holderOf(sha256)).not.toBeNull()
    expect(outbox.images.holderOf('f'.repeat(64), sopUid)).not.toBeNull()
  }
  const destination = { ...SERVICE, centerId: null }
  outbox.attempts.open({ submissionId: other.id, destination, requestBytes: 1, at: MORNING })
}

describe.each(['sent', 'waiting'] as const)('one bad row of a case that is %s', (which) => {
  it('blocks that case alone, whichever column of whichever table it is', { timeout: 60_000 }, async () => {
    const tried: string[] = []
    const wrong: string[] = []
    for (const column of columnsOf(three.bytes)) {
      const name = `${column.table}.${column.column}`
      const { id, reference } = three.cases[which]
      const sql = new Database(three.bytes)
      try {
        if (!damage(sql, column, id)) continue
        tried.push(name)
        const outbox = await open(sql)
        const found = findUnreadable(sql)
        applyFindings(outbox, found, MORNING)
        expectOthersGoOn(outbox)
        const isBlocked = outbox.quarantine.list().some((one) => one.reference === reference)
        const isPlain = DESCRIBING.includes(column.table) || PLAIN.includes(name)
        if (isBlocked === isPlain) wrong.push(name)
        if (isBlocked) {
          const shown = outbox.submissions.list({ limit: 9 }).items.find((one) => one.reference === reference)
          expect(shown).toMatchObject({ state: which, fields: {}, images: [] })
          expect(outbox.attempts.dueSubmissions(MORNING, 9).map((row) => row.id)).not.toContain(id)
          const destination = { ...SERVICE, centerId: null }
          expect(() =>
            outbox.attempts.open({
              submissionId: shown?.id ?? '',
              destination,
              requestBytes: 1,
              at: MORNING,
            }),
          ).toThrow()
        }
        expect(isIntact(sql, 'integrity_check'), name).toBe(true)
      } catch (error) {
        throw new Error(name, { cause: error })
      } finally {
        sql.close()
      }
    }
    expect(wrong).toEqual([])
    for (const table of ['submissions', 'images', 'attempts', 'evidence', 'audit', 'alarms', 'manifests'])
      expect(tried.filter((name) => name.startsWith(`${table}.`)).length, table).toBeGreaterThan(2)
  })
})
