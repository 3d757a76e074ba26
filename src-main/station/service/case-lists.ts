/**
 * Reads lists of cases, page by page. A long page is read in a thread, because one of ten thousand cases would occupy the
 * station for a tenth of a second; and the same bytes are read once. What follows from a list is none of this file: a list
 * that is the same as before is evidence as any other.
 */
import { Worker } from 'node:worker_threads'
import type { ServiceCase } from '../../../src-shared/case.ts'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { serially } from '../lib/schedule.ts'
import type { Clock, Logger } from '../ports.ts'
import { isSuccess } from './answers.ts'
import { nextLinkOfHeader, type ShownPage, shownPageIn } from './cases.ts'
import type { CaseList, RawAnswer } from './client.ts'
import { failureFromAnswer, failureFromError, heardFrom, isAboutToken } from './failures.ts'
import { type ServiceAddress, StoppedError } from './http.ts'

/** What an answer to `GET /cases` says. */
export type ListReading =
  | (ShownPage & { readonly kind: 'page' })
  | {
      readonly kind: 'noList'
      readonly failure: Failure
      readonly isAboutToken: boolean
      /** As `heardFrom` says it. */
      readonly heard: Failure | null | undefined
    }

/** `now` is epoch milliseconds. */
function readingOf(shown: ShownPage | null, answer: RawAnswer, now: number): ListReading {
  if (shown !== null) return { kind: 'page', ...shown }
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

/** A shorter page is read in some ten milliseconds, and needs no thread with its 50 MB. */
const SMALL_BYTES = 256 * 1_024

/** What is remembered of pages: so many, of so many bytes as they came. In memory they take about five times as much. */
const MAX_REMEMBERED = 8
const MAX_REMEMBERED_BYTES = 8 * 1_024 * 1_024

/** The longest list takes a thread a second. */
const PATIENCE_MS = 20 * SECOND

/** Without a list for so long, the thread gives its memory back. */
const IDLE_MS = MINUTE

/** Far more than the longest list takes; and a small young generation, as what it reads is passed on at once. */
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 }

/** A question to the thread: an answer to read, or the next cases of the page that it has read. */
export type ListQuestion = RawAnswer | 'more'

/** A page without its cases, or none; then its cases, a text of JSON each, until there are none. */
export type ListPart = ShownPage | null | readonly string[]

type Remembered = {
  readonly reading: Extract<ListReading, { kind: 'page' }>
  readonly sizeBytes: number
  readonly caseOf: ReadonlyMap<string, ServiceCase>
}

/** The thread that reads lists ended without an answer. */
class ThreadEnded extends Error {
  override name = 'ThreadEnded' as const
}

export type ListReader = ReturnType<typeof openListReader>

/** `program`: `list-worker.ts`, or its bundle; it runs from the first long page on. */
export function openListReader({
  program,
  clock,
  logger,
}: {
  readonly program: URL
  readonly clock: Clock
  readonly logger: Logger
}) {
  const inTurn = serially()
  const readings = new WeakMap<RawAnswer, Promise<ListReading>>()
  /** By the SHA-256 of their bytes, which say the same to anyone who asks; the latest is the last. */
  const remembered = new Map<string, Remembered>()
  let worker: Worker | null = null
  let waiting: PromiseWithResolvers<unknown> | null = null
  let cancelIdle: (() => void) | null = null
  let isClosed = false

  const endThread = (): void => {
    void worker?.terminate()
    worker = null
    waiting?.reject(new ThreadEnded())
  }

  const start = (): Worker => {
    const started = new Worker(program, {
      name: 'lists',
      resourceLimits: LIMITS,
    })
    const ended = (): void => {
      if (worker === started) endThread()
    }
    // A station that stops does not wait for a list.
    started.unref()
    return started
      .on('message', (part) => worker === started && waiting?.resolve(part))
      .on('error', ended)
      .on('exit', ended)
  }

  /** The thread's answer to one question at a time. Rejects if the thread ends, or takes too long. */
  const ask = async <Part extends ListPart>(question: ListQuestion): Promise<Part> => {
    if (isClosed) throw new ThreadEnded()
    const { promise } = (waiting = Promise.withResolvers<unknown>())
    const cancel = clock.after(PATIENCE_MS, endThread)
    try {
      worker ??= start()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(question)
      return (await promise) as Part
    } finally {
      cancel()
      waiting = null
    }
  }
  const nextPart = (): Promise<readonly string[]> => ask('more')

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

  const readInThread = async (answer: RawAnswer): Promise<ListReading> => {
    const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(answer.body))
    const hash = Buffer.from(digest).toString('hex')
    const known = isSuccess(answer) ? remembered.get(hash) : undefined
    if (known !== undefined) {
      remember(hash, known)
      return known.reading
    }
    const shown = await ask<ShownPage | null>(answer)
    if (shown === null) return readingOf(null, answer, clock.now())
    const cases: ServiceCase[] = []
    const caseOf = new Map<string, ServiceCase>()
    const before = [...remembered].toReversed()
    const shownBefore = new Map<string, number>()
    for (let part = await nextPart(); part.length > 0; part = await nextPart())
      for (const text of part) {
        // A case that is shown as before is the same object, and what was found out about it stays known.
        const [source, page] = before.find(([, one]) => one.caseOf.has(text)) ?? []
        const one = page?.caseOf.get(text) ?? (JSON.parse(text) as ServiceCase)
        if (source !== undefined) shownBefore.set(source, (shownBefore.get(source) ?? 0) + 1)
        cases.push(one)
        caseOf.set(text, one)
      }
    // Most of its cases are on this one: it was this list some time ago.
    for (const [source, { caseOf: former }] of before)
      if ((shownBefore.get(source) ?? 0) * 2 > former.size) remembered.delete(source)
    const reading = { kind: 'page', ...shown, page: { ...shown.page, cases } } as const
    remember(hash, { reading, sizeBytes: answer.body.byteLength, caseOf })
    return reading
  }

  /** A thread that ends has read no list, and absence from none proves nothing. */
  const readSafely = async (answer: RawAnswer): Promise<ListReading> => {
    cancelIdle?.()
    try {
      return await readInThread(answer)
    } catch (error) {
      endThread()
      if (!isClosed) {
        const name = error instanceof Error ? error.name : 'unknown'
        logger.error('a list of cases could not be read', { bytes: answer.body.byteLength, error: name })
      }
    } finally {
      if (!isClosed) cancelIdle = clock.after(IDLE_MS, endThread)
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
    close: (): void => {
      isClosed = true
      cancelIdle?.()
      endThread()
    },
  }
}
