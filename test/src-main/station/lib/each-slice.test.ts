import { expect, it } from 'vitest'
import { eachTimeSlice } from '../../../../src-main/station/lib/schedule.ts'

/** A clock on which every reading is so much later. */
function clockWith(stepMs: number): { readonly monotonicMs: () => number } {
  let now = 0
  return { monotonicMs: () => (now += stepMs) }
}

const ITEMS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

it.each([
  [
    5,
    [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ],
  ],
  [100, ITEMS.map((item) => [item])],
  [0, [ITEMS]],
])('takes as many as fit into twenty milliseconds of %i each, and at least one', async (stepMs, expected) => {
  const slices: number[][] = []
  await eachTimeSlice(ITEMS, clockWith(stepMs), (slice) => void slices.push([...slice]))
  expect(slices).toEqual(expected)
})

it('goes through a slice anew where the work is run again, and goes on behind what came last', async () => {
  const slices: number[][] = []
  await eachTimeSlice(ITEMS, clockWith(10), (slice) => {
    slices.push([...slice], [...slice])
  })
  expect(slices).toEqual(
    [1, 3, 5, 7, 9].flatMap((first) => [
      [first, first + 1],
      [first, first + 1],
    ]),
  )
})

it('gives the thread to others between two slices, and not before the first', async () => {
  const order: string[] = []
  const done = eachTimeSlice(
    [1, 2, 3],
    clockWith(100),
    (slice) => void order.push(`slice ${[...slice].join()}`),
  )
  order.push('called')
  setImmediate(() => order.push('others'))
  await done
  expect(order.slice(0, 3)).toEqual(['slice 1', 'called', 'slice 2'])
  expect(order).toContain('others')
})

it('does nothing with nothing, and stops where a slice is not worked through', async () => {
  await eachTimeSlice([], clockWith(1), () => expect.unreachable())
  await expect(eachTimeSlice(ITEMS, clockWith(1), () => undefined)).rejects.toThrow('not worked through')
})
