/** `POST /cases` with its evidence. */
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { MINUTE } from '../../../src-shared/durations.ts'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import { waitAtMost } from '../lib/schedule.ts'
import type { Clock } from '../ports.ts'
import { readCaseId } from './cases.ts'
import type { PostEvidence, PostOptions, RawAnswer, RequestBody, Throttle } from './client.ts'
import { bearer, type ExchangeParts, type Tokens } from './exchange.ts'
import { failureFromAnswer, failureFromError, saysTokenEnded } from './failures.ts'
import { utf8Of } from './answer-text.ts'
import {
  BodyError,
  type Connections,
  type Deadline,
  openDeadline,
  rawHeaders,
  readBoundedBody,
  type SingleConnection,
  StoppedError,
} from './http.ts'

/** Covers DNS, TCP, proxy and TLS. No byte of the body has gone, so giving up costs nothing. */
const CONNECT_MS = MINUTE

/** rclone's idle timeout: no working link stalls for so long. */
const STALL_MS = 5 * MINUTE

/** From the head of the answer to its last byte. */
const ANSWER_BODY_MS = 2 * MINUTE
const MAX_ANSWER_BYTES = 16 * 1_024 * 1_024

/** The slowest uplink for which the token must last: PHP checks it only after the whole body has arrived. */
const SLOW_BYTES_PER_MS = 64
const CLOSE_MS = 5_000

type PostParts = ExchangeParts & { readonly tokens: Tokens; readonly url: URL }

/** Posts once, on its own connection, and returns evidence. Rejects only with what `beforeFirstByte` throws. */
export async function postCase(parts: PostParts, options: PostOptions): Promise<PostEvidence> {
  const { body, signal } = options
  const forMs = body.contentLength / SLOW_BYTES_PER_MS
  const token = await parts.tokens.acquire({ forMs, signal })
  if (!token.ok) return nothingSent(body, token.failure)
  const connection = await connect(parts.connections)
  if (connection instanceof Error) return nothingSent(body, failureFromError(connection))
  const deadline = openDeadline(parts.clock, [signal, parts.closing])
  try {
    if (deadline.signal.aborted) return nothingSent(body, failureFromError(deadline.signal.reason))
    await options.beforeFirstByte()
    if (deadline.signal.aborted) return nothingSent(body, failureFromError(deadline.signal.reason))
    return await transfer(parts, options, connection, deadline, token.value.value)
  } finally {
    deadline.dispose()
    await connection.end(new StoppedError('cancelled'))
  }
}

/** The evidence of a post that ended before its first byte. */
function nothingSent({ contentLength }: RequestBody, failure: Failure): PostEvidence {
  const nothing = { handedOverBytes: 0, requestBytes: contentLength, answer: null, caseId: null }
  return { ...nothing, failure, saysTokenEnded: false }
}

async function connect(connections: Connections): Promise<SingleConnection | Error> {
  try {
    return await connections.single()
  } catch (error) {
    return error instanceof Error ? error : new Error('no connection', { cause: error })
  }
}

async function transfer(
  parts: PostParts,
  options: PostOptions,
  connection: SingleConnection,
  deadline: Deadline,
  token: string,
): Promise<PostEvidence> {
  const requestBytes = options.body.contentLength
  let isAnswered = false
  const body = countBody(
    options.body,
    {
      onAccepted: () => {
        if (!isAnswered) deadline.arm(STALL_MS, 'stalled')
        options.onAccepted?.()
      },
      onReleased: options.onReleased,
      onEnd: () => (isAnswered ? undefined : deadline.arm(options.answerTimeoutMs, 'timeOver')),
    },
    options.throttle,
  )
  const end = (): void => void connection.end(reasonOf(deadline.signal))
  deadline.signal.addEventListener('abort', end, { once: true })
  deadline.arm(CONNECT_MS, 'notConnected')
  const sentAt = parts.clock.now()
  let answer: RawAnswer | null = null
  let error: unknown = null
  try {
    const response = await deadline.race(send(parts, options, connection, body, token))
    // From here on the answer decides, however much of the body remains.
    isAnswered = true
    deadline.arm(ANSWER_BODY_MS, 'timeOver')
    const read = await readBoundedBody(response.body, MAX_ANSWER_BYTES)
    const { statusCode: status, headers } = response
    parts.clockWatch.note(rawHeaders(headers), sentAt, parts.clock.now())
    const text = utf8Of(read.bytes, rawHeaders(headers)['content-type'] ?? '')
    answer = { status, headers: rawHeaders(headers), body: text, isComplete: read.isComplete }
    error = read.error
  } catch (caught) {
    error = caught
  }
  if (error !== null) error = deadline.signal.aborted ? deadline.signal.reason : (body.error() ?? error)
  // It waits for its last disk read, and a hanging disk must not hang the queue.
  await waitAtMost(parts.clock, CLOSE_MS, body.close())
  return evidenceOf({ answer, error, handedOverBytes: body.handedOverBytes(), requestBytes }, parts.clock)
}

