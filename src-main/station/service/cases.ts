/** Parses cases and centers out of the service's answers: a single case, the id of a new one, and lists. */
import type { Center, ServiceCase } from '../../../src-shared/case.ts'
import type { RawAnswer } from './client.ts'
import {
  carriesError,
  firstField,
  idFrom,
  idFromUnnamed,
  isEmpty,
  isRecord,
  isSuccess,
  isUuid,
  type JsonRecord,
  ownField,
  readJson,
  saysBreakdown,
  saysFailure,
  saysNoSuccess,
  statesFailure,
  scalarText,
  jsonOfSuccess,
} from './answers.ts'

const ID_FIELDS = ['id', 'case_id', 'caseId', 'caso', 'caso_id', 'uuid']
const CONTAINER_FIELDS = ['case', 'caso', 'content', 'data', 'result']

/** Any of these fields marks an object without an id as a case. */
const CASE_FIELDS = 'history_number historyNumber visit_date visitDate first_name last_name images'.split(' ')
const MAX_DEPTH = 3

/** Longer than any name; `raw` holds the full text. */
const MAX_TEXT = 500

/** Of `GET /cases/{id}`, perhaps in an envelope; null without a case. Its id is the asked one if it states that or none. */
export function readCase(value: unknown, askedId: string): ServiceCase | null {
  const record = unwrapped(value, 0)
  if (record === null) return null
  const ids = idsIn(record)
  if (ids.length === 0 && firstField(record, CASE_FIELDS) === undefined) return null
  return caseOf(record, ids.includes(askedId) ? askedId : (ids[0] ?? askedId))
}

/** Does the answer say that there is no such case: null, `[]`, `{}`, or an envelope around one of them? */
export function saysNoCase(value: unknown): boolean {
  if (isEmpty(value)) return true
  if (!isRecord(value) || saysFailure(value)) return false
  const containers = CONTAINER_FIELDS.filter((name) => Object.hasOwn(value, name))
  return containers.length > 0 && containers.every((name) => isEmpty(ownField(value, name)))
}

/** Parses one item of a list; null if it has no id, neither its own nor the key it is listed under. */
function readListedCase(value: unknown, keyedId: string | null): ServiceCase | null {
  const bareId = idFromUnnamed(value)
  if (bareId !== null) return caseOf({ id: value }, bareId)
  const record = unwrapped(value, 0)
  if (record === null) return null
  const id = idFrom(firstField(record, ID_FIELDS)) ?? keyedId
  return id === null ? null : caseOf(record, id)
}

function unwrapped(value: unknown, depth: number): JsonRecord | null {
  if (!isRecord(value) || saysFailure(value) || Object.keys(value).length === 0) return null
  if (depth < MAX_DEPTH && idFrom(firstField(value, ID_FIELDS)) === null) {
    const containers = CONTAINER_FIELDS.filter((name) => Object.hasOwn(value, name))
    for (const name of containers) {
      const inner = unwrapped(ownField(value, name), depth + 1)
      if (inner !== null) return inner
    }
    if (containers.length > 0) return null
  }
  return value
}

function caseOf(record: JsonRecord, caseId: string): ServiceCase {
  const patient = [ownField(record, 'patient'), ownField(record, 'paciente')].find(isRecord) ?? {}
  const text = (...names: string[]): string | null => {
    const value = firstField(record, names) ?? firstField(patient, names)
    const named = isRecord(value) ? firstField(value, ['name', 'code', 'label', 'title', 'date']) : value
    return scalarText(named, MAX_TEXT)
  }
  return {
    caseId,
    state: text('state', 'status', 'estado', 'case_state', 'case_status'),
    historyNumber: text('history_number', 'historyNumber', 'history'),
    firstName: text('first_name', 'firstName'),
    lastName: text('last_name', 'lastName'),
    visitDate: text('visit_date', 'visitDate'),
    createdAt: text('created_at', 'createdAt', 'created', 'creation_date'),
    urgency: text('urgency', 'priority', 'urgencia'),
    raw: Object.fromEntries(Object.entries(record).filter(([name]) => name !== '__proto__')),
  }
}

const ID_CONTAINER_FIELDS = ['case', 'caso', 'content', 'data']

