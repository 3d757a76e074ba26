/** Small requests: one exchange with a bounded answer, the access token that they carry, and the clock of both sides. */
import { DAY, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import { type Clock, SecretsLockedError } from '../ports.ts'
import {
  firstField,
  httpDate,
  isRecord,
  isSuccess,
  type JsonRecord,
  ownField,
  readJson,
  saysFailure,
} from './answers.ts'
import type { ClockReading, RawAnswer } from './client.ts'
import { failureFromAnswer, failureFromError } from './failures.ts'
import { utf8Of } from './answer-text.ts'
import { type Connections, openDeadline, rawHeaders, readBoundedBody, StoppedError } from './http.ts'

type Headers = Readonly<Record<string, string>>

/** Any request but the post of a case: a small question with a bounded answer. */
export type HttpRequest = {
  readonly url: URL
  /** With a form it is a POST, otherwise a GET. */
  readonly form?: URLSearchParams
  readonly accept?: string
  /** The answer may be a document, whose bytes are not read as a text. */
  readonly isForDocument?: boolean
  readonly token?: string
  /** 16 MiB by default. */
  readonly maxBytes?: number
  /** Covers everything from connecting to the last byte; half a minute by default. */
  readonly totalMs?: number
  readonly signal?: AbortSignal | undefined
}

const MAX_JSON_BYTES = 16 * 1_024 * 1_024
const READ_TIMEOUT_MS = 30 * SECOND

export type Exchange = (request: HttpRequest) => Promise<Result<RawAnswer>>

/** What all requests of a client share; `headers` go with each of them. */
export type ExchangeParts = {
  readonly connections: Connections
  readonly headers: Headers
  readonly clock: Clock
  readonly clockWatch: ClockWatch
  readonly closing: AbortSignal
}

/** Complete answers of any status succeed, everything else fails; nothing is retried. */
export function createExchange(parts: ExchangeParts): Exchange {
  return async (request) => {
    const deadline = openDeadline(parts.clock, [request.signal, parts.closing])
    deadline.arm(request.totalMs ?? READ_TIMEOUT_MS, 'timeOver')
    try {
      const sentAt = parts.clock.now()
      const answer = await deadline.race(performRequest(parts, request, deadline.signal))
      if (answer.ok) parts.clockWatch.note(answer.value.headers, sentAt, parts.clock.now())
      return answer
    } catch (error) {
      return fail(failureFromError(error))
    } finally {
      deadline.dispose()
    }
  }
}

/** GETs share connections. The server may close one just as it is reused, which a POST must not risk. */
async function performRequest(
  { connections, headers }: ExchangeParts,
  { url, form, accept, isForDocument = false, token, maxBytes = MAX_JSON_BYTES }: HttpRequest,
  signal: AbortSignal,
): Promise<Result<RawAnswer>> {
  const own = form ? await connections.single() : null
  try {
    const dispatcher = own?.dispatcher ?? (await connections.forReads())
    const response = await dispatcher.request({
      method: form ? 'POST' : 'GET',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        ...(accept !== undefined && { accept }),
        ...(token !== undefined && bearer(token)),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form ? form.toString() : null,
      signal,
    })
    const { statusCode: status } = response
    const { bytes, isComplete, error } = await readBoundedBody(response.body, maxBytes)
    const answered = rawHeaders(response.headers)
    const body = isForDocument ? bytes : utf8Of(bytes, answered['content-type'] ?? '')
    if (isComplete) return succeed({ status, headers: answered, body, isComplete })
    if (error !== null) return fail(failureFromError(error))
    return fail(failureOf('answerUnreadable', { ...worded('sending:service.answerTooLarge'), status }))
  } finally {
    await own?.end(new StoppedError('cancelled'))
  }
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** A single answer may be wrong by chance. */
const SAMPLES = 3
/** A smaller difference does no harm. */
const MAX_DIFFERENCE_MS = 5 * MINUTE

/**
 * The least difference of our clock from the answer's, ms, negative if ours is behind; null without a date, or from a
 * cache. The date is in whole seconds, of some instant between `sentAt` and `receivedAt`.
 */
export function clockDifference(headers: Headers, sentAt: number, receivedAt: number): number | null {
  const date = httpDate(headers['date'])
  if (date === null || headers['age'] !== undefined) return null
  const least = sentAt - (date + SECOND)
  const most = receivedAt - date
  if (least > 0) return least
  return most < 0 ? most : 0
}

export type ClockWatch = ReturnType<typeof createClockWatch>

/** Creates the watch. `onChanged` is called when a difference appears or disappears. */
export function createClockWatch(clock: Pick<Clock, 'now' | 'monotonicMs'>, onChanged: () => void) {
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
    note: (headers: Headers, sentAt: number, receivedAt: number): void => {
      const ms = clockDifference(headers, sentAt, receivedAt)
      if (ms === null) return
      const before = differenceMs()
      last = [...last, ms].slice(-SAMPLES)
      if (wasSet()) agreed = 0
      agreed = Math.abs(ms) <= MAX_DIFFERENCE_MS ? agreed + 1 : 0
      offsetMs = offsetNow()
      if ((before === null) !== (differenceMs() === null)) onChanged()
    },
    reading: (): ClockReading => {
      const ms = differenceMs()
      if (ms !== null) return { kind: 'wrong', differenceMs: ms }
      return { kind: agreed >= SAMPLES && !wasSet() ? 'right' : 'unknown' }
    },
  }
}

/** A token and its expiry in epoch milliseconds; null if the service does not state it. */
export type IssuedToken = { readonly token: string; readonly expiresAt: number | null }

type HeldToken = { readonly value: string; readonly number: number }

/** A token is not used in its last minute, or in the last tenth of a short life: the request takes time, too. */
const EXPIRY_MARGIN_MS = MINUTE
const EXPIRY_MARGIN_SHARE = 0.1

/** Cap on `forMs`: a token just issued must satisfy any caller. */
const MAX_RESERVED_SHARE = 0.5

/** With shorter lifetimes, reserving time for an upload would only request one token after another. */
const SHORT_LIFETIME_MS = 10 * MINUTE

/** Its age is measured by both clocks: one may be set, the other may stop while the machine sleeps. */
type CurrentToken = HeldToken & {
  readonly takenAt: Instant
  /** Null if the service states no expiry. */
  readonly lifetimeMs: number | null
}

type Instant = { readonly wallMs: number; readonly monotonicMs: number }

export type Tokens = ReturnType<typeof createTokens>

/**
 * One request (`take`, which never rejects) serves all callers, and its token is cached until shortly before it
 * expires. Tokens are counted: after a new one the center must be set again.
 */
export function createTokens(parts: {
  readonly take: () => Promise<Result<IssuedToken>>
  readonly clock: Clock
}) {
  const { take, clock } = parts
  let count = 0
  let current: CurrentToken | null = null
  let inFlight: Promise<Result<HeldToken>> | null = null

  const instant = (): Instant => ({ wallMs: clock.now(), monotonicMs: clock.monotonicMs() })
  const requestOne = async (): Promise<Result<HeldToken>> => {
    const answer = await take()
    if (!answer.ok) return answer
    current = {
      value: answer.value.token,
      number: ++count,
      takenAt: instant(),
      lifetimeMs: answer.value.expiresAt === null ? null : answer.value.expiresAt - clock.now(),
    }
    return succeed(current)
  }
  const requestShared = async (signal: AbortSignal | undefined): Promise<Result<HeldToken>> => {
    // A caller that gives up leaves the request to the others.
    inFlight ??= requestOne().finally(() => {
      inFlight = null
    })
    const deadline = openDeadline(clock, [signal])
    try {
      return await deadline.race(inFlight)
    } catch (error) {
      return fail(failureFromError(error))
    } finally {
      deadline.dispose()
    }
  }
  return {
    number: (): number => count,
    /** The current token if it is valid for another `forMs`, or a new one. */
    acquire: async ({
      forMs = 0,
      signal,
    }: {
      readonly forMs?: number
      readonly signal?: AbortSignal | undefined
    }): Promise<Result<HeldToken>> => {
      if (inFlight === null && current !== null && isUsable(current, instant(), forMs))
        return succeed(current)
      return await requestShared(signal)
    },
    /** A token other than the refused one: one that replaced it already, or a new one. */
    replace: async (refused: number, signal?: AbortSignal): Promise<Result<HeldToken>> => {
      if (inFlight === null && current !== null && current.number !== refused) return succeed(current)
      current = null
      return await requestShared(signal)
    },
  }
}

function isUsable({ takenAt, lifetimeMs }: CurrentToken, now: Instant, forMs: number): boolean {
  if (lifetimeMs === null) return true
  const ageMs = Math.max(now.wallMs - takenAt.wallMs, now.monotonicMs - takenAt.monotonicMs)
  const margin = Math.min(EXPIRY_MARGIN_MS, lifetimeMs * EXPIRY_MARGIN_SHARE)
  const reserved = lifetimeMs < SHORT_LIFETIME_MS ? 0 : Math.min(forMs, lifetimeMs * MAX_RESERVED_SHARE)
  return lifetimeMs - ageMs > Math.max(margin, reserved)
}

const MAX_TOKEN_BYTES = 64 * 1_024

/** `POST /authorize`. The secret is sent exactly as issued, although the interface calls it a hash. */
export async function requestToken(parts: {
  readonly exchange: Exchange
  readonly clock: Clock
  readonly url: URL
  readonly clientId: string
  readonly readSecret: () => Promise<string | null>
}): Promise<Result<IssuedToken>> {
  const { exchange, clock, url, clientId, readSecret } = parts
  const secret = await secretOf(readSecret)
  if (!secret.ok) return secret
  const form = new URLSearchParams({
    client_id: clientId,
    client_secret: secret.value,
    grant_type: 'client_credentials',
  })
  const answer = await exchange({ url, form, maxBytes: MAX_TOKEN_BYTES })
  if (!answer.ok) return answer
  const token = isSuccess(answer.value) ? readToken(answer.value.body, clock.now()) : null
  return token === null ? fail(failureFromAnswer('token', answer.value, clock.now())) : succeed(token)
}

async function secretOf(readSecret: () => Promise<string | null>): Promise<Result<string>> {
  try {
    const secret = await readSecret()
    return secret === null
      ? // Never entered, or this account on this computer can no longer decrypt it.
        fail(failureOf('signedOut', worded('sending:service.secretMissing')))
      : succeed(secret)
  } catch (error) {
    if (error instanceof SecretsLockedError) return fail(failureOf('secretsLocked'))
    return fail(failureFromError(error))
  }
}

const MAX_TOKEN_LENGTH = 16_384

/** Every character that a header carries unchanged. */
const TOKEN = /^[\x21-\x7e]+$/
const TOKEN_FIELDS = ['access_token', 'accessToken', 'token', 'jwt', 'bearer']
const ENVELOPE_FIELDS = ['data', 'content', 'token', 'result', 'access_token']
const MAX_DEPTH = 3

/** As epoch seconds the year 5138, as epoch milliseconds 1973: smaller numbers are seconds. */
const FIRST_MILLISECONDS = 1e11

/** Longer lifetimes come from odd services or odd units; a station restarts sooner. */
const MAX_LIFETIME_MS = 365 * DAY

/** Parses the answer of `POST /authorize`; null if it contains no token. `now` is epoch milliseconds. */
export function readToken(body: Uint8Array, now: number): IssuedToken | null {
  const json = readJson(body)
  if (json !== null) return fromValue(json.value, now, 0)
  const text = new TextDecoder('utf-8').decode(body.subarray(0, MAX_TOKEN_LENGTH + 1)).trim()
  // A bare token without quotes; a page or a sentence contains brackets or spaces.
  return /^[\w.~+/=-]{16,}$/.test(text) ? bareToken(text) : null
}

function fromValue(value: unknown, now: number, depth: number): IssuedToken | null {
  if (typeof value === 'string') return bareToken(value)
  if (!isRecord(value) || depth > MAX_DEPTH || saysFailure(value)) return null
  for (const name of TOKEN_FIELDS) {
    const token = headerText(ownField(value, name))
    if (token !== null) return { token, expiresAt: expiryOf(value, now) }
  }
  for (const name of ENVELOPE_FIELDS) {
    const inner = fromValue(ownField(value, name), now, depth + 1)
    if (inner !== null)
      return inner.expiresAt === null ? { ...inner, expiresAt: expiryOf(value, now) } : inner
  }
  return null
}

function bareToken(text: string): IssuedToken | null {
  const token = headerText(text)
  return token === null ? null : { token, expiresAt: null }
}

function headerText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_TOKEN_LENGTH) return null
  const token = value.trim().replace(/^bearer\s+/i, '')
  return TOKEN.test(token) ? token : null
}

/** An expiry in the past means a wrong clock or an unrelated field, so it counts as unknown. */
function expiryOf(record: JsonRecord, now: number): number | null {
  const seconds = numberOf(firstField(record, ['expires_in', 'expiresIn', 'expire_in', 'ttl']))
  if (seconds !== null && seconds > 0) {
    return Math.round(now + Math.min(seconds * 1_000, MAX_LIFETIME_MS))
  }
  const instant = instantOf(
    firstField(record, ['expires', 'expires_at', 'expiresAt', 'expiration', 'expiry']),
  )
  return instant !== null && instant > now ? Math.min(instant, now + MAX_LIFETIME_MS) : null
}

function instantOf(value: unknown): number | null {
  const number = numberOf(value)
  if (number !== null) return Math.round(number < FIRST_MILLISECONDS ? number * 1_000 : number)
  if (typeof value !== 'string' || value.length > 60) return null
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? null : instant
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
