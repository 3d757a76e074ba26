import { DAY } from '../../../src-shared/durations.ts'
import { firstField, isRecord, ownField, type JsonRecord } from './json-record.ts'
import { readJson } from './read-json.ts'
import { saysFailure } from './says-failure.ts'

/** A token and the instant when it ends; null where the service does not say. */
export type IssuedToken = { readonly token: string; readonly expiresAt: number | null }

const MAX_TOKEN_LENGTH = 16_384
/** Everything that may stand in a header without changing it. */
const TOKEN = /^[\x21-\x7e]+$/
const TOKEN_FIELDS = ['access_token', 'accessToken', 'token', 'jwt', 'bearer']
const ENVELOPE_FIELDS = ['data', 'content', 'token', 'result', 'access_token']
const MAX_DEPTH = 3
/** Epoch seconds of the year 5138 and epoch milliseconds of 1973: a number is read as the nearer of the two. */
const FIRST_MILLISECONDS = 1e11
/** Longer lives come from odd services or odd units; a station is restarted within it. */
const MAX_LIFETIME_MS = 365 * DAY

/** Reads the answer of `POST /authorize`; null where it holds no token. `now` is epoch milliseconds. */
export function readToken(body: Uint8Array, now: number): IssuedToken | null {
  const json = readJson(body)
  if (json !== null) return fromValue(json.value, now, 0)
  const text = new TextDecoder('utf-8').decode(body.subarray(0, MAX_TOKEN_LENGTH + 1)).trim()
  // A bare token without quotes; a page or a sentence has brackets or spaces.
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

/** An end that lies behind us is a clock that is wrong or a field that means something else: then it is unknown. */
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

/** A number, also one that came as text; never the number that an object or an empty text would turn into. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
