import { describe, expect, it } from 'vitest'
import type { CallName } from '../../../../src-shared/contract.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../../../src-shared/states.ts'
import { updateVerdict, MORNING, newSubmission, stateOf } from '../../../tools/outbox-with.ts'
import {
  addCase,
  COMPLETE,
  follow,
  loseAnswer,
  partsWith,
  type TestParts,
  trailOf,
  caseIn,
} from './parts-with.ts'

type BulkCall = Extract<
  CallName,
  `submissions.${'approve' | 'retry' | 'prioritise' | 'hold' | 'release' | 'discard' | 'restore' | 'closeNow' | 'moveToCenter'}`
>

type Moves = Partial<Record<SubmissionState, SubmissionState>>
/** Each of these states, by name, leads to the target; without one to itself. */
const from = (states: string, target?: SubmissionState): Moves =>
  Object.fromEntries(states.split(' ').map((state) => [state, target ?? state]))
const UNSENT = 'collecting incomplete review waiting held refused'

/** Where each call leads from each state; a state that is not named refuses it and does not change. */
const TABLE: Readonly<Record<BulkCall, Moves>> = {
  'submissions.closeNow': from('collecting', 'review'),
  'submissions.approve': from('review incomplete waiting refused', 'waiting'),
  'submissions.retry': { ...from('waiting refused', 'waiting'), unconfirmed: 'unconfirmed' },
  'submissions.prioritise': from(`${UNSENT} unconfirmed`),
  'submissions.hold': from('incomplete review waiting', 'held'),
  'submissions.release': from('held', 'review'),
  'submissions.discard': from(`${UNSENT} unconfirmed`, 'discarded'),
  'submissions.restore': from('discarded', 'review'),
  // A complete case leaves the state that asked for a value.
  'submissions.moveToCenter': { ...from(UNSENT), incomplete: 'review' },
}

describe.each(Object.keys(TABLE) as BulkCall[])('%s', (name) => {
  const input = (...ids: string[]): object => ({
    ids,
    ...(name === 'submissions.moveToCenter' && { centerId: '102' }),
  })

  it('leads to the right state from every state, and is refused from all others', async () => {
    const test = await partsWith()
    for (const state of SUBMISSION_STATES) {
      const id = addCase(test, state, { centerId: '101' })
      const before = [test.outbox.rowOf(id), trailOf(test, id)]
      const answer = await test.call(name, input(id))
      const target = TABLE[name][state]
      const refused = [{ id, failure: { kind: 'notAllowed' } }]
      expect(answer, state).toMatchObject({
        value: target === undefined ? { changed: [], refused } : { changed: [id], refused: [] },
      })
      expect(stateOf(test, id), state).toBe(target ?? state)
      if (target === undefined) expect([test.outbox.rowOf(id), trailOf(test, id)], state).toEqual(before)
    }
  })

  it('refuses an unknown id, and does the others', async () => {
    const test = await partsWith()
    const [state] = Object.keys(TABLE[name]) as SubmissionState[]
    const id = addCase(test, state)
    expect(await test.call(name, input('none', id))).toMatchObject({
      value: { changed: [id], refused: [{ id: 'none', failure: { kind: 'notFound' } }] },
    })
    expect(test.done).toContain('wake')
  })
})

describe('approval', () => {
  it('never lets an incomplete case leave, and says what is missing', async () => {
    const { test, id } = await caseIn('review', { fields: {} })
    expect(await test.call('submissions.approve', { ids: [id] })).toMatchObject({
      value: { refused: [{ failure: { message: expect.stringContaining('history number') as string } }] },
    })
    expect(stateOf(test, id)).toBe('incomplete')
  })

  it('gives a case without a center the one that is set now, and no other case', async () => {
    const test = await partsWith({ centerId: '101' })
    const id = addCase(test, 'review')
    expect(test.outbox.submissionOf(id)?.centerId).toBeNull()
    await test.call('submissions.approve', { ids: [id] })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'waiting', centerId: '101' })
    const other = test.outbox.createSubmission(newSubmission({ centerId: '102' }))
    test.outbox.setCenter(other, '101')
    expect(test.outbox.submissionOf(other)?.centerId).toBe('102')
  })
})

