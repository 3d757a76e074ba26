import { SECOND } from '../../../src-shared/durations.ts'
import { firstField, isRecord } from './json-record.ts'
import { readJson } from './read-json.ts'
import type { RawAnswer } from './service-client.ts'

/** A year: what is longer is no time but a mistake. */
const MAX_SECONDS = 31_536_000

/**
 * The instant before which another try makes no sense, from `Retry-After` (seconds or an HTTP date, RFC 9110
 * 10.2.3) or `retry_time` in the body; the later of both. Null where the service names none.
 */
export function notBeforeOf(answer: RawAnswer, now: number): number | null {
  const header = secondsOf(answer.headers['retry-after']) ?? secondsUntilDate(answer, now)
  const json = readJson(answer.body)
  const body = isRecord(json?.value) ? secondsOf(firstField(json.value, ['retry_time', 'retry_after'])) : null
  if (header === null && body === null) return null
  return Math.round(now + Math.max(header ?? 0, body ?? 0) * SECOND)
}

function secondsOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\s*\d{1,12}(?:\.\d{1,6})?\s*$/.test(text)) return null
  return Math.min(Number(text), MAX_SECONDS)
}

/** Counted from the answer's own `Date` where it has one, because this computer's clock may be wrong. */
function secondsUntilDate(answer: RawAnswer, now: number): number | null {
  const until = httpDate(answer.headers['retry-after'])
  if (until === null) return null
  const since = httpDate(answer.headers['date']) ?? now
  return Math.min(Math.max((until - since) / SECOND, 0), MAX_SECONDS)
}

/** An HTTP date begins with the day's name; `Date.parse` would take nearly anything. */
export function httpDate(text: string | undefined): number | null {
  if (text === undefined || text.length > 60 || !/^\s*[A-Z][a-z]{2,8},/.test(text)) return null
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? null : instant
}
