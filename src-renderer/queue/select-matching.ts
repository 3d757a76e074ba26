import type { Result } from '../../src-shared/result.ts'
import type { StationLink } from '../link/station-link.ts'
import type { Cursor, QueueView } from '../store/queue-view.ts'
import { readQueuePage } from '../store/read-queue-page.ts'
import type { ActionTarget } from './submission-actions.ts'
import { actionTargetOf } from './use-selection.ts'

/** As many as one call of the contract takes, and as many as a person can mean by "all". */
export const BATCH_SIZE = 1_000
export const MAX_SELECTED = 10_000

/** Reads what matches a view, page by page; the most urgent where there are more than can be selected. */
export async function readMatching(
  link: Pick<StationLink, 'call'>,
  view: QueueView,
  most: number = MAX_SELECTED,
): Promise<Result<readonly ActionTarget[]>> {
  // A case that moves on meanwhile may come twice.
  const found = new Map<string, ActionTarget>()
  let next: Cursor | null = null
  do {
    const page = await readQueuePage(link, view, next, BATCH_SIZE)
    if (!page.ok) return page
    for (const one of page.value.items) if (found.size < most) found.set(one.id, actionTargetOf(one))
    next = page.value.next
  } while (next !== null && found.size < most)
  return { ok: true, value: [...found.values()] }
}
