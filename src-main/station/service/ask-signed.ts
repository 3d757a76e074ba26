import { fail, type Result } from '../../../src-shared/result.ts'
import type { Clock } from '../ports.ts'
import type { Exchange, Question } from './exchange.ts'
import { failureFromAnswer, isAboutToken, type Asked } from './failure-from-answer.ts'
import type { RawAnswer } from './service-client.ts'
import type { Tokens } from './tokens.ts'

/** A question under the token. Where the service refuses the token: one new token, one repetition, no more. */
export type AskSigned = (asked: Asked, question: Question) => Promise<Result<RawAnswer>>

/** Creates the way to ask under the token; an answer that still speaks of the token is a failure. */
export function createAskSigned(parts: {
  readonly exchange: Exchange
  readonly tokens: Tokens
  readonly clock: Clock
}): AskSigned {
  const { exchange, tokens, clock } = parts
  return async (asked, question) => {
    const token = await tokens.hold({ signal: question.signal })
    if (!token.ok) return token
    const first = await exchange(signed(question, token.value.value))
    if (!first.ok || !isAboutToken(first.value)) return first
    const fresh = await tokens.replace(token.value.number, question.signal)
    if (!fresh.ok) return fresh
    const second = await exchange(signed(question, fresh.value.value))
    if (!second.ok || !isAboutToken(second.value)) return second
    return fail(failureFromAnswer(asked, second.value, clock.now()))
  }
}

/** The header that every request but `POST /authorize` carries. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

function signed(question: Question, token: string): Question {
  return { ...question, headers: { ...question.headers, ...bearer(token) } }
}
