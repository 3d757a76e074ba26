/** The screens' copy of the station's state, and how each message changes it. Pure. */
import type { EventPayload, StationEvent } from '../../src-shared/contract.ts'
import type { Failure } from '../../src-shared/failure.ts'
import type { ShownSettings } from '../../src-shared/settings.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Submission } from '../../src-shared/submission.ts'
import type { Connection } from '../link/link.ts'
import {
  belongsToView,
  compareUrgency,
  countOf,
  type Cursor,
  isBeyond,
  type QueuePage,
  type QueueView,
} from './queue-view.ts'

/** Bytes of a request that are handed over, and since when (station time) the peer has accepted no more. */
export type Progress = Omit<EventPayload<'deliveryProgressed'>, 'id'>

/** The queue as shown. `next` is the start of the next page; null if there is none. */
type ShownQueue = QueueView & {
  readonly ids: readonly string[]
  readonly total: number
  readonly next: Cursor | null
  readonly phase: 'loading' | 'ready'
  readonly failure: Failure | null
}

export type StationState = {
  readonly connection: Connection
  readonly status: StationStatus | null
  /** The station's clock minus this window's, in milliseconds: countdowns follow the station. */
  readonly skewMs: number
  readonly settings: ShownSettings | null
  readonly submissions: Readonly<Record<string, Submission>>
  readonly progress: Readonly<Record<string, Progress>>
  readonly queue: ShownQueue
  /** Increases with every snapshot: lists stored elsewhere are then read again. */
  readonly snapshots: number
  readonly reportArrivals: number
}

export const INITIAL_STATE: StationState = {
  connection: { kind: 'connecting' },
  status: null,
  skewMs: 0,
  settings: null,
  submissions: {},
  progress: {},
  queue: { filter: 'open', search: '', ids: [], total: 0, next: null, phase: 'loading', failure: null },
  snapshots: 0,
  reportArrivals: 0,
}

export function withStatus(state: StationState, status: StationStatus, now: number): StationState {
  return { ...state, status, skewMs: status.now - now }
}

/**
 * Stores a submission without comparing times: events arrive in order, and the station's clock may have been set back.
 */
export function withSubmission(state: StationState, submission: Submission): StationState {
  const isShown = state.queue.ids.includes(submission.id)
  const belongs =
    belongsToView(state.queue, submission, isShown) &&
    // A row of a later page is added with that page: until then its position would be wrong.
    (isShown || !isBeyond(state.queue.next, submission))
  const ids =
    belongs === isShown
      ? state.queue.ids
      : belongs
        ? [...state.queue.ids, submission.id]
        : state.queue.ids.filter((id) => id !== submission.id)
  const total = state.queue.total + (ids.length - state.queue.ids.length)
  return {
    ...state,
    submissions: { ...state.submissions, [submission.id]: submission },
    progress: submission.state === 'sending' ? state.progress : withoutKey(state.progress, submission.id),
    queue: ids === state.queue.ids ? state.queue : { ...state.queue, ids, total },
  }
}

/**
 * The first page replaces the rows, a further one is appended. The session then reapplies what arrived while the page
 * was being read.
 */
export function withPage(state: StationState, page: QueuePage, isFirst: boolean): StationState {
  const submissions = { ...state.submissions }
  for (const item of page.items) submissions[item.id] = item
  const came = page.items.map((item) => item.id)
  const fits = (id: string): boolean => {
    const submission = submissions[id]
    return submission !== undefined && belongsToView(state.queue, submission, true)
  }
  const before = new Set(isFirst ? [] : state.queue.ids)
  const ids = [...before, ...came.filter((id) => !before.has(id) && fits(id))]
  return {
    ...state,
    submissions,
    queue: {
      ...state.queue,
      ids,
      total: page.total,
      next: ids.length < page.total ? page.next : null,
      phase: 'ready',
      failure: null,
    },
  }
}

export function applyEvent(state: StationState, event: StationEvent, now: number): StationState {
  switch (event.name) {
    case 'stationChanged':
      return withStatus(state, event.payload, now)
    case 'submissionChanged':
      return withSubmission(state, event.payload)
    case 'submissionsChanged':
      return withoutStale(state, event.payload.ids)
    case 'callProgressed':
      return state
    case 'deliveryProgressed':
      return withProgress(state, event.payload)
    case 'reportArrived':
      return { ...state, reportArrivals: state.reportArrivals + 1 }
    case 'settingsChanged':
      return { ...state, settings: event.payload }
  }
}

/** Shown rows stay until they are read again; stored copies of other submissions are dropped. */
function withoutStale(state: StationState, ids: readonly string[]): StationState {
  const shown = new Set(state.queue.ids)
  const submissions = { ...state.submissions }
  for (const id of ids) if (!shown.has(id)) delete submissions[id]
  return { ...state, submissions }
}

function withProgress(
  state: StationState,
  { id, ...progress }: EventPayload<'deliveryProgressed'>,
): StationState {
  return { ...state, progress: { ...state.progress, [id]: progress } }
}

function withoutKey<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Readonly<Record<string, Value>> {
  if (!Object.hasOwn(record, key)) return record
  const { [key]: _gone, ...rest } = record
  return rest
}

type Sorted = {
  readonly submissions: StationState['submissions']
  readonly ids: readonly string[]
  readonly sorted: readonly string[]
}

let last: Sorted | null = null

/** The rows by urgency, memoized: the same rows are sorted once, whatever else changes. */
export function sortedIds({ submissions, queue: { ids } }: StationState): readonly string[] {
  if (last?.submissions === submissions && last.ids === ids) return last.sorted
  const sorted = ids
    .flatMap((id) => submissions[id] ?? [])
    .sort(compareUrgency)
    .map(({ id }) => id)
  last = { submissions, ids, sorted }
  return sorted
}

/** How many rows all pages have: the station's counts are newer than the page. */
export function totalOf({ queue, status }: StationState): number {
  const total = queue.search === '' && status ? countOf(queue.filter, status.counts) : queue.total
  return Math.max(total, queue.ids.length)
}
