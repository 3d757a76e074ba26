/** Sends one small request and reads its bounded answer. */
import type { Dispatcher } from 'undici'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { Clock } from '../ports.ts'
import type { ClockReading, RawAnswer } from './client.ts'
import { httpDate } from './answers.ts'
import { failureFromError } from './failures.ts'
import { type Connections, openDeadline, rawHeaders, readBoundedBody, StoppedError } from './http.ts'

/** Any request but the post of a case: a small question with a bounded answer. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** For POST only. */
  readonly form?: URLSearchParams
  readonly maxBytes: number
  /** Covers everything from connecting to the last byte. */
  readonly totalMs: number
  readonly signal?: AbortSignal | undefined
}

export const READ_TIMEOUT_MS = 30 * SECOND

export type Exchange = (request: HttpRequest) => Promise<Result<RawAnswer>>

/**
 * Creates the exchange of a client. Complete answers of any status succeed, everything else fails; nothing is
 * retried.
 */
export function createExchange(parts: {
  readonly connections: Connections
  readonly clock: Clock
  readonly clockWatch: ClockWatch
  readonly closing: AbortSignal
}): Exchange {
  return async (request) => {
    const deadline = openDeadline(parts.clock, [request.signal, parts.closing])
    deadline.arm(request.totalMs, 'timeOver')
    try {
      const sentAt = parts.clock.now()
      const answer = await deadline.race(performRequest(parts.connections, request, deadline.signal))
      if (answer.ok) parts.clockWatch.note(answer.value.headers, sentAt, parts.clock.now())
      return answer
    } catch (error) {
      return fail(failureFromError(error))
    } finally {
      deadline.dispose()
    }
  }
}

/**
 * GETs share kept-alive connections. The server may close one just as it is reused, which a POST must not risk.
 */
async function performRequest(
  connections: Connections,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Result<RawAnswer>> {
  if (request.method === 'GET') return await requestOn(await connections.forReads(), request, signal)
  const connection = await connections.single()
  try {
    return await requestOn(connection.dispatcher, request, signal)
  } finally {
    await connection.end(new StoppedError('cancelled'))
  }
}

async function requestOn(
  dispatcher: Dispatcher,
  { method, url, headers, form, maxBytes }: HttpRequest,
  signal: AbortSignal,
): Promise<Result<RawAnswer>> {
  const response = await dispatcher.request({
    method,
    origin: url.origin,
    path: url.pathname + url.search,
    headers:
      form === undefined ? headers : { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: form === undefined ? null : form.toString(),
    signal,
  })
  const { bytes, isComplete, error } = await readBoundedBody(response.body, maxBytes)
  if (isComplete) {
    return succeed({
      status: response.statusCode,
      headers: rawHeaders(response.headers),
      body: bytes,
      isComplete,
    })
  }
  if (error !== null) return fail(failureFromError(error))
  return fail(
    failureOf('answerUnreadable', {
      ...worded('sending:service.answerTooLarge'),
      status: response.statusCode,
    }),
  )
}

type Headers = Readonly<Record<string, string>>

/** A single answer may be wrong by chance. */
const SAMPLES = 3
/** A smaller difference does no harm. */
const MAX_DIFFERENCE_MS = 5 * MINUTE

/**
 * The least possible difference of our clock from the answer's, in milliseconds; negative if ours is behind.
 * Null if the answer has no date or comes from a cache. The service truncated its date to whole seconds, at some
 * instant between `sentAt` and `receivedAt`.
 */
export function clockDifference(headers: Headers, sentAt: number, receivedAt: number): number | null {
  const date = httpDate(headers['date'])
  if (date === null || headers['age'] !== undefined) return null
  const least = sentAt - (date + SECOND)
  const most = receivedAt - date
  if (least > 0) return least
  return most < 0 ? most : 0
}

export type ClockWatch = {
  note(headers: Headers, sentAt: number, receivedAt: number): void
  reading(): ClockReading
}

/** Creates the watch. `onChanged` is called when a difference appears or disappears. */
export function createClockWatch(
  clock: Pick<Clock, 'now' | 'monotonicMs'>,
  onChanged: () => void,
): ClockWatch {
  let last: readonly number[] = []
  /** Consecutive answers that agreed since the clock was last set. */
  let agreed = 0
  /** Wall time minus monotonic time at the last answer; it changes if the clock is set or the machine sleeps. */
  let offsetMs = 0
  const differenceMs = (): number | null => {
    const [first = 0] = last
    const isDifferent =
      last.length === SAMPLES && last.every((ms) => Math.abs(ms) > MAX_DIFFERENCE_MS && ms > 0 === first > 0)
    if (!isDifferent) return null
    return Math.min(...last.map((ms) => Math.abs(ms))) * Math.sign(first)
  }
  const offsetNow = (): number => clock.now() - clock.monotonicMs()
  const wasSet = (): boolean => Math.abs(offsetNow() - offsetMs) > MAX_DIFFERENCE_MS
  return {
    note: (headers, sentAt, receivedAt) => {
      const ms = clockDifference(headers, sentAt, receivedAt)
      if (ms === null) return
      const before = differenceMs()
      last = [...last, ms].slice(-SAMPLES)
      if (wasSet()) agreed = 0
      agreed = Math.abs(ms) <= MAX_DIFFERENCE_MS ? agreed + 1 : 0
      offsetMs = offsetNow()
      if ((before === null) !== (differenceMs() === null)) onChanged()
    },
    reading: () => {
      const ms = differenceMs()
      if (ms !== null) return { kind: 'wrong', differenceMs: ms }
      return { kind: agreed >= SAMPLES && !wasSet() ? 'right' : 'unknown' }
    },
  }
}
