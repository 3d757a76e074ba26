import { describe, expect, it } from 'vitest'
import type { CallName } from '../../../../src-shared/contract.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { addTestImage, MORNING, newSubmission, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { partsWith, type TestParts } from './parts-with.ts'

type ManyCall = Extract<
  CallName,
  `submissions.${'approve' | 'retry' | 'prioritise' | 'hold' | 'release' | 'discard' | 'restore' | 'closeNow'}`
>

/** A complete submission in a state, reached by allowed moves. */
function inState(
  test: TestParts,
  state: SubmissionState,
  fields: object = { history_number: 'H-1', visit_date: '2026-11-20' },
): string {
  const { outbox } = test
  const sources = Object.fromEntries(Object.keys(fields).map((name) => [name, 'person' as const]))
  const id = outbox.submissions.create(newSubmission({ fields, sources }))
  const imageId = addTestImage(test, id, { bytes: someBytes(), fileName: `H-1/${id}_OD_1.jpg` })
  outbox.images.setEye(imageId, { eye: 'right', source: 'person', statements: null })
  test.refresh(id)
  const move = (event: Parameters<typeof outbox.submissions.transition>[1], patch = {}): void =>
    void outbox.submissions.transition(id, event, patch, { at: MORNING })
  if (state === 'incomplete') move('gatheredIncomplete')
  if (state === 'review' || state === 'held') move('gatheredForReview')
  if (state === 'held') move('held')
  if (state === 'discarded') move('discarded')
  if (!['waiting', 'sending', 'unconfirmed', 'refused', 'sent'].includes(state)) return id
  move('gatheredToSend')
  if (state === 'waiting') return id
  const destination = { baseUrl: 'https://service.example', clientId: 'clinic', centerId: null }
  const plan = { submissionId: id, destination, requestBytes: 9, at: MORNING }
  const { attemptId } = outbox.attempts.open(plan)
  const end = { handedOverBytes: 9, failure: null, answer: null, at: MORNING }
  if (state === 'unconfirmed')
    outbox.attempts.end(attemptId, { ...end, outcome: 'unknown' }, 'becameUnknown', {
      notBefore: MORNING + 9_000,
    })
  if (state === 'refused') {
    const failure = failureOf('serviceRefused')
    outbox.attempts.end(attemptId, { ...end, outcome: 'refused', failure }, 'wasRefused', { failure })
  }
  if (state === 'sent')
    outbox.attempts.end(attemptId, { ...end, outcome: 'delivered' }, 'deliveredNow', {
      caseId: id,
      sentAt: MORNING,
    })
  return id
}

/** Where each call leads from each state; a state that is not named refuses it and stays as it is. */
const TABLE: Readonly<Record<ManyCall, Partial<Record<SubmissionState, SubmissionState>>>> = {
  'submissions.closeNow': { collecting: 'review' },
  'submissions.approve': { review: 'waiting', incomplete: 'waiting', waiting: 'waiting', refused: 'waiting' },
  'submissions.retry': { waiting: 'waiting', refused: 'waiting', unconfirmed: 'unconfirmed' },
  'submissions.prioritise': {
    collecting: 'collecting',
    incomplete: 'incomplete',
    review: 'review',
    waiting: 'waiting',
    held: 'held',
    unconfirmed: 'unconfirmed',
    refused: 'refused',
  },
  'submissions.hold': { incomplete: 'held', review: 'held', waiting: 'held' },
  'submissions.release': { held: 'review' },
  'submissions.discard': {
    collecting: 'discarded',
    incomplete: 'discarded',
    review: 'discarded',
    waiting: 'discarded',
    held: 'discarded',
    refused: 'discarded',
    unconfirmed: 'discarded',
  },
  'submissions.restore': { discarded: 'review' },
}

describe.each(Object.keys(TABLE) as ManyCall[])('%s', (name) => {
  it('leads where it should from every state, and refuses what it should', async () => {
    const test = await partsWith()
    const states = ['collecting', 'incomplete', 'review', 'waiting', 'held'] as const
    const later = ['sending', 'unconfirmed', 'refused', 'sent', 'discarded'] as const
    for (const state of [...states, ...later]) {
      const id = inState(test, state)
      const answer = await test.call(name, { ids: [id] })
      const to = TABLE[name][state]
      const expected =
        to === undefined
          ? { changed: [], refused: [{ id, failure: { kind: 'notAllowed' } }] }
          : { changed: [id], refused: [] }
      expect(answer, state).toMatchObject({ ok: true, value: expected })
      expect(stateOf(test, id), state).toBe(to ?? state)
    }
  })

  it('refuses an id that is not there, and does the others all the same', async () => {
    const test = await partsWith()
    const [state] = Object.keys(TABLE[name]) as SubmissionState[]
    const id = inState(test, state ?? 'review')
    expect(await test.call(name, { ids: ['nobody', id] })).toMatchObject({
      value: { changed: [id], refused: [{ id: 'nobody', failure: { kind: 'notFound' } }] },
    })
    expect(test.done).toContain('wake')
  })
})

