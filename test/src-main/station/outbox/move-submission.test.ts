import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import {
  transition,
  SUBMISSION_EVENTS,
  SUBMISSION_STATES,
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

/** Brings a new submission into a state by allowed moves only. */
function submissionIn(test: TestOutbox, state: SubmissionState): string {
  const { outbox } = test
  const id = outbox.submissions.create(newSubmission())
  const move = (event: Parameters<typeof outbox.submissions.transition>[1], patch = {}): void =>
    void outbox.submissions.transition(id, event, patch, { at: MORNING })
  const toWaiting = (): void => move('gatheredToSend')
  const toSending = (): void => {
    toWaiting()
    move('claimed')
  }
  const ways: Readonly<Record<SubmissionState, () => void>> = {
    collecting: () => undefined,
    incomplete: () => move('gatheredIncomplete'),
    review: () => move('gatheredForReview'),
    waiting: toWaiting,
    held: () => {
      toWaiting()
      move('held')
    },
    sending: toSending,
    unconfirmed: () => {
      toSending()
      move('becameUnknown')
    },
    refused: () => {
      toSending()
      move('wasRefused')
    },
    sent: () => {
      toSending()
      move('deliveredNow', { caseId: '9' })
    },
    discarded: () => move('discarded'),
  }
  ways[state]()
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
