/** Reads `GET /cases/report/{id}`. Labels lie: a document is recognised by its first bytes. */
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { ReportKind } from '../../../src-shared/report.ts'
import type { ServiceAddress } from './http.ts'
import type { RawAnswer, ReportAnswer } from './client.ts'
import {
  isEmpty,
  isHtml,
  isRecord,
  isSuccess,
  type JsonRecord,
  ownField,
  readJson,
  saysFailure,
  saysNoSuccess,
  saysProgramError,
} from './answers.ts'
import { encodingOf, utf8Of } from './answer-text.ts'

/** `unreadable`: not a report of any kind; `signInPage`: a page that asks for a password. */
type ReportReading = ReportAnswer | { readonly kind: 'unreadable' } | { readonly kind: 'signInPage' }

/** "Later" or "none"; 425 Too Early and 410 Gone are its rarer spellings. */
const NOT_READY_STATUSES = new Set([202, 204, 205, 404, 410, 425])

/** With these, `success:false` concerns the report and not the caller. */
const REFUSING_STATUSES = new Set([400, 409, 422, 423])

/** A link on the service's own origin is followed once; any other is itself the report, shown and never fetched. */
export async function getReport(
  address: ServiceAddress,
  caseId: string,
  askFor: (url: URL) => Promise<Result<RawAnswer>>,
  failed: (answer: RawAnswer) => Result<never>,
): Promise<Result<ReportAnswer>> {
  const url = address.endpoint('cases', 'report', caseId)
  const answer = await askFor(url)
  if (!answer.ok) return answer
  const reading = readReport(answer.value)
  const link = linkOf(reading)
  const target = link === null ? null : address.resolveLink(link, url)
  if (target === null) return resultOf(reading, answer.value, failed)
  const linked = await askFor(target)
  if (!linked.ok) return linked
  const document = readReport(linked.value)
  // The page behind the link is no report, or is not accessible to us: the person gets the link.
  const isDocument = document.kind === 'report' && document.reportKind !== 'link'
  return isDocument ? succeed(document) : resultOf(withAddress(reading, target), answer.value, failed)
}

function resultOf(
  reading: ReportReading,
  answer: RawAnswer,
  failed: (answer: RawAnswer) => Result<never>,
): Result<ReportAnswer> {
  if (reading.kind === 'unreadable') return failed(answer)
  if (reading.kind === 'signInPage') return fail(failureOf('wrongAddress', { status: answer.status }))
  return succeed(reading)
}

function linkOf(reading: ReportReading): string | null {
  const isLink = reading.kind === 'report' && reading.reportKind === 'link'
  return isLink ? new TextDecoder().decode(reading.bytes) : null
}

/** A bare path means nothing outside the service, so the report holds the full address. */
function withAddress(reading: ReportReading, target: URL): ReportReading {
  return reading.kind === 'report' ? { ...reading, bytes: Buffer.from(target.href) } : reading
}

/** Classifies a complete answer. A failure of the service itself (401, 5xx, …) is `unreadable`. */
export function readReport(answer: RawAnswer): ReportReading {
  if (NOT_READY_STATUSES.has(answer.status)) return { kind: 'notReady' }
  const label = answer.headers['content-type'] ?? ''
  const body = isDocument(answer.body) ? answer.body : utf8Of(answer.body, label)
  const json = isDocument(body) ? null : readJson(body)
  if (REFUSING_STATUSES.has(answer.status) && saysNoSuccess(json?.value)) return { kind: 'notReady' }
  if (!isSuccess(answer)) return { kind: 'unreadable' }
  if (json?.hasOtherText === true) return readReportJson(json.value, Buffer.from(JSON.stringify(json.value)))
  if (json !== null) return readReportJson(json.value, body)
  return readDocument(answer)
}

/** A PDF of many megabytes is not read as text. */
function isDocument(bytes: Uint8Array): boolean {
  return pdfIn(bytes) !== null || imageTypeOf(bytes) !== null
}

function readDocument({ body, headers }: RawAnswer): ReportReading {
  const pdf = pdfIn(body)
  if (pdf !== null) return report('pdf', 'application/pdf', pdf)
  const imageType = imageTypeOf(body)
  if (imageType !== null) return report('image', imageType, body)
  return readText(body, headers['content-type'] ?? '')
}

function readText(body: Uint8Array, label: string): ReportReading {
  const charset = encodingOf(body, label)
  const text = new TextDecoder(charset).decode(body)
  if (text.trim() === '') return { kind: 'notReady' }
  if (text.includes('\u0000') || saysProgramError(body)) return { kind: 'unreadable' }
  if (isHtml(text) || /^\s*text\/html/i.test(label)) {
    return asksForPassword(text)
      ? { kind: 'signInPage' }
      : report('html', `text/html;charset=${charset}`, body)
  }
  const document = documentInBase64(text)
  if (document !== null) return documentReport(document)
  if (isBinary(text)) return { kind: 'unreadable' }
  if (saysNotReady(text)) return { kind: 'notReady' }
  return report('text', 'text/plain;charset=utf-8', Buffer.from(text.toWellFormed()))
}

