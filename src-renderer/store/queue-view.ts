/** Which submissions the queue shows. The station pages and searches; this says what an event does to the page. */
import { STATES_NEEDING_A_PERSON, type SubmissionState } from '../../src-shared/states.ts'
import type { Submission, SubmissionCounts } from '../../src-shared/submission.ts'
import { compareUrgency } from './shown-state.ts'

export const QUEUE_FILTERS = ['open', 'needsYou', 'waiting', 'sending', 'sent', 'discarded'] as const
export type QueueFilter = (typeof QUEUE_FILTERS)[number]

const IN_PROGRESS = ['collecting', 'waiting', 'held'] as const satisfies readonly SubmissionState[]

/** The states behind each filter. `open` is everything that is not over. */
export const STATES_OF_FILTER: Readonly<Record<QueueFilter, readonly SubmissionState[]>> = {
  open: [...STATES_NEEDING_A_PERSON, ...IN_PROGRESS, 'sending'],
  needsYou: STATES_NEEDING_A_PERSON,
  waiting: IN_PROGRESS,
  sending: ['sending'],
  sent: ['sent'],
  discarded: ['discarded'],
}

/** Where a page begins: after which row, and how that row stood when it was read. */
export type Cursor = {
  readonly after: string
  readonly afterWas: Pick<Submission, 'state' | 'urgent'>
  readonly addedAt: number
}

export function cursorAfter({ id, state, urgent, addedAt }: Submission): Cursor {
  return { after: id, afterWas: { state, urgent }, addedAt }
}

/** Does a row come only with a later page than those that end at the cursor? */
export function isBeyond(cursor: Cursor | null, submission: Submission): boolean {
  return cursor !== null && compareUrgency(submission, { ...cursor.afterWas, addedAt: cursor.addedAt }) > 0
}

/** How many submissions a filter would show. */
export function countOf(filter: QueueFilter, counts: SubmissionCounts): number {
  return STATES_OF_FILTER[filter].reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

export type QueueView = { readonly filter: QueueFilter; readonly search: string }

/**
 * Does the page keep or take this submission after it changed? A row that was just sent stays where it was: the
 * person who waited for it must see that it went.
 */
export function belongsToView(view: QueueView, submission: Submission, isShown: boolean): boolean {
  const { state } = submission
  const fits = STATES_OF_FILTER[view.filter].includes(state)
  const justSent = isShown && state === 'sent' && (view.filter === 'open' || view.filter === 'sending')
  if (!fits && !justSent) return false
  return isShown || matchesSearch(view.search, submission)
}

/** The station searches by its own rules; this is only for what arrives while a search is shown. */
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
