/** All that the screens know of the station, and what each thing that arrives does to it. Pure. */
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

/** Bytes handed over of a request that is being sent, and since when (station's time) the other side takes no more. */
export type Progress = Omit<EventPayload<'deliveryProgressed'>, 'id'>

/** The queue as it is shown. `next` is where the next page begins; null where there is none. */
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
  /** Station's clock minus this window's, in milliseconds: countdowns follow the station. */
  readonly skewMs: number
  readonly settings: ShownSettings | null
  readonly submissions: Readonly<Record<string, Submission>>
  readonly progress: Readonly<Record<string, Progress>>
  readonly queue: ShownQueue
  /** Grows with every snapshot: lists that are read elsewhere are read anew. */
  readonly snapshots: number
  /** Grows with every report that arrived. */
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
 * Takes a submission as it came, whatever its time says: events come in their order, and the clock of a station may have
 * been set back.
 */
export function withSubmission(state: StationState, submission: Submission): StationState {
  const isShown = state.queue.ids.includes(submission.id)
  const belongs =
    belongsToView(state.queue, submission, isShown) &&
    // A row of a later page comes with it: until then it would stand in a place that is not its own.
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
 * What a page does: the first one replaces the rows, a further one adds to them. The session applies what came while the
 * page was being read once more after it.
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

/** The rows that are shown stay until they have been read again; what is known of others is not true any more. */
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

// What the queue shows of the picture: its rows in their order, and how many there are in all.

type Sorted = {
  readonly submissions: StationState['submissions']
  readonly ids: readonly string[]
  readonly sorted: readonly string[]
}

let last: Sorted | null = null

/** The rows by urgency. The same rows are sorted once, however often the picture changes in other places. */
export function sortedIds({ submissions, queue: { ids } }: StationState): readonly string[] {
  if (last?.submissions === submissions && last.ids === ids) return last.sorted
  const sorted = ids
    .flatMap((id) => submissions[id] ?? [])
    .sort(compareUrgency)
    .map(({ id }) => id)
  last = { submissions, ids, sorted }
  return sorted
}

/** How many rows there are on all pages: the counts of the station are newer than the page that was read. */
export function totalOf({ queue, status }: StationState): number {
  const total = queue.search === '' && status ? countOf(queue.filter, status.counts) : queue.total
  return Math.max(total, queue.ids.length)
}
