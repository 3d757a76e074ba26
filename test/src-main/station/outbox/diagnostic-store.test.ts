import { expect, it } from 'vitest'
import { addWaiting, startAttempt, MORNING, openTestOutbox } from '../../../tools/outbox-with.ts'

it('shows since when the oldest of a state stands, except where that is the end', () => {
  const test = openTestOutbox()
  const [first, second] = [addWaiting(test, { at: MORNING }), addWaiting(test, { at: MORNING + 5 })]
  addWaiting(test, { at: MORNING + 9 })
  startAttempt(test, first)
  test.outbox.submissions.transition(first, 'deliveredNow', { caseId: '9', sentAt: MORNING }, { at: MORNING })
  expect(second).not.toBe(first)
  expect(test.outbox.oversight.stateAges()).toEqual([
    { state: 'sent', count: 1, oldestAddedAt: null, unchangedSince: null },
    { state: 'waiting', count: 2, oldestAddedAt: MORNING + 5, unchangedSince: MORNING + 5 },
  ])
  expect(test.outbox.oversight.tallyAttempts(10)).toMatchObject([{ outcome: null, count: 1 }])
})
