/** Lists and searches submissions, page by page, by age or by urgency: each step is one walk along an index. */
import { HISTORY_NUMBER, VISIT_DATE } from '../json-columns.ts'
import type { Store } from './database.ts'
import {
  type ImageRow,
  isQuarantined,
  quarantine,
  quarantined,
  quarantinedOf,
  type SubmissionRow,
  unreadableIn,
} from './rows.ts'
import { quarantinedSubmission, type StoredSubmission, submissionFromRow } from './submissions.ts'
import { unusableAmong } from './unusable-files.ts'
import type { CallOutput, ParsedInput } from '../../../src-shared/contract.ts'
import {
  FINAL_STATES,
  STATES_BY_URGENCY,
  SUBMISSION_STATES,
  type SubmissionState,
} from '../../../src-shared/states.ts'
import type { Neighbour } from '../../../src-shared/near-numbers.ts'
import type { SubmissionCounts } from '../../../src-shared/submission.ts'

/** Up to this many are looked up one by one; beyond it, the index of states is walked. */
const FEW = 2_000

const STRIDE = 2_000

/** A page of results. A term may occur in every case or in one, and each has its own algorithm. */
type SearchResult = {
  readonly positions: readonly number[]
  /** The number on all pages. */
  readonly total: number
}

type ListQuery = {
  readonly states: readonly SubmissionState[] | null
  readonly order: 'added' | 'urgency'
  /** The end of the previous page; null for the first page. */
  readonly after: ListEntry | null
  readonly limit: number
}

/** After an unknown id there is nothing. */
const NOWHERE = 'nowhere'

/** A page by age, the newest first, or by urgency. `after` is the last id of the previous page. */
export function listSubmissions(
  store: Store,
  query: ParsedInput<'submissions.list'>,
): Omit<CallOutput<'submissions.list'>, 'items'> & { readonly items: StoredSubmission[] } {
  const counts = countSubmissions(store)
  const { state: states = null, order = 'added', limit } = query
  const cursor = cursorAfter(store, query)
  const after = cursor === NOWHERE ? null : cursor
  const expression = query.search === undefined ? null : matchExpression(query.search)
  if (expression !== null) {
    const { positions, total } = search(store, expression, { states, order, after, limit }, counts)
    return { items: cursor === NOWHERE ? [] : submissionsAt(store, positions), total, counts }
  }
  const total = totalOf(counts, [...new Set(states ?? SUBMISSION_STATES)])
  if (cursor === NOWHERE) return { items: [], total, counts }
  const wanted = { states, order, after, limit }
  const positions =
    order === 'urgency' && states === null
      ? positionsOfAll(store, query.after === undefined, wanted)
      : pageOf(store, wanted)
  return { items: submissionsAt(store, positions), total, counts }
}

/** By urgency, the unreadable cases first: the unreadable column may be the very state that orders the others. */
function positionsOfAll(store: Store, isFirst: boolean, wanted: ListQuery): number[] {
  const unreadable = new Set(
    store.values<number>(
      'SELECT position FROM quarantine JOIN submissions ON id = submission_id ORDER BY position',
    ),
  )
  const others = pageOf(store, wanted).filter((position) => !unreadable.has(position))
  return [...(isFirst ? unreadable : []), ...others].slice(0, wanted.limit)
}

function cursorAfter(
  store: Store,
  { after, afterWas, order, state: states }: ParsedInput<'submissions.list'>,
): ListEntry | typeof NOWHERE | null {
  if (after === undefined) return null
  const row = store.row<Pick<SubmissionRow, 'position' | 'state' | 'is_urgent'>>`
    SELECT position, state, is_urgent FROM submissions WHERE id = ${after}`
  if (!row) return NOWHERE
  // Quarantined cases come first, and the walk starts behind them.
  if ((order ?? 'added') === 'urgency' && states === undefined && isQuarantined(store, after)) return null
  return {
    position: row.position,
    state: afterWas?.state ?? row.state,
    isUrgent: afterWas?.urgent ?? row.is_urgent === 1,
  }
}

