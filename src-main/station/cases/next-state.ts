/** What follows once a case was read again: the event that moves it, by what caused the reading. A pure table. */
import { type SubmissionEvent, type SubmissionState, UNSENT_STATES } from '../../../src-shared/states.ts'

/**
 * Why a case was read again.
 *
 * - `closing`      its quiet time is over, or a person closes it
 * - `rereading`    what it rests on may have changed: a file, an answer, a setting, another case
 * - `edit`         a person has entered something and works on; with `editToLeave` it may leave if nothing is missing
 * - `grouping`     a person has regrouped it; with `separation` it waits for no more images
 * - `unusableFile` a person has decided on a file that cannot be used
 * - `approval`     a person, or a script, wants to approve it; `undo` has taken that back
 * - `retry`        a refused one goes again as it is
 * - `notThere`     it is proven that nothing of it arrived
 */
export type Cause =
  | 'closing'
  | 'rereading'
  | 'edit'
  | 'editToLeave'
  | 'grouping'
  | 'separation'
  | 'unusableFile'
  | 'restore'
  | 'release'
  | 'center'
  | 'approval'
  | 'undo'
  | 'retry'
  | 'notThere'

/** What a reading found. */
export type Reading = {
  readonly state: SubmissionState
  /** Something is missing, or asked. */
  readonly isUnclear: boolean
  /** Something is missing, or asked, that an approval does not settle. */
  readonly needsAnswer: boolean
  /** It is not what it was before, or not what a person was shown. */
  readonly hasChanged: boolean
  /** It rests on a proposal, and is to be approved among others: a person looks at it alone. */
  readonly needsLook: boolean
  /** `mayLeave`: exactly this was approved or proven, and may be sent. `matches`: it was, and relies on names alone. */
  readonly clearance: 'none' | 'matches' | 'mayLeave'
  /** Its approval can be taken back still. */
  readonly isUndoable: boolean
  /** Nothing about it needs a person: the folder sends what is proven. */
  readonly skipsReview: boolean
  readonly heldFrom: SubmissionState | null
}

/** What is done, and which notes of the case no longer hold after it. */
export type Next = {
  readonly event: SubmissionEvent
  readonly clears: readonly ('failure' | 'notBefore' | 'quietUntil')[]
}

/** From these states, if this was found, this follows; `closing`: what follows once its quiet time is over. */
type Row = readonly [
  from: readonly SubmissionState[],
  found: (reading: Reading) => boolean,
  next: SubmissionEvent | 'closing',
  ...clears: Next['clears'],
]

const unclear = (reading: Reading): boolean => reading.isUnclear
const clear = (reading: Reading): boolean => !reading.isUnclear
const always = (): boolean => true
const isAsSeen = ({ needsAnswer, hasChanged }: Reading): boolean => !needsAnswer && !hasChanged

const ALL = ['failure', 'notBefore', 'quietUntil'] as const
/** A person may approve it. */
const APPROVABLE: readonly SubmissionState[] = ['incomplete', 'review', 'refused']
/** Neither collecting nor held: it moves as soon as it is read. */
const SETTLED = ['incomplete', 'review', 'waiting', 'refused'] as const
const MOVABLE = ['collecting', ...SETTLED] as const

/** The first row that applies; if none does, the case stays as it is. */
const ROWS: Readonly<Record<Cause, readonly Row[]>> = {
  closing: [
    [UNSENT_STATES, unclear, 'gatheredIncomplete', ...ALL],
    [
      ['collecting', 'incomplete', 'review', 'waiting'],
      (one) => one.skipsReview && !one.isUndoable,
      'gatheredToSend',
      ...ALL,
    ],
    [UNSENT_STATES, always, 'gatheredForReview', ...ALL],
  ],
  rereading: [
    [['incomplete'], clear, 'closing'],
    [['review'], ({ isUnclear, hasChanged }) => isUnclear || hasChanged, 'closing'],
    [['waiting'], ({ isUnclear, clearance }) => isUnclear || clearance !== 'mayLeave', 'closing'],
  ],
  // A refusal stays visible while a person corrects the case.
  edit: [
    [['incomplete'], clear, 'gatheredForReview'],
    [['review', 'waiting'], unclear, 'gatheredIncomplete'],
  ],
  editToLeave: [
    [['incomplete'], always, 'closing'],
    [['review', 'waiting', 'refused'], unclear, 'gatheredIncomplete'],
    [['refused'], always, 'gatheredForReview', 'failure'],
  ],
  // A regrouped case goes to a person and never into the queue.
  grouping: [
    [SETTLED, unclear, 'gatheredIncomplete', 'failure', 'notBefore'],
    [SETTLED, always, 'gatheredForReview', 'failure', 'notBefore'],
  ],
  separation: [
    [MOVABLE, unclear, 'gatheredIncomplete', ...ALL],
    [MOVABLE, always, 'gatheredForReview', ...ALL],
  ],
  unusableFile: [
    [['collecting', 'incomplete', 'review', 'waiting'], unclear, 'gatheredIncomplete'],
    [['collecting', 'incomplete'], always, 'gatheredForReview', 'quietUntil'],
  ],
  restore: [[['review'], unclear, 'gatheredIncomplete']],
  release: [
    [['held'], unclear, 'gatheredIncomplete'],
    [['held'], (held) => held.heldFrom === 'waiting' && held.clearance === 'mayLeave', 'releasedToSend'],
    [['held'], always, 'releasedToReview'],
  ],
  // The center is no part of an approval.
  center: [
    [['incomplete'], always, 'closing'],
    [['review', 'waiting', 'refused'], unclear, 'gatheredIncomplete'],
    [['waiting'], ({ clearance }) => clearance === 'none', 'gatheredForReview'],
  ],
  approval: [
    [['review'], ({ needsAnswer }) => needsAnswer, 'gatheredIncomplete', ...ALL],
    // A person is looking at it: it never goes on from here without them.
    [APPROVABLE, (one) => one.hasChanged && clear(one), 'gatheredForReview'],
    [['incomplete', 'refused'], (one) => isAsSeen(one) && !one.needsLook, 'gatheredForReview'],
  ],
  undo: [[['review'], unclear, 'gatheredIncomplete']],
  // Not an approval: a case that is not proven and was never approved goes to review.
  retry: [[['refused'], isAsSeen, 'retriedRefused', 'failure', 'notBefore']],
  notThere: [[['review'], unclear, 'gatheredIncomplete']],
}

/** Who enters something has not done with the case. */
const BY_PERSON: readonly Cause[] = ['edit', 'editToLeave', 'unusableFile']

/** What follows from a reading; null if the case stays as it is. */
export function nextState(cause: Cause, reading: Reading): Next | null {
  const row = ROWS[cause].find(([from, found]) => from.includes(reading.state) && found(reading))
  if (row === undefined) {
    const isVoid = reading.isUndoable && (BY_PERSON.includes(cause) || reading.clearance !== 'mayLeave')
    return isVoid ? { event: 'gatheredForReview', clears: [] } : null
  }
  const [, , next, ...clears] = row
  return next === 'closing' ? nextState('closing', reading) : { event: next, clears }
}
