/**
 * The answer of `GET /cases`. A list that cannot be found is not an empty list: absence from it is evidence, so
 * only what plainly says "none" counts as none.
 */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { idFromUnnamed } from './identifier.ts'
import { firstField, isRecord, ownField, type JsonRecord } from './json-record.ts'
import { readListedCase } from './read-case.ts'
import { saysFailure } from './says-failure.ts'

export type CaseListPage = {
  readonly cases: readonly ServiceCase[]
  /** How many items carried no id and are therefore not among the cases. */
  readonly unreadableCount: number
  /** The address of the next page as it stood in the body; null where none is offered there. */
  readonly nextLink: string | null
  /** How many cases there are on all pages, where the answer says it. */
  readonly total: number | null
  /** Whether the answer says that there are more pages, with or without an address. */
  readonly saysMore: boolean
}

const LIST_FIELDS = ['cases', 'casos', 'content', 'data', 'items', 'results']
const MAX_DEPTH = 2
/** Where the frameworks put the address of the next page, beside the list or around it. */
const PAGE_HOLDERS = ['meta', 'paging', 'pagination', 'links', '_links']
const LINK_FIELDS = ['next', 'next_page_url', 'nextPageUrl', 'next_url', 'nextLink']
const TOTAL_FIELDS = ['total', 'total_count', 'totalCount', 'totalItems']
const MORE_FIELDS = ['has_more', 'hasMore', 'has_next', 'hasNext']
const MAX_LINK_LENGTH = 4_000
const NO_PAGING = { nextLink: null, total: null, saysMore: false }

/** One page of the list; null where there is no list in the answer. */
export function parseCaseList(value: unknown): CaseListPage | null {
  return pageOf(value, 0)
}

function pageOf(value: unknown, depth: number): CaseListPage | null {
  if (value === null) return { cases: [], unreadableCount: 0, ...NO_PAGING }
  if (Array.isArray(value)) return withCases(value.map((item) => readListedCase(item, null)))
  if (!isRecord(value) || saysFailure(value)) return null
  for (const name of LIST_FIELDS.filter((name) => Object.hasOwn(value, name))) {
    const inner = depth < MAX_DEPTH ? pageOf(ownField(value, name), depth + 1) : null
    if (inner !== null) return withPaging(inner, value)
  }
  return keyedById(value)
}

/** PHP writes an array with gaps as an object: every key is then an id, every value an object. `{}` is "none". */
function keyedById(record: JsonRecord): CaseListPage | null {
  const entries = Object.entries(record)
  const isKeyed = entries.every(([key, item]) => isRecord(item) && idFromUnnamed(key) !== null)
  return isKeyed ? withCases(entries.map(([key, item]) => readListedCase(item, idFromUnnamed(key)))) : null
}

/** Items without any id among them are some other list. */
function withCases(items: readonly (ServiceCase | null)[]): CaseListPage | null {
  const cases = items.filter((item) => item !== null)
  if (items.length > 0 && cases.length === 0) return null
  return { cases, unreadableCount: items.length - cases.length, ...NO_PAGING }
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

/** `links: [{rel: "next", href}]` read as `{next: href}`. */
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
    if (typeof address === 'string' && address.trim() !== '' && address.length <= MAX_LINK_LENGTH) {
      return address.trim()
    }
  }
  return null
}

/** The `rel="next"` of a `Link` header (RFC 8288); null where there is none. */
export function nextLinkOfHeader(header: string | undefined): string | null {
  for (const [, address, parameters] of (header ?? '').slice(0, 8_192).matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*"?([^";,]*)/i.exec(parameters ?? '')?.[1] ?? ''
    if (relations.toLowerCase().split(/\s+/).includes('next')) return address?.trim() ?? null
  }
  return null
}
