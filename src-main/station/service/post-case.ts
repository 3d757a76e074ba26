/**
 * `POST /cases`: once, on a connection of its own, and with evidence instead of a verdict. Nothing here repeats,
 * and nothing here says whether a case arrived: that follows from the bytes that were handed over and the answer.
 */
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { MINUTE } from '../../../src-shared/durations.ts'
import type { Failure } from '../../../src-shared/failure.ts'
import type { Clock } from '../ports.ts'
import { bearer } from './ask-signed.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Connections, SingleConnection } from './connections.ts'
import { countBody, type CountedBody } from './counted-body.ts'
import { openDeadline, type Deadline } from './deadline.ts'
import { failureFromError } from './failure-from-error.ts'
import { rawHeaders } from './raw-headers.ts'
import { readBoundedBody } from './read-bounded-body.ts'
import { evidenceOf } from './post-evidence.ts'
import type { PostEvidence, PostOptions, RawAnswer } from './service-client.ts'
import { StoppedError } from './stopped-error.ts'
import type { Tokens } from './tokens.ts'

/** Name, TCP, proxy and TLS together: nothing is handed over yet, so giving up costs nothing. */
const CONNECT_MS = MINUTE
/** rclone's idle time: no link that still works takes nothing for so long. */
const STALL_MS = 5 * MINUTE
/** From the head of the answer to its last byte. */
const ANSWER_BODY_MS = 2 * MINUTE
const MAX_ANSWER_BYTES = 16 * 1_024 * 1_024
/** The slowest uplink that a token is reserved for: PHP checks it only after the whole body has come. */
const SLOW_BYTES_PER_MS = 64
const CLOSE_MS = 5_000

type PostParts = {
  readonly connections: Connections
  readonly tokens: Tokens
  readonly clock: Clock
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly clockWatch: ClockWatch
  readonly closing: AbortSignal
}

/** Posts a case; rejects only with what `beforeFirstByte` throws. */
export async function postCase(parts: PostParts, options: PostOptions): Promise<PostEvidence> {
  const { body, signal } = options
  const nothingSent = (failure: Failure): PostEvidence => {
    const nothing = { handedOverBytes: 0, requestBytes: body.contentLength, answer: null, caseId: null }
    return { ...nothing, failure, saysTokenEnded: false }
  }
  const forMs = body.contentLength / SLOW_BYTES_PER_MS
  const token = await parts.tokens.acquire({ forMs, signal })
  if (!token.ok) return nothingSent(token.failure)
  const connection = await connect(parts.connections)
  if (connection instanceof Error) return nothingSent(failureFromError(connection))
  const deadline = openDeadline(parts.clock, [signal, parts.closing])
  try {
    if (deadline.signal.aborted) return nothingSent(failureFromError(deadline.signal.reason))
    options.beforeFirstByte()
    return await transfer(parts, options, connection, deadline, token.value.value)
  } finally {
    deadline.dispose()
    await connection.end(new StoppedError('cancelled'))
  }
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
      onHandedOver: options.onHandedOver,
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
    // From here on the answer decides, however much of the body is still to go.
    isAnswered = true
    deadline.arm(ANSWER_BODY_MS, 'timeOver')
    const read = await readBoundedBody(response.body, MAX_ANSWER_BYTES)
    const { statusCode: status, headers } = response
    parts.clockWatch.note(rawHeaders(headers), sentAt, parts.clock.now())
    answer = { status, headers: rawHeaders(headers), body: read.bytes, isComplete: read.isComplete }
    error = read.error
  } catch (caught) {
    error = caught
  }
  if (error !== null) error = deadline.signal.aborted ? deadline.signal.reason : (body.error() ?? error)
  await closeBody(body, parts.clock)
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
    // undici takes any iterable and says so; its type names only what is a Readable.
    body: counted.pieces as unknown as Readable,
    reset: true,
  })
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new StoppedError('cancelled')
}

/** Ending a body waits for its last read of the disk; a disk that hangs must not hang the queue. */
async function closeBody(body: CountedBody, clock: Clock): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const disarm = clock.after(CLOSE_MS, timeout.resolve)
  await Promise.race([body.close(), timeout.promise])
  disarm()
}
