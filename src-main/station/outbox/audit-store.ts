import type { AuditEntry } from '../../../src-shared/contract.ts'
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

type AuditRow = {
  id: number
  at: number
  submission_id: string | null
  what: string
  by: string | null
  details: string
}

/** The newest entries first, at most `limit`, older than the entry `before` where it is given. */
export function listAudit(
  store: WriteThrough,
  query: {
    readonly submissionId?: string | undefined
    readonly limit: number
    readonly before?: number | undefined
  },
): AuditEntry[] {
  const conditions: string[] = []
  const values: (string | number)[] = []
  if (query.submissionId !== undefined) {
    conditions.push('submission_id = ?')
    values.push(query.submissionId)
  }
  if (query.before !== undefined) {
    conditions.push('id < ?')
    values.push(query.before)
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  return store.sql
    .prepare<(string | number)[], AuditRow>(`SELECT * FROM audit ${where} ORDER BY id DESC LIMIT ?`)
    .all(...values, query.limit)
    .map((row) => ({
      id: row.id,
      at: row.at,
      submissionId: row.submission_id,
      what: row.what,
      by: row.by,
      details: JSON.parse(row.details) as Record<string, unknown>,
    }))
}
