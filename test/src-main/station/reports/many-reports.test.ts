import { expect, it, vi } from 'vitest'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { MORNING, PLACE } from '../../../tools/outbox-with.ts'
import { listed, NOT_READY, report, reportsWith, type TestReports } from './reports-with.ts'

const PROOF = ['p1', 'p2', 'p3']
const MANY = Array.from({ length: 600 }, (_, index) => `c${index}`)
/** What a turn of the event loop may do without a pause. */
const MOST_IN_A_TURN = 250

/** Counts what is postponed in each turn of the event loop, in how many commits, and how often a list is judged. */
function counted({ test }: TestReports): { turns: number[]; commits: number; judged: number } {
  const counts = { turns: [] as number[], commits: 0, judged: 0 }
  let isOpen = false
  let isWriting = false
  const outbox = { ...test.outbox }
  vi.spyOn(test.outbox, 'write').mockImplementation((work) => {
    counts.commits += 1
    isWriting = true
    try {
      return outbox.write(work)
    } finally {
      isWriting = false
    }
  })
  const { postponeCheck, announced } = outbox.reports
  vi.spyOn(test.outbox.reports, 'postponeCheck').mockImplementation((...options) => {
    if (!isWriting) counts.commits += 1
    if (!isOpen) {
      counts.turns.push(0)
      isOpen = true
      setImmediate(() => (isOpen = false))
    }
    counts.turns[counts.turns.length - 1] = (counts.turns.at(-1) ?? 0) + 1
    postponeCheck(...options)
  })
  vi.spyOn(test.outbox.reports, 'announced').mockImplementation((...options) => {
    counts.judged += 1
    return announced(...options)
  })
  return counts
}

function manyDue(it: TestReports): void {
  it.test.outbox.write(() => {
    for (const caseId of [...PROOF, ...MANY]) it.send(caseId, { centerId: '101' })
  })
}

it('many that a list spares are postponed in slices, in few commits, and the list is judged once', async () => {
  const it = reportsWith(
    ({ caseId }) => (PROOF.includes(caseId) ? report(caseId) : NOT_READY),
    () => [...PROOF, ...MANY].map((id) => listed(id, PROOF.includes(id) ? 'reported' : 'pending')),
  )
  manyDue(it)
  it.open()
  await it.clock.turn(MINUTE)
  expect(it.asked).toHaveLength(PROOF.length + MANY.length)
  const counts = counted(it)
  await it.clock.turn(HOUR / 10)
  expect(counts.turns.reduce((sum, count) => sum + count, 0)).toBe(MANY.length)
  expect(Math.max(...counts.turns)).toBeLessThanOrEqual(MOST_IN_A_TURN)
  expect(counts.commits).toBeLessThan(10)
  expect(counts.judged).toBeLessThan(10)
  expect(it.asked).toHaveLength(PROOF.length + MANY.length)
})

it('many of a center that cannot be set are postponed in slices', async () => {
  const it = reportsWith(
    () => fail(failureOf('centerNotChanged')),
    () => 'centerNotChanged',
  )
  manyDue(it)
  const counts = counted(it)
  it.open()
  await it.clock.settle()
  expect(counts.turns.reduce((sum, count) => sum + count, 0)).toBe(MANY.length + PROOF.length)
  expect(Math.max(...counts.turns)).toBeLessThanOrEqual(MOST_IN_A_TURN)
  expect(counts.commits).toBeLessThan(10)
  expect(it.test.outbox.reports.dueWatches(MORNING, PLACE)).toEqual([])
})
