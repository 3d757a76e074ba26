import { describe, expect, it } from 'vitest'
import {
  transition,
  SUBMISSION_EVENTS,
  SUBMISSION_STATES,
  submissionStateSchema,
  type SubmissionState,
} from '../../src-shared/states.ts'

/**
 * Where each event leads from each state; a dash: the event is refused there.
 *
 * A person has stopped a held case: it leaves by release only, also if an image arrives.
 */
const [HEAD = [], ...ROWS] = `
event                  collecting   incomplete   review       waiting      held         sending      unconfirmed  refused      sent  discarded
gatheredIncomplete     incomplete   incomplete   incomplete   incomplete   incomplete   -            -            incomplete   -     -
gatheredForReview      review       review       review       review       held         -            -            review       -     -
gatheredToSend         waiting      waiting      waiting      waiting      -            -            -            -            -     -
edited                 collecting   -            -            -            held         -            -            -            -     -
approved               -            -            waiting      -            -            -            -            -            -     -
undone                 -            -            -            review       -            -            -            -            -     -
retriedRefused         -            -            -            -            -            -            -            waiting      -     -
held                   -            held         held         held         -            -            -            -            -     -
releasedToReview       -            -            -            -            review       -            -            -            -     -
releasedToSend         -            -            -            -            waiting      -            -            -            -     -
discarded              discarded    discarded    discarded    discarded    discarded    -            discarded    discarded    -     -
restoredToReview       -            -            -            -            -            -            -            -            -     review
restoredToUnconfirmed  -            -            -            -            -            -            -            -            -     unconfirmed
wasRestored            unconfirmed  unconfirmed  unconfirmed  unconfirmed  unconfirmed  -            unconfirmed  unconfirmed  -     -
foundAtService         unconfirmed  unconfirmed  unconfirmed  unconfirmed  unconfirmed  -            -            unconfirmed  -     -
claimed                -            -            -            sending      -            -            -            -            -     -
deliveredNow           -            -            -            -            -            sent         -            -            -     -
stayedUnsent           -            -            -            -            -            waiting      -            -            -     -
wasRefused             -            -            -            refused      -            refused      -            -            -     -
becameUnknown          -            -            -            -            -            unconfirmed  -            -            -     -
foundDelivered         -            -            -            -            -            -            sent         -            -     -
provenAbsent           -            -            -            -            -            -            waiting      -            -     -
postponed              -            -            -            waiting      -            -            -            -            -     -
imageArrived           collecting   collecting   collecting   collecting   -            -            -            -            -     -
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))

const pairs = ROWS.flatMap(([event = '', ...targets]) =>
  targets.map((to, index) => ({ event, from: HEAD[index + 1] ?? '', to: to === '-' ? null : to })),
)

describe('the machine of a submission', () => {
  it('has a row for each event and a column for each state', () => {
    expect(new Set(ROWS.map(([event]) => event))).toEqual(new Set(SUBMISSION_EVENTS))
    expect(HEAD.slice(1)).toEqual(SUBMISSION_STATES)
    expect(ROWS.filter((row) => row.length !== HEAD.length)).toEqual([])
  })

  it.each(pairs)('$event in $from leads to $to', ({ event, from, to }) => {
    const name = SUBMISSION_EVENTS.find((one) => one === event)
    const state = submissionStateSchema.parse(from)
    expect(name && transition(state, name)).toBe(to)
  })
})

const reachable = (from: SubmissionState): (SubmissionState | null)[] =>
  SUBMISSION_EVENTS.map((event) => transition(from, event)).filter((to) => to !== null)

const waysFrom = (from: SubmissionState, to?: SubmissionState) =>
  SUBMISSION_EVENTS.filter((event) =>
    to ? transition(from, event) === to : transition(from, event) !== null,
  )

/** The rules of the design, stated without the table. */
it.each<[string, readonly unknown[], readonly unknown[]]>([
  ['nothing leaves sent', waysFrom('sent'), []],
  [
    'only a waiting case is sent',
    SUBMISSION_STATES.filter((from) => reachable(from).includes('sending')),
    ['waiting'],
  ],
  [
    'an unconfirmed case goes to the queue by proof or a person only',
    waysFrom('unconfirmed', 'waiting'),
    ['provenAbsent'],
  ],
  [
    'an open attempt is left by its outcome only',
    waysFrom('sending'),
    ['deliveredNow', 'stayedUnsent', 'wasRefused', 'becameUnknown'],
  ],
  [
    'what was discarded comes back to a person, never to the queue',
    reachable('discarded'),
    ['review', 'unconfirmed'],
  ],
  [
    'every state can be reached',
    SUBMISSION_STATES.filter((to) => !SUBMISSION_STATES.flatMap(reachable).includes(to)),
    [],
  ],
])('whatever the table says, %s', (_rule, found, expected) => {
  expect(found).toEqual(expected)
})
