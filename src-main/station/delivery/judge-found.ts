/** What becomes of a submission that was not in doubt when a list showed a case with its reference. Pure. */
import type { SubmissionState } from '../../../src-shared/states.ts'

/** In these it would be sent some day, although it may be there. */
const UNSENT_STATES: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'waiting',
  'held',
  'refused',
]

export type FoundCase = {
  readonly state: SubmissionState
  readonly hasAttempt: boolean
  /** A person has decided about just this case, or has let the submission go since it was seen. */
  readonly isSettledByPerson: boolean
  /** What it waits with is what the last attempt carried. */
  readonly isUnchangedSinceAttempt: boolean
  /** The last attempt went to the address, client and center of the list. */
  readonly isSameDestination: boolean
  /** Nothing in the case speaks against it: no second reference, no other visit, not there before, not another's. */
  readonly mayBeAdopted: boolean
}

/** `take`: it has arrived. `doubt`: a person must say. `hold`: it was never sent from here, and a person must look. */
export function classifyFound(found: FoundCase): 'nothing' | 'take' | 'doubt' | 'hold' {
  if (!UNSENT_STATES.includes(found.state) || found.isSettledByPerson) return 'nothing'
  if (!found.hasAttempt) return 'hold'
  const isOnItsWay = found.state === 'waiting' && found.isUnchangedSinceAttempt
  return isOnItsWay && found.isSameDestination && found.mayBeAdopted ? 'take' : 'doubt'
}
