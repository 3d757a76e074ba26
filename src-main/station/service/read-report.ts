/**
 * The answer of `GET /cases/report/{id}`. "Not ready" has many forms; a document is known by its first bytes,
 * because labels lie.
 */
import type { ReportKind } from '../../../src-shared/report.ts'
import { isHtml } from './plain-text.ts'
import { readJson } from './read-json.ts'
import { readReportJson, saysNotReady } from './read-report-json.ts'
import { documentInBase64, imageTypeOf, pdfIn } from './report-bytes.ts'
import { saysNoSuccess } from './says-failure.ts'
import type { RawAnswer, ReportAnswer } from './service-client.ts'

/** `unreadable`: bytes that are no kind of report; `signInPage`: a page that asks for a password. */
export type ReportReading = ReportAnswer | { readonly kind: 'unreadable' } | { readonly kind: 'signInPage' }

/** Where the service says "later" or "none": 425 Too Early and 410 Gone are its rarer spellings. */
const NOT_READY_STATUSES = new Set([202, 204, 205, 404, 410, 425])
/** Statuses under which `success:false` speaks of the report and not of the caller. */
const REFUSING_STATUSES = new Set([400, 409, 422, 423])

/** Reads a whole answer; a failure of the service itself (401, 5xx, …) is not read here and is `unreadable`. */
export function readReport(answer: RawAnswer): ReportReading {
  if (NOT_READY_STATUSES.has(answer.status)) return { kind: 'notReady' }
  const json = firstIsJson(answer.body) ? readJson(answer.body) : null
  if (REFUSING_STATUSES.has(answer.status) && saysNoSuccess(json?.value)) return { kind: 'notReady' }
  if (answer.status < 200 || answer.status > 299) return { kind: 'unreadable' }
  if (json !== null) return readReportJson(json.value, answer.body)
  return readDocument(answer)
}

/** Spares a PDF of many megabytes the attempt to parse it. */
function firstIsJson(bytes: Uint8Array): boolean {
  const first = new TextDecoder('utf-8').decode(bytes.subarray(0, 64)).trimStart().slice(0, 1)
  return first !== '' && /[[{"\dntf-]/.test(first)
}

function readDocument({ body, headers }: RawAnswer): ReportReading {
  const pdf = pdfIn(body)
  if (pdf !== null) return report('pdf', 'application/pdf', pdf)
  const imageType = imageTypeOf(body)
  if (imageType !== null) return report('image', imageType, body)
  return readText(body, headers['content-type'] ?? '')
}

function readText(body: Uint8Array, label: string): ReportReading {
  const charset = charsetOf(label)
  const text = new TextDecoder(charset).decode(body)
  if (text.trim() === '') return { kind: 'notReady' }
  if (text.includes('\u0000')) return { kind: 'unreadable' }
  if (isHtml(text) || /^\s*text\/html/i.test(label)) {
    return asksForPassword(text)
      ? { kind: 'signInPage' }
      : report('html', `text/html;charset=${charset}`, body)
  }
  const document = documentInBase64(text)
  if (document !== null) {
    const kind = document.contentType === 'application/pdf' ? 'pdf' : 'image'
    return report(kind, document.contentType, document.bytes)
  }
  if (isBinary(text)) return { kind: 'unreadable' }
  if (saysNotReady(text)) return { kind: 'notReady' }
  return report('text', 'text/plain;charset=utf-8', Buffer.from(text.toWellFormed()))
}

/** A page of this kind is a captive portal or the service's own login, and no report. */
function asksForPassword(page: string): boolean {
  return /<input\b[^<>]{0,2000}\btype\s*=\s*["']?password/i.test(page)
}

/** More than a trace of replacement and control characters: no text of any language. */
function isBinary(text: string): boolean {
  const start = text.slice(0, 4_096)
  const odd = start.match(/\ufffd|(?![\t\n\v\f\r])\p{Cc}/gu)?.length ?? 0
  return odd * 50 > start.length
}

function charsetOf(label: string): string {
  const name = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(label)?.[1]
  try {
    return new TextDecoder(name ?? 'utf-8').encoding
  } catch (error) {
    if (error instanceof RangeError) return 'utf-8'
    throw error
  }
}

function report(reportKind: ReportKind, contentType: string, bytes: Uint8Array): ReportAnswer {
  return { kind: 'report', reportKind, contentType, bytes }
}
