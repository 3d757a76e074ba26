import type { ServiceCase } from '../../../src-shared/case.ts'
import { succeed, type Result } from '../../../src-shared/result.ts'
import { nextLinkOfHeader, parseCaseList, type CaseListPage } from './read-case-list.ts'
import { readJson } from './read-json.ts'
import type { ServiceAddress } from './service-address.ts'
import type { CaseList, RawAnswer } from './service-client.ts'

/** A service with more pages than this is asked for too much; the list then says that it is not complete. */
const MAX_PAGES = 200

/** Reads `GET /cases` page by page; `askFor` gets one page, its failures end the whole list. */
export async function listCases(
  address: ServiceAddress,
  askFor: (url: URL) => Promise<Result<RawAnswer>>,
  failed: (answer: RawAnswer) => Result<never>,
): Promise<Result<CaseList>> {
  const cases = new Map<string, ServiceCase>()
  const visited = new Set<string>()
  let missing = 0
  let total: number | null = null
  let url = address.endpoint('cases')
  for (;;) {
    visited.add(url.href)
    const answer = await askFor(url)
    if (!answer.ok) return answer
    const page = readPage(answer.value)
    if (page === null) return failed(answer.value)
    const sizeBefore = cases.size
    for (const item of page.cases) if (!cases.has(item.caseId)) cases.set(item.caseId, item)
    missing += page.unreadableCount
    total = page.total ?? total
    const link = page.nextLink ?? nextLinkOfHeader(answer.value.headers['link'])
    const next = link === null ? null : address.resolveLink(link, url)
    // Some services offer a next page on every page, the empty one after the last included.
    const isPastEnd = visited.size > 1 && page.cases.length + page.unreadableCount === 0
    const isOver = isPastEnd || (link === null && !page.saysMore)
    // A link in a circle, or pages that bring nothing new, would go on for ever.
    const isNew = next !== null && !visited.has(next.href) && cases.size > sizeBefore
    if (isOver || !isNew || visited.size >= MAX_PAGES) {
      const isComplete = isOver && missing === 0 && (total === null || cases.size >= total)
      return succeed({ cases: [...cases.values()], isComplete })
    }
    url = next
  }
}

/** 204 says "none"; any other empty body says nothing. */
function readPage(answer: RawAnswer): CaseListPage | null {
  if (answer.status < 200 || answer.status > 299) return null
  if (answer.status === 204) return parseCaseList(null)
  const json = readJson(answer.body)
  return json === null ? null : parseCaseList(json.value)
}
