import type { CallOutput, ParsedInput } from '../../../src-shared/contract.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../../src-shared/states.ts'
import type { Submission, SubmissionCounts } from '../../../src-shared/submission.ts'
import { positionsByAge, positionsByUrgency, type ListEntry } from './list-submissions-order.ts'
import { search } from './list-submissions-search.ts'
import { matchExpression } from './match-expression.ts'
import { isQuarantined, quarantine, quarantinedOf } from './quarantine-store.ts'
import { unreadableIn } from './readable-rows.ts'
import {
  quarantinedSubmission,
  submissionFromRow,
  type ImageRow,
  type SubmissionRow,
} from './submission-rows.ts'
import type { WriteThrough } from './write-through.ts'

/** How many submissions are in each state. Triggers of the database keep the counts with every write. */
export function countSubmissions(store: WriteThrough): SubmissionCounts {
  const counts = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])) as SubmissionCounts
  const rows = store.sql
    .prepare<[], { state: SubmissionState; count: number }>('SELECT state, count FROM submission_counts')
    .all()
  // A state that cannot be read is shown with its case, and counted nowhere.
  for (const row of rows) if (row.state in counts) counts[row.state] = row.count
  return counts
}

/** The submissions at these positions, in their order; what belongs to them is read at once and not one by one. */
function submissionsAt(store: WriteThrough, positions: readonly number[]): Submission[] {
  const rows = store.sql
    .prepare<[string], SubmissionRow>(
      `SELECT submissions.* FROM json_each (?) JOIN submissions ON position = value ORDER BY key`,
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
  return rows.map((row) => {
    const own = images.get(row.id) ?? []
    const column =
      unreadableIn('submissions', row) ??
      own.map((image) => unreadableIn('images', image)).find((found) => found !== null) ??
      null
    if (column !== null) quarantine(store, row.id, column)
    const held = quarantinedOf(store, row.id)
    return held === null ? submissionFromRow(row, own, reported.has(row.id)) : quarantinedSubmission(held)
  })
}

/** After an id that is not there comes nothing. */
const NOWHERE = 'nowhere'

/** Where the page before ended; null for the first page. */
function cursorAfter(
  store: WriteThrough,
  { after, afterWas, order, state: states }: ParsedInput<'submissions.list'>,
): ListEntry | typeof NOWHERE | null {
  if (after === undefined) return null
  const row = store.sql
    .prepare<[string], Pick<SubmissionRow, 'position' | 'state' | 'is_urgent'>>(
      'SELECT position, state, is_urgent FROM submissions WHERE id = ?',
    )
    .get(after)
  if (!row) return NOWHERE
  // These come first, and the walk begins behind them.
  if ((order ?? 'added') === 'urgency' && states === undefined && isQuarantined(store, after)) return null
  return {
    position: row.position,
    state: afterWas?.state ?? row.state,
    isUrgent: afterWas?.urgent ?? row.is_urgent === 1,
  }
}

/**
 * By urgency, with the cases that cannot be read before all others: a person must know of them, and the state by which the
 * others are walked may be what cannot be read.
 */
function positionsOfAll(
  store: WriteThrough,
  isFirst: boolean,
  after: ListEntry | null,
  limit: number,
): number[] {
  const unreadable = new Set(
    store.sql
      .prepare<[], number>(
        'SELECT position FROM quarantine JOIN submissions ON id = submission_id ORDER BY position',
      )
      .pluck()
      .all(),
  )
  const others = positionsByUrgency(store, null, after, limit).filter((position) => !unreadable.has(position))
  return [...(isFirst ? unreadable : []), ...others].slice(0, limit)
}

/** A page by age, the newest first, or by urgency; `after` is the last id of the page before. */
export function listSubmissions(
  store: WriteThrough,
  query: ParsedInput<'submissions.list'>,
): CallOutput<'submissions.list'> {
  const counts = countSubmissions(store)
  const { state: states = null, order = 'added', limit } = query
  const cursor = cursorAfter(store, query)
  const after = cursor === NOWHERE ? null : cursor
  const expression = query.search === undefined ? null : matchExpression(query.search)
  if (expression !== null) {
    const { positions, total } = search(store, expression, { states, order, after, limit }, counts)
    return { items: cursor === NOWHERE ? [] : submissionsAt(store, positions), total, counts }
  }
  const total = [...new Set(states ?? SUBMISSION_STATES)].reduce((sum, state) => sum + counts[state], 0)
  if (cursor === NOWHERE) return { items: [], total, counts }
  const positions =
    order === 'urgency'
      ? states === null
        ? positionsOfAll(store, query.after === undefined, after, limit)
        : positionsByUrgency(store, states, after, limit)
      : positionsByAge(store, states, after?.position ?? Number.MAX_SAFE_INTEGER, limit)
  return { items: submissionsAt(store, positions), total, counts }
}
