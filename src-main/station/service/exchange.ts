/** Sends one small request and reads its bounded answer. */
import type { Dispatcher } from 'undici'
import { SECOND } from '../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { Clock } from '../ports.ts'
import type { RawAnswer } from './client.ts'
import type { ClockWatch } from './clock-difference.ts'
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
