import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import {
  transition,
  SUBMISSION_EVENTS,
  SUBMISSION_STATES,
  type SubmissionEvent,
  type SubmissionState,
} from '../../../../src-shared/states.ts'
import {
  MORNING,
  newSubmission,
  openTestOutbox,
  stateOf,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'

const AT = MORNING + 1_000

const SENDING = ['gatheredToSend', 'claimed'] as const
const WAYS: Readonly<Record<SubmissionState, readonly SubmissionEvent[]>> = {
  collecting: [],
  incomplete: ['gatheredIncomplete'],
  review: ['gatheredForReview'],
  waiting: ['gatheredToSend'],
  held: ['gatheredToSend', 'held'],
  sending: SENDING,
  unconfirmed: [...SENDING, 'becameUnknown'],
  refused: [...SENDING, 'wasRefused'],
  sent: [...SENDING, 'deliveredNow'],
  discarded: ['discarded'],
}

/** Brings a new submission into a state by allowed moves only. */
function submissionIn(test: TestOutbox, state: SubmissionState): string {
  const id = test.outbox.submissions.create(newSubmission())
  for (const event of WAYS[state])
    test.outbox.submissions.transition(id, event, event === 'deliveredNow' ? { caseId: '9' } : {}, {
      at: MORNING,
    })
  expect(stateOf(test, id)).toBe(state)
  return id
}

describe('moving a submission', () => {
  it.each(SUBMISSION_STATES)('out of %s follows the machine, and writes nothing if it does not', (from) => {
    const test = openTestOutbox()
    const { outbox } = test
    for (const event of SUBMISSION_EVENTS) {
      const id = submissionIn(test, from)
      const to = transition(from, event)
      const before = [outbox.submissions.row(id), outbox.audit.list({ submissionId: id, limit: 100 })]
      const notified = test.notified.length
      const patch = { failure: failureOf('offline'), notBefore: AT, caseId: '7', sentAt: AT }
      const move = (): unknown => outbox.submissions.transition(id, event, patch, { at: AT, by: 'AB' })
      if (to === null) {
        expect(move).toThrow(/is not possible in/)
        expect([outbox.submissions.row(id), outbox.audit.list({ submissionId: id, limit: 100 })]).toEqual(
          before,
        )
        expect(test.notified.length).toBe(notified)
      } else {
        expect(move()).toBe(to)
        expect(outbox.submissions.row(id)).toMatchObject({
          state: to,
          case_id: '7',
          not_before: AT,
          sent_at: AT,
          changed_at: AT,
        })
        expect(outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
          { at: AT, what: event, by: 'AB', details: { from, to, failure: 'offline' } },
        ])
        expect(test.notified.slice(notified)).toEqual([[id]])
      }
    }
  })

  it('is notified apart from other errors', () => {
    const { outbox } = openTestOutbox()
    try {
      outbox.submissions.transition('no one', 'claimed', {}, { at: AT })
      expect.unreachable()
    } catch (error) {
      expect(outbox.isMoveRefused(error)).toBe(true)
    }
    expect(outbox.isMoveRefused(new Error('another'))).toBe(false)
  })

  it('changes what the patch names and leaves the rest', () => {
    const test = openTestOutbox()
    const id = submissionIn(test, 'waiting')
    const move = (patch: object): void =>
      void test.outbox.submissions.transition(id, 'postponed', patch, { at: AT })
    move({ failure: failureOf('offline'), notBefore: AT })
    move({})
    expect(test.outbox.submissions.get(id)).toMatchObject({ failure: failureOf('offline'), notBefore: AT })
    move({ failure: null, notBefore: null })
    expect(test.outbox.submissions.get(id)).toMatchObject({ failure: null, notBefore: null })
  })
})
