/** The connection from the screens to a station, independent of its transport. */
import { z } from 'zod'
import {
  type BytesKind,
  type CallInput,
  type CallName,
  type CallOutput,
  calls,
  type StationEvent,
  stationEventSchema,
} from '../../src-shared/contract.ts'
import { FILES_PATH, type UploadedFile, uploadedFileSchema } from '../../src-shared/desktop.ts'
import { fail, type Failure, failureSchema, type Result } from '../../src-shared/failure.ts'
import { t } from '../i18n/i18n.ts'

/** On `open` a receiver reads a new snapshot; the revision is null if the transport does not state it. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly revision: number | null }
  | { readonly kind: 'lost'; readonly why: 'unreachable' | 'notAuthorised' }

/** An event of the contract, or a notice that an unreadable message arrived. */
export type LinkMessage =
  | { readonly kind: 'event'; readonly event: StationEvent }
  | { readonly kind: 'unreadable' }

export type ReleasableUrl = { readonly url: string; readonly release: () => void }

export type StationLink = {
  /** Never throws: a lost link and an invalid answer are failures too. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>>
  onMessage(listener: (arrival: LinkMessage) => void): () => void
  /** Calls the listener at once with the current state, then on every change. */
  onConnection(listener: (connection: Connection) => void): () => void
  /** Bytes by id; rejects with {@link BytesUnavailable}. */
  readBytes(kind: BytesKind, id: string): Promise<Blob>
  createBytesUrl(kind: BytesKind, id: string): Promise<ReleasableUrl>
  /** Uploads a file for a case added by hand. Never throws. */
  uploadFile(file: File): Promise<Result<UploadedFile>>
  close(): void
}

/** The bytes cannot be read: they are deleted, or the station is unreachable. */
export class BytesUnavailable extends Error {
  override readonly name = 'BytesUnavailable'
}

export async function fetchBytes(kind: BytesKind, url: string, init: RequestInit = {}): Promise<Blob> {
  try {
    const answer = await fetch(url, init)
    if (!answer.ok) throw new BytesUnavailable(`${kind}: status ${answer.status}`)
    return await answer.blob()
  } catch (error) {
    if (error instanceof BytesUnavailable) throw error
    throw new BytesUnavailable(`${kind}: no answer`, { cause: error })
  }
}

const KEY = 'fundus-courier.token'

/** Reads `#token=…`, keeps it for this tab only and removes it from the address, so that it is not bookmarked. */
export function readToken(
  address: Pick<Location, 'hash' | 'pathname' | 'search'>,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  history: Pick<History, 'replaceState'>,
): string | null {
  const match = /^#(?:\/?)token=([^&]+)/.exec(address.hash)
  if (!match?.[1]) return storage.getItem(KEY)
  const token = decodeURIComponent(match[1])
  storage.setItem(KEY, token)
  history.replaceState(null, '', address.pathname + address.search)
  return token
}

export function createBroadcast<Message>() {
  const listeners = new Set<(message: Message) => void>()
  return {
    emit: (message: Message): void => {
      for (const listener of listeners) listener(message)
    },
    subscribe: (listener: (message: Message) => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** These limits together detect a lost station within two seconds. */
const TICK_MS = 300
const PING_AFTER_MS = 800
export const LOST_AFTER_MS = 1_600

/** Timers are throttled in background tabs and stop during sleep: a late tick says nothing about the station. */
const SLEPT_AFTER_MS = 1_200

/** Distinguishes an idle station from one that hangs or is gone, until it is closed. */
export function detectSilence(options: {
  /** False while the link is known to be down. */
  readonly isListening: () => boolean
  /** Requests a sign of life over the transport of the events: another one may work while this one does not. */
  readonly ask: () => void
  readonly onSilent: () => void
}) {
  let lastMessageAt = performance.now()
  let lastTickAt = lastMessageAt
  const tick = setInterval(() => {
    const now = performance.now()
    const slept = now - lastTickAt > SLEPT_AFTER_MS
    lastTickAt = now
    if (!options.isListening()) return
    if (slept) lastMessageAt = now
    else if (now - lastMessageAt > LOST_AFTER_MS) options.onSilent()
    if (options.isListening() && now - lastMessageAt >= PING_AFTER_MS) options.ask()
  }, TICK_MS)
  return {
    reset: () => {
      lastMessageAt = performance.now()
    },
    close: () => clearInterval(tick),
  }
}

/** A local station is back within seconds or not at all, so the pauses stay short. */
const INITIAL_DELAY_MS = 250
const MAX_DELAY_MS = 3_000

export function retryDelayMs(failedTries: number): number {
  return Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** Math.min(failedTries, 10))
}

const resultSchema = <Value extends z.ZodType>(value: Value) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), value }),
    z.object({ ok: z.literal(false), failure: failureSchema }),
  ])

/** Validates the answer to a call; an answer outside the contract becomes `answerUnreadable`. */
export function readAnswer<Name extends CallName>(name: Name, answer: unknown): Result<CallOutput<Name>> {
  const read = resultSchema<z.ZodType>(calls[name].output).safeParse(answer)
  // The table of calls pairs this name with this output; the compiler cannot follow the index.
  return read.success ? (read.data as Result<CallOutput<Name>>) : unreadable()
}

function unreadable(): { readonly ok: false; readonly failure: Failure } {
  return fail({ kind: 'answerUnreadable', message: t('link:unreadable') })
}

const heartbeatSchema = z.object({ name: z.literal('heard') })
const helloSchema = z.object({ name: z.literal('hello'), revision: z.number().int() })

type StreamMessage =
  | { readonly kind: 'hello'; readonly revision: number }
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

const uploadAnswerSchema = resultSchema(uploadedFileSchema)

/** Validates the upload's result; the sizes must be equal. */
export function readUploadAnswer(text: string, file: Blob): Result<UploadedFile> {
  const answer = uploadAnswerSchema.safeParse(parseJson(text))
  if (!answer.success) return unreadable()
  if (!answer.data.ok || answer.data.value.sizeBytes === file.size) return answer.data
  return fail({ kind: 'badRequest', message: t('link:notWhole') })
}

/** Uploads a file to a host; `headers` authorise it. Never rejects for a lost link. */
export async function uploadTo(
  origin: string,
  file: File,
  headers: Readonly<Record<string, string>> = {},
): Promise<Result<UploadedFile>> {
  try {
    const query = `name=${encodeURIComponent(file.name.toWellFormed())}&size=${file.size}`
    const answer = await fetch(`${origin}${FILES_PATH}?${query}`, { method: 'POST', headers, body: file })
    return readUploadAnswer(await answer.text(), file)
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException)
      return fail({ kind: 'internal', message: t('link:notHandedOver') })
    throw error
  }
}
