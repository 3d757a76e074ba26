import { expect, it } from 'vitest'
import { createEventBurst } from '../../../src-renderer/store/store.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'

const event = (revision: number): StationEvent => ({
  name: 'reportArrived',
  revision,
  payload: { caseId: '7', submissionId: 'a' },
})

function openBurst() {
  const applied: number[][] = []
  let due: (() => void)[] = []
  const burst = createEventBurst(
    (events) => applied.push(events.map(({ revision }) => revision)),
    (_ms, run) => due.push(run),
  )
  const turn = (): void => {
    const runs = due
    due = []
    for (const run of runs) run()
  }
  return { burst, applied, turn }
}

it('applies single events at once, each by itself', () => {
  const { burst, applied, turn } = openBurst()
  for (const revision of [1, 2, 3]) burst.push(event(revision))
  turn()
  burst.push(event(4))
  expect(applied).toEqual([[1], [2], [3], [4]])
})

it('gathers the events of a burst, in their order, as long as it lasts, and loses none', () => {
  const { burst, applied, turn } = openBurst()
  for (let revision = 1; revision <= 500; revision += 1) burst.push(event(revision))
  expect(applied).toHaveLength(20)
  turn()
  for (let revision = 501; revision <= 600; revision += 1) burst.push(event(revision))
  expect(applied).toHaveLength(21)
  turn()
  turn()
  burst.push(event(601))
  expect(applied).toHaveLength(23)
  expect(applied.flat()).toEqual(Array.from({ length: 601 }, (_nothing, index) => index + 1))
})

it('lays nothing that waited over what is read after it', () => {
  const { burst, applied, turn } = openBurst()
  for (let revision = 1; revision <= 25; revision += 1) burst.push(event(revision))
  burst.flush()
  expect(applied.at(-1)).toEqual([21, 22, 23, 24, 25])
  turn()
  expect(applied.flat()).toHaveLength(25)
})