/** The submissions at these positions, in their order. Related rows are read in bulk and not one by one. */
function submissionsAt(store: Store, positions: readonly number[]): StoredSubmission[] {
  const rows = store.rows<SubmissionRow>`
    SELECT submissions.* FROM json_each (${JSON.stringify(positions)}) JOIN submissions
    ON position = value ORDER BY key`
  const ids = JSON.stringify(rows.map((row) => row.id))
  const images = new Map<string, ImageRow[]>(rows.map((row) => [row.id, []]))
  for (const image of store.rows<ImageRow>`
    SELECT * FROM images WHERE submission_id IN (SELECT value FROM json_each (${ids}))`)
    images.get(image.submission_id)?.push(image)
  // SQLite would sort the images of all cases, with all their columns.
  for (const own of images.values()) own.sort(byFileName)
  const unusable = Map.groupBy(unusableAmong(store, ids), ({ submission_id: id }) => id)
  const reported = new Set(
    store.values<string>`
      SELECT value FROM json_each (${ids}) WHERE EXISTS (SELECT 1 FROM report_versions
      WHERE submission_id = value)`,
  )
  const held = new Map(quarantined(store).map((one) => [one.id, one]))
  return rows.map((row) => {
    const own = images.get(row.id) ?? []
    const inImages = own.flatMap((image) => unreadableIn('images', image) ?? [])
    const column = unreadableIn('submissions', row) ?? inImages[0] ?? null
    if (column !== null) quarantine(store, row.id, column)
    const unreadable = column === null ? held.get(row.id) : quarantinedOf(store, row.id)
    if (unreadable) return quarantinedSubmission(unreadable)
    return submissionFromRow(row, own, unusable.get(row.id) ?? [], reported.has(row.id))
  })
}

/** A day has fewer visits, unless its date is a camera's default. */
const MOST_OF_A_DAY = 500

/** Whose the other cases of a visit day are, the newest first. */
export function patientsOfDay(store: Store, day: string, exceptId: string): readonly Neighbour[] {
  const rows = store.rows<{ number: string; first: string | null; last: string | null }>(
    `SELECT fields ->> 'history_number' AS number, fields ->> 'first_name' AS first, fields ->> 'last_name' AS last
     FROM submissions WHERE ${VISIT_DATE} = ? AND ${HISTORY_NUMBER} IS NOT NULL AND state <> 'discarded' AND id <> ?
     ORDER BY position DESC LIMIT ${MOST_OF_A_DAY}`,
    day,
    exceptId,
  )
  return rows.map(({ number, first, last }) => ({
    history_number: number,
    ...(first !== null && { first_name: first }),
    ...(last !== null && { last_name: last }),
  }))
}

function byFileName(one: ImageRow, other: ImageRow): number {
  if (one.file_name !== other.file_name) return one.file_name < other.file_name ? -1 : 1
  return one.position - other.position
}

/** Counts the submissions in each state. Database triggers maintain the counts. */
export function countSubmissions(store: Store): SubmissionCounts {
  const counts = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])) as SubmissionCounts
  const rows = store.rows<{ state: SubmissionState; count: number }>(
    'SELECT state, count FROM submission_counts',
  )
  // An unreadable state is shown with its case, and counted nowhere.
  for (const row of rows) if (row.state in counts) counts[row.state] = row.count
  return counts
}

function search(store: Store, expression: string, wanted: ListQuery, counts: SubmissionCounts): SearchResult {
  const all = positionsWith(store, expression)
  const states = wanted.states === null ? null : [...new Set(wanted.states)]
  if (states === null && wanted.order === 'added') {
    const end = wanted.after?.position ?? Infinity
    const before = all.filter((position) => position < end)
    return { positions: before.slice(-wanted.limit).toReversed(), total: all.length }
  }
  if (all.length <= FEW) return pageOfFew(entriesAt(store, all), { ...wanted, states })
  const found = new Set(all)
  return {
    positions: pageOf(store, { ...wanted, states }, found),
    total: states === null ? all.length : countFound(store, found, states, counts),
  }
}

function pageOfFew(entries: readonly ListEntry[], { states, order, after, limit }: ListQuery): SearchResult {
  const compare =
    order === 'urgency'
      ? compareByUrgency
      : (one: ListEntry, other: ListEntry) => other.position - one.position
  const fitting = entries.filter(({ state }) => states === null || states.includes(state)).toSorted(compare)
  const rest = after === null ? fitting : fitting.filter((one) => compare(one, after) > 0)
  return { positions: rest.slice(0, limit).map(({ position }) => position), total: fitting.length }
}

/** A page in its order; with `found`, only of these positions. */
function pageOf(
  store: Store,
  { states, order, after, limit }: ListQuery,
  found: ReadonlySet<number> | null = null,
): number[] {
  const positionsOf = (step: Step, beyond: number | null, count: number): number[] =>
    found === null ? walk(store, step, beyond, count) : walkAmong(store, found, step, beyond, count)
  if (order === 'urgency') {
    const page: number[] = []
    for (const { step, beyond } of stepsAfter(states, after)) {
      if (page.length === limit) break
      page.push(...positionsOf(step, beyond, limit - page.length))
    }
    return page
  }
  const before = after?.position ?? null
  if (states === null)
    return store.values<number>`
      SELECT position FROM submissions WHERE position < ${before ?? Number.MAX_SAFE_INTEGER}
      ORDER BY position DESC LIMIT ${limit}`
  return [...new Set(states)]
    .flatMap((state) => positionsOf({ state, isUrgent: null, newestFirst: true }, before, limit))
    .toSorted((one, other) => other - one)
    .slice(0, limit)
}

