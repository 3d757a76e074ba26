import { setImmediate } from 'node:timers/promises'
import type { Clock } from './ports.ts'

/** So many cases of a list are looked at in a few milliseconds. */
const SLICE = 250

/** Works through a long list in slices and lets others have the thread between two of them. */
export async function eachSlice<Item>(
  items: readonly Item[],
  work: (slice: readonly Item[]) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await setImmediate()
    work(items.slice(start, start + SLICE))
  }
}

/** So long one slice works; its commit and what follows from it come on top, and all of it stays under 50 ms. */
const SLICE_MS = 20

/**
 * Works through a long list for a few milliseconds at a time and lets others have the thread in between. `work` goes
 * through the slice that it is given; going through it a second time begins anew, as a transaction that is run again.
 */
export async function eachTimeSlice<Item>(
  items: readonly Item[],
  clock: Pick<Clock, 'monotonicMs'>,
  work: (slice: Iterable<Item>) => void,
): Promise<void> {
  let start = 0
  while (start < items.length) {
    if (start > 0) await setImmediate()
    let end = start
    const from = start
    const slice = {
      *[Symbol.iterator]() {
        const until = clock.monotonicMs() + SLICE_MS
        end = from
        do {
          const item = items[end] as Item
          end += 1
          yield item
        } while (end < items.length && clock.monotonicMs() < until)
      },
    }
    work(slice)
    if (end === start) throw new Error('a slice was not worked through')
    start = end
  }
}