describe('hold and release', () => {
  const holdWaiting = async (test: TestParts): Promise<string> => {
    const id = addCase(test, 'waiting')
    await test.clock.turn(1_000)
    await test.call('submissions.hold', { ids: [id] })
    await test.clock.turn(1_000)
    return id
  }

  it.each<[string, SubmissionState, (test: TestParts, id: string) => unknown]>([
    ['into the queue if it was held there', 'waiting', () => undefined],
    [
      'to a person if it was edited since',
      'review',
      (test, id) => test.call('submissions.update', { id, fields: { age: 61 } }),
    ],
  ])('lead %s', async (_where, state, meanwhile) => {
    const test = await partsWith()
    const id = await holdWaiting(test)
    await meanwhile(test, id)
    await test.call('submissions.release', { ids: [id] })
    expect(stateOf(test, id)).toBe(state)
  })
})

describe('a case that relies on names alone', () => {
  const NAMED = { images: ['H-1/OD_1.jpg'] }
  /** From now on its eye was read from its file name. Its content stays the same. */
  const relyOnNames = (test: TestParts, id: string): void => {
    for (const { id: imageId, eye } of test.outbox.imageRowsOf(id))
      test.outbox.setEye(imageId, { eye, source: 'fileName', statements: null })
    updateVerdict(test, id)
  }

  it.each(['held', 'refused'] as const)('and was %s without an approval goes to review', async (state) => {
    const { test, id } = await caseIn(state === 'refused' ? 'refused' : 'waiting', NAMED)
    relyOnNames(test, id)
    if (state !== 'refused') await test.call('submissions.hold', { ids: [id] })
    const name = state === 'refused' ? 'submissions.retry' : 'submissions.release'
    expect(await test.call(name, { ids: [id] })).toMatchObject({ value: { changed: [id] } })
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'review',
      reasons: [{ kind: 'readFromNames' }],
    })
  })

  it('leaves once a person has approved it, also after a hold and a refusal', async () => {
    const { test, id } = await caseIn('review', NAMED)
    relyOnNames(test, id)
    await test.call('submissions.approve', { ids: [id], by: 'AB' })
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'waiting', approved_by: 'AB' })
    await test.clock.turn(1_000)
    await test.call('submissions.hold', { ids: [id] })
    await test.call('submissions.release', { ids: [id] })
    expect(stateOf(test, id)).toBe('waiting')
    follow(test, id, 'wasRefused')
    await test.call('submissions.retry', { ids: [id] })
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('is checked first if a person says that it did not arrive, and the evidence says so', async () => {
    const { test, id } = await caseIn('unconfirmed', NAMED)
    relyOnNames(test, id)
    await test.call('submissions.resolve', { id, delivered: false, by: 'AB' })
    const { state, evidence } = test.outbox.detailsOf(id) ?? {}
    expect(state).toBe('review')
    expect(evidence?.at(-1)?.message).toContain('Only read from file names')
  })
})

describe('urgency', () => {
  it('puts a case first and sends it now', async () => {
    const { test, id } = await caseIn('waiting')
    test.outbox.setNotBefore(id, MORNING + 60_000)
    await test.call('submissions.prioritise', { ids: [id] })
    expect(test.outbox.submissionOf(id)).toMatchObject({ urgent: true, notBefore: null })
  })

  it('does not end the lookups of a case that may have arrived', async () => {
    const { test, id } = await caseIn('unconfirmed')
    await test.call('submissions.prioritise', { ids: [id] })
    expect(test.outbox.dueLookups(MORNING + 9_000).map((row) => row.id)).toEqual([id])
  })
})

describe('a case that may have arrived', () => {
  it('is looked up after a restore, and not sent', async () => {
    const { test, id } = await caseIn('unconfirmed')
    await test.call('submissions.discard', { ids: [id] })
    await test.call('submissions.restore', { ids: [id] })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(test.outbox.dueLookups(MORNING).map((row) => row.id)).toEqual([id])
  })

  it('is looked up by another try, and never sent', async () => {
    const { test, id } = await caseIn('unconfirmed')
    await test.call('submissions.retry', { ids: [id] })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'unconfirmed', notBefore: MORNING })
    expect(test.done).toContain('retryNow')
  })
})

