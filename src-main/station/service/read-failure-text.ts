import { firstField, isEmpty, isRecord, ownField, type JsonRecord } from './json-record.ts'
import { plainText } from './plain-text.ts'
import { readJson } from './read-json.ts'

/** The contract allows 2,000 characters; a person reads a sentence or two. */
export const MAX_FAILURE_TEXT = 500

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
