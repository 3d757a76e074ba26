/** The audit trail, and single facts that survive a restart. */
import type { AuditEntry } from '../../../src-shared/contract.ts'
import { detailsColumn } from '../json-columns.ts'
import type { Store } from './database.ts'

/** Details of a change: ids, kinds, field names and counts. Values of patient fields stay out of the trail. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

type NewAuditEntry = Omit<AuditEntry, 'id' | 'details'> & { readonly details: AuditDetails }

/** Appends a line to the trail, in the transaction of the change that it records. */
export function appendAudit(store: Store, entry: NewAuditEntry): void {
  store.run`
    INSERT INTO audit (at, submission_id, what, by, details)
    VALUES (${entry.at}, ${entry.submissionId}, ${entry.what}, ${entry.by},
    ${JSON.stringify(entry.details)})`
}

/** Filters the trail. Instants are epoch milliseconds; `until` is exclusive. */
export type AuditFilter = {
  readonly submissionId?: string | undefined
  /** The reference of a submission, or its id at the service. */
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
    // One SQL text for any number of values, because statements are cached by their text.
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

/** The newest entries first, at most `limit`, older than the entry `before` if given. */
export function listAudit(
  store: Store,
  query: AuditFilter & { readonly limit: number; readonly before?: number | undefined },
): AuditEntry[] {
  const { where, values } = narrowed(query, query.before === undefined ? {} : { before: query.before })
  return store
    .rows<AuditRow>(`SELECT * FROM audit ${where} ORDER BY id DESC LIMIT ?`, ...values, query.limit)
    .map(entryOf)
}

export type ExportedEntry = AuditEntry & { readonly reference: string | null }

/**
 * The oldest entries first, at most `limit`, newer than the entry `after`; each with its submission's reference.
 */
export function auditAfter(store: Store, filter: AuditFilter, after: number, limit: number): ExportedEntry[] {
  const { where, values } = narrowed(filter, { after })
  return store
    .rows<AuditRow & { reference: string | null }>(
      `SELECT audit.*, reference FROM audit LEFT JOIN submissions ON submissions.id = audit.submission_id
       ${where} ORDER BY audit.id LIMIT ?`,
      ...values,
      limit,
    )
    .map((row) => ({ ...entryOf(row), reference: row.reference }))
}

/** Counts the entries that match a filter. */
export function countAudit(store: Store, filter: AuditFilter): number {
  const { where, values } = narrowed(filter, {})
  return store.value<number>(`SELECT count(*) FROM audit ${where}`, ...values) ?? 0
}

/**
 * - pause              survives a restart: sending stopped in the evening is still stopped in the morning
 * - backupOf           exists in backups only, see `restored-copy.ts`
 * - generation         which opening of the outbox wrote last, see `restored-copy.ts`; the one before it is
 *   `previousGeneration`
 * - session            is `open` until the outbox is closed properly
 * - reportsSaveTo      where reports are copied to, and after which one that began
 * - restored           why recent history is unknown, until that is dealt with
 * - clinicalUnits      the units of visual acuities and prism bases, so that a change is noticed
 * - unitsMissed        fields of unreadable cases of which a unit has changed since
 * - namesRule          how far the rule about names (`back-to-review.ts`) was applied to an older outbox
 * - centersMarkedAt    the service (address and client) that marks the current center in its list
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
  | 'unitsMissed'
  | 'namesRule'
  | 'centersMarkedAt'

export function readFact(store: Store, name: FactName): string | null {
  return store.value<string>`SELECT value FROM facts WHERE name = ${name}` ?? null
}

export function writeFact(store: Store, name: FactName, value: string): void {
  store.run`INSERT OR REPLACE INTO facts (name, value) VALUES (${name}, ${value})`
}
