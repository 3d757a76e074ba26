import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { AttemptEnd } from '../../../../src-main/station/outbox/attempt-store.ts'
import { addWaiting, MORNING, openTestOutbox, stateOf, type TestOutbox } from '../../../tools/outbox-with.ts'

const DESTINATION = { baseUrl: 'https://service.example', clientId: 'clinic', centerId: '101' }

function open(test: TestOutbox, submissionId: string): string {
  return test.outbox.openAttempt({
    submissionId,
    destination: DESTINATION,
    requestBytes: 1_000,
    at: MORNING + 5,
  }).attemptId
}

const end = (given: Partial<AttemptEnd> = {}): AttemptEnd => ({
  outcome: 'unsent',
  handedOverBytes: 10,
  failure: failureOf('offline'),
  answer: null,
  at: MORNING + 9,
  ...given,
})

describe('an attempt', () => {
  it('is written together with the claim, and knows where it goes and what was there before', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    test.outbox.keepCaseList(DESTINATION, { readAt: MORNING, caseIds: ['1', '2'] })
    const attemptId = open(test, id)
    expect(stateOf(test, id)).toBe('sending')
    expect(test.outbox.attemptRow(attemptId)).toMatchObject({
      submission_id: id,
      number: 1,
      base_url: DESTINATION.baseUrl,
      client_id: DESTINATION.clientId,
      center_id: '101',
      phase: 'prepared',
      outcome: null,
      request_bytes: 1_000,
      handed_over_bytes: 0,
      baseline: '[]',
      known_position: 2,
      started_at: MORNING + 5,
    })
    expect(test.outbox.openAttemptRows().map((row) => row.id)).toEqual([attemptId])
    expect(test.outbox.submissionOf(id)?.attempts).toBe(1)
  })

  it('is the only open one of its submission', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    open(test, id)
    expect(() => open(test, id)).toThrow(/claimed is not possible in sending/)
    expect(test.outbox.attemptsOf(id)).toHaveLength(1)
    expect(test.outbox.submissionOf(id)?.attempts).toBe(1)
  })

  it('is opened for what waits only', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    test.outbox.moveSubmission(id, 'held', {}, { at: MORNING })
    expect(() => open(test, id)).toThrow(/not possible in held/)
    expect(test.outbox.attemptsOf(id)).toEqual([])
  })

  it('goes through its phases', () => {
    const test = openTestOutbox()
    const attemptId = open(test, addWaiting(test))
    for (const phase of ['sending', 'handedOver'] as const) {
      test.outbox.markPhase(attemptId, phase)
      expect(test.outbox.attemptRow(attemptId)?.phase).toBe(phase)
    }
  })

  it('ends once, together with the move of its submission', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    const attemptId = open(test, id)
    const patch = { failure: failureOf('offline'), notBefore: MORNING + 60 }
    test.outbox.endAttempt(attemptId, end(), 'stayedUnsent', patch)
    expect(test.outbox.detailsOf(id)).toMatchObject({
      state: 'waiting',
      failure: failureOf('offline'),
      notBefore: MORNING + 60,
      attemptList: [{ outcome: 'unsent', phase: 'ended', handedOverBytes: 10, endedAt: MORNING + 9 }],
    })
    expect(() => test.outbox.endAttempt(attemptId, end(), 'stayedUnsent', {})).toThrow('an attempt ends once')
    expect(test.outbox.openAttemptRows()).toEqual([])
  })

  it('stays open where its submission cannot be moved so', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    const attemptId = open(test, id)
    expect(() => test.outbox.endAttempt(attemptId, end(), 'approved', {})).toThrow(/not possible/)
    expect(test.outbox.attemptRow(attemptId)?.outcome).toBeNull()
    expect(stateOf(test, id)).toBe('sending')
  })

  it('is counted on', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    for (const number of [1, 2, 3]) {
      const attemptId = open(test, id)
      expect(test.outbox.attemptRow(attemptId)?.number).toBe(number)
      test.outbox.endAttempt(attemptId, end(), 'stayedUnsent', {})
    }
    expect(test.outbox.attemptsOf(id).map((row) => row.number)).toEqual([1, 2, 3])
  })

  it('keeps an answer, to a bound', () => {
    const test = openTestOutbox()
    const attemptId = open(test, addWaiting(test))
    const body = Buffer.alloc(200_000, 'x')
    test.outbox.endAttempt(attemptId, end({ answer: { status: 502, body } }), 'stayedUnsent', {})
    const row = test.outbox.attemptRow(attemptId) as unknown as { answer_status: number; answer_body: Buffer }
    expect(row.answer_status).toBe(502)
    expect(row.answer_body.length).toBe(64 * 1024)
  })

  it('is remembered as unresolved where it ended unknown', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(false)
    test.outbox.endAttempt(open(test, id), end({ outcome: 'unknown' }), 'becameUnknown', {})
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(true)
  })

  it('is not resolved by evidence alone, nor by a word in the trail', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    const attemptId = open(test, id)
    test.outbox.endAttempt(attemptId, end({ outcome: 'unknown' }), 'becameUnknown', {})
    const evidence = { submissionId: id, attemptId, at: MORNING, caseIds: [], message: '', by: 'AB' }
    test.outbox.appendEvidence({ ...evidence, kind: 'absent' })
    const entry = { at: MORNING, submissionId: id, by: null, details: { attempt: 1 } }
    test.outbox.appendAudit({ ...entry, what: 'provenAbsent' })
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(true)
  })

  it.each([
    ['foundDelivered', { caseId: '778899', sentAt: MORNING }, 'arrived'],
    ['provenAbsent', {}, 'absent'],
  ] as const)('is resolved by %s', (event, patch, resolution) => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    test.outbox.endAttempt(open(test, id), end(), 'stayedUnsent', {})
    test.outbox.endAttempt(open(test, id), end({ outcome: 'unknown' }), 'becameUnknown', {})
    test.outbox.moveSubmission(id, event, patch, { at: MORNING })
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(false)
    expect(test.outbox.attemptsOf(id).map((row) => row.resolution)).toEqual([null, resolution])
  })

  it('knows when the service showed its case, and the next one does not', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    test.outbox.endAttempt(open(test, id), end(), 'stayedUnsent', {})
    test.outbox.moveSubmission(id, 'foundAtService', {}, { at: MORNING + 1 })
    test.outbox.moveSubmission(id, 'provenAbsent', {}, { at: MORNING + 2 })
    open(test, id)
    expect(test.outbox.attemptsOf(id).map((row) => row.found_at)).toEqual([MORNING + 1, null])
  })

  it('is resolved where its absence was proven, and the next one is in doubt by itself', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    test.outbox.endAttempt(open(test, id), end({ outcome: 'unknown' }), 'becameUnknown', {})
    test.outbox.moveSubmission(id, 'provenAbsent', {}, { at: MORNING })
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(false)
    test.outbox.endAttempt(open(test, id), end({ outcome: 'unknown' }), 'becameUnknown', {})
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(true)
  })
})

