import { describe, expect, it } from 'vitest'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import {
  addTestImage,
  addWaiting,
  claim,
  MORNING,
  newSubmission,
  someBytes,
  stateOf,
} from '../../../tools/outbox-with.ts'
import { partsWith, type TestParts } from './parts-with.ts'

/** Complete but for what the state asks for, made for a center. */
function complete(
  test: TestParts,
  centerId: string | null = '101',
  fields: object = { history_number: 'H-1', visit_date: '2026-11-20' },
): string {
  const sources = Object.fromEntries(Object.keys(fields).map((name) => [name, 'person' as const]))
  const id = test.outbox.submissions.create(newSubmission({ fields, sources, centerId }))
  const imageId = addTestImage(test, id, { bytes: someBytes(), fileName: `H-1/${id}_OD_1.jpg` })
  test.outbox.images.setEye(imageId, { eye: 'right', source: 'person', statements: null })
  test.refresh(id)
  return id
}

function waiting(test: TestParts, centerId: string | null = '101'): string {
  const id = complete(test, centerId)
  test.outbox.submissions.transition(id, 'gatheredToSend', {}, { at: MORNING })
  return id
}

const give = (test: TestParts, id: string): Promise<unknown> =>
  test.call('submissions.moveToCenter', { ids: [id], centerId: '102', by: 'AB', why: 'wrong branch' })
const centerOf = (test: TestParts, id: string): string | null =>
  test.outbox.submissions.row(id)?.center_id ?? null

/** The end of an attempt of which nobody knows whether it arrived. */
function makeUnknown(test: TestParts, id: string): void {
  claim(test, id, '101')
  const attemptId = test.outbox.attempts.of(id).at(-1)?.id ?? ''
  const end = { outcome: 'unknown', handedOverBytes: 1, failure: null, answer: null, at: MORNING } as const
  test.outbox.attempts.end(attemptId, end, 'becameUnknown', {})
}

