import type { Result } from '../../src-shared/result.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Submission } from '../../src-shared/submission.ts'
import type { StationLink } from '../link/station-link.ts'
import { PARTS_OF_FILTER, STATES_OF_FILTER, type Cursor, type QueueView } from './queue-view.ts'

/** Rows of one page: three screens full, and quick to draw. */
export const PAGE_SIZE = 100

export type QueuePage = {
  readonly items: readonly Submission[]
  /** How many the filter and the search would show in all. */
  readonly total: number
  readonly next: Cursor | null
}

/** Reads a page of the queue, which may span the parts of its filter. */
export async function readQueuePage(
  link: Pick<StationLink, 'call'>,
  { filter, search }: QueueView,
  from: Cursor,
): Promise<Result<QueuePage>> {
  const list = (states: readonly SubmissionState[], limit: number, after: string | null) =>
    link.call('submissions.list', {
      state: [...states],
      limit,
      ...(search === '' ? {} : { search }),
      ...(after === null ? {} : { after }),
    })

  const items: Submission[] = []
  let next: Cursor | null = from
  let readTotal = 0
  while (next !== null && items.length < PAGE_SIZE) {
    const states: readonly SubmissionState[] | undefined = PARTS_OF_FILTER[filter][next.part]
    if (!states) break
    const limit = PAGE_SIZE - items.length
    const answer = await list(states, limit, next.after)
    if (!answer.ok) return answer
    const came = answer.value.items
    items.push(...came)
    readTotal += answer.value.total
    const last = came.length === limit ? came.at(-1) : undefined
    const isLastPart: boolean = next.part === PARTS_OF_FILTER[filter].length - 1
    if (last) next = { part: next.part, after: last.id }
    else next = isLastPart ? null : { part: next.part + 1, after: null }
  }
  if (next === null && from.part === 0) return { ok: true, value: { items, total: readTotal, next } }
  // Parts that were not read are counted all the same.
  const counted = await list(STATES_OF_FILTER[filter], 1, null)
  return counted.ok ? { ok: true, value: { items, total: counted.value.total, next } } : counted
}
