import { describe, expect, it } from 'vitest'
import { type AttemptEnd, visibleText } from '../../../../src-main/station/outbox/attempts.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
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

function waiting(): { readonly test: TestOutbox; readonly id: string } {
  const test = openTestOutbox()
  return { test, id: addWaiting(test) }
}

const end = (options: Partial<AttemptEnd> = {}): AttemptEnd => ({
  outcome: 'unsent',
  handedOverBytes: 10,
  failure: failureOf('offline'),
  answer: null,
  at: MORNING + 9,
  ...options,
})

describe('an attempt', () => {
  it('is written together with the startAttempt, and knows if it goes and what was there before', () => {
    const { test, id } = waiting()
    test.outbox.saveCaseList(DESTINATION, { readAt: MORNING, caseIds: ['1', '2'] })
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
      known_position: 2,
      started_at: MORNING + 5,
    })
    expect(test.outbox.openAttemptRows().map((row) => row.id)).toEqual([attemptId])
    expect(test.outbox.submissionOf(id)?.attempts).toBe(1)
  })

  it('is the only open one of its submission', () => {
    const { test, id } = waiting()
    open(test, id)
    expect(() => open(test, id)).toThrow(/claimed is not possible in sending/)
    expect(test.outbox.attemptsOf(id)).toHaveLength(1)
    expect(test.outbox.submissionOf(id)?.attempts).toBe(1)
  })

  it('ends once, together with the move of its submission', () => {
    const { test, id } = waiting()
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
    const { test, id } = waiting()
    const attemptId = open(test, id)
    expect(() => test.outbox.endAttempt(attemptId, end(), 'approved', {})).toThrow(/not possible/)
    expect(test.outbox.attemptRow(attemptId)?.outcome).toBeNull()
    expect(stateOf(test, id)).toBe('sending')
  })

  it('is not resolved by evidence alone, nor by a word in the trail', () => {
    const { test, id } = waiting()
    const attemptId = open(test, id)
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(false)
    test.outbox.markPhase(attemptId, 'handedOver')
    expect(test.outbox.attemptRow(attemptId)?.phase).toBe('handedOver')
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
    const { test, id } = waiting()
    test.outbox.endAttempt(open(test, id), end(), 'stayedUnsent', {})
    test.outbox.endAttempt(open(test, id), end({ outcome: 'unknown' }), 'becameUnknown', {})
    test.outbox.moveSubmission(id, event, patch, { at: MORNING })
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(false)
    expect(test.outbox.attemptsOf(id).map((row) => row.resolution)).toEqual([null, resolution])
  })

  it('that was refused and seen at the service is in doubt still, also once it is discarded', () => {
    const { test, id } = waiting()
    test.outbox.endAttempt(open(test, id), end({ outcome: 'refused' }), 'wasRefused', {})
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(false)
    test.outbox.moveSubmission(id, 'foundAtService', {}, { at: MORNING + 1 })
    test.outbox.moveSubmission(id, 'discarded', {}, { at: MORNING + 2 })
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(true)
    // So a copy of its images is no new case.
    for (const { sha256 } of test.outbox.imageRowsOf(id))
      expect(test.outbox.holdersOf(sha256).map(({ submissionId }) => submissionId)).toEqual([id])
    test.outbox.moveSubmission(id, 'restoredToUnconfirmed', {}, { at: MORNING + 3 })
    test.outbox.moveSubmission(id, 'provenAbsent', {}, { at: MORNING + 4 })
    expect(test.outbox.hasUnresolvedAttempt(id)).toBe(false)
  })

  it('knows when the service showed its case, and the next one does not', () => {
    const { test, id } = waiting()
    test.outbox.endAttempt(open(test, id), end(), 'stayedUnsent', {})
    test.outbox.moveSubmission(id, 'foundAtService', {}, { at: MORNING + 1 })
    test.outbox.moveSubmission(id, 'provenAbsent', {}, { at: MORNING + 2 })
    open(test, id)
    expect(test.outbox.attemptsOf(id).map((row) => row.found_at)).toEqual([MORNING + 1, null])
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

it.each([
  ['plain text with lines', Buffer.from('{"id": 1}\n\tños'), '{"id": 1}\n\tños'],
  ['a terminal sequence', Buffer.from('\u001b[31mred\r'), '\\u{1b}[31mred\\u{d}'],
  ['a turned direction', Buffer.from('a\u202eb\u2028c'), 'a\\u{202e}b\\u{2028}c'],
  ['no UTF-8', Buffer.from([0x7b, 0x81, 0xff, 0x7d]), '{\u{fffd}\u{fffd}}'],
  ['nothing', new Uint8Array(), ''],
  ['a last character that was cut', Buffer.from('né').subarray(0, 2), 'n'],
])('shows %s', (_name, bytes, shown) => expect(visibleText(bytes)).toBe(shown))

it('keeps the beginning of a large answer and shows its whole size', () => {
  const test = openTestOutbox()
  const attemptId = open(test, addWaiting(test))
  expect([attemptId, 'no one'].map((id) => test.outbox.answerOf(id))).toEqual([null, null])
  const answer = { status: 502, body: Buffer.alloc(100_000, 'x') }
  test.outbox.endAttempt(attemptId, end({ answer }), 'stayedUnsent', {})
  expect(test.outbox.attemptRow(attemptId)).toHaveProperty('answer_body.length', 64 * 1024)
  const text = 'x'.repeat(64 * 1024)
  expect(test.outbox.answerOf(attemptId)).toEqual({ status: 502, sizeBytes: 100_000, text })
})
