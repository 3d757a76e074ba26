import type { CallOutput, ParsedInput } from '../../../src-shared/contract.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../../src-shared/states.ts'
import type { SubmissionCounts } from '../../../src-shared/submission.ts'
import { fromRow } from './submission-store.ts'
import type { SubmissionRow } from './submission-rows.ts'
import type { WriteThrough } from './write-through.ts'

export function countSubmissions(store: WriteThrough): SubmissionCounts {
  const counts = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])) as SubmissionCounts
  const rows = store.sql
    .prepare<[], { state: SubmissionState; count: number }>(
      'SELECT state, count(*) AS count FROM submissions GROUP BY state',
    )
    .all()
  for (const row of rows) counts[row.state] = row.count
  return counts
}

/** Each typed word must begin a word of the submission; what FTS would take for syntax is quoted away. */
function matchExpression(search: string): string | null {
  const words = search.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu)
  if (!words) return null
  return words.map((word) => `"${word}"*`).join(' AND ')
}

function where(conditions: readonly string[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
}

/** A page, newest first; `after` is the last id of the page before. */
export function listSubmissions(
  store: WriteThrough,
  query: ParsedInput<'submissions.list'>,
): CallOutput<'submissions.list'> {
  const conditions: string[] = []
  const values: (string | number)[] = []
  if (query.state !== undefined) {
    conditions.push(`state IN (${query.state.map(() => '?').join(', ')})`)
    values.push(...query.state)
  }
  const expression = query.search === undefined ? null : matchExpression(query.search)
  if (expression !== null) {
    conditions.push('position IN (SELECT rowid FROM submission_words WHERE submission_words MATCH ?)')
    values.push(expression)
  }
  const total = store.sql
    .prepare<(string | number)[], number>(`SELECT count(*) FROM submissions ${where(conditions)}`)
    .pluck()
    .get(...values)
  const pageConditions = [...conditions]
  const pageValues = [...values]
  if (query.after !== undefined) {
    pageConditions.push('position < (SELECT position FROM submissions WHERE id = ?)')
    pageValues.push(query.after)
  }
  const rows = store.sql
    .prepare<(string | number)[], SubmissionRow>(
      `SELECT * FROM submissions ${where(pageConditions)} ORDER BY position DESC LIMIT ?`,
    )
    .all(...pageValues, query.limit)
  return { items: rows.map((row) => fromRow(store, row)), total: total ?? 0, counts: countSubmissions(store) }
}
