import type { CallOutput, ParsedInput } from '../../../src-shared/contract.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../../src-shared/states.ts'
import type { Submission, SubmissionCounts } from '../../../src-shared/submission.ts'
import { submissionFromRow, type ImageRow, type SubmissionRow } from './submission-rows.ts'
import type { WriteThrough } from './write-through.ts'

/** How many submissions are in each state. Triggers of the database keep the counts with every write. */
export function countSubmissions(store: WriteThrough): SubmissionCounts {
  const counts = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])) as SubmissionCounts
  const rows = store.sql
    .prepare<[], { state: SubmissionState; count: number }>('SELECT state, count FROM submission_counts')
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

/** What a page is asked for; `before` is the position that the page before ended at, `null` for the first page. */
type Wanted = {
  readonly states: readonly SubmissionState[] | null
  readonly expression: string | null
  readonly before: number | null
  readonly limit: number
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

function totalOf(store: WriteThrough, wanted: Wanted, counts: SubmissionCounts): number {
  const { states, expression } = wanted
  if (expression === null)
    return [...new Set(states ?? SUBMISSION_STATES)].reduce((sum, state) => sum + counts[state], 0)
  const text =
    states === null
      ? 'SELECT count(*) FROM submission_words WHERE submission_words MATCH ?'
      : `SELECT count(*) FROM submission_words JOIN submissions ON position = submission_words.rowid
         WHERE submission_words MATCH ? AND state IN (${marks(states)})`
  return (
    store.sql
      .prepare<string[], number>(text)
      .pluck()
      .get(expression, ...(states ?? [])) ?? 0
  )
}

/** The newest positions of one state: read in order from the index, which several states at once would not be. */
function positionsIn(store: WriteThrough, state: SubmissionState, wanted: Wanted): number[] {
  return store.sql
    .prepare<[string, number, number], number>(
      `SELECT position FROM submissions INDEXED BY submissions_by_age
       WHERE state = ? AND position < ? ORDER BY position DESC LIMIT ?`,
    )
    .pluck()
    .all(state, wanted.before ?? Number.MAX_SAFE_INTEGER, wanted.limit)
}

/** The newest positions that a search finds. The index of words is in the order of positions itself. */
function positionsFound(store: WriteThrough, expression: string, wanted: Wanted): number[] {
  const { states, limit } = wanted
  const before = wanted.before ?? Number.MAX_SAFE_INTEGER
  const ofStates =
    states === null
      ? ''
      : `AND (SELECT state FROM submissions WHERE position = submission_words.rowid) IN (${marks(states)})`
  return store.sql
    .prepare<(string | number)[], number>(
      `SELECT rowid FROM submission_words WHERE submission_words MATCH ? AND rowid < ? ${ofStates}
       ORDER BY rowid DESC LIMIT ?`,
    )
    .pluck()
    .all(expression, before, ...(states ?? []), limit)
}

function positionsOf(store: WriteThrough, wanted: Wanted): number[] {
  if (wanted.expression !== null) return positionsFound(store, wanted.expression, wanted)
  if (wanted.states === null)
    return store.sql
      .prepare<[number, number], number>(
        'SELECT position FROM submissions WHERE position < ? ORDER BY position DESC LIMIT ?',
      )
      .pluck()
      .all(wanted.before ?? Number.MAX_SAFE_INTEGER, wanted.limit)
  return [...new Set(wanted.states)]
    .flatMap((state) => positionsIn(store, state, wanted))
    .toSorted((one, other) => other - one)
    .slice(0, wanted.limit)
}

/** The submissions at these positions, newest first; what belongs to them is read at once and not one by one. */
function submissionsAt(store: WriteThrough, positions: readonly number[]): Submission[] {
  const rows = store.sql
    .prepare<[string], SubmissionRow>(
      `SELECT * FROM submissions WHERE position IN (SELECT value FROM json_each (?)) ORDER BY position DESC`,
    )
    .all(JSON.stringify(positions))
  const ids = JSON.stringify(rows.map((row) => row.id))
  const images = new Map<string, ImageRow[]>(rows.map((row) => [row.id, []]))
  for (const image of store.sql
    .prepare<[string], ImageRow>(
      `SELECT * FROM images WHERE submission_id IN (SELECT value FROM json_each (?)) ORDER BY file_name, position`,
    )
    .all(ids))
    images.get(image.submission_id)?.push(image)
  const reported = new Set(
    store.sql
      .prepare<[string], string>(
        `SELECT value FROM json_each (?) WHERE EXISTS (SELECT 1 FROM report_versions WHERE submission_id = value)`,
      )
      .pluck()
      .all(ids),
  )
  return rows.map((row) => submissionFromRow(row, images.get(row.id) ?? [], reported.has(row.id)))
}

/** Where the page before ended; null for the first page, and before everything where that id is not there. */
function positionBefore(store: WriteThrough, after: string | undefined): number | null {
  if (after === undefined) return null
  return (
    store.sql.prepare<[string], number>('SELECT position FROM submissions WHERE id = ?').pluck().get(after) ??
    0
  )
}

/** A page, newest first; `after` is the last id of the page before. */
export function listSubmissions(
  store: WriteThrough,
  query: ParsedInput<'submissions.list'>,
): CallOutput<'submissions.list'> {
  const counts = countSubmissions(store)
  const wanted: Wanted = {
    states: query.state ?? null,
    expression: query.search === undefined ? null : matchExpression(query.search),
    before: positionBefore(store, query.after),
    limit: query.limit,
  }
  return {
    items: submissionsAt(store, positionsOf(store, wanted)),
    total: totalOf(store, wanted, counts),
    counts,
  }
}
