import type { Failure } from '../../src-shared/failure.ts'
import type { StationSession } from '../store/station-session.ts'
import { earlierVisit, whyNoEarlierVisit, type EarlierVisit, type Visit } from './earlier-visit.ts'

const PAGE_SIZE = 200
/** A number so short that it is in thousands of others; what is not among these is told as not found. */
const MAX_PAGES = 25

export type ReadEarlier = EarlierVisit | { readonly kind: 'failed'; readonly failure: Failure }

/** Asks the station for all cases whose number has this one in it, and keeps those that are of the same patient. */
export async function readEarlierVisit(
  session: Pick<StationSession, 'call'>,
  current: Visit,
): Promise<ReadEarlier> {
  const why = whyNoEarlierVisit(current.fields)
  if (why) return why
  const search = current.fields.history_number ?? ''
  const candidates: Visit[] = []
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const answer = await session.call('submissions.list', {
      search,
      limit: PAGE_SIZE,
      ...(after === undefined ? {} : { after }),
    })
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    const { items } = answer.value
    candidates.push(...items.filter(({ fields }) => fields.history_number === search))
    after = items.at(-1)?.id
    if (items.length < PAGE_SIZE) break
  }
  return earlierVisit(current, candidates)
}
