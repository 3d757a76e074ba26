import { expect, it } from 'vitest'
import { createProgressReporter } from '../../../../src-main/station/delivery/throttle.ts'
import { SECOND } from '../../../../src-shared/durations.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith } from './delivery-with.ts'

function teller(): {
  clock: ManualClock
  told: unknown[]
  progress: ReturnType<typeof createProgressReporter>
} {
  const clock = new ManualClock({ now: 1_000_000 })
  const told: unknown[] = []
  const tell = ({
    handedOverBytes,
    stalledSince,
  }: {
    handedOverBytes: number
    stalledSince: number | null
  }) => void told.push([handedOverBytes, stalledSince])
  return {
    clock,
    told,
    progress: createProgressReporter({ clock, id: 'one', requestBytes: 100, emit: tell }),
  }
}

it('tells of a stall after fifteen seconds, since when it lasts, and that it goes on', async () => {
  const { clock, told, progress } = teller()
  progress.handedOver(10)
  await clock.turn(14 * SECOND)
  expect(told).toEqual([[10, null]])
  await clock.turn(2 * SECOND)
  expect(told.at(-1)).toEqual([10, 1_000_000])
  progress.accepted()
  expect(told.at(-1)).toEqual([10, null])
  progress.handedOver(20)
  progress.accepted()
  await clock.turn(60 * SECOND)
  expect(told).toEqual([
    [10, null],
    [10, 1_000_000],
    [10, null],
    [20, null],
  ])
})

it('calls waiting for an answer no stall, and tells nothing after the end', async () => {
  const { clock, told, progress } = teller()
  progress.handedOver(100)
  progress.accepted()
  await clock.turn(60 * SECOND)
  progress.handedOver(100)
  progress.end()
  await clock.turn(60 * SECOND)
  expect(told).toEqual([
    [100, null],
    [100, null],
  ])
})

it('never tells more than was handed over, and calls nothing sent that has no answer', async () => {
  const test = deliveryWith()
  const id = addWaiting(test, { images: [{ bytes: someBytes(700_000) }] })
  test.service.plan = () => ({ kind: 'silent', isTaken: true })
  test.open()
  await test.clock.settle()
  const counts = test.progress.map(([, handedOver]) => handedOver)
  expect(counts).toEqual(counts.toSorted((left, right) => left - right))
  expect(test.progress.at(-1)?.[1]).toBe(test.progress.at(-1)?.[2])
  expect(test.service.handedOver[0]).toBe(counts.at(-1))
  expect(stateOf(test, id)).toBe('sending')
  expect(test.outbox.submissions.get(id)).toMatchObject({ caseId: null, sentAt: null })
})
