import { z } from 'zod'
import {
  calls,
  stationEventSchema,
  type CallName,
  type CallOutput,
  type StationEvent,
} from '../../src-shared/contract.ts'
import { failureOf, failureSchema } from '../../src-shared/failure.ts'
import { fail, type Result } from '../../src-shared/result.ts'

import { t } from '../words/t.ts'
const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: failureSchema }),
])

/** The answer to a call as the contract has it; what is not of the contract becomes `answerUnreadable`. */
export function readAnswer<Name extends CallName>(name: Name, answer: unknown): Result<CallOutput<Name>> {
  const envelope = answerSchema.safeParse(answer)
  if (!envelope.success) return unreadable()
  if (!envelope.data.ok) return envelope.data
  const value = calls[name].output.safeParse(envelope.data.value)
  // The table of calls pairs this name with this output; the compiler cannot follow the index.
  return value.success ? { ok: true, value: value.data as CallOutput<Name> } : unreadable()
}

function unreadable(): { readonly ok: false; readonly failure: ReturnType<typeof failureOf> } {
  return fail(failureOf('answerUnreadable', { message: t('link:unreadable') }))
}

const heartbeatSchema = z.object({ name: z.literal('heard') })
const helloSchema = z.object({ name: z.literal('hello'), revision: z.number().int() })

/** One message of the event stream. */
export type StreamMessage =
  | { readonly kind: 'hello'; readonly revision: number }
  /** The host has heard a question whether it is there. */
  | { readonly kind: 'heard' }
  | { readonly kind: 'event'; readonly event: StationEvent }
  | { readonly kind: 'unreadable' }

/** Reads one message of the event stream, which is JSON text over HTTP and a value over IPC. */
export function readStreamMessage(message: unknown): StreamMessage {
  const value = typeof message === 'string' ? parseJson(message) : message
  if (heartbeatSchema.safeParse(value).success) return { kind: 'heard' }
  const hello = helloSchema.safeParse(value)
  if (hello.success) return { kind: 'hello', revision: hello.data.revision }
  const event = stationEventSchema.safeParse(value)
  return event.success ? { kind: 'event', event: event.data } : { kind: 'unreadable' }
}

/** The value of a JSON text; undefined where it is none, which no schema of the contract accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
