/**
 * Which submissions the queue shows. The station pages and searches; this file decides what an event does to the page.
 */
import type { Result } from '../../src-shared/failure.ts'
import {
  FINAL_STATES,
  STATES_BY_URGENCY,
  STATES_NEEDING_A_PERSON,
  type SubmissionState,
} from '../../src-shared/states.ts'
import type { Submission, SubmissionCounts } from '../../src-shared/submission.ts'
import type { StationLink } from '../link/link.ts'

/** A state as shown: `waiting` becomes `retrying` after a failed attempt. */
export type ShownState = SubmissionState | 'retrying'

export function shownStateOf(submission: Pick<Submission, 'state' | 'attempts' | 'failure'>): ShownState {
  const { state, attempts, failure } = submission
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

export function isBeyond(cursor: Cursor | null, submission: Submission): boolean {
  return cursor !== null && compareUrgency(submission, { ...cursor.afterWas, addedAt: cursor.addedAt }) > 0
}

export function countOf(filter: QueueFilter, counts: SubmissionCounts): number {
  return STATES_OF_FILTER[filter].reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

export type QueueView = { readonly filter: QueueFilter; readonly search: string }

/**
 * Does the page keep or add this submission after a change? A row that was just sent keeps its place, so that the
 * person who waited for it sees that it was sent.
 */
export function belongsToView(view: QueueView, submission: Submission, isShown: boolean): boolean {
  const { state } = submission
  const fits = STATES_OF_FILTER[view.filter].includes(state)
  const justSent = isShown && state === 'sent' && (view.filter === 'open' || view.filter === 'sending')
  if (!fits && !justSent) return false
  return isShown || matchesSearch(view.search, submission)
}

/** Approximates the station's search, for cases that change while a search is shown. */
function matchesSearch(search: string, { fields, reference, caseId, images }: Submission): boolean {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean)
  const text = [
    fields.history_number,
    fields.first_name,
    fields.last_name,
    fields.visit_date,
    reference,
    caseId,
    ...images.map((image) => image.fileName),
  ]
    .join('\n')
    .toLowerCase()
  return terms.every((term) => text.includes(term))
}

/** Rows per page: fills three large screens, and renders quickly. */
export const PAGE_SIZE = 50

export type QueuePage = {
  readonly items: readonly Submission[]
  /** How many rows the filter and the search have in all. */
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