/**
 * The id of a new case; null unless a complete 2xx answer has exactly one. With two, searching the list is slow, but
 * never binds a submission to another patient's case.
 */
export function readCaseId(answer: RawAnswer): string | null {
  if (!answer.isComplete || !isSuccess(answer)) return null
  const json = readJson(answer.body)
  if (json?.hasOtherText === true && saysBreakdown(answer.body)) return null
  const value = json === null ? plainUuid(answer.body) : json.value
  // With the id of another case, perhaps: what was made of this one is looked up.
  if (isRecord(value) && (saysNoSuccess(value) || carriesError(value) || statesFailure(value))) return null
  const found = new Set(candidates(value, 0))
  if (found.size > 1) return null
  const [id] = found
  return id ?? idFromLocation(answer.headers['location'])
}

function plainUuid(body: Uint8Array): string | null {
  const text = new TextDecoder('utf-8').decode(body.subarray(0, 80)).trim()
  return isUuid(text) ? text : null
}

function candidates(value: unknown, depth: number): string[] {
  if (Array.isArray(value)) return value.length === 1 ? candidates(value[0], depth + 1) : []
  if (!isRecord(value)) return [idFromUnnamed(value)].filter((id) => id !== null)
  if (depth > MAX_DEPTH) return []
  // Of its own ids the first name wins, because it is the one that the paths use.
  return [
    ...idsIn(value).slice(0, 1),
    ...ID_CONTAINER_FIELDS.flatMap((name) => candidates(ownField(value, name) ?? null, depth + 1)),
  ]
}

function idsIn(record: JsonRecord): string[] {
  return ID_FIELDS.map((name) => idFrom(ownField(record, name))).filter((id) => id !== null)
}

