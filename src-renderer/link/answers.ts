/** Parses what arrives over a link: answers, event messages and upload results. */
import { z } from 'zod'
import {
  type CallName,
  type CallOutput,
  calls,
  type StationEvent,
  stationEventSchema,
} from '../../src-shared/contract.ts'
import { FILES_PATH, type UploadedFile, uploadedFileSchema } from '../../src-shared/desktop.ts'
import { fail, type Failure, failureSchema, type Result } from '../../src-shared/failure.ts'
import { t } from '../i18n/i18n.ts'

const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: failureSchema }),
])

/** Validates the answer to a call; an answer outside the contract becomes `answerUnreadable`. */
export function readAnswer<Name extends CallName>(name: Name, answer: unknown): Result<CallOutput<Name>> {
  const envelope = answerSchema.safeParse(answer)
  if (!envelope.success) return unreadable()
  if (!envelope.data.ok) return envelope.data
  const value = calls[name].output.safeParse(envelope.data.value)
  // The table of calls pairs this name with this output; the compiler cannot follow the index.
  return value.success ? { ok: true, value: value.data as CallOutput<Name> } : unreadable()
}

function unreadable(): { readonly ok: false; readonly failure: Failure } {
  return fail({ kind: 'answerUnreadable', message: t('link:unreadable') })
}

const heartbeatSchema = z.object({ name: z.literal('heard') })
const helloSchema = z.object({ name: z.literal('hello'), revision: z.number().int() })

type StreamMessage =
  | { readonly kind: 'hello'; readonly revision: number }
  /** The host has answered a liveness check. */
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

/** Parses a JSON text; undefined if it is invalid, which no schema of the contract accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const uploadAnswerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: uploadedFileSchema }),
  z.object({ ok: z.literal(false), failure: failureSchema }),
])

/** Receives the number of the file's bytes already sent. */
export type OnProgress = (sentBytes: number) => void

export function uploadPath(name: string, sizeBytes: number): string {
  return `${FILES_PATH}?name=${encodeURIComponent(name.toWellFormed())}&size=${sizeBytes}`
}

/** Validates the upload's result; the sizes must be equal. */
export function readUploadAnswer(text: string, file: Blob): Result<UploadedFile> {
  const answer = uploadAnswerSchema.safeParse(parseJson(text))
  if (!answer.success) return fail({ kind: 'answerUnreadable', message: t('link:unreadable') })
  if (!answer.data.ok || answer.data.value.sizeBytes === file.size) return answer.data
  return fail({ kind: 'badRequest', message: t('link:notWhole') })
}

/** Uploads by XMLHttpRequest, because `fetch` does not report upload progress. Never rejects. */
export function uploadWithProgress(
  url: string,
  headers: Readonly<Record<string, string>>,
  file: Blob,
  onProgress: OnProgress,
): Promise<Result<UploadedFile>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const failed = (): void => resolve(fail({ kind: 'internal', message: t('link:notHandedOver') }))
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, file.size)))
    request.addEventListener('load', () => resolve(readUploadAnswer(request.responseText, file)))
    for (const kind of ['error', 'abort', 'timeout'] as const) request.addEventListener(kind, failed)
    request.send(file)
  })
}
