/** What the queue shows of the picture: its rows in their order, and how many there are in all. */
import { countOf } from './queue-view.ts'
import { compareUrgency } from './shown-state.ts'
import type { StationState } from './station-state.ts'

type Sorted = {
  readonly submissions: StationState['submissions']
  readonly ids: readonly string[]
  readonly sorted: readonly string[]
}
let last: Sorted | null = null

/** The rows by urgency. The same rows are sorted once, however often the picture changes in other places. */
export function sortedIds({ submissions, queue: { ids } }: StationState): readonly string[] {
  if (last?.submissions === submissions && last.ids === ids) return last.sorted
  const sorted = ids
    .flatMap((id) => submissions[id] ?? [])
    .sort(compareUrgency)
    .map(({ id }) => id)
  last = { submissions, ids, sorted }
  return sorted
}

/** How many rows there are on all pages: the counts of the station are newer than the page that was read. */
export function totalOf({ queue, status }: StationState): number {
  const total = queue.search === '' && status ? countOf(queue.filter, status.counts) : queue.total
  return Math.max(total, queue.ids.length)
}
