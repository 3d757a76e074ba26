/** Reports that come as JSON: a document in base64, a link to one, findings, words, or "not yet". */
import type { ReportKind } from '../../../src-shared/report.ts'
import type { ReportAnswer } from './service-client.ts'
import { isEmpty, isRecord, ownField, type JsonRecord } from './json-record.ts'
import { isHtml } from './plain-text.ts'
import { documentInBase64 } from './report-bytes.ts'
import { saysFailure } from './says-failure.ts'

/** What holds the report; everything else on an envelope only speaks about it. */
const ENVELOPE_FIELDS = ['content', 'data', 'result', 'report', 'informe']
const LINK_FIELDS = [
  'url',
  'link',
  'href',
  'report_url',
  'pdf_url',
  'file_url',
  'download_url',
  'report_link',
  'pdf',
]
const LINK_CONTAINER_FIELDS = ['report', 'file', 'document', 'download', 'path']
/** Fields that are no finding: without any other, there is no report yet. */
const META_FIELDS = new Set(
  (
    'success status state code message msg id case_id caso uuid type name created_at updated_at date filename ' +
    'file_name content_type mime mime_type size ready is_ready retry_time expires expires_at error errors'
  ).split(' '),
)
/** A reader that was told more than this looks no further for a document. */
const MAX_NODES = 20_000
const MAX_DEPTH = 5
const MAX_LINK = 4_000

const PENDING_STATES = new Set(
  'pending received processing in_progress waiting queued pendiente recibido'.split(' '),
)
const NOT_READY_PATTERN =
  /\bnot\b.{0,20}\b(?:ready|available|found|finished|generated|exist)|\bno report\b|\bpending\b|\bprocessing\b|\bin progress\b|\bpendiente\b|\bno (?:est[aá] )?(?:disponible|existe)|\ben proceso\b/i

/** Whether a short sentence says that there is no report yet. A long one is a report that mentions it. */
export function saysNotReady(text: string): boolean {
  return text.trim().length <= 200 && NOT_READY_PATTERN.test(text)
}

/** Reads a parsed JSON answer; `body` are the bytes it was parsed from. */
export function readReportJson(value: unknown, body: Uint8Array): ReportAnswer {
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

/** The first PDF that stands anywhere inside as base64: it is the whole report, whatever is told beside it. */
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

/** An image is the report only where nothing else is told; beside findings it is an illustration. */
function onlyImage(record: JsonRecord): ReportAnswer | null {
  const informative = informativeFields(record)
  const value = informative.length === 1 ? informative[0]?.[1] : undefined
  const document = typeof value === 'string' ? documentInBase64(value) : null
  return document === null ? null : documentReport(document)
}

/** The content of an envelope: the only field that says more than something about the report. */
function enveloped(record: JsonRecord): unknown {
  const informative = Object.keys(record).filter((name) => !META_FIELDS.has(name))
  const [name] = informative
  return informative.length === 1 && name !== undefined && ENVELOPE_FIELDS.includes(name)
    ? (ownField(record, name) ?? null)
    : undefined
}

/** A link where nothing else is told beside it. */
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

/** A message alone is the report where it does not say that there is none; numbers beside "pending" are no report. */
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

function report(reportKind: ReportKind, contentType: string, bytes: Uint8Array): ReportAnswer {
  return { kind: 'report', reportKind, contentType, bytes }
}
