import type { AuditEntry } from '../../../src-shared/contract.ts'
import { detailsColumn } from '../json-columns.ts'
import type { WriteThrough } from './write-through.ts'

/** Facts about a change: ids, kinds, names of fields and counts. Values of patient fields stay out of the trail. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

type NewAuditEntry = Omit<AuditEntry, 'id' | 'details'> & { readonly details: AuditDetails }

/** Adds a line to the trail, within the transaction of the change that it tells of. */
export function appendAudit(store: WriteThrough, entry: NewAuditEntry): void {
  store.sql
    .prepare('INSERT INTO audit (at, submission_id, what, by, details) VALUES (?, ?, ?, ?, ?)')
    .run(entry.at, entry.submissionId, entry.what, entry.by, JSON.stringify(entry.details))
}

/** What narrows the trail; instants are epoch milliseconds, `until` is not included. */
export type AuditFilter = {
  readonly submissionId?: string | undefined
  /** The reference of a submission, or the id that the service gave it. */
  readonly reference?: string | undefined
  readonly what?: readonly string[] | undefined
  readonly by?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

type AuditRow = {
  id: number
  at: number
  submission_id: string | null
  what: string
  by: string | null
  details: string
}

type Value = string | number

type Narrowed = { readonly where: string; readonly values: readonly Value[] }

function narrowed(filter: AuditFilter, ids: { readonly before?: number; readonly after?: number }): Narrowed {
  const filters: readonly (readonly [string, Value | undefined])[] = [
    ['audit.submission_id = ?', filter.submissionId],
    [
      `audit.submission_id IN (SELECT id FROM submissions, (SELECT ? AS asked)
         WHERE submissions.reference = asked OR submissions.case_id = asked)`,
      filter.reference,
    ],
    // One text for any number of words: statements are kept by their text.
    ['audit.what IN (SELECT value FROM json_each(?))', filter.what && JSON.stringify(filter.what)],
    ['audit.by = ?', filter.by],
    ['audit.at >= ?', filter.since],
    ['audit.at < ?', filter.until],
    ['audit.id < ?', ids.before],
    ['audit.id > ?', ids.after],
  ]
  const conditions: string[] = []
  const values: Value[] = []
  for (const [condition, value] of filters) {
    if (value === undefined) continue
    conditions.push(condition)
    values.push(value)
  }
  return { where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '', values }
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    submissionId: row.submission_id,
    what: row.what,
    by: row.by,
    details: detailsColumn.readOr(row.details, {}),
  }
}

/** The newest entries first, at most `limit`, older than the entry `before` where it is given. */
export function listAudit(
  store: WriteThrough,
  query: AuditFilter & { readonly limit: number; readonly before?: number | undefined },
): AuditEntry[] {
  const { where, values } = narrowed(query, query.before === undefined ? {} : { before: query.before })
  return store.sql
    .prepare<Value[], AuditRow>(`SELECT * FROM audit ${where} ORDER BY id DESC LIMIT ?`)
    .all(...values, query.limit)
    .map(entryOf)
}

export type ExportedEntry = AuditEntry & { readonly reference: string | null }

/** The oldest entries first, at most `limit`, younger than the entry `after`; each with its submission's reference. */
export function auditAfter(
  store: WriteThrough,
  filter: AuditFilter,
  after: number,
  limit: number,
): ExportedEntry[] {
  const { where, values } = narrowed(filter, { after })
  return store.sql
    .prepare<Value[], AuditRow & { reference: string | null }>(
      `SELECT audit.*, reference FROM audit LEFT JOIN submissions ON submissions.id = audit.submission_id
       ${where} ORDER BY audit.id LIMIT ?`,
    )
    .all(...values, limit)
    .map((row) => ({ ...entryOf(row), reference: row.reference }))
}

/** How many entries a filter leaves. */
export function countAudit(store: WriteThrough, filter: AuditFilter): number {
  const { where, values } = narrowed(filter, {})
  return (
    store.sql
      .prepare<Value[], number>(`SELECT count(*) FROM audit ${where}`)
      .pluck()
      .get(...values) ?? 0
  )
}

/**
 * - pause         outlives a restart: a person who stopped sending in the evening finds it stopped in the morning
 * - backupOf      stands in a backup only, see `restored-copy.ts`
 * - generation    which opening of the outbox wrote last, see `restored-copy.ts`; before it `previousGeneration`
 * - session       is `open` until the outbox was closed as it should be
 * - reportsSaveTo where reports are copied to, and after which one that began
 * - restored      why what happened since is not known, until that was dealt with
 * - clinicalUnits what visual acuities and prism bases are written in, so that a change of it is noticed
 * - namesRule     how far the rule of `names-rule.ts` was brought to an outbox that was in use before it
 * - centersMarkedAt  the service (address and client) that marks the current center in its list
 */
export type FactName =
  | 'pause'
  | 'existing'
  | 'lastSentAt'
  | 'stationId'
  | 'backupOf'
  | 'generation'
  | 'previousGeneration'
  | 'session'
  | 'reportsSaveTo'
  | 'restored'
  | 'clinicalUnits'
  | 'namesRule'
  | 'centersMarkedAt'

export function readFact(store: WriteThrough, name: FactName): string | null {
  return (
    store.sql.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck().get(name) ?? null
  )
}

export function writeFact(store: WriteThrough, name: FactName, value: string): void {
  store.sql.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(name, value)
}
