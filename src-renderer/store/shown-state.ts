import type { Submission } from '../../src-shared/submission.ts'
import type { SubmissionState } from '../../src-shared/states.ts'

/** What the screen calls a state: `waiting` reads differently once something has gone wrong. */
export type ShownState = SubmissionState | 'retrying'

export function shownStateOf(submission: Pick<Submission, 'state' | 'attempts' | 'failure'>): ShownState {
  const { state, attempts, failure } = submission
  return state === 'waiting' && (attempts > 0 || failure !== null) ? 'retrying' : state
}

/** The order of the queue: what a person must mend first, what runs by itself last. */
const URGENCY: readonly ShownState[] = [
  'refused',
  'unconfirmed',
  'incomplete',
  'review',
  'sending',
  'retrying',
  'waiting',
  'held',
  'collecting',
  'sent',
  'discarded',
]

/** Sorts the queue: by state, then urgent ones, then the oldest; what is over, newest first. */
export function compareUrgency(one: Submission, other: Submission): number {
  const rank = URGENCY.indexOf(shownStateOf(one))
  const byState = rank - URGENCY.indexOf(shownStateOf(other))
  if (byState !== 0) return byState
  if (one.urgent !== other.urgent) return one.urgent ? -1 : 1
  const byAge = one.addedAt - other.addedAt
  if (byAge !== 0) return rank >= URGENCY.indexOf('sent') ? -byAge : byAge
  return one.id < other.id ? -1 : 1
}
