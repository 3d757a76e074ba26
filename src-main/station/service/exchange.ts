import type { Dispatcher } from 'undici'
import { SECOND } from '../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { Clock } from '../ports.ts'
import type { RawAnswer } from './client.ts'
import type { ClockWatch } from './clock-difference.ts'
import { failureFromError } from './failures.ts'
import { type Connections, openDeadline, rawHeaders, readBoundedBody, StoppedError } from './http.ts'

/** All requests but the post of a case: a small question, a bounded answer. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** A form, for POST. */
  readonly form?: URLSearchParams
  readonly maxBytes: number
  /** From the first step to the last byte. */
  readonly totalMs: number
  readonly signal?: AbortSignal | undefined
}

export const READ_TIMEOUT_MS = 30 * SECOND

export type Exchange = (request: HttpRequest) => Promise<Result<RawAnswer>>

/** Makes the exchange of a client: whole answers of any status succeed, all else is a failure. Nothing is retried. */
export function createExchange(parts: {
  readonly connections: Connections
  readonly clock: Clock
  readonly clockWatch: ClockWatch
  /** Aborted when the client closes. */
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

/** A kept connection may be closed by the other side just when it is used again: then a GET simply fails, but a POST must not. */
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
      message: 'The answer of the service is larger than this station can take. Nothing is assumed from it.',
      status: response.statusCode,
    }),
  )
}
