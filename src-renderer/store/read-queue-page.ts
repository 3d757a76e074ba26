import type { Result } from '../../src-shared/result.ts'
import type { Submission } from '../../src-shared/submission.ts'
import type { StationLink } from '../link/station-link.ts'
import { cursorAfter, STATES_OF_FILTER, type Cursor, type QueueView } from './queue-view.ts'

/** Rows of one page: three large screens full, and quick to draw. */
export const PAGE_SIZE = 50

export type QueuePage = {
  readonly items: readonly Submission[]
  /** How many the filter and the search would show in all. */
  readonly total: number
  readonly next: Cursor | null
}

/** Reads a page of the queue, what a person has to do first; the station has the order. */
export async function readQueuePage(
  link: Pick<StationLink, 'call'>,
  { filter, search }: QueueView,
  from: Cursor | null,
  limit: number = PAGE_SIZE,
): Promise<Result<QueuePage>> {
  const answer = await link.call('submissions.list', {
    state: [...STATES_OF_FILTER[filter]],
    order: 'urgency',
    limit,
    ...(search === '' ? {} : { search }),
    ...(from === null ? {} : { after: from.after, afterWas: { ...from.afterWas } }),
  })
  if (!answer.ok) return answer
  const { items, total } = answer.value
  const last = items.length === limit ? items.at(-1) : undefined
  return { ok: true, value: { items, total, next: last ? cursorAfter(last) : null } }
}
