/** Can the service's list be believed where it says that a case has no report yet? */
import { DAY, HOUR } from '../../../src-shared/durations.ts'
import type { ReportMark } from '../listed-case.ts'
import type { AnnouncedReport } from '../outbox/report-store.ts'

/** So many of the latest reports are looked at: a service that changes its ways is noticed. */
export const REPORTS_SAMPLED = 20
/** Reports that the list told of before or when they came, without one that it was silent about. */
const REPORTS_FOR_PROOF = 3
/** A list that lags behind this much longer than a report was silent about it. */
const LAG_MS = HOUR

/** `tells`: proven. `silent`: a report came that the list does not know of. `unknown`: too little was seen. */
export type ListReliability = 'unknown' | 'tells' | 'silent'

type IsAnswered = (listed: { readonly state: string | null; readonly mark: ReportMark }) => boolean

export function assessList(reports: readonly AnnouncedReport[], saysAnswered: IsAnswered): ListReliability {
  let confirmed = 0
  for (const report of reports) {
    if (saysAnswered({ state: report.state, mark: report.report_mark })) {
      if (report.changed_at <= report.first_version_at) confirmed += 1
    } else if (report.read_at > report.first_version_at + LAG_MS) return 'silent'
  }
  return confirmed >= REPORTS_FOR_PROOF ? 'tells' : 'unknown'
}

/**
 * Need a case that is due not be asked about, because the list has just said that nothing has changed? Once a day it
 * is asked about all the same.
 */
export function canSkipCheck(options: {
  readonly reliability: ListReliability
  readonly firstVersionAt: number | null
  readonly askedAt: number | null
  /** What the list says of the case, and when it was last read there. */
  readonly listed: {
    readonly isAnswered: boolean
    readonly changedAt: number
    readonly readAt: number
  } | null
  /** A list that is older than this says nothing of now. */
  readonly freshSince: number
  readonly now: number
}): boolean {
  const { reliability, firstVersionAt, askedAt, listed, freshSince, now } = options
  if (reliability !== 'tells' || firstVersionAt !== null || askedAt === null || listed === null) return false
  // What was asked or read in the future was so before the clock was set back: nobody knows how old it is.
  if (askedAt > now || listed.readAt > now) return false
  if (listed.isAnswered || listed.changedAt > askedAt || listed.readAt < freshSince) return false
  return now - askedAt < DAY
}