/** Such a page is a captive portal or the service's own login, not a report. */
function asksForPassword(page: string): boolean {
  return /<input\b[^<>]{0,2000}\btype\s*=\s*["']?password/i.test(page)
}

/** More than a trace of replacement and control characters: not text in any language. */
function isBinary(text: string): boolean {
  const start = text.slice(0, 4_096)
  const odd = start.match(/\ufffd|(?![\t\n\v\f\r])\p{Cc}/gu)?.length ?? 0
  return odd * 50 > start.length
}

function report(reportKind: ReportKind, contentType: string, bytes: Uint8Array): ReportAnswer {
  return { kind: 'report', reportKind, contentType, bytes }
}

/** Fields of an envelope that hold the report itself. */
const ENVELOPE_FIELDS = ['content', 'data', 'result', 'report', 'informe']
const LINK_FIELDS = 'url link href report_url pdf_url file_url download_url report_link pdf'.split(' ')
const LINK_CONTAINER_FIELDS = ['report', 'file', 'document', 'download', 'path']

/** Fields that are not findings: if there is nothing else, there is no report yet. */
const META_FIELDS = new Set(
  (
    'success status state code message msg id case_id caso uuid type name created_at updated_at date filename ' +
    'file_name content_type mime mime_type size ready is_ready retry_time expires expires_at error errors'
  ).split(' '),
)

/** Nodes searched for a document. */
const MAX_NODES = 20_000
const MAX_DEPTH = 5
const MAX_LINK = 4_000

const PENDING_STATES = new Set(
  'pending received processing in_progress waiting queued pendiente recibido'.split(' '),
)

const NOT_READY_PATTERN =
  /\bnot\b.{0,20}\b(?:ready|available|found|finished|generated|exist)|\bno report\b|\bpending\b|\bprocessing\b|\bin progress\b|\bpendiente\b|\bno (?:est[aá] )?(?:disponible|existe)|\ben proceso\b/i

/** Does a short sentence say that there is no report yet? A long text that mentions it is a report. */
function saysNotReady(text: string): boolean {
  return text.trim().length <= 200 && NOT_READY_PATTERN.test(text)
}

/** A document in base64, a link, findings, a text, or "not ready". `body`: the bytes that it was parsed from. */
function readReportJson(value: unknown, body: Uint8Array): ReportAnswer {
  if (isEmpty(value) || typeof value === 'boolean' || saysFailure(value)) return { kind: 'notReady' }
  if (typeof value === 'string') return readTextReport(value)
  const pdf = pdfWithin(value)
  if (pdf !== null) return pdf
  if (!isRecord(value)) return findings(body)
  const image = onlyImage(value)
  if (image !== null) return image
  if (value['ready'] === false || value['is_ready'] === false) return { kind: 'notReady' }
  const link = onlyLink(value)
  if (link !== null) return report('link', 'text/uri-list', Buffer.from(link))
  const inner = enveloped(value)
  if (inner !== undefined) return readReportJson(inner, Buffer.from(JSON.stringify(inner) ?? 'null'))
  return hasFindings(value) ? findings(body) : { kind: 'notReady' }
}

function readTextReport(text: string): ReportAnswer {
  const document = documentInBase64(text)
  if (document !== null) return documentReport(document)
  if (saysNotReady(text)) return { kind: 'notReady' }
  const link = text.trim()
  if (isLink(link)) return report('link', 'text/uri-list', Buffer.from(link))
  const bytes = Buffer.from(text.toWellFormed())
  return isHtml(text)
    ? report('html', 'text/html;charset=utf-8', bytes)
    : report('text', 'text/plain;charset=utf-8', bytes)
}

/** The first PDF in base64 anywhere inside is the whole report, whatever is beside it. */
function pdfWithin(value: unknown): ReportAnswer | null {
  let level: unknown[] = [value]
  let seen = 0
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: unknown[] = []
    for (const node of level) {
      if (++seen > MAX_NODES) return null
      if (typeof node === 'string') {
        const document = documentInBase64(node)
        if (document?.contentType === 'application/pdf') return documentReport(document)
      } else if (Array.isArray(node)) next.push(...node.slice(0, MAX_NODES))
      else if (isRecord(node)) next.push(...Object.values(node).slice(0, MAX_NODES))
    }
    level = next
  }
  return null
}

