/**
 * The access token. One request serves all concurrent callers, and its result is cached until shortly before it
 * expires. Tokens are counted, because after a new one the center must be set again.
 */
import { DAY, MINUTE } from '../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import { type Clock, SecretsLockedError } from '../ports.ts'
import { type Exchange, READ_TIMEOUT_MS } from './exchange.ts'
import { firstField, isRecord, type JsonRecord, ownField, readJson, saysFailure } from './answers.ts'
import { failureFromAnswer, failureFromError } from './failures.ts'
import { openDeadline } from './http.ts'

/** A token and its expiry in epoch milliseconds; null if the service does not state it. */
export type IssuedToken = { readonly token: string; readonly expiresAt: number | null }

type HeldToken = { readonly value: string; readonly number: number }

export type Tokens = {
  number(): number
  /** The current token if it is valid for another `forMs`, or a new one. */
  acquire(options: {
    readonly forMs?: number
    readonly signal?: AbortSignal | undefined
  }): Promise<Result<HeldToken>>
  /** A token other than the refused one: one that replaced it already, or a new one. */
  replace(refused: number, signal?: AbortSignal): Promise<Result<HeldToken>>
}

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

/** Creates the token cache. `take` requests a token from the service and never rejects. */
export function createTokens(parts: {
  readonly take: () => Promise<Result<IssuedToken>>
  readonly clock: Clock
}): Tokens {
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
    number: () => count,
    acquire: async ({ forMs = 0, signal }) => {
      if (inFlight === null && current !== null && isUsable(current, instant(), forMs))
        return succeed(current)
      return await requestShared(signal)
    },
    replace: async (refused, signal) => {
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

const MAX_BYTES = 64 * 1_024

/** `POST /authorize`. The secret is sent exactly as issued, although the interface calls it a hash. */
export async function requestToken(parts: {
  readonly exchange: Exchange
  readonly clock: Clock
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly clientId: string
  readonly readSecret: () => Promise<string | null>
}): Promise<Result<IssuedToken>> {
  const { exchange, clock, url, headers, clientId, readSecret } = parts
  const secret = await secretOf(readSecret)
  if (!secret.ok) return secret
  const form = new URLSearchParams({
    client_id: clientId,
    client_secret: secret.value,
    grant_type: 'client_credentials',
  })
  const answer = await exchange({
    method: 'POST',
    url,
    headers,
    form,
    maxBytes: MAX_BYTES,
    totalMs: READ_TIMEOUT_MS,
  })
  if (!answer.ok) return answer
  const isSuccess = answer.value.status >= 200 && answer.value.status < 300
  const token = isSuccess ? readToken(answer.value.body, clock.now()) : null
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
