import { describe, expect, it } from 'vitest'
import {
  transition,
  STATES_NEEDING_A_PERSON,
  SUBMISSION_EVENTS,
  SUBMISSION_STATES,
  type SubmissionEvent,
  type SubmissionState,
} from '../../src-shared/states.ts'

type Column = readonly (SubmissionState | null)[]

/** Each event over all states, in the order of `SUBMISSION_STATES`; null: the event means nothing there. */
const TABLE: Readonly<Record<SubmissionEvent, Column>> = {
  //                     collecting    incomplete    review        waiting       held          sending       unconfirmed   refused       sent  discarded
  gatheredIncomplete: [
    'incomplete',
    'incomplete',
    'incomplete',
    'incomplete',
    'incomplete',
    null,
    null,
    'incomplete',
    null,
    null,
  ],
  gatheredForReview: ['review', 'review', 'review', 'review', 'held', null, null, 'review', null, null],
  gatheredToSend: ['waiting', 'waiting', 'waiting', 'waiting', null, null, null, null, null, null],
  edited: ['collecting', null, null, null, 'held', null, null, null, null, null],
  approved: [null, null, 'waiting', null, null, null, null, null, null, null],
  retriedRefused: [null, null, null, null, null, null, null, 'waiting', null, null],
  held: [null, 'held', 'held', 'held', null, null, null, null, null, null],
  releasedToReview: [null, null, null, null, 'review', null, null, null, null, null],
  releasedToSend: [null, null, null, null, 'waiting', null, null, null, null, null],
  discarded: [
    'discarded',
    'discarded',
    'discarded',
    'discarded',
    'discarded',
    null,
    'discarded',
    'discarded',
    null,
    null,
  ],
  restoredToReview: [null, null, null, null, null, null, null, null, null, 'review'],
  restoredToUnconfirmed: [null, null, null, null, null, null, null, null, null, 'unconfirmed'],
  wasRestored: [
    'unconfirmed',
    'unconfirmed',
    'unconfirmed',
    'unconfirmed',
    'unconfirmed',
    null,
    'unconfirmed',
    'unconfirmed',
    null,
    null,
  ],
  foundAtService: [
    'unconfirmed',
    'unconfirmed',
    'unconfirmed',
    'unconfirmed',
    'unconfirmed',
    null,
    null,
    'unconfirmed',
    null,
    null,
  ],
  claimed: [null, null, null, 'sending', null, null, null, null, null, null],
  deliveredNow: [null, null, null, null, null, 'sent', null, null, null, null],
  stayedUnsent: [null, null, null, null, null, 'waiting', null, null, null, null],
  wasRefused: [null, null, null, 'refused', null, 'refused', null, null, null, null],
  becameUnknown: [null, null, null, null, null, 'unconfirmed', null, null, null, null],
  foundDelivered: [null, null, null, null, null, null, 'sent', null, null, null],
  provenAbsent: [null, null, null, null, null, null, 'waiting', null, null, null],
  postponed: [null, null, null, 'waiting', null, null, null, null, null, null],
  // A person has stopped a held one: DESIGN.md lets it leave by release only, also when an image arrives.
  imageArrived: ['collecting', 'collecting', 'collecting', 'collecting', null, null, null, null, null, null],
}

const pairs = SUBMISSION_EVENTS.flatMap((event) =>
  SUBMISSION_STATES.map((from, index) => ({ event, from, to: TABLE[event][index] ?? null })),
)

describe('the machine of a submission', () => {
  it('has the states of the design, in its order', () => {
    expect(SUBMISSION_STATES.join(' ')).toBe(
      'collecting incomplete review waiting held sending unconfirmed refused sent discarded',
    )
  })

  it.each(pairs)('$event in $from leads to $to', ({ event, from, to }) => {
    expect(transition(from, event)).toBe(to)
  })
})

const reachable = (from: SubmissionState): (SubmissionState | null)[] =>
  SUBMISSION_EVENTS.map((event) => transition(from, event)).filter((to) => to !== null)

/** The rules of the design, said without the table. */
describe('whatever the table says', () => {
  it('nothing leaves sent', () => {
    expect(reachable('sent')).toEqual([])
  })

  it('only what waits is claimed', () => {
    const claimable = SUBMISSION_STATES.filter((from) => reachable(from).includes('sending'))
    expect(claimable).toEqual(['waiting'])
  })

  it('an unconfirmed submission goes to the line by proof or a person only', () => {
    const ways = SUBMISSION_EVENTS.filter((event) => transition('unconfirmed', event) === 'waiting')
    expect(ways).toEqual(['provenAbsent'])
  })

  it('an open attempt is left by its outcome only', () => {
    const ways = SUBMISSION_EVENTS.filter((event) => transition('sending', event) !== null)
    expect(ways).toEqual(['deliveredNow', 'stayedUnsent', 'wasRefused', 'becameUnknown'])
  })

  it('what was discarded comes back to a person, never to the line', () => {
    expect(reachable('discarded')).toEqual(['review', 'unconfirmed'])
  })

  it('every state can be reached, and the ones that wait for a person are of them', () => {
    const reached = new Set(SUBMISSION_STATES.flatMap(reachable))
    expect(reached).toEqual(new Set(SUBMISSION_STATES))
    for (const state of STATES_NEEDING_A_PERSON) expect(SUBMISSION_STATES).toContain(state)
  })
})