describe('another center', () => {
  it('is given to what has not left, with who, why, from where and to where', async () => {
    const test = await partsWith()
    const id = waiting(test)
    expect(await give(test, id)).toMatchObject({ value: { changed: [id], refused: [] } })
    expect([centerOf(test, id), stateOf(test, id)]).toEqual(['102', 'waiting'])
    expect(test.outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
      { what: 'movedToCenter', by: 'AB', details: { from: '101', to: '102', why: 'wrong branch' } },
    ])
    expect(test.done).toContain('wake')
  })

  it('leaves the line where something else has changed since it was passed for sending', async () => {
    const test = await partsWith()
    const id = waiting(test)
    const [image] = test.outbox.images.rows(id)
    test.outbox.images.setEye(image?.id ?? '', { eye: 'left', source: 'person', statements: null })
    await give(test, id)
    expect([centerOf(test, id), stateOf(test, id)]).toEqual(['102', 'review'])
  })

  it('is what was missing where a case had none', async () => {
    const test = await partsWith()
    const id = complete(test, null)
    test.outbox.submissions.transition(id, 'gatheredIncomplete', {}, { at: MORNING })
    const { fields, sources } = test.outbox.submissions.get(id) ?? { fields: {}, sources: {} }
    const reasons = [{ kind: 'centerUnknown', message: 'For which center?' } as const]
    test.outbox.submissions.setContent(id, { fields, sources, reasons }, MORNING)
    await give(test, id)
    expect([centerOf(test, id), stateOf(test, id)]).toEqual(['102', 'review'])
    expect(test.outbox.submissions.get(id)?.reasons).toEqual([])
  })

  it.each<[SubmissionState, (test: TestParts) => string]>([
    ['collecting', (test) => complete(test)],
    [
      'incomplete',
      (test) => {
        const id = complete(test, '101', {})
        test.outbox.submissions.transition(id, 'gatheredIncomplete', {}, { at: MORNING })
        return id
      },
    ],
    [
      'held',
      (test) => {
        const id = waiting(test)
        test.outbox.submissions.transition(id, 'held', {}, { at: MORNING })
        return id
      },
    ],
    [
      'refused',
      (test) => {
        const id = waiting(test)
        test.outbox.submissions.transition(id, 'wasRefused', {}, { at: MORNING })
        return id
      },
    ],
  ])('leaves a case %s where it is', async (state, make) => {
    const test = await partsWith()
    const id = make(test)
    await give(test, id)
    expect([centerOf(test, id), stateOf(test, id)]).toEqual(['102', state])
  })

  it.each<[string, (test: TestParts) => string]>([
    [
      'is being sent',
      (test) => {
        const id = waiting(test)
        claim(test, id, '101')
        return id
      },
    ],
    [
      'may have arrived',
      (test) => {
        const id = waiting(test)
        makeUnknown(test, id)
        return id
      },
    ],
    [
      'may have arrived and was thrown away and restored since',
      (test) => {
        const id = waiting(test)
        makeUnknown(test, id)
        test.outbox.submissions.transition(id, 'discarded', {}, { at: MORNING })
        test.outbox.submissions.transition(id, 'restoredToReview', {}, { at: MORNING })
        return id
      },
    ],
    [
      'was sent',
      (test) => {
        const id = waiting(test)
        claim(test, id, '101')
        test.outbox.submissions.transition(
          id,
          'deliveredNow',
          { caseId: '9', sentAt: MORNING },
          { at: MORNING },
        )
        return id
      },
    ],
    [
      'was thrown away',
      (test) => {
        const id = waiting(test)
        test.outbox.submissions.transition(id, 'discarded', {}, { at: MORNING })
        return id
      },
    ],
  ])('is never given to what %s', async (_what, make) => {
    const test = await partsWith()
    const id = make(test)
    const before = [test.outbox.submissions.row(id), test.outbox.audit.list({ submissionId: id, limit: 99 })]
    expect(await give(test, id)).toMatchObject({
      value: { changed: [], refused: [{ id, failure: { kind: 'notAllowed' } }] },
    })
    expect([
      test.outbox.submissions.row(id),
      test.outbox.audit.list({ submissionId: id, limit: 99 }),
    ]).toEqual(before)
  })

  it('that it has already changes nothing, and leaves no line', async () => {
    const test = await partsWith()
    const id = waiting(test, '102')
    const before = test.outbox.audit.list({ submissionId: id, limit: 99 }).length
    expect(await give(test, id)).toMatchObject({ value: { changed: [id] } })
    expect(test.outbox.audit.list({ submissionId: id, limit: 99 })).toHaveLength(before)
  })
})

describe('a transfer', () => {
  const cancel = (test: TestParts, id: string): Promise<unknown> =>
    test.call('submissions.cancel', { ids: [id], by: 'AB', why: 'wrong patient' })

  it('that can be stopped is, with who and why', async () => {
    const test = await partsWith()
    const id = addWaiting(test)
    claim(test, id)
    test.cancelled = 'stopping'
    expect(await cancel(test, id)).toMatchObject({ value: { changed: [id], refused: [] } })
    expect(test.done).toContain(`cancel ${id}`)
    expect(test.outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
      { what: 'cancelled', by: 'AB', details: { why: 'wrong patient' } },
    ])
  })

  it.each([
    ['tooLate', 'All of this case has left already'],
    ['notSending', 'not being sent right now'],
  ] as const)('that is %s is left alone, in words that say so', async (cancelled, words) => {
    const test = await partsWith()
    const id = addWaiting(test)
    test.cancelled = cancelled
    expect(await cancel(test, id)).toMatchObject({
      value: {
        changed: [],
        refused: [{ failure: { kind: 'notAllowed', message: expect.stringContaining(words) } }],
      },
    })
    expect(stateOf(test, id)).toBe('waiting')
    expect(test.outbox.audit.list({ submissionId: id, limit: 9 }).map(({ what }) => what)).not.toContain(
      'cancelled',
    )
  })

  it('is none where no service is set', async () => {
    const test = await partsWith()
    test.hasDelivery = false
    expect(await cancel(test, addWaiting(test))).toMatchObject({ value: { changed: [] } })
  })
})
