/** The screens' copy of the station's state, and how each message changes it. Pure. */
import type { EventPayload, StationEvent } from '../../src-shared/contract.ts'
import type { OpenWindow } from '../../src-shared/desktop.ts'
import type { Failure, Result } from '../../src-shared/failure.ts'
import type { ShownSettings } from '../../src-shared/settings.ts'
import {
  FINAL_STATES,
  STATES_BY_URGENCY,
  STATES_NEEDING_A_PERSON,
  type SubmissionState,
} from '../../src-shared/states.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Submission, SubmissionCounts } from '../../src-shared/submission.ts'
import { isFound } from '../i18n/i18n.ts'
import type { Connection, StationLink } from '../link/link.ts'

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
  /** The windows that are open at this station, if there are others than this one. */
  readonly windows: readonly OpenWindow[]
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
  windows: [],
}

export function withStatus(state: StationState, status: StationStatus, now: number): StationState {
  return { ...state, status, skewMs: status.now - now }
}

/** Compares no times: events arrive in order, and the station's clock may have been set back. */
export function withSubmission(state: StationState, submission: Submission): StationState {
  const { id } = submission
  const { queue, progress } = state
  const isShown = queue.ids.includes(id)
  const belongs =
    belongsToView(queue, submission, isShown) &&
    // A row of a later page is added with that page: until then its position would be wrong.
    (isShown || !isBeyond(queue.next, submission))
  const ids = belongs ? [...queue.ids, id] : queue.ids.filter((one) => one !== id)
  const { [id]: _ended, ...others } = progress
  return {
    ...state,
    submissions: { ...state.submissions, [id]: submission },
    progress: submission.state === 'sending' ? progress : others,
    queue:
      belongs === isShown ? queue : { ...queue, ids, total: queue.total + ids.length - queue.ids.length },
  }
}

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
    case 'deliveryProgressed': {
      const { id, ...progress } = event.payload
      return { ...state, progress: { ...state.progress, [id]: progress } }
    }
    case 'reportArrived':
      return { ...state, reportArrivals: state.reportArrivals + 1 }
    case 'settingsChanged':
      return { ...state, settings: event.payload }
    case 'windowsChanged':
      return { ...state, windows: event.payload.windows }
  }
}

/** Shown rows stay until they are read again; stored copies of other submissions are dropped. */
function withoutStale(state: StationState, ids: readonly string[]): StationState {
  const shown = new Set(state.queue.ids)
  const submissions = { ...state.submissions }
  for (const id of ids) if (!shown.has(id)) delete submissions[id]
  return { ...state, submissions }
}

let last: (Pick<StationState, 'submissions'> & Record<'ids' | 'sorted', readonly string[]>) | null = null

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

/** A state as shown: `waiting` becomes `retrying` after a failed attempt, `sent` shows what is wrong about it. */
export type ShownState = SubmissionState | 'retrying' | 'sentWrongly' | 'sentFewer'

export type ShownFrom = Pick<Submission, 'state' | 'attempts' | 'failure' | 'imageShortfall' | 'sentWrongly'>

export function shownStateOf({ state, attempts, failure, ...of }: ShownFrom): ShownState {
  if (of.sentWrongly !== null) return 'sentWrongly'
  if (of.imageShortfall !== null) return 'sentFewer'
  return state === 'waiting' && (attempts > 0 || failure !== null) ? 'retrying' : state
}

type Ranked = Pick<Submission, 'state' | 'urgent' | 'addedAt'>

/** The station's order of the queue; equal instants stay as the station listed them. */
export function compareUrgency(one: Ranked, other: Ranked): number {
  const byState = STATES_BY_URGENCY.indexOf(one.state) - STATES_BY_URGENCY.indexOf(other.state)
  if (byState !== 0) return byState
  if (one.state === 'waiting' && one.urgent !== other.urgent) return one.urgent ? -1 : 1
  const byAge = one.addedAt - other.addedAt
  return FINAL_STATES.includes(one.state) ? -byAge : byAge
}

export const QUEUE_FILTERS = ['open', 'needsYou', 'waiting', 'sending', 'sent', 'discarded'] as const

export type QueueFilter = (typeof QUEUE_FILTERS)[number]

const IN_PROGRESS = ['collecting', 'waiting', 'held'] as const satisfies readonly SubmissionState[]

/** The states of each filter. `open` is everything unfinished. */
const STATES_OF_FILTER: Readonly<Record<QueueFilter, readonly SubmissionState[]>> = {
  open: [...STATES_NEEDING_A_PERSON, ...IN_PROGRESS, 'sending'],
  needsYou: STATES_NEEDING_A_PERSON,
  waiting: IN_PROGRESS,
  sending: ['sending'],
  sent: ['sent'],
  discarded: ['discarded'],
}

/** The start of a page: the row before it, and that row's position when it was read. */
export type Cursor = {
  readonly after: string
  readonly afterWas: Pick<Submission, 'state' | 'urgent'>
  readonly addedAt: number
}

export function cursorAfter({ id, state, urgent, addedAt }: Submission): Cursor {
  return { after: id, afterWas: { state, urgent }, addedAt }
}

function isBeyond(cursor: Cursor | null, submission: Submission): boolean {
  return cursor !== null && compareUrgency(submission, { ...cursor.afterWas, addedAt: cursor.addedAt }) > 0
}

export function countOf(filter: QueueFilter, counts: SubmissionCounts): number {
  return STATES_OF_FILTER[filter].reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

export type QueueView = { readonly filter: QueueFilter; readonly search: string }

/** Does the page keep or add this case? One that was just sent stays, so that a person sees that it was sent. */
function belongsToView(view: QueueView, submission: Submission, isShown: boolean): boolean {
  const { state } = submission
  const fits = STATES_OF_FILTER[view.filter].includes(state)
  const justSent = isShown && state === 'sent' && (view.filter === 'open' || view.filter === 'sending')
  // The way back is in the row.
  const justApproved = isShown && submission.undoUntil !== null
  if (!fits && !justSent && !justApproved) return false
  return isShown || matchesSearch(view.search, submission)
}

/** Approximates the station's search, for cases that change while a search is shown. */
function matchesSearch(search: string, { fields, reference, caseId, images }: Submission): boolean {
  const { history_number, first_name, last_name, visit_date } = fields
  const files = images.map((image) => image.fileName)
  return isFound(search, [history_number, first_name, last_name, visit_date, reference, caseId, ...files])
}

/** Rows per page: fills three large screens, and renders quickly. */
export const PAGE_SIZE = 50

/** The limit of one call of the contract. */
export const MAX_ROWS = 1_000

type QueuePage = {
  readonly items: readonly Submission[]
  readonly total: number
  readonly next: Cursor | null
}

export async function readQueuePage(
  link: Pick<StationLink, 'call'>,
  { filter, search }: QueueView,
  from: Cursor | null,
  limit: number = PAGE_SIZE,
): Promise<Result<QueuePage>> {
  const answer = await link.call('submissions.list', {
    state: [...STATES_OF_FILTER[filter]],
    order: 'urgency',
    limit,
    ...(search === '' ? {} : { search }),
    ...(from === null ? {} : { after: from.after, afterWas: { ...from.afterWas } }),
  })
  if (!answer.ok) return answer
  const { items, total } = answer.value
  const last = items.length === limit ? items.at(-1) : undefined
  return { ok: true, value: { items, total, next: last ? cursorAfter(last) : null } }
}
