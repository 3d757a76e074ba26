/**
 * Reads lists of cases, page by page. A long page is read in a process of its own, because one of ten thousand cases would
 * occupy the station for a tenth of a second; and the same bytes are read once. What follows from a list is none of this
 * file: a list that is the same as before is evidence as any other.
 */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { errorName } from '../lib/errors.ts'
import { serially } from '../lib/schedule.ts'
import type { Clock, Logger } from '../ports.ts'
import { isSuccess } from './answers.ts'
import { nextLinkOfHeader, type ShownPage, shownPageIn } from './cases.ts'
import type { CaseList, RawAnswer } from './client.ts'
import { failureFromAnswer, failureFromError, heardFrom, isAboutToken } from './failures.ts'
import { type ServiceAddress, StoppedError } from './http.ts'

/** What an answer to `GET /cases` says. */
export type ListReading = {
  readonly isAboutToken: boolean
  /** As `heardFrom` says it. */
  readonly heard: Failure | null | undefined
} & ((ShownPage & { readonly kind: 'page' }) | { readonly kind: 'noList'; readonly failure: Failure })

const UNSUSPICIOUS = { isAboutToken: false, heard: null } as const

/** `now` is epoch milliseconds. */
function readingOf(shown: ShownPage | null, answer: RawAnswer, now: number): ListReading {
  if (shown !== null) return { kind: 'page', ...UNSUSPICIOUS, ...shown }
  return {
    kind: 'noList',
    failure: failureFromAnswer('cases', answer, now),
    isAboutToken: isAboutToken(answer),
    heard: heardFrom('cases', succeed(answer), now),
  }
}

/** Beyond this number of pages the list is reported as incomplete. */
const MAX_PAGES = 200

/** Reads `GET /cases` page by page. `askFor` fetches one page; its failure fails the whole list. */
export async function listCases(
  address: ServiceAddress,
  askFor: (url: URL) => Promise<Result<RawAnswer>>,
  read: ListReader['read'],
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
    const reading = await read(answer.value)
    if (reading.kind === 'noList') return fail(reading.failure)
    const { page } = reading
    const sizeBefore = cases.size
    for (const item of page.cases) if (!cases.has(item.caseId)) cases.set(item.caseId, item)
    missing += page.unreadableCount + (reading.hasOtherText ? 1 : 0)
    total = page.total ?? total
    const link = page.nextLink ?? nextLinkOfHeader(answer.value.headers['link'])
    const next = link === null ? null : address.resolvePage(link, url)
    // Some services offer a next page on every page, even on the empty one after the last.
    const isPastEnd = visited.size > 1 && page.cases.length + page.unreadableCount === 0
    const isOver = isPastEnd || (link === null && !page.saysMore)
    // A circular link, or pages without new cases, would never end.
    const isNew = next !== null && !visited.has(next.href) && cases.size > sizeBefore
    if (isOver || !isNew || visited.size >= MAX_PAGES) {
      const isComplete = isOver && missing === 0 && (total === null || cases.size >= total)
      return succeed({ cases: [...cases.values()], isComplete })
    }
    url = next
  }
}

/** A shorter page is read in some ten milliseconds, in which no process has started. */
const SMALL_BYTES = 256 * 1_024

/** What is remembered of pages: so many, of so many bytes as they came. In memory they take about five times as much. */
const MAX_REMEMBERED = 8
const MAX_REMEMBERED_BYTES = 8 * 1_024 * 1_024

/**
 * Reads a page in a process of its own: its cases come as texts of JSON, in parts, and the rest of it at the end; null if it
 * is no list. Rejects if the process ends without an answer.
 */
export type ReadLongPage = (
  answer: RawAnswer,
  take: (cases: readonly string[]) => void,
) => Promise<{ readonly shown: ShownPage | null }>

type Remembered = {
  readonly reading: Extract<ListReading, { kind: 'page' }>
  readonly sizeBytes: number
  readonly caseOf: ReadonlyMap<string, ServiceCase>
}

export type ListReader = ReturnType<typeof openListReader>

export function openListReader({
  readLongPage,
  clock,
  logger,
}: {
  readonly readLongPage: ReadLongPage
  readonly clock: Pick<Clock, 'now'>
  readonly logger: Logger
}) {
  const inTurn = serially()
  const readings = new WeakMap<RawAnswer, Promise<ListReading>>()
  /** By the SHA-256 of their bytes, which say the same to anyone who asks; the latest is the last. */
  const remembered = new Map<string, Remembered>()
  let isClosed = false

  const remember = (hash: string, page: Remembered): void => {
    remembered.delete(hash)
    remembered.set(hash, page)
    let total = [...remembered.values()].reduce((sum, one) => sum + one.sizeBytes, 0)
    for (const [oldest, { sizeBytes }] of remembered) {
      if (remembered.size <= MAX_REMEMBERED && total <= MAX_REMEMBERED_BYTES) break
      remembered.delete(oldest)
      total -= sizeBytes
    }
  }

  const readOnce = async (answer: RawAnswer): Promise<ListReading> => {
    const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(answer.body))
    const hash = Buffer.from(digest).toString('hex')
    const known = isSuccess(answer) ? remembered.get(hash) : undefined
    if (known !== undefined) {
      remember(hash, known)
      return known.reading
    }
    const cases: ServiceCase[] = []
    const caseOf = new Map<string, ServiceCase>()
    const before = [...remembered].toReversed()
    const shownBefore = new Map<string, number>()
    const { shown } = await readLongPage(answer, (texts) => {
      for (const text of texts) {
        // A case that is shown as before is the same object, and what was found out about it stays known.
        const [source, page] = before.find(([, one]) => one.caseOf.has(text)) ?? []
        const one = page?.caseOf.get(text) ?? (JSON.parse(text) as ServiceCase)
        if (source !== undefined) shownBefore.set(source, (shownBefore.get(source) ?? 0) + 1)
        cases.push(one)
        caseOf.set(text, one)
      }
    })
    if (shown === null) return readingOf(null, answer, clock.now())
    // Most of its cases are on this one: it was this list some time ago.
    for (const [source, { caseOf: former }] of before)
      if ((shownBefore.get(source) ?? 0) * 2 > former.size) remembered.delete(source)
    const reading = { kind: 'page', ...UNSUSPICIOUS, ...shown, page: { ...shown.page, cases } } as const
    remember(hash, { reading, sizeBytes: answer.body.byteLength, caseOf })
    return reading
  }

  /** A process that ends has read no list, and absence from none proves nothing. */
  const readSafely = async (answer: RawAnswer): Promise<ListReading> => {
    try {
      if (!isClosed) return await readOnce(answer)
    } catch (error) {
      if (!isClosed)
        logger.error('a list of cases could not be read', {
          bytes: answer.body.byteLength,
          error: errorName(error),
        })
    }
    const failure = isClosed
      ? failureFromError(new StoppedError('cancelled'))
      : failureOf('answerUnreadable', { status: answer.status })
    return { kind: 'noList', failure, isAboutToken: false, heard: undefined }
  }

  return {
    /** What an answer says; each is read once. Never rejects. */
    read: (answer: RawAnswer): Promise<ListReading> => {
      const asked =
        readings.get(answer) ??
        (answer.body.byteLength < SMALL_BYTES
          ? Promise.resolve(readingOf(shownPageIn(answer), answer, clock.now()))
          : inTurn(() => readSafely(answer)))
      readings.set(answer, asked)
      return asked
    },
    /** What is read now is not waited for. */
    close: (): void => {
      isClosed = true
    },
  }
}