function send(
  parts: PostParts,
  { body }: PostOptions,
  connection: SingleConnection,
  counted: CountedBody,
  token: string,
): Promise<Dispatcher.ResponseData> {
  return connection.dispatcher.request({
    method: 'POST',
    origin: parts.url.origin,
    path: parts.url.pathname,
    headers: {
      ...parts.headers,
      ...bearer(token),
      'content-type': body.contentType,
      'content-length': String(body.contentLength),
    },
    // undici accepts any async iterable, as documented; its type asks for a Readable.
    body: counted.pieces as unknown as Readable,
    reset: true,
  })
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new StoppedError('cancelled')
}

export type CountedBody = ReturnType<typeof countBody>

/** Counts each piece before it goes, and stops a body that differs from its announced length before its last byte. */
export function countBody(
  body: RequestBody,
  events: Required<Pick<PostOptions, 'onAccepted' | 'onReleased'>> & {
    /** The connection has taken every byte. */
    readonly onEnd: () => void
  },
  throttle: Throttle | null = null,
) {
  /** The remainder of a piece that was too large to go at once. */
  let left: Uint8Array | null = null
  let source: AsyncIterator<Uint8Array> | null = null
  let handedOver = 0
  let failure: BodyError | null = null
  let closing: Promise<void> | null = null

  const close = (): Promise<void> => {
    closing ??= (async () => {
      await Promise.allSettled([source?.return?.()])
    })()
    return closing
  }
  const fail = (error: BodyError): BodyError => {
    failure ??= error
    return failure
  }
  const hasClosed = (): boolean => closing !== null
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    if (closing !== null) return { done: true, value: undefined }
    events.onAccepted()
    for (let rest = throttle?.delay() ?? null; rest !== null; rest = throttle?.delay() ?? null) {
      await rest
      if (hasClosed()) return { done: true, value: undefined }
      // The pause was ours: the other side has not stalled.
      events.onAccepted()
    }
    source ??= body.stream()[Symbol.asyncIterator]()
    const step: IteratorResult<Uint8Array> = left
      ? { done: false, value: left }
      : await source.next().catch((error: unknown) => {
          throw fail(new BodyError('the body could not be read', { cause: error }))
        })
    left = null
    // Closed during the disk read: drop this piece.
    if (hasClosed()) return { done: true, value: undefined }
    if (step.done === true) {
      if (handedOver !== body.contentLength) throw fail(new BodyError('the body is shorter than announced'))
      events.onEnd()
      return step
    }
    if (handedOver + step.value.byteLength > body.contentLength) {
      throw fail(new BodyError('the body is longer than announced'))
    }
    const most = throttle?.pieceBytes() ?? step.value.byteLength
    const piece = step.value.subarray(0, most)
    if (piece.byteLength < step.value.byteLength) left = step.value.subarray(most)
    handedOver += piece.byteLength
    throttle?.consume(piece.byteLength)
    events.onReleased(handedOver)
    return { done: false, value: piece }
  }
  const iterator: AsyncIterator<Uint8Array> = {
    next,
    return: async () => {
      await close()
      return { done: true, value: undefined }
    },
  }
  return {
    /** For undici, which asks for the next piece once the connection has taken the one before. */
    pieces: { [Symbol.asyncIterator]: () => iterator },
    handedOverBytes: (): number => handedOver,
    /** The error on our own side; null if there is none. */
    error: (): BodyError | null => failure,
    /** Passes on nothing more and ends the source of the body. */
    close,
  }
}

/** What was observed of one post. `error` is what stopped it; null if nothing did. */
type PostTrace = {
  readonly answer: RawAnswer | null
  readonly error: unknown
  readonly handedOverBytes: number
  readonly requestBytes: number
}

/** Turns the observations into evidence, with either an id or a failure. */
export function evidenceOf(trace: PostTrace, clock: Pick<Clock, 'now'>): PostEvidence {
  const { answer, handedOverBytes, requestBytes } = trace
  const caseId = answer === null ? null : readCaseId(answer)
  const failure = caseId === null ? { ...failureOfPost(trace, clock.now()), requestBytes } : null
  const isTokenEnded = failure !== null && answer?.isComplete === true && saysTokenEnded(answer)
  return { handedOverBytes, requestBytes, answer, caseId, failure, saysTokenEnded: isTokenEnded }
}

function failureOfPost({ answer, error, handedOverBytes, requestBytes }: PostTrace, now: number): Failure {
  if (answer?.isComplete === true) return failureFromAnswer('newCase', answer, now)
  // A refusing status counts even if its explanation was cut off.
  if (answer !== null && answer.status >= 300) {
    return failureFromAnswer('newCase', { ...answer, body: new Uint8Array() }, now)
  }
  if (answer !== null) {
    const failure = error === null ? failureOf('answerUnreadable') : failureFromError(error)
    return { ...failure, status: answer.status }
  }
  const failure = failureFromError(error)
  const isPartial = handedOverBytes > 0 && handedOverBytes < requestBytes
  const isLine = failure.kind === 'notAnswering' || failure.kind === 'offline'
  return isPartial && isLine ? failureOf('interrupted') : failure
}
