/**
 * The ids and states of a case as the service reports them. A service may answer a new case with one id and list it
 * under another.
 */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { readUrgency } from '../../../src-shared/submission.ts'

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
