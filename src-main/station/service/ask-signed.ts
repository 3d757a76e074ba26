import { fail, type Result } from '../../../src-shared/result.ts'
import type { Clock } from '../ports.ts'
import type { Exchange, HttpRequest } from './exchange.ts'
import { failureFromAnswer, isAboutToken, type Endpoint } from './failure-from-answer.ts'
import type { RawAnswer } from './service-client.ts'
import type { Tokens } from './tokens.ts'

/** A question under the token. Where the service refuses the token: one new token, one repetition, no more. */
export type RequestWithToken = (endpoint: Endpoint, request: HttpRequest) => Promise<Result<RawAnswer>>

/** Creates the way to ask under the token; an answer that still speaks of the token is a failure. */
export function createRequestWithToken(parts: {
  readonly exchange: Exchange
  readonly tokens: Tokens
  readonly clock: Clock
}): RequestWithToken {
  const { exchange, tokens, clock } = parts
  return async (endpoint, request) => {
    const token = await tokens.acquire({ signal: request.signal })
    if (!token.ok) return token
    const first = await exchange(withToken(request, token.value.value))
    if (!first.ok || !isAboutToken(first.value)) return first
    const fresh = await tokens.replace(token.value.number, request.signal)
    if (!fresh.ok) return fresh
    const second = await exchange(withToken(request, fresh.value.value))
    if (!second.ok || !isAboutToken(second.value)) return second
    return fail(failureFromAnswer(endpoint, second.value, clock.now()))
  }
}

/** The header that every request but `POST /authorize` carries. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

function withToken(request: HttpRequest, token: string): HttpRequest {
  return { ...request, headers: { ...request.headers, ...bearer(token) } }
}
