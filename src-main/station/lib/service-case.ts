/**
 * What a case of the service says, in whatever shape: its ids and states, and how many images it shows. A service may answer
 * a new case with one id and list it under another. Nothing is published about images, so their count is read from the names
 * of fields: arrays, objects by id or by eye, counts, lists in a text, also nested.
 */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { readUrgency } from '../../../src-shared/submission.ts'
import { jsonIn } from './errors.ts'

const ID_FIELDS = ['id', 'case_id', 'caseId', 'caso', 'caso_id', 'uuid']
const MAX_LENGTH = 200
const IDS_CACHE = new WeakMap<ServiceCase, readonly string[]>()

/** Every id that the service reports for a case; the id that it is read under comes first. */
export function idsOf(one: ServiceCase): readonly string[] {
  const cached = IDS_CACHE.get(one)
  if (cached) return cached
  const others = ID_FIELDS.map((name) => (Object.hasOwn(one.raw, name) ? idIn(one.raw[name]) : null))
  const ids = [...new Set([one.caseId, ...others.filter((id) => id !== null)])]
  IDS_CACHE.set(one, ids)
  return ids
}

function idIn(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null
  const text = value.trim()
  // A text that was cut amid a letter comes back from the outbox as another.
  return text === '' || text === '0' || !text.isWellFormed() ? null : text
}

/** A second plain number may be the first id of another case, so a new case must not pass for an old one by it. */
export function unambiguousIdsOf(one: ServiceCase): readonly string[] {
  return idsOf(one).filter((id, index) => index === 0 || !/^\d+$/.test(id))
}

export function hasId(one: ServiceCase, caseId: string): boolean {
  return idsOf(one).includes(caseId)
}

/** The case for an id: the one read under it, or else the only one that lists it as a further id. */
export function caseOfId(cases: readonly ServiceCase[], caseId: string): ServiceCase | undefined {
  const read = cases.find((one) => one.caseId === caseId)
  if (read) return read
  const [first, second] = cases.filter((one) => hasId(one, caseId))
  return second ? undefined : first
}

/** Whether the service reports a report for the case; null if it says nothing. */
export type ReportMark = 'there' | 'notThere' | null

const MARK_FIELDS = (
  'has_report hasReport is_reported reported report_ready report_available ' +
  'report report_id report_url report_date reported_at informe'
).split(' ')

const ANSWERED = /^(?:reported|reported_\w+|informad[oa]|answered|completed?|finished|closed)$/
const REJECTED = /^(?:reject(?:ed)?|rechazad[oa])(?:[_ -].*)?$/

/** Rejected: unreadable, capture it again. The service documents no states, so an unknown one means nothing. */
export function isRejected(state: string | null): boolean {
  return REJECTED.test(plain(state))
}

function plain(state: string | null): string {
  return (state ?? '').trim().toLowerCase()
}

/** True if the service reports that it is done with the case. */
export function saysAnswered(listed: { readonly state: string | null; readonly mark: ReportMark }): boolean {
  return listed.mark === 'there' || ANSWERED.test(plain(listed.state)) || isRejected(listed.state)
}

export function reportMarkOf(one: Pick<ServiceCase, 'raw'>): ReportMark {
  const values = MARK_FIELDS.filter((name) => Object.hasOwn(one.raw, name)).map((name) => one.raw[name])
  if (values.length === 0) return null
  return values.some(saysYes) ? 'there' : 'notThere'
}

function saysYes(value: unknown): boolean {
  if (typeof value === 'string') return !['', '0', 'false', 'no', 'null', 'pending'].includes(plain(value))
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value === true || (typeof value === 'number' && value > 0)
}

/** 2 urgent, 1 preferential, 0 anything else. */
export function urgencyRank(urgency: string | null): 0 | 1 | 2 {
  const read = readUrgency(urgency)
  if (read === 'urgent') return 2
  return read === 'preferential' ? 1 : 0
}

/** What a field is about, the surest first. */
const NOUNS: readonly ReadonlySet<string>[] = [
  'image images img imgs imagen imagenes retinography retinographies retinografia retinografias',
  'photo photos photograph photographs foto fotos fotografia fotografias picture pictures',
  'file files archivo archivos attachment attachments adjunto adjuntos media',
].map((names) => new Set(names.split(' ')))

const EYES = new Set('od os oi ou right left both derecho izquierdo'.split(' '))
const COUNTS = new Set('count counts total num number n no cantidad numero'.split(' '))
/** With any other part a field is about something else: `images_expected`, `max_images`, `image_quality`. */
const PLAIN = new Set(
  'of de list ids id uuids uuid urls url links names data saved stored received kept case fundus retinal retina eye'.split(
    ' ',
  ),
)
const LISTS = ['data', 'items', 'list', 'results', 'content']
const MAX_DEPTH = 4
const MAX_FIELDS = 200

