/** Reads the service's answers: JSON in any shape, and what an answer says of a failure. */
import { SECOND } from '../../../src-shared/durations.ts'
import type { RawAnswer } from './client.ts'
import { jsonWithin, withoutWrapping } from './answer-text.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function ownField(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** The first of the fields that is neither absent nor null. */
export function firstField(record: JsonRecord, names: readonly string[]): unknown {
  for (const name of names) {
    const value = ownField(record, name)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** Is it empty in PHP's sense: null, an empty string, array or object? */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) && Object.keys(value).length === 0
}

/** A string or number as text, at most `maxLength` characters; null for anything else. */
export function scalarText(value: unknown, maxLength: number): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' ? null : text.slice(0, maxLength).toWellFormed()
}

/** A program on the other side broke down, or complains, in place of an answer: PHP and Python, under any status. */
export function saysProgramError(body: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(body.subarray(0, MAX_INPUT))
  return /(?:^|[\n>])[ \t\r]*(?:PHP )?(?:(?:Fatal|Parse) error|Warning|Notice|Deprecated)(?:<\/b>)?:|Traceback \(most recent/.test(
    text,
  )
}

/** A program broke off, or something on the way refused: a value among such words may be what it was asked, or an error's own. */
export function saysBreakdown(body: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(body)
  return /(?:Fatal|Parse) error|Traceback \(most recent|Uncaught \w|\b(?:support|incident|ray|block)[ _-]?id\b/i.test(
    text,
  )
}

/** Deeper than any answer of a case service. Whatever writes the value out again recurses into it. */
const MAX_DEPTH = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** This bit turns a square bracket into a curly one. */
const CURLY = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

type Reviver = (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** The value of an answer. `hasOtherText`: other text stood around it, so a program on the other side has trouble. */
export type JsonAnswer = { readonly value: unknown; readonly hasOtherText: boolean }

/** Wrapped, as it may be null; null if no JSON or too deep. Unsafe integers stay text: ids are never rounded. */
export function readJson(bytes: Uint8Array): JsonAnswer | null {
  const text = new TextDecoder('utf-8').decode(bytes)
  const whole = depthOf(bytes) > MAX_DEPTH ? undefined : (parsed(text) ?? parsed(withoutWrapping(text)))
  if (whole !== undefined) return { value: whole, hasOtherText: false }
  const value = jsonWithin(text)
  if (value === null || depthOf(Buffer.from(value)) > MAX_DEPTH) return null
  return { value: parsed(value), hasOtherText: true }
}

/** Undefined if it is no JSON. */
function parsed(text: string): unknown {
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, preserveLargeNumbers) : JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** TC39 "JSON.parse source text access", in V8 since 11.4: the third argument carries the original digits. */
const preserveLargeNumbers: Reviver = (_key, value, context) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d{1,40}$/.test(source) ? source : value
}

function depthOf(bytes: Uint8Array): number {
  let depth = 0
  let deepest = 0
  let isInText = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (isInText) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if ((byte | CURLY) === OPEN) deepest = Math.max(deepest, ++depth)
    else if ((byte | CURLY) === CLOSE) depth--
  }
  return deepest
}

export function isSuccess({ status }: Pick<RawAnswer, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** The value of a successful answer, wrapped because it may be null; null if there is none. */
export function jsonOfSuccess(answer: RawAnswer): JsonAnswer | null {
  return isSuccess(answer) ? readJson(answer.body) : null
}

/** The contract's limit for ids. */
const MAX_LENGTH = 200

/** No white space, no control characters, nothing with a meaning in a path or in markup. */
const ID = /^[^\s\p{C}/\\?#%<>"'`{}|^[\]()]+$/u
const RESERVED_NAMES = new Set(['.', '..', 'null', 'undefined', 'none', 'nan', 'true', 'false'])
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id in a field named like one, as text; null if the value cannot be an id. Zero means "no row" in PHP. */
export function idFrom(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null
  const text = value.trim()
  if (text === '0' || !ID.test(text)) return null
  return RESERVED_NAMES.has(text.toLowerCase()) ? null : text
}

/** The id in a field such as `content`, which may hold a message: a text without a digit, or a date, is no id. */
export function idFromUnnamed(value: unknown): string | null {
  const id = idFrom(value)
  if (id === null || typeof value === 'number') return id
  return /\d/.test(id) && !/^\d{4}-\d{2}-\d{2}/.test(id) && !/[:,;!]/.test(id) ? id : null
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** No one reads more, and an endless page must not cost more. */
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

/** Up to their ends; one without an end takes the rest. */
const SCRIPTS = /<(script|style)\b[^]*?(?=<\/\1|$)/gi

/** Strips markup and invisible characters and shortens to `maxLength` characters on one line; may be empty. */
function plainText(text: string, maxLength: number): string {
  const plain = text
    .slice(0, MAX_INPUT)
    .replace(SCRIPTS, ' ')
    .replace(/<[a-z/!?][^<>]*>?/gi, ' ')
    .replace(/&(#?\w{1,8});/g, (whole, name: string) => ENTITIES.get(name) ?? whole)
    .replace(/[<>]/g, ' ')
    .replace(/[\p{C}\u2028\u2029]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).toWellFormed()}…`
}

/** Is the body a web page, whatever its label says? Comments may precede the markup. */
export function isHtml(text: string): boolean {
  let rest = text.slice(0, MAX_INPUT).trimStart()
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->')
    if (end < 0) return false
    rest = rest.slice(end + 3).trimStart()
  }
  return /^<(?:!doctype html|html|head|body)\b/i.test(rest)
}

/** The contract allows 2,000 characters; a person reads a sentence or two. */
const MAX_FAILURE_TEXT = 500

/** Fields of an `errors` map that are shown. */
const MAX_FIELDS = 12
const MAX_TEXT_DEPTH = 4

/** The service's own text about a failure, safe to show; null if there is none. */
export function readFailureText(body: Uint8Array): string | null {
  const json = readJson(body)
  if (json === null) return pageText(body)
  const stated = plainText(textIn(json.value, 0), MAX_FAILURE_TEXT)
  return stated === '' ? null : stated
}

/** What a firewall asks for. */
const INCIDENT =
  /\b(?:support|incident|ray|event|request|reference|transaction|error|case|block)[ _-]?(?:id|no|number|code)\b[^\w]{0,20}(?:is[^\w]{0,5})?[\w][\w.-]{3,80}/i

/** Does it name the number of an incident, as what blocks a request does? */
export function namesIncident(body: Uint8Array): boolean {
  return INCIDENT.test(readFailureText(body) ?? '')
}

const INCIDENT_FIELD = /^(?:support|incident|ray|event|request|block)[ _-]?id$/i

/** Its title, and what it says beside; web servers repeat the title in the heading. An incident's number is never cut off. */
function pageText(body: Uint8Array): string | null {
  const text = new TextDecoder('utf-8').decode(body.subarray(0, MAX_INPUT))
  if (text.includes('\u0000')) return null
  const title = plainText(TITLE.exec(text)?.[1] ?? '', MAX_FAILURE_TEXT)
  const rest = plainText(text.replace(TITLE, ' '), MAX_INPUT)
  const whole = rest.toLowerCase().startsWith(title.toLowerCase()) ? rest : joined([title, rest])
  if (whole.length <= MAX_FAILURE_TEXT) return whole === '' ? null : whole
  const incident = INCIDENT.exec(whole)?.[0] ?? ''
  const cut = plainText(whole, MAX_FAILURE_TEXT - incident.length - 3)
  return incident === '' || cut.includes(incident) ? cut : `${cut} (${incident})`
}

const TITLE = /<title[^<>]*>([^<]{1,500})(?:<\/title>)?/i

function textIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return value.slice(0, 4_000)
  if (typeof value === 'number') return String(value)
  if (depth > MAX_TEXT_DEPTH) return ''
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
    ...Object.entries(record).flatMap(([name, value]) =>
      INCIDENT_FIELD.test(name) && typeof value === 'string' ? [`${name}: ${value.slice(0, 80)}`] : [],
    ),
  ]
  const message = joined(parts)
  if (message !== '') return message
  const inner = firstField(record, ['content', 'data', 'result', 'title', 'reason', 'description'])
  return textIn(inner, depth + 1)
}

/** `error` may be a code beside a `message`, a whole sentence, or an object with both. */
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

/** Is there a `success:false`, in any of PHP's spellings? It means failure whatever the HTTP status. */
export function saysNoSuccess(value: unknown): boolean {
  return isRecord(value) && NO.has(lowered(ownField(value, 'success')))
}

/** `success:false`, or nothing but an error. With an id of its own it is data, even in a state called "failed". */
export function saysFailure(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (saysNoSuccess(value)) return true
  if (YES.has(lowered(ownField(value, 'success')))) return false
  if (idFrom(firstField(value, ['id', 'case_id', 'uuid'])) !== null) return false
  return carriesError(value) || statesFailure(value)
}

/** Does it call itself failed, by a word or by the status of an error? */
export function statesFailure(record: JsonRecord): boolean {
  return (
    ['status', 'result'].some((name) => FAILED.has(lowered(ownField(record, name)))) || hasErrorCode(record)
  )
}

/** Does the record contain an error, whatever else it contains? */
export function carriesError(record: JsonRecord): boolean {
  return ['error', 'errors'].some((name) => {
    const error = ownField(record, name)
    return !isEmpty(error) && !NO.has(lowered(error))
  })
}

/** Some gateways repeat the HTTP status in the body; 4xx and 5xx count. */
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

/** One year: anything longer is a mistake. */
const MAX_SECONDS = 31_536_000

/**
 * The earliest instant for another try, epoch milliseconds: the later of `Retry-After` (seconds or an HTTP date,
 * RFC 9110 10.2.3) and `retry_time` in the body. Null if the service names none.
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

/** Relative to the answer's own `Date` if present, because this computer's clock may be wrong. */
function secondsUntilDate(answer: RawAnswer, now: number): number | null {
  const until = httpDate(answer.headers['retry-after'])
  if (until === null) return null
  const since = httpDate(answer.headers['date']) ?? now
  return Math.min(Math.max((until - since) / SECOND, 0), MAX_SECONDS)
}

/** An HTTP date in epoch milliseconds. It must start with a weekday: `Date.parse` accepts nearly anything. */
export function httpDate(text: string | undefined): number | null {
  if (text === undefined || text.length > 60 || !/^\s*[A-Z][a-z]{2,8},/.test(text)) return null
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? null : instant
}
