/** What follows from a reading, compared with each rule in words, for every state and everything that a reading can find. */
import { describe, expect, it } from 'vitest'
import {
  type Cause,
  type Next,
  nextState,
  type Reading,
} from '../../../../src-main/station/cases/next-state.ts'
import { isUnsent, SUBMISSION_STATES, transition } from '../../../../src-shared/states.ts'

const BOTH = [false, true]

const READINGS: readonly Reading[] = SUBMISSION_STATES.flatMap((state) =>
  BOTH.flatMap((isUnclear) =>
    BOTH.flatMap((hasChanged) =>
      BOTH.flatMap((skipsReview) =>
        (['none', 'matches', 'mayLeave'] as const).flatMap((clearance) =>
          (['waiting', 'review', null] as const).flatMap((heldFrom) =>
            BOTH.flatMap((needsAnswer) =>
              BOTH.map((needsLook) => ({
                state,
                isUnclear,
                needsAnswer: needsAnswer && isUnclear,
                hasChanged,
                needsLook,
                skipsReview: skipsReview && !isUnclear,
                clearance,
                heldFrom,
                isUndoable: false,
              })),
            ),
          ),
        ),
      ),
    ),
  ),
)

/** The same of a case whose approval can be taken back still: it waits. */
const UNDOABLE = READINGS.flatMap((one) => (one.state === 'waiting' ? { ...one, isUndoable: true } : []))

type Rule = (reading: Reading) => Next | null

const to = (event: Next['event'], ...clears: Next['clears']): Next => ({ event, clears })

const closed: Rule = ({ state, isUnclear, skipsReview, isUndoable }) => {
  const isHeldBack = state === 'held' || state === 'refused' || isUndoable
  const toSend = skipsReview && !isHeldBack ? 'gatheredToSend' : 'gatheredForReview'
  const event = isUnclear ? 'gatheredIncomplete' : toSend
  return to(event, 'failure', 'notBefore', 'quietUntil')
}

const toPerson = ({ isUnclear }: Reading, ...clears: Next['clears']): Next =>
  to(isUnclear ? 'gatheredIncomplete' : 'gatheredForReview', ...clears)

const backToPerson: Rule = ({ state, isUnclear }) =>
  state === 'review' && isUnclear ? to('gatheredIncomplete') : null

/** One function for each cause, as a person would explain it; `closing` and the rest never meet what was sent. */
const RULES: Readonly<Record<Cause, Rule>> = {
  closing: closed,
  rereading: (reading) => {
    const { state, isUnclear, hasChanged, clearance } = reading
    const moves =
      (state === 'incomplete' && !isUnclear) ||
      (state === 'review' && (isUnclear || hasChanged)) ||
      (state === 'waiting' && (isUnclear || clearance !== 'mayLeave'))
    return moves ? closed(reading) : null
  },
  edit: ({ state, isUnclear }) => {
    if (state === 'incomplete') return isUnclear ? null : to('gatheredForReview')
    if (state === 'collecting' || state === 'held' || state === 'refused') return null
    return isUnclear ? to('gatheredIncomplete') : null
  },
  editToLeave: (reading) => {
    const { state, isUnclear } = reading
    if (state === 'incomplete') return closed(reading)
    if (state === 'collecting' || state === 'held') return null
    if (isUnclear) return to('gatheredIncomplete')
    return state === 'refused' ? to('gatheredForReview', 'failure') : null
  },
  grouping: (reading) =>
    reading.state === 'collecting' || reading.state === 'held'
      ? null
      : toPerson(reading, 'failure', 'notBefore'),
  separation: (reading) =>
    reading.state === 'held' ? null : toPerson(reading, 'failure', 'notBefore', 'quietUntil'),
  unusableFile: ({ state, isUnclear }) => {
    if (state === 'held' || state === 'refused') return null
    if (isUnclear) return to('gatheredIncomplete')
    return state === 'incomplete' || state === 'collecting' ? to('gatheredForReview', 'quietUntil') : null
  },
  restore: backToPerson,
  release: ({ state, isUnclear, heldFrom, clearance }) => {
    if (state !== 'held') return null
    if (isUnclear) return to('gatheredIncomplete')
    return to(heldFrom === 'waiting' && clearance === 'mayLeave' ? 'releasedToSend' : 'releasedToReview')
  },
  center: (reading) => {
    const { state, isUnclear, clearance } = reading
    if (state === 'incomplete') return closed(reading)
    if (state === 'collecting' || state === 'held') return null
    if (isUnclear) return to('gatheredIncomplete')
    return state === 'waiting' && clearance === 'none' ? to('gatheredForReview') : null
  },
  approval: ({ state, isUnclear, needsAnswer, hasChanged, needsLook }) => {
    if (!['incomplete', 'review', 'refused'].includes(state)) return null
    if (state === 'review' && needsAnswer)
      return to('gatheredIncomplete', 'failure', 'notBefore', 'quietUntil')
    if (hasChanged) return isUnclear ? null : to('gatheredForReview')
    return state === 'review' || needsAnswer || needsLook ? null : to('gatheredForReview')
  },
  undo: backToPerson,
  retry: ({ state, needsAnswer, hasChanged }) =>
    state === 'refused' && !needsAnswer && !hasChanged ? to('retriedRefused', 'failure', 'notBefore') : null,
  notThere: backToPerson,
}

describe.each(Object.entries(RULES) as [Cause, Rule][])('after %s', (cause, rule) => {
  it('each unsent case moves as the rule says, and by a transition that exists', () => {
    for (const reading of READINGS.filter(({ state }) => isUnsent(state))) {
      const next = nextState(cause, reading)
      expect({ reading, next }).toEqual({ reading, next: rule(reading) })
      if (next !== null) expect(transition(reading.state, next.event)).not.toBeNull()
    }
  })

  it('an approval that can be taken back holds for what it was given, until a person enters something', () => {
    const isByPerson = ['edit', 'editToLeave', 'unusableFile'].includes(cause)
    for (const reading of UNDOABLE) {
      const isVoid = isByPerson || reading.clearance !== 'mayLeave'
      const expected = rule(reading) ?? (isVoid ? to('gatheredForReview') : null)
      expect({ reading, next: nextState(cause, reading) }).toEqual({ reading, next: expected })
      expect(expected?.event).not.toBe('gatheredToSend')
    }
  })

  it('nothing that was sent, may have been, or was thrown away moves', () => {
    for (const reading of READINGS.filter(({ state }) => !isUnsent(state)))
      expect(nextState(cause, reading)).toBeNull()
  })

  it('nothing leaves that is unclear, and only closing and release let a case leave', () => {
    for (const reading of READINGS) {
      const event = nextState(cause, reading)?.event
      const mayGo = event === 'releasedToSend' ? reading.clearance === 'mayLeave' : reading.skipsReview
      if (event === 'gatheredToSend' || event === 'releasedToSend')
        expect({ mayGo, ...reading }).toMatchObject({ mayGo: true, isUnclear: false })
    }
  })
})