/** The number of images that a case shows, or the answer to a new one; null if nothing in it states a number. */
export function countImages(value: unknown, depth = 0): number | null {
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) return value.length === 1 ? countImages(value[0], depth + 1) : null
  if (!isRecord(value)) return null
  const fields = Object.entries(value).slice(0, MAX_FIELDS)
  const stated = NOUNS.map((nouns) => statedCount(fields, nouns)).filter((count) => count !== null)
  // An empty list beside a number was not filled in.
  const own = stated.find((count) => count > 0) ?? stated[0]
  if (own !== undefined) return own
  // By eye or by visit, or in an envelope: the parts make up the whole.
  const inner = fields.map(([, part]) => (isRecord(part) ? countImages(part, depth + 1) : null))
  return sumOf(inner)
}

/** As `countImages`, of the body of an answer as it was kept. */
export function countImagesInAnswer(body: Uint8Array | null): number | null {
  return body === null ? null : countImages(jsonIn(new TextDecoder().decode(body)))
}

function statedCount(
  fields: readonly (readonly [string, unknown])[],
  nouns: ReadonlySet<string>,
): number | null {
  const found = { lists: [] as Field[], counts: [] as Field[] }
  for (const [name, value] of fields) {
    const parts = partsOf(name)
    if (!parts.some((part) => nouns.has(part)) || !parts.every((part) => nouns.has(part) || isKnown(part)))
      continue
    const isCount = parts.some((part) => COUNTS.has(part)) || typeof value === 'number'
    const isOne = !isCount && !Array.isArray(value) && !parts.some(isPlural)
    const isThere = value !== null && value !== ''
    const count = isCount ? numberIn(value) : isOne ? (isThere ? 1 : null) : lengthOf(value)
    const ofEye = parts.some((part) => EYES.has(part))
    if (count !== null) found[isCount ? 'counts' : 'lists'].push({ count, ofEye })
  }
  const totals = [totalOf(found.lists), totalOf(found.counts)].filter((count) => count !== null)
  return totals.find((count) => count > 0) ?? totals[0] ?? null
}

type Field = { readonly count: number; readonly ofEye: boolean }

/** Of one field for all, or of one for each eye. */
function totalOf(fields: readonly Field[]): number | null {
  const whole = fields.filter(({ ofEye }) => !ofEye).map(({ count }) => count)
  const ofEyes = fields.filter(({ ofEye }) => ofEye).map(({ count }) => count)
  return whole.find((count) => count > 0) ?? sumOf(ofEyes) ?? whole[0] ?? null
}

function sumOf(counts: readonly (number | null)[]): number | null {
  const stated = counts.filter((count) => count !== null)
  return stated.length === 0 ? null : stated.reduce((sum, count) => sum + count, 0)
}

function isPlural(part: string): boolean {
  return part.endsWith('s') || part === 'media'
}

function isKnown(part: string): boolean {
  return EYES.has(part) || COUNTS.has(part) || PLAIN.has(part)
}

/** `imageCount`, `image_count` and `Image-Count` alike. */
function partsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const split = plain.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return split.split(/[^a-z]+/).filter((part) => part !== '')
}

function numberIn(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return /^\d{1,6}$/.test(text)
    ? Number(text)
    : isRecord(value) || Array.isArray(value)
      ? lengthOf(value)
      : null
}

/** The number of things in a list of any shape; null if it is none. */
function lengthOf(value: unknown): number | null {
  if (Array.isArray(value)) return sumOf(value.map(shareOf)) ?? 0
  if (typeof value === 'string') return lengthOfText(value.trim())
  return isRecord(value) ? lengthOfRecord(value) : null
}

/** An entry of a list is one image, unless it holds the images of an eye. */
function shareOf(value: unknown): number | null {
  if (value === null || value === '') return null
  if (Array.isArray(value)) return lengthOf(value)
  return isRecord(value) ? (countImages(value, MAX_DEPTH) ?? 1) : 1
}

function lengthOfRecord(record: Readonly<Record<string, unknown>>): number {
  for (const name of LISTS) {
    const list = record[name]
    if (Array.isArray(list) || isRecord(list)) return lengthOf(list) ?? 0
  }
  for (const [name, value] of Object.entries(record)) {
    const count = COUNTS.has(name.toLowerCase()) ? numberIn(value) : null
    if (count !== null) return count
  }
  return sumOf(Object.values(record).map(shareOf)) ?? 0
}

/** `a.jpg, b.jpg`, a list in JSON within JSON, or `2 images`; a single name is one. */
function lengthOfText(text: string): number | null {
  if (/^[[{]/.test(text)) return lengthOf(jsonIn(text))
  const number = /^(\d{1,6})(?:\s+\p{L}+)?$/u.exec(text)?.[1]
  if (number !== undefined) return Number(number)
  return text.split(/[,;|\n]+/).filter((part) => part.trim() !== '').length
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The images that a case sends: without those that a person excluded, and each photograph once. */
export function isSent(image: {
  readonly excluded_because: string | null
  readonly twin_of: string | null
}): boolean {
  return image.excluded_because === null && image.twin_of === null
}