describe('what is due', () => {
  it('is what waits and may go now: urgent ones first, then the oldest', () => {
    const test = openTestOutbox()
    const { outbox } = test
    const [first, second, later, urgent] = [1, 2, 3, 4].map(() => addWaiting(test))
    outbox.setNotBefore(later ?? '', MORNING + 500)
    outbox.setUrgent(urgent ?? '', MORNING)
    const due = (now: number, limit = 10): string[] => outbox.dueSubmissions(now, limit).map((row) => row.id)
    expect(due(MORNING)).toEqual([urgent, first, second])
    expect(due(MORNING, 2)).toEqual([urgent, first])
    expect(due(MORNING + 500)).toEqual([urgent, first, second, later])
  })

  it('has a next instant, which is the first after now of what waits', () => {
    const test = openTestOutbox()
    expect(test.outbox.nextDueAfter(MORNING)).toBeNull()
    const [first, second] = [addWaiting(test), addWaiting(test), addWaiting(test)]
    expect(test.outbox.nextDueAfter(MORNING)).toBeNull()
    test.outbox.setNotBefore(first, MORNING + 9)
    test.outbox.setNotBefore(second, MORNING + 5)
    expect(test.outbox.nextDueAfter(MORNING)).toBe(MORNING + 5)
    expect(test.outbox.nextDueAfter(MORNING + 5)).toBe(MORNING + 9)
    test.outbox.moveSubmission(first, 'held', {}, { at: MORNING })
    expect(test.outbox.nextDueAfter(MORNING + 5)).toBeNull()
  })
})
