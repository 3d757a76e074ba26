import { setImmediate } from 'node:timers/promises'

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
