import type { Submission } from '../../src-shared/submission.ts'
import { STATES_BY_URGENCY, FINAL_STATES, type SubmissionState } from '../../src-shared/states.ts'

/** What the screen calls a state: `waiting` reads differently once something has gone wrong. */
export type ShownState = SubmissionState | 'retrying'

export function shownStateOf(submission: Pick<Submission, 'state' | 'attempts' | 'failure'>): ShownState {
  const { state, attempts, failure } = submission
  return state === 'waiting' && (attempts > 0 || failure !== null) ? 'retrying' : state
}

type Ranked = Pick<Submission, 'state' | 'urgent' | 'addedAt'>

/** The order of the queue as the station pages it; what came at the same instant stays as the station listed it. */
export function compareUrgency(one: Ranked, other: Ranked): number {
  const byState = STATES_BY_URGENCY.indexOf(one.state) - STATES_BY_URGENCY.indexOf(other.state)
  if (byState !== 0) return byState
  if (one.state === 'waiting' && one.urgent !== other.urgent) return one.urgent ? -1 : 1
  const byAge = one.addedAt - other.addedAt
  return FINAL_STATES.includes(one.state) ? -byAge : byAge
}