/** An image is the report only if there is nothing else; beside findings it is an illustration. */
function onlyImage(record: JsonRecord): ReportAnswer | null {
  const informative = informativeFields(record)
  const value = informative.length === 1 ? informative[0]?.[1] : undefined
  const document = typeof value === 'string' ? documentInBase64(value) : null
  return document === null ? null : documentReport(document)
}

/** The content of an envelope, if it is the only informative field. */
function enveloped(record: JsonRecord): unknown {
  const informative = Object.keys(record).filter((name) => !META_FIELDS.has(name))
  const [name] = informative
  return informative.length === 1 && name !== undefined && ENVELOPE_FIELDS.includes(name)
    ? (ownField(record, name) ?? null)
    : undefined
}

/** A link, if it is the only information. */
function onlyLink(record: JsonRecord): string | null {
  const informative = informativeFields(record)
  const links = informative.filter(([name, value]) => {
    if (typeof value !== 'string') return false
    const isRooted = LINK_FIELDS.includes(name) && /^\/[^/\s]\S*$/.test(value.trim())
    return isRooted || ([...LINK_FIELDS, ...LINK_CONTAINER_FIELDS].includes(name) && isLink(value.trim()))
  })
  const [link] = links
  return links.length > 0 && links.length === informative.length && typeof link?.[1] === 'string'
    ? link[1].trim()
    : null
}

function informativeFields(record: JsonRecord): [string, unknown][] {
  return Object.entries(record).filter(([name, value]) => !META_FIELDS.has(name) && !isEmpty(value))
}

function isLink(text: string): boolean {
  return text.length <= MAX_LINK && /^https?:\/\/[^\s/]+\S*$/i.test(text)
}

/** A message alone is a report unless it says that there is none. Numbers beside "pending" are no report. */
function hasFindings(record: JsonRecord): boolean {
  const informative = informativeFields(record)
  if (isPending(record)) return informative.some(([, value]) => isSubstantial(value))
  if (informative.length > 0) return true
  const message = ownField(record, 'message')
  return typeof message === 'string' && message.trim() !== '' && !saysNotReady(message)
}

function isSubstantial(value: unknown): boolean {
  return typeof value === 'string' ? value.length > 40 : typeof value === 'object'
}

function isPending(record: JsonRecord): boolean {
  const state = ownField(record, 'status') ?? ownField(record, 'state')
  return typeof state === 'string' && PENDING_STATES.has(state.trim().toLowerCase())
}

function findings(body: Uint8Array): ReportAnswer {
  return report('json', 'application/json', body)
}

function documentReport({ contentType, bytes }: { contentType: string; bytes: Uint8Array }): ReportAnswer {
  return report(contentType === 'application/pdf' ? 'pdf' : 'image', contentType, bytes)
}

/** The first bytes of what screens can show, as Latin-1. */
const IMAGE_STARTS: readonly (readonly [contentType: string, start: string])[] = [
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['image/gif', 'GIF8'],
]

/** Base64 forms of the signatures above, so that a long text is decoded only if it starts with one. */
const BASE64_STARTS = /^(?:JVBERi0|\/9j\/|iVBORw0KGgo|SUkqA|TU0AK|R0lGOD|UklGR)/
const DATA_PREFIX = /^data:[\w.+/-]{0,100}(?:;[\w=.-]{1,60})*;base64,/i

/** Decodes a document from base64, with or without a `data:` prefix and line breaks; null if it is none. */
function documentInBase64(text: string): { readonly contentType: string; readonly bytes: Uint8Array } | null {
  const trimmed = text.trimStart()
  const encoded = trimmed.slice(DATA_PREFIX.exec(trimmed.slice(0, 512))?.[0].length ?? 0).trimStart()
  if (!BASE64_STARTS.test(encoded.slice(0, 16).replace(/\s+/g, ''))) return null
  const compact = encoded.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) return null
  const bytes = Buffer.from(compact, 'base64')
  const pdf = pdfIn(bytes)
  if (pdf !== null) return { contentType: 'application/pdf', bytes: pdf }
  const contentType = imageTypeOf(bytes)
  return contentType === null ? null : { contentType, bytes }
}

/** The document if it is a PDF, without leading white space or byte order mark. */
function pdfIn(bytes: Uint8Array): Uint8Array | null {
  const start = /^[\t\n\r \xef\xbb\xbf]{0,64}(?=%PDF-)/.exec(startOf(bytes, 70))?.[0]
  return start === undefined ? null : bytes.subarray(start.length)
}

/** The media type of an image; null if no screen can show it. */
function imageTypeOf(bytes: Uint8Array): string | null {
  const start = startOf(bytes, 16)
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp'
  return IMAGE_STARTS.find(([, signature]) => start.startsWith(signature))?.[0] ?? null
}

function startOf(bytes: Uint8Array, length: number): string {
  return Buffer.from(bytes.subarray(0, length)).toString('latin1')
}
