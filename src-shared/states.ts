/**
 * The states of a submission. A state is one value: this list gives the type, the schema and the database's CHECK.
 *
 * - collecting    images still arrive; ends with the quiet time or with "close now"
 * - incomplete    something is missing or unclear, see `reasons`; a person completes it
 * - review        complete, and a person must check it before it is sent
 * - waiting       complete; sent once `notBefore` is reached and its approval is final, exactly as approved or not at all
 * - held          a person stopped it
 * - sending       exactly one attempt is open
 * - unconfirmed   it may have arrived; never sent again without evidence
 * - refused       the service refused it, or an image is damaged
 * - sent          the service's id is stored
 * - discarded     a person removed it; restorable until retention ends
 */
import { z } from 'zod'

export const SUBMISSION_STATES = [
  'collecting',
  'incomplete',
  'review',
  'waiting',
  'held',
  'sending',
  'unconfirmed',
  'refused',
  'sent',
  'discarded',
] as const
export const submissionStateSchema = z.enum(SUBMISSION_STATES)
export type SubmissionState = z.infer<typeof submissionStateSchema>

/** Nothing of these is at the service, as far as is known, so people may still change them. */
export const UNSENT_STATES = ['collecting', 'incomplete', 'review', 'waiting', 'held', 'refused'] as const

type Moves = Partial<Record<SubmissionState, SubmissionState>>

function allTo(target: SubmissionState, states: readonly SubmissionState[]): Moves {
  return Object.fromEntries(states.map((state) => [state, target]))
}

/**
 * The whole state machine: everything that can happen to a submission, and its next state. A pair that is not listed is
 * refused; nothing else changes a state.
 */
const TRANSITIONS = {
  gatheredIncomplete: allTo('incomplete', UNSENT_STATES),
  gatheredForReview: { ...allTo('review', UNSENT_STATES), held: 'held' },
  gatheredToSend: allTo('waiting', ['collecting', 'incomplete', 'review', 'waiting']),
  edited: { collecting: 'collecting', held: 'held' },
  approved: { review: 'waiting' },
  // Before the time to take the approval back was over.
  undone: { waiting: 'review' },
  retriedRefused: { refused: 'waiting' },
  held: { review: 'held', waiting: 'held', incomplete: 'held' },
  releasedToReview: { held: 'review' },
  releasedToSend: { held: 'waiting' },
  discarded: allTo('discarded', [...UNSENT_STATES, 'unconfirmed']),
  restoredToReview: { discarded: 'review' },
  restoredToUnconfirmed: { discarded: 'unconfirmed' },
  claimed: { waiting: 'sending' },
  deliveredNow: { sending: 'sent' },
  stayedUnsent: { sending: 'waiting' },
  wasRefused: { sending: 'refused', waiting: 'refused' },
  becameUnknown: { sending: 'unconfirmed' },
  foundDelivered: { unconfirmed: 'sent' },
  provenAbsent: { unconfirmed: 'waiting' },
  postponed: { waiting: 'waiting' },
  imageArrived: allTo('collecting', ['collecting', 'incomplete', 'review', 'waiting']),
  // The outbox is older than reality: a case that was unsent then may have been sent since.
  wasRestored: allTo('unconfirmed', [...UNSENT_STATES, 'unconfirmed']),
  // The service lists a case with this reference, although we have no record of its arrival.
  foundAtService: allTo('unconfirmed', UNSENT_STATES),
} satisfies Record<string, Moves>

export type SubmissionEvent = keyof typeof TRANSITIONS

export const SUBMISSION_EVENTS = Object.keys(TRANSITIONS) as readonly SubmissionEvent[]

/** The state that an event leads to; null if the event is invalid in this state. */
export function transition(from: SubmissionState, event: SubmissionEvent): SubmissionState | null {
  const moves: Moves = TRANSITIONS[event]
  return moves[from] ?? null
}

export const STATES_NEEDING_A_PERSON = [
  'incomplete',
  'review',
  'unconfirmed',
  'refused',
] as const satisfies readonly SubmissionState[]

/** The order of the queue: what a person must fix first, then what proceeds on its own, then what is finished. */
export const STATES_BY_URGENCY = [
  'refused',
  'unconfirmed',
  'incomplete',
  'review',
  'sending',
  'waiting',
  'held',
  'collecting',
  'sent',
  'discarded',
] as const satisfies readonly SubmissionState[]

/** Nothing more happens to these on their own; the newest come first. */
export const FINAL_STATES: readonly SubmissionState[] = ['sent', 'discarded']

export function isUnsent(state: SubmissionState): boolean {
  return UNSENT_STATES.some((unsent) => unsent === state)
}
