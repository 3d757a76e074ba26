/** An approval that can be taken back for a while: what ends that time, what does not, and what taking it back restores. */
import { describe, expect, it } from 'vitest'
import type { BulkResult } from '../../../../src-shared/contract.ts'
import { HOUR } from '../../../../src-shared/durations.ts'
import type { Result } from '../../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { MORNING, SERVICE, stateOf } from '../../../tools/outbox-with.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import {
  addCase,
  addEye,
  caseIn,
  COMPLETE,
  endAttempt,
  openAttempt,
  partsWith,
  type TestParts,
  trailOf,
} from './parts-with.ts'

const UNDO_SECONDS = 10
const UNDO_MS = 10_000
const YEAR = 365 * 24 * HOUR

function seenNow({ outbox }: TestParts, ...ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, outbox.shownDigest(id)]))
}

async function approve(test: TestParts, ...ids: readonly string[]): Promise<void> {
  const input = { ids, seen: seenNow(test, ...ids), undoSeconds: UNDO_SECONDS, by: 'AB' }
  expect(changedBy(await test.call('submissions.approve', input))).toEqual(ids)
}

function changedBy(answer: Result<BulkResult>): readonly string[] {
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value.changed
}

async function undo(test: TestParts, id: string): Promise<string> {
  const answer = await test.call('submissions.undoApproval', { ids: [id], by: 'QX' })
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value.refused[0]?.failure.message ?? 'undone'
}

/** A case that was just approved, for a while. */
async function approvedCase(state: SubmissionState = 'review') {
  const made = await caseIn(state, { images: ['H-1/OD_1.jpg'] })
  const before = made.test.outbox.rowOf(made.id)
  await approve(made.test, made.id)
  return { ...made, before }
}

const isDue = ({ outbox, clock }: TestParts, id: string): boolean =>
  outbox.dueSubmissions(clock.now(), 99).some((row) => row.id === id)

async function undoUntil(test: TestParts, id: string): Promise<number | null> {
  const [got, listed] = [
    await test.call('submissions.get', { id }),
    await test.call('submissions.list', { limit: 9 }),
  ]
  if (!got.ok || !listed.ok) throw new Error('no case')
  expect(listed.value.items.find((one) => one.id === id)?.undoUntil).toBe(got.value.undoUntil)
  return got.value.undoUntil
}

describe('an approval that can be taken back', () => {
  it('waits, is not due, and is final once its time is over', async () => {
    const { test, id } = await approvedCase()
    expect(stateOf(test, id)).toBe('waiting')
    expect(await undoUntil(test, id)).toBe(MORNING + UNDO_MS)
    await test.clock.turn(UNDO_MS - 1)
    expect(isDue(test, id)).toBe(false)
    expect(test.outbox.rowOf(id)?.undo_ms).toBe(UNDO_MS)
    await test.clock.turn(1)
    expect(isDue(test, id)).toBe(true)
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'waiting', undo_ms: null, undo_to: null })
    expect(await undoUntil(test, id)).toBeNull()
    expect(await undo(test, id)).toContain('Too late')
  })

  it('is never claimed, however an attempt comes to it', async () => {
    const { test, id } = await approvedCase()
    test.outbox.setNotBefore(id, MORNING + 5)
    expect(test.outbox.nextDueAfter(MORNING)).toBeNull()
    expect(() => openAttempt(test, id)).toThrow('not possible')
    for (const event of ['claimed', 'postponed', 'gatheredToSend'] as const)
      expect(() => test.outbox.moveSubmission(id, event, {}, { at: MORNING })).toThrow('not possible')
    expect(test.outbox.attemptsOf(id)).toEqual([])
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'waiting', undo_ms: UNDO_MS })
  })

  it.each<readonly [string, (test: TestParts, id: string) => unknown]>([
    ['urgency', (test, id) => test.call('submissions.prioritise', { ids: [id] })],
    ['a retry', (test, id) => test.call('submissions.retry', { ids: [id] })],
    ['a release', (test, id) => test.call('submissions.release', { ids: [id] })],
    ['a resume', (test) => test.call('station.resume', {})],
    ['a script’s approval', (test, id) => test.call('submissions.approve', { ids: [id] })],
    [
      'a second click',
      (test, id) => test.call('submissions.approve', { ids: [id], seen: seenNow(test, id), undoSeconds: 1 }),
    ],
    ['another center', (test, id) => test.call('submissions.moveToCenter', { ids: [id], centerId: '7' })],
    ['a center of the station', (test) => test.call('centers.change', { centerId: '102' })],
    ['a reading', (test, id) => test.parts.cases.reread([id])],
    ['a look for uncleared cases', (test, id) => test.outbox.reviewIfUncleared(id, MORNING)],
    ['a clock a year ahead', (test) => test.clock.set(YEAR)],
    ['a clock a year back', (test) => test.clock.set(-YEAR)],
  ])('is not shortened by %s', async (_what, act) => {
    const { test, id } = await approvedCase()
    await test.clock.turn(UNDO_MS / 2)
    await act(test, id)
    await test.clock.turn(UNDO_MS / 2 - 1)
    expect(isDue(test, id)).toBe(false)
    expect(((await undoUntil(test, id)) ?? 0) - test.clock.now()).toBe(1)
    await test.clock.turn(1)
    expect(isDue(test, id)).toBe(true)
  })
})

describe('taking an approval back', () => {
  it.each(['review', 'refused'] as const)(
    'restores a case that was in %s, and says who did it',
    async (state) => {
      const { test, id, before } = await approvedCase(state)
      expect(await undo(test, id)).toBe('undone')
      expect(test.outbox.rowOf(id)).toEqual({
        ...before,
        state: 'review',
        planned_at: MORNING,
        not_before: null,
      })
      expect(trailOf(test, id)[0]).toMatchObject({ what: 'undone', by: 'QX', details: { to: 'review' } })
      await test.clock.turn(YEAR)
      expect(stateOf(test, id)).toBe('review')
    },
  )
})
void [addCase, addEye, COMPLETE, endAttempt, partsWith, SERVICE, ManualClock, temporaryFolder]
