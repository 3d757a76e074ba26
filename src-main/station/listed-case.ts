/**
 * What the words of the service say about a case: is there a report, was it rejected, how urgent is it?
 *
 * None of these words is written down anywhere, so what is not known here says nothing.
 */
import type { ServiceCase } from '../../src-shared/case.ts'
import { readUrgency } from '../../src-shared/urgency.ts'

/** Whether the service says that there is a report; null where it says nothing of one. */
export type ReportMark = 'there' | 'notThere' | null

const MARK_FIELDS = [
  'has_report',
  'hasReport',
  'is_reported',
  'reported',
  'report_ready',
  'report_available',
  'report',
  'report_id',
  'report_url',
  'report_date',
  'reported_at',
  'informe',
]

const ANSWERED = /^(?:reported|reported_\w+|informad[oa]|answered|completed?|finished|closed)$/
const REJECTED = /^(?:reject(?:ed)?|rechazad[oa])(?:[_ -].*)?$/

/** One spelling of a state, for comparing. */
function plain(state: string | null): string {
  return (state ?? '').trim().toLowerCase()
}

/** Was the case answered with something else than a report: it cannot be read and must be made anew? */
export function isRejected(state: string | null): boolean {
  return REJECTED.test(plain(state))
}

/** Does the service say that it has done its part? */
export function saysAnswered(listed: { readonly state: string | null; readonly mark: ReportMark }): boolean {
  return listed.mark === 'there' || ANSWERED.test(plain(listed.state)) || isRejected(listed.state)
}

/** The mark of a report on a listed case. */
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

/** 2 urgent, 1 preferential, 0 everything else. */
export function urgencyRank(urgency: string | null): 0 | 1 | 2 {
  const read = readUrgency(urgency)
  if (read === 'urgent') return 2
  return read === 'preferential' ? 1 : 0
}