it('asks once whether the service is reachable, however many are retried, and not for a refused one', async () => {
  const test = await partsWith()
  const ids = [addCase(test, 'waiting'), addCase(test, 'unconfirmed'), addCase(test, 'waiting')]
  await test.call('submissions.retry', { ids })
  expect(test.done.filter((what) => what === 'retryNow')).toHaveLength(1)
  await test.call('submissions.retry', { ids: [addCase(test, 'refused')] })
  expect(test.done.filter((what) => what === 'retryNow')).toHaveLength(1)
})

describe('another center', () => {
  const move = (test: TestParts, id: string): Promise<unknown> =>
    test.call('submissions.moveToCenter', { ids: [id], centerId: '102', by: 'AB', why: 'wrong branch' })
  const centerAndState = (test: TestParts, id: string) => [
    test.outbox.rowOf(id)?.center_id,
    stateOf(test, id),
  ]

  it('is given to a case that has not left, with who, why, from where and to where', async () => {
    const { test, id } = await caseIn('waiting', { centerId: '101' })
    expect(await move(test, id)).toMatchObject({ value: { changed: [id], refused: [] } })
    expect(centerAndState(test, id)).toEqual(['102', 'waiting'])
    expect(trailOf(test, id)[0]).toMatchObject({
      what: 'movedToCenter',
      by: 'AB',
      details: { from: '101', to: '102', why: 'wrong branch' },
    })
  })

  it('completes a case that lacked only its center, and no other', async () => {
    const test = await partsWith()
    const [id, other] = [addCase(test, 'incomplete'), addCase(test, 'incomplete', { fields: {} })]
    const reasons = [{ kind: 'centerUnknown', message: 'For which center?' } as const]
    const sources = { history_number: 'person', visit_date: 'person' } as const
    test.outbox.setContent(id, { fields: COMPLETE, sources, reasons }, MORNING)
    await move(test, id)
    await move(test, other)
    expect(centerAndState(test, id)).toEqual(['102', 'review'])
    expect(test.outbox.submissionOf(id)?.reasons).toEqual([])
    expect(centerAndState(test, other)).toEqual(['102', 'incomplete'])
  })

  it('is never given to a case that may have arrived, even if it was discarded and restored since', async () => {
    const { test, id } = await caseIn('waiting', { centerId: '101' })
    loseAnswer(test, id)
    follow(test, id, 'discarded', 'restoredToReview')
    const before = [test.outbox.rowOf(id), trailOf(test, id)]
    expect(await move(test, id)).toMatchObject({ value: { refused: [{ failure: { kind: 'notAllowed' } }] } })
    expect([test.outbox.rowOf(id), trailOf(test, id)]).toEqual(before)
  })

  it('that the case has already changes nothing, and leaves no entry', async () => {
    const { test, id } = await caseIn('waiting', { centerId: '102' })
    const before = trailOf(test, id)
    expect(await move(test, id)).toMatchObject({ value: { changed: [id] } })
    expect(trailOf(test, id)).toEqual(before)
  })
})

describe('a transfer', () => {
  const cancel = (test: TestParts, id: string): Promise<unknown> =>
    test.call('submissions.cancel', { ids: [id], by: 'AB', why: 'wrong patient' })

  it('is cancelled if its last bytes have not left, with who and why', async () => {
    const { test, id } = await caseIn('sending')
    test.cancelled = 'stopping'
    expect(await cancel(test, id)).toMatchObject({ value: { changed: [id], refused: [] } })
    expect(test.done).toContain(`cancel ${id}`)
    expect(trailOf(test, id)[0]).toMatchObject({
      what: 'cancelled',
      by: 'AB',
      details: { why: 'wrong patient' },
    })
  })

  it.each([
    ['tooLate', 'Too late to stop'],
    ['notSending', 'not being sent now'],
    ['noService', 'not being sent now'],
  ] as const)('is not cancelled if the answer is %s, and the message says so', async (outcome, message) => {
    const { test, id } = await caseIn('waiting')
    test.hasDelivery = outcome !== 'noService'
    if (outcome !== 'noService') test.cancelled = outcome
    const failure = { kind: 'notAllowed', message: expect.stringContaining(message) as string }
    expect(await cancel(test, id)).toMatchObject({ value: { changed: [], refused: [{ failure }] } })
    expect(stateOf(test, id)).toBe('waiting')
    expect(trailOf(test, id).map(({ what }) => what)).not.toContain('cancelled')
  })
})