function walkAmong(
  store: Store,
  found: ReadonlySet<number>,
  step: Step,
  beyond: number | null,
  limit: number,
): number[] {
  const page: number[] = []
  for (let from = beyond; page.length < limit;) {
    const stride = walk(store, step, from, STRIDE)
    for (const position of stride) if (page.length < limit && found.has(position)) page.push(position)
    if (stride.length < STRIDE) break
    from = stride.at(-1) ?? null
  }
  return page
}

/** The FTS expression for a search: each term must start a word, and FTS syntax is quoted. Null without a term. */
export function matchExpression(search: string): string | null {
  const tokens = search.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu)
  if (!tokens) return null
  return tokens.map((token) => `"${token}"*`).join(' AND ')
}

/** Every position that the search finds, the oldest first, which is the order of the search index. */
function positionsWith(store: Store, expression: string): number[] {
  return store.values<number>`SELECT rowid FROM submission_words WHERE submission_words MATCH ${expression}`
}

function entriesAt(store: Store, positions: readonly number[]): ListEntry[] {
  return store.rows<{ position: number; state: SubmissionState; is_urgent: number }>`
    SELECT position, state, is_urgent FROM submissions
    WHERE position IN (SELECT value FROM json_each (${JSON.stringify(positions)}))`.map(
    ({ position, state, is_urgent }) => ({ position, state, isUrgent: is_urgent === 1 }),
  )
}

/** Counts the results in these states, starting from whichever set is smaller. */
function countFound(
  store: Store,
  found: ReadonlySet<number>,
  states: readonly SubmissionState[],
  counts: SubmissionCounts,
): number {
  const others = SUBMISSION_STATES.filter((state) => !states.includes(state))
  const countAmong = (some: readonly SubmissionState[]): number =>
    some
      .flatMap(
        (state) => store.values<number>`
        SELECT position FROM submissions INDEXED BY submissions_by_age WHERE state = ${state}`,
      )
      .filter((position) => found.has(position)).length
  return totalOf(counts, states) <= totalOf(counts, others)
    ? countAmong(states)
    : found.size - countAmong(others)
}

function totalOf(counts: SubmissionCounts, states: readonly SubmissionState[]): number {
  return states.reduce((sum, state) => sum + counts[state], 0)
}

/** The place of a submission in the list. */
type ListEntry = {
  readonly position: number
  readonly state: SubmissionState
  readonly isUrgent: boolean
}

/** One walk: the submissions in a state, or only the urgent or the other ones among them. */
type Step = {
  readonly state: SubmissionState
  /** Null if urgency makes no difference. */
  readonly isUrgent: boolean | null
  readonly newestFirst: boolean
}

const STEPS: readonly Step[] = STATES_BY_URGENCY.flatMap((state): Step[] => {
  const urgencies = state === 'waiting' ? [true, false] : [null]
  return urgencies.map((isUrgent) => ({ state, isUrgent, newestFirst: FINAL_STATES.includes(state) }))
})

function stepOf({ state, isUrgent }: Omit<ListEntry, 'position'>): number {
  return STEPS.findIndex(
    (step) => step.state === state && (step.isUrgent === null || step.isUrgent === isUrgent),
  )
}

/** The remaining steps after a place, and the position from which the first of them continues. */
function stepsAfter(
  states: readonly SubmissionState[] | null,
  after: ListEntry | null,
): readonly { readonly step: Step; readonly beyond: number | null }[] {
  const from = after === null ? 0 : stepOf(after)
  return STEPS.slice(from)
    .map((step, index) => ({ step, beyond: after !== null && index === 0 ? after.position : null }))
    .filter(({ step }) => states === null || states.includes(step.state))
}

function compareByUrgency(one: ListEntry, other: ListEntry): number {
  const step = stepOf(one)
  const byStep = step - stepOf(other)
  if (byStep !== 0) return byStep
  return STEPS[step]?.newestFirst === true ? other.position - one.position : one.position - other.position
}

/** Positions of one step in its order, after the place at which the walk stopped. */
function walk(store: Store, step: Step, beyond: number | null, limit: number): number[] {
  const { state, isUrgent, newestFirst } = step
  if (isUrgent !== null)
    return store.values<number>`
      SELECT position FROM submissions INDEXED BY submissions_by_state WHERE state = ${state}
      AND is_urgent = ${isUrgent ? 1 : 0} AND position > ${beyond ?? 0} ORDER BY position LIMIT ${limit}`
  return newestFirst
    ? store.values<number>`
      SELECT position FROM submissions INDEXED BY submissions_by_age WHERE state = ${state}
      AND position < ${beyond ?? Number.MAX_SAFE_INTEGER} ORDER BY position DESC LIMIT ${limit}`
    : store.values<number>`
      SELECT position FROM submissions INDEXED BY submissions_by_age WHERE state = ${state}
      AND position > ${beyond ?? 0} ORDER BY position LIMIT ${limit}`
}
