import { SECOND } from '../../../src-shared/durations.ts'
import type { RawAnswer } from './client.ts'
import { firstField, idFrom, isEmpty, isRecord, type JsonRecord, ownField, readJson } from './json.ts'

/** Words of a stranger made fit to be shown: no markup, no invisible characters, one line, bounded. */

/** Nobody reads more; and it bounds the work on an endless page. */
const MAX_INPUT = 65_536

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', ' '],
  ['gt', ' '],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
])

/** The readable words of a text or a page, at most `maxLength` characters; empty where there are none. */
function plainText(text: string, maxLength: number): string {
  const plain = withoutScripts(text.slice(0, MAX_INPUT))
    .replace(/<[a-z/!?][^<>]*>?/gi, ' ')
    .replace(/&(#?\w{1,8});/g, (whole, name: string) => ENTITIES.get(name) ?? whole)
    .replace(/[<>]/g, ' ')
    .replace(/[\p{C}\u2028\u2029]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).toWellFormed()}…`
}

/** Whether a body is a web page, whatever its label says; comments may stand before it. */
export function isHtml(text: string): boolean {
  let rest = text.slice(0, MAX_INPUT).trimStart()
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->')
    if (end < 0) return false
    rest = rest.slice(end + 3).trimStart()
  }
  return /^<(?:!doctype html|html|head|body)\b/i.test(rest)
}

function withoutScripts(text: string): string {
  let rest = text
  for (const name of ['script', 'style']) {
    const parts = rest.split(new RegExp(`<${name}\\b`, 'i'))
    rest = parts
      .map((part, index) => {
        if (index === 0) return part
        const end = part.search(new RegExp(`</${name}`, 'i'))
        return end < 0 ? '' : part.slice(end)
      })
      .join(' ')
  }
  return rest
}

/** The contract allows 2,000 characters; a person reads a sentence or two. */
const MAX_FAILURE_TEXT = 500

/** How many fields of an `errors` map are told. */
const MAX_FIELDS = 12

const MAX_DEPTH = 4

/** The service's own words for a failure, fit to be shown; null where there are none. */
export function readFailureText(body: Uint8Array): string | null {
  const json = readJson(body)
  const text = json === null ? pageText(body) : textIn(json.value, 0)
  const plain = plainText(text, MAX_FAILURE_TEXT)
  return plain === '' ? null : plain
}

/** Pages of web servers say the same in title and heading: the title is enough. */
function pageText(body: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(body.subarray(0, 65_536))
  if (text.includes('\u0000')) return ''
  const title = /<title[^<>]*>([^<]{1,500})/i.exec(text)?.[1]?.trim()
  return title === undefined || title === '' ? text : title
}

function textIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return value.slice(0, 4_000)
  if (typeof value === 'number') return String(value)
  if (depth > MAX_DEPTH) return ''
  if (Array.isArray(value)) return joined(value.slice(0, MAX_FIELDS).map((item) => textIn(item, depth + 1)))
  return isRecord(value) ? recordText(value, depth) : ''
}

function recordText(record: JsonRecord, depth: number): string {
  const parts = [
    messageText(record, depth),
    fieldErrorsText(ownField(record, 'errors'), depth),
    isEmpty(ownField(record, 'error_description'))
      ? ''
      : textIn(ownField(record, 'error_description'), depth + 1),
  ]
  const message = joined(parts)
  if (message !== '') return message
  const inner = firstField(record, ['content', 'data', 'result', 'title', 'reason', 'description'])
  return textIn(inner, depth + 1)
}

/** `error` is a code beside a `message`, a sentence alone, or an object with both. */
function messageText(record: JsonRecord, depth: number): string {
  const message = textIn(firstField(record, ['message', 'detail', 'msg', 'mensaje']), depth + 1)
  const error = textIn(ownField(record, 'error'), depth + 1)
  const code = ownField(record, 'code')
  const codeText = typeof code === 'string' || typeof code === 'number' ? String(code).slice(0, 60) : ''
  const sentence = joined([error, message])
  return sentence !== '' && codeText !== '' ? `${sentence} (${codeText})` : sentence
}

function fieldErrorsText(errors: unknown, depth: number): string {
  if (!isRecord(errors)) return textIn(errors, depth + 1)
  const fields = Object.entries(errors).slice(0, MAX_FIELDS)
  return joined(fields.map(([field, texts]) => `${field.slice(0, 80)}: ${textIn(texts, depth + 1)}`))
}

function joined(parts: readonly string[]): string {
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))].join('; ')
}

const NO = new Set<unknown>([false, 0, '0', 'false', 'no'])

const YES = new Set<unknown>([true, 1, '1', 'true', 'yes'])

const FAILED = new Set<unknown>(['error', 'fail', 'failed', 'failure', 'ko', 'unauthorized', 'forbidden'])

/** `success:false` in any of PHP's spellings: a failure whatever the status of the answer is. */
export function saysNoSuccess(value: unknown): boolean {
  return isRecord(value) && NO.has(lowered(ownField(value, 'success')))
}

/**
 * Whether a body says that something failed, by `success:false` or by an error and nothing else. A record with an
 * id of its own is a thing and no error, even where it has a state called "failed".
 */
export function saysFailure(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (saysNoSuccess(value)) return true
  if (YES.has(lowered(ownField(value, 'success')))) return false
  if (idFrom(firstField(value, ['id', 'case_id', 'uuid'])) !== null) return false
  return carriesError(value) || FAILED.has(lowered(ownField(value, 'status'))) || hasErrorCode(value)
}

/** Whether an error stands in the record, beside whatever else is there. */
export function carriesError(record: JsonRecord): boolean {
  return ['error', 'errors'].some((name) => {
    const error = ownField(record, name)
    return !isEmpty(error) && !NO.has(lowered(error))
  })
}

/** An HTTP status repeated in the body, as some gateways do; 4xx and 5xx. */
function hasErrorCode(record: JsonRecord): boolean {
  return ['status', 'code', 'statusCode', 'status_code'].some((name) => {
    const code = ownField(record, name)
    return typeof code === 'string' ? /^[45]\d\d$/.test(code) : isErrorCode(code)
  })
}

function isErrorCode(code: unknown): boolean {
  return typeof code === 'number' && code >= 400 && code < 600
}

function lowered(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value
}

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
