/** What a search finds, in the order of the list. A word may stand in every case or in one: each has its own way. */
import { SUBMISSION_STATES, type SubmissionState } from '../../../src-shared/states.ts'
import type { SubmissionCounts } from '../../../src-shared/submission.ts'
import { compareByUrgency, stepsAfter, walk, type ListEntry } from './list-submissions-order.ts'
import type { WriteThrough } from './write-through.ts'

/** So few are looked up one by one; of more, the index of states is walked and compared with what was found. */
const FEW = 2_000
/** Steps of a walk at once. */
const STRIDE = 2_000

/** Every position that the search finds, the oldest first: the index of words is in that order itself. */
function positionsWith(store: WriteThrough, expression: string): number[] {
  return store.sql
    .prepare<[string], number>('SELECT rowid FROM submission_words WHERE submission_words MATCH ?')
    .pluck()
    .all(expression)
}

function entriesAt(store: WriteThrough, positions: readonly number[]): ListEntry[] {
  return store.sql
    .prepare<[string], { position: number; state: SubmissionState; is_urgent: number }>(
      'SELECT position, state, is_urgent FROM submissions WHERE position IN (SELECT value FROM json_each (?))',
    )
    .all(JSON.stringify(positions))
    .map(({ position, state, is_urgent }) => ({ position, state, isUrgent: is_urgent === 1 }))
}

function countAmong(store: WriteThrough, found: Marks, states: readonly SubmissionState[]): number {
  let count = 0
  for (const state of states)
    for (const position of store.sql
      .prepare<[string], number>(
        'SELECT position FROM submissions INDEXED BY submissions_by_age WHERE state = ?',
      )
      .pluck()
      .all(state))
      if (found.has(position)) count += 1
  return count
}

/** How many of those found are in these states: counted on whichever side is smaller. */
function countFound(
  store: WriteThrough,
  found: Marks,
  states: readonly SubmissionState[],
  counts: SubmissionCounts,
): number {
  const others = SUBMISSION_STATES.filter((state) => !states.includes(state))
  const sizeOf = (some: readonly SubmissionState[]): number =>
    some.reduce((sum, state) => sum + counts[state], 0)
  return sizeOf(states) <= sizeOf(others)
    ? countAmong(store, found, states)
    : found.size - countAmong(store, found, others)
}

/** A set of positions as one byte each: they are dense, and a set of thirty thousand takes longer to make than to ask. */
type Marks = { readonly has: (position: number) => boolean; readonly size: number }

function marksOf(positions: readonly number[]): Marks {
  const marks = new Uint8Array((positions.at(-1) ?? 0) + 1)
  for (const position of positions) marks[position] = 1
  return { has: (position) => marks[position] === 1, size: positions.length }
}

export type SearchResult = {
  readonly positions: readonly number[]
  /** How many there are on all pages. */
  readonly total: number
}

type SearchQuery = {
  readonly states: readonly SubmissionState[] | null
  readonly order: 'added' | 'urgency'
  /** Where the page before ended; null for the first page. */
  readonly after: ListEntry | null
  readonly limit: number
}

/** A page of what the search finds. */
export function search(
  store: WriteThrough,
  expression: string,
  wanted: SearchQuery,
  counts: SubmissionCounts,
): SearchResult {
  const all = positionsWith(store, expression)
  const states = wanted.states === null ? null : [...new Set(wanted.states)]
  if (states === null && wanted.order === 'added')
    return { positions: newestOf(all, wanted), total: all.length }
  if (all.length <= FEW) return pageOfFew(entriesAt(store, all), { ...wanted, states })
  const found = marksOf(all)
  return {
    positions: pageOf(store, found, { ...wanted, states }),
    total: states === null ? all.length : countFound(store, found, states, counts),
  }
}

function newestOf(positions: readonly number[], { after, limit }: SearchQuery): number[] {
  const before = after === null ? positions : positions.filter((position) => position < after.position)
  return before.slice(-limit).toReversed()
}

function pageOfFew(
  entries: readonly ListEntry[],
  { states, order, after, limit }: SearchQuery,
): SearchResult {
  const compare =
    order === 'urgency'
      ? compareByUrgency
      : (one: ListEntry, other: ListEntry) => other.position - one.position
  const fitting = entries.filter(({ state }) => states === null || states.includes(state)).toSorted(compare)
  const rest = after === null ? fitting : fitting.filter((one) => compare(one, after) > 0)
  return { positions: rest.slice(0, limit).map(({ position }) => position), total: fitting.length }
}

function pageOf(store: WriteThrough, found: Marks, wanted: SearchQuery): number[] {
  const { states, order, after, limit } = wanted
  if (order === 'urgency') {
    const page: number[] = []
    for (const { step, beyond } of stepsAfter(states, after)) {
      if (page.length === limit) break
      page.push(...walkAmong(store, found, step, beyond, limit - page.length))
    }
    return page
  }
  return (states ?? [])
    .flatMap((state) =>
      walkAmong(store, found, { state, isUrgent: null, newestFirst: true }, after?.position ?? null, limit),
    )
    .toSorted((one, other) => other - one)
    .slice(0, limit)
}

function walkAmong(
  store: WriteThrough,
  found: Marks,
  step: Parameters<typeof walk>[1],
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