describe('approval', () => {
  it('never lets a case go in which something is missing, and says what', async () => {
    const test = await partsWith()
    const id = inState(test, 'review', {})
    expect(await test.call('submissions.approve', { ids: [id] })).toMatchObject({
      value: { refused: [{ failure: { message: expect.stringContaining('history number') as string } }] },
    })
    expect(stateOf(test, id)).toBe('incomplete')
  })
})

describe('hold and release', () => {
  it('lead back to the line where it was held in the line', async () => {
    const test = await partsWith()
    const id = inState(test, 'waiting')
    await test.clock.turn(1_000)
    await test.call('submissions.hold', { ids: [id] })
    await test.clock.turn(1_000)
    await test.call('submissions.release', { ids: [id] })
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('lead back to the line however much was noted about the case meanwhile', async () => {
    const test = await partsWith()
    const id = inState(test, 'waiting')
    await test.call('submissions.hold', { ids: [id] })
    const entry = { at: MORNING, submissionId: id, what: 'edited', by: null, details: {} }
    test.outbox.write(() => {
      for (let lines = 0; lines < 1_001; lines += 1) test.outbox.audit.append(entry)
    })
    await test.call('submissions.release', { ids: [id] })
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('lead to a person where something is missing by now', async () => {
    const test = await partsWith()
    const id = inState(test, 'held', {})
    await test.call('submissions.release', { ids: [id] })
    expect(stateOf(test, id)).toBe('incomplete')
  })

  it('lead to a person where an image came meanwhile that nobody has looked at', async () => {
    const test = await partsWith()
    const id = inState(test, 'waiting')
    await test.clock.turn(1_000)
    await test.call('submissions.hold', { ids: [id] })
    const late = { bytes: someBytes(), fileName: 'H-1/late_OS_1.jpg', at: MORNING + 2_000 }
    const imageId = addTestImage(test, id, late)
    test.outbox.images.setEye(imageId, { eye: 'left', source: 'person', statements: null })
    await test.call('submissions.release', { ids: [id] })
    expect(stateOf(test, id)).toBe('review')
  })
})

describe('a case that rests on names alone', () => {
  /** From now on its eye was read from its file name. Its content stays the same. */
  const restOnNames = (test: TestParts, id: string): void => {
    for (const { id: imageId, eye } of test.outbox.images.rows(id))
      test.outbox.images.setEye(imageId, { eye, source: 'fileName', statements: null })
  }

  it.each(['held', 'refused'] as const)('and was %s without an approval goes to review', async (state) => {
    const test = await partsWith()
    const id = inState(test, state === 'refused' ? 'refused' : 'waiting')
    restOnNames(test, id)
    if (state !== 'refused') await test.call('submissions.hold', { ids: [id] })
    const name = state === 'refused' ? 'submissions.retry' : 'submissions.release'
    expect(await test.call(name, { ids: [id] })).toMatchObject({ value: { changed: [id] } })
    expect(test.outbox.submissions.get(id)).toMatchObject({
      state: 'review',
      reasons: [{ kind: 'readFromNames' }],
    })
  })

  it('leaves once a person has approved it, also after a hold and a refusal', async () => {
    const test = await partsWith()
    const id = inState(test, 'review')
    restOnNames(test, id)
    await test.call('submissions.approve', { ids: [id], by: 'AB' })
    expect(test.outbox.submissions.row(id)).toMatchObject({ state: 'waiting', approved_by: 'AB' })
    await test.clock.turn(1_000)
    await test.call('submissions.hold', { ids: [id] })
    await test.call('submissions.release', { ids: [id] })
    expect(stateOf(test, id)).toBe('waiting')
    test.outbox.submissions.transition(id, 'wasRefused', {}, { at: MORNING })
    await test.call('submissions.retry', { ids: [id] })
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('is checked first if a person says that it did not arrive, and the evidence says so', async () => {
    const test = await partsWith()
    const id = inState(test, 'unconfirmed')
    restOnNames(test, id)
    await test.call('submissions.resolve', { id, delivered: false, by: 'AB' })
    const { state, evidence } = test.outbox.submissions.details(id) ?? {}
    expect(state).toBe('review')
    expect(evidence?.at(-1)?.message).toContain('read from file names only')
  })
})

describe('urgency', () => {
  it('puts a case first and lets it go now', async () => {
    const test = await partsWith()
    const id = inState(test, 'waiting')
    test.outbox.submissions.setNotBefore(id, MORNING + 60_000)
    await test.call('submissions.prioritise', { ids: [id] })
    expect(test.outbox.submissions.get(id)).toMatchObject({ urgent: true, notBefore: null })
  })

  it('does not end the looks for a case that may have arrived', async () => {
    const test = await partsWith()
    const id = inState(test, 'unconfirmed')
    await test.call('submissions.prioritise', { ids: [id] })
    expect(test.outbox.evidence.dueLookups(MORNING + 9_000).map((row) => row.id)).toEqual([id])
  })
})

describe('what a person has passed for sending', () => {
  it('is what was shown: a case that reads otherwise by now is looked at again', async () => {
    const test = await partsWith()
    const id = inState(test, 'review', { history_number: 'H-1' })
    const late = { bytes: someBytes(), fileName: `H-1/${id}_20261119_OD_2.jpg` }
    const imageId = addTestImage(test, id, late)
    test.outbox.images.setEye(imageId, { eye: 'left', source: 'person', statements: null })
    expect(await test.call('submissions.approve', { ids: [id] })).toMatchObject({
      value: { refused: [{ failure: { message: expect.stringContaining('has changed') } }] },
    })
    expect(stateOf(test, id)).toBe('review')
    await test.call('submissions.approve', { ids: [id] })
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('is not released into the line where it changed while it was held', async () => {
    const test = await partsWith()
    const id = inState(test, 'waiting')
    await test.call('submissions.hold', { ids: [id] })
    await test.call('submissions.update', { id, fields: { age: 61 } })
    await test.call('submissions.release', { ids: [id] })
    expect(stateOf(test, id)).toBe('review')
  })
})

describe('a case that was made before a center was chosen', () => {
  it('goes to the center that is chosen now where a person approves it, and never of itself', async () => {
    const test = await partsWith({ centerId: '101' })
    const id = inState(test, 'review')
    expect(test.outbox.submissions.get(id)?.centerId).toBeNull()
    await test.call('submissions.approve', { ids: [id] })
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'waiting', centerId: '101' })
  })

  it('keeps the center that it has', async () => {
    const test = await partsWith({ centerId: '101' })
    const id = test.outbox.submissions.create(newSubmission({ centerId: '102' }))
    test.outbox.submissions.setCenter(id, '101')
    expect(test.outbox.submissions.get(id)?.centerId).toBe('102')
  })
})

describe('a restored case', () => {
  it('of which an attempt was never resolved is looked for, and not sent', async () => {
    const test = await partsWith()
    const id = inState(test, 'unconfirmed')
    await test.call('submissions.discard', { ids: [id] })
    await test.call('submissions.restore', { ids: [id] })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(test.outbox.evidence.dueLookups(MORNING).map((row) => row.id)).toEqual([id])
  })

  it('in which something is missing goes to a person', async () => {
    const test = await partsWith()
    const id = inState(test, 'discarded', {})
    await test.call('submissions.restore', { ids: [id] })
    expect(stateOf(test, id)).toBe('incomplete')
  })
})

it('another try of what may have arrived is a look, and never a sending', async () => {
  const test = await partsWith()
  const id = inState(test, 'unconfirmed')
  await test.call('submissions.retry', { ids: [id] })
  expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'unconfirmed', notBefore: MORNING })
  expect(test.done).toContain('retryNow')
})

it('asks once whether the service is there, however many are tried again, and not for what only waits anew', async () => {
  const test = await partsWith()
  const ids = [inState(test, 'waiting'), inState(test, 'unconfirmed'), inState(test, 'waiting')]
  await test.call('submissions.retry', { ids })
  expect(test.done.filter((what) => what.startsWith('retryNow'))).toHaveLength(1)
  await test.call('submissions.retry', { ids: [inState(test, 'refused')] })
  expect(test.done.filter((what) => what.startsWith('retryNow'))).toHaveLength(1)
})