/** `Location: …/cases/55`, the standard header of a 201. */
function idFromLocation(location: string | undefined): string | null {
  const segment = /(?:^|\/)cases\/([^/?#]{1,400})\/?(?:[?#]|$)/.exec(location ?? '')?.[1]
  if (segment === undefined) return null
  try {
    return idFrom(decodeURIComponent(segment))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** One page of `GET /cases`. Absence from a list is evidence, so only an explicit "none" counts as none. */
export type CaseListPage = {
  readonly cases: readonly ServiceCase[]
  /** Items without an id, which are missing from `cases`. */
  readonly unreadableCount: number
  /** The address of the next page as the body states it; null if it states none. */
  readonly nextLink: string | null
  /** The number of cases on all pages; null if the answer does not state it. */
  readonly total: number | null
  /** Does the answer announce more pages, with or without an address? */
  readonly saysMore: boolean
}

const MAX_LIST_DEPTH = 2

/** How the items of a list are recognised and read. `key`: what an item is listed under; null in an array. */
type ListShape<Item> = {
  /** Fields that hold the list in an envelope. */
  readonly fields: readonly string[]
  /** The item; null if it has no id. */
  read(value: unknown, key: string | null): Item | null
  /** PHP encodes an array with gaps as an object: may this be an entry of it? */
  isEntry(key: string, value: unknown): boolean
}

/** A list with the envelopes around it, the innermost first. */
type FoundList<Item> = { readonly items: readonly (Item | null)[]; readonly around: readonly JsonRecord[] }

/** The list in an answer: bare, in an envelope, or keyed by id, where `{}` means "none"; null if there is none. */
function listIn<Item>(value: unknown, shape: ListShape<Item>, depth = 0): FoundList<Item> | null {
  if (value === null) return { items: [], around: [] }
  if (Array.isArray(value)) return present(value.map((item) => shape.read(item, null)))
  if (!isRecord(value) || saysFailure(value)) return null
  for (const name of shape.fields.filter((name) => Object.hasOwn(value, name))) {
    const inner = depth < MAX_LIST_DEPTH ? listIn(ownField(value, name), shape, depth + 1) : null
    if (inner !== null) return { ...inner, around: [...inner.around, value] }
  }
  const entries = Object.entries(value)
  return entries.every(([key, item]) => shape.isEntry(key, item))
    ? present(entries.map(([key, item]) => shape.read(item, key)))
    : null
}

/** If no item has an id, this is some other list. */
function present<Item>(items: readonly (Item | null)[]): FoundList<Item> | null {
  return items.length > 0 && items.every((item) => item === null) ? null : { items, around: [] }
}

const CASE_LIST: ListShape<ServiceCase> = {
  fields: ['cases', 'casos', 'content', 'data', 'items', 'results'],
  read: (value, key) => readListedCase(value, idFromUnnamed(key)),
  isEntry: (key, value) => isRecord(value) && idFromUnnamed(key) !== null,
}

/** Frameworks put the address of the next page beside the list or in one of these. */
const PAGE_HOLDERS = ['meta', 'paging', 'pagination', 'links', '_links']
const LINK_FIELDS = ['next', 'next_page_url', 'nextPageUrl', 'next_url', 'nextLink']
const TOTAL_FIELDS = ['total', 'total_count', 'totalCount', 'totalItems']
const MORE_FIELDS = ['has_more', 'hasMore', 'has_next', 'hasNext']
const MAX_LINK_LENGTH = 4_000

/** `hasOtherText`: a program complained beside the list, and may have left out what it could not read. */
export type ShownPage = { readonly page: CaseListPage; readonly hasOtherText: boolean }

/** What an answer to `GET /cases` shows; null if it is no list. */
export function shownPageIn(answer: RawAnswer): ShownPage | null {
  // A 204 means "none"; any other empty body means nothing.
  const json = answer.status === 204 ? { value: null, hasOtherText: false } : jsonOfSuccess(answer)
  if (json === null) return null
  const page = parseCaseList(json.value)
  return page && { page, hasOtherText: json.hasOtherText }
}

/** Parses one page of the list; null if the answer contains no list. */
export function parseCaseList(value: unknown): CaseListPage | null {
  const found = listIn(value, CASE_LIST)
  if (found === null) return null
  const cases = found.items.filter((item) => item !== null)
  const unreadableCount = found.items.length - cases.length
  const page = { cases, unreadableCount, nextLink: null, total: null, saysMore: false }
  return found.around.reduce<CaseListPage>(withPaging, page)
}

function withPaging(page: CaseListPage, around: JsonRecord): CaseListPage {
  const holders = [around, ...PAGE_HOLDERS.map((name) => ownField(around, name)).filter(isRecord)]
  const [total] = holders
    .flatMap((holder) => TOTAL_FIELDS.map((name) => ownField(holder, name)))
    .filter(isCount)
  return {
    ...page,
    nextLink: page.nextLink ?? linkIn([...holders, ...relations(around)]),
    total: page.total ?? total ?? null,
    saysMore:
      page.saysMore ||
      holders.some((holder) => firstField(holder, MORE_FIELDS) === true || hasMorePages(holder)),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function hasMorePages(holder: JsonRecord): boolean {
  const current = firstField(holder, ['current_page', 'currentPage', 'page'])
  const last = firstField(holder, ['last_page', 'lastPage', 'total_pages', 'totalPages', 'pages'])
  return isCount(current) && isCount(last) && current < last
}

/** Converts `links: [{rel: "next", href}]` to `{next: href}`. */
function relations(record: JsonRecord): JsonRecord[] {
  const links = ownField(record, 'links')
  const next = Array.isArray(links)
    ? links.slice(0, 20).find((link) => isRecord(link) && link['rel'] === 'next')
    : null
  return isRecord(next) ? [{ next }] : []
}

function linkIn(holders: readonly JsonRecord[]): string | null {
  const nested = holders.map((holder) => ownField(holder, 'links')).filter(isRecord)
  for (const holder of [...holders, ...nested]) {
    const link = firstField(holder, LINK_FIELDS)
    const address = isRecord(link) ? firstField(link, ['href', 'url']) : link
    if (typeof address === 'string' && address.trim() !== '' && address.length <= MAX_LINK_LENGTH)
      return address.trim()
  }
  return null
}

/** The `rel="next"` of a `Link` header (RFC 8288); null if there is none. */
export function nextLinkOfHeader(header: string | undefined): string | null {
  for (const [, address, parameters] of (header ?? '').slice(0, 8_192).matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*"?([^";,]*)/i.exec(parameters ?? '')?.[1] ?? ''
    if (relations.toLowerCase().split(/\s+/).includes('next')) return address?.trim() ?? null
  }
  return null
}

const CENTER_ID_FIELDS = ['id', 'center_id', 'centerId', 'uuid', 'centro_id']
const NAME_FIELDS = ['name', 'title', 'description', 'nombre', 'label']
/** "active" can also mean "enabled"; see `marksOf`. */
const MARK_FIELDS = ['current', 'is_current', 'isCurrent', 'selected', 'is_selected', 'active', 'is_active']
/** Without `current`, which is a page number in some frameworks. */
const CURRENT_FIELDS =
  'current_center current_center_id currentCenter currentCenterId selected_center active_center'.split(' ')
const MAX_NAME = 200

type FoundCenter = {
  readonly centerId: string
  readonly name: string | null
  readonly record: JsonRecord | null
}

/** Parses the answer of `GET /centers`; null if it contains no list of centers. */
export function readCenters(value: unknown): readonly Center[] | null {
  const found = listIn(value, CENTER_LIST)?.items.filter((item) => item !== null)
  if (!found) return null
  const current = currentId(value, 0)
  const marks = current !== null && found.some(({ centerId }) => centerId === current) ? null : marksOf(found)
  return found.map(({ centerId, name }, index) => ({
    centerId,
    name,
    isCurrent: marks === null ? (current === null ? null : centerId === current) : (marks[index] ?? null),
  }))
}

const CENTER_LIST: ListShape<FoundCenter> = {
  fields: ['centers', 'centros', 'content', 'data', 'items', 'results'],
  read: (value, key) => centerOf(value, centerIdOf(key)),
  // Ids must contain a digit; otherwise the fields of a single object would look like a map.
  isEntry: (key, value) =>
    (isRecord(value) && centerIdOf(firstField(value, CENTER_ID_FIELDS)) !== null) ||
    (/\d/.test(key) && centerIdOf(key) !== null && (typeof value === 'string' || isRecord(value))),
}

function centerOf(item: unknown, keyedId: string | null): FoundCenter | null {
  if (!isRecord(item)) {
    const centerId = keyedId ?? (typeof item === 'number' ? centerIdOf(item) : null)
    const name = keyedId === null ? null : scalarText(item, MAX_NAME)
    return centerId === null ? null : { centerId, name, record: null }
  }
  const inner = ['center', 'centro'].map((name) => ownField(item, name)).find(isRecord)
  const centerId = centerIdOf(firstField(item, CENTER_ID_FIELDS)) ?? keyedId
  if (centerId === null) return inner === undefined ? null : centerOf(inner, null)
  return { centerId, name: scalarText(firstField(item, NAME_FIELDS), MAX_NAME), record: item }
}

/** Unlike a case, a center may have the id 0. */
function centerIdOf(value: unknown): string | null {
  return value === 0 || value === '0' ? '0' : idFrom(value)
}

/** The center marked as current by the first field that marks exactly one; several mean something else. */
function marksOf(found: readonly FoundCenter[]): readonly boolean[] | null {
  const flagsByField = MARK_FIELDS.map((field) =>
    found.map(({ record }) => (record === null ? null : flag(ownField(record, field)))),
  )
  const marking = flagsByField.filter((flags) => flags.filter((isCurrent) => isCurrent === true).length === 1)
  // A field of all centers goes first. If only some have it, its absence means "no".
  const chosen = marking.find((flags) => !flags.includes(null)) ?? marking[0]
  return chosen === undefined ? null : chosen.map((isCurrent) => isCurrent === true)
}

function flag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  return value === 1 || value === '1' ? true : value === 0 || value === '0' ? false : null
}

/** The id of the current center if the answer names it outside the list. */
function currentId(value: unknown, depth: number): string | null {
  if (!isRecord(value) || depth > MAX_LIST_DEPTH) return null
  const current = firstField(value, CURRENT_FIELDS)
  const id = isRecord(current) ? centerIdOf(firstField(current, CENTER_ID_FIELDS)) : centerIdOf(current)
  if (id !== null) return id
  for (const name of CENTER_LIST.fields) {
    const inner = currentId(ownField(value, name), depth + 1)
    if (inner !== null) return inner
  }
  return null
}
