/** Can the service's list be believed where it says that a case has no report yet? */
import { DAY, HOUR } from '../../../src-shared/durations.ts'
import type { ReportMark } from '../listed-case.ts'
import type { ToldReport } from '../outbox/report-store.ts'

/** So many of the latest reports are looked at: a service that changes its ways is noticed. */
export const REPORTS_LOOKED_AT = 20
/** Reports that the list told of before or when they came, without one that it was silent about. */
const PROVEN_AFTER = 3
/** A list that lags behind this much longer than a report was silent about it. */
const LAG_MS = HOUR

/** `tells`: proven. `silent`: a report came that the list does not know of. `unknown`: too little was seen. */
export type Telling = 'unknown' | 'tells' | 'silent'

type Answered = (said: { readonly state: string | null; readonly mark: ReportMark }) => boolean

export function judgeTelling(reports: readonly ToldReport[], saysAnswered: Answered): Telling {
  let told = 0
  for (const report of reports) {
    if (saysAnswered({ state: report.state, mark: report.report_mark })) {
      if (report.changed_at <= report.first_version_at) told += 1
    } else if (report.read_at > report.first_version_at + LAG_MS) return 'silent'
  }
  return told >= PROVEN_AFTER ? 'tells' : 'unknown'
}

/**
 * Need a case that is due not be asked about, because the list has just said that nothing has changed? Once a day it
 * is asked about all the same.
 */
export function needsNoQuestion(given: {
  readonly telling: Telling
  readonly firstVersionAt: number | null
  readonly askedAt: number | null
  /** What the list says of the case, and when it was last read there. */
  readonly said: {
    readonly isAnswered: boolean
    readonly changedAt: number
    readonly readAt: number
  } | null
  /** A list that is older than this says nothing of now. */
  readonly freshSince: number
  readonly now: number
}): boolean {
  const { telling, firstVersionAt, askedAt, said, freshSince, now } = given
  if (telling !== 'tells' || firstVersionAt !== null || askedAt === null || said === null) return false
  // What was asked or read in the future was so before the clock was set back: nobody knows how old it is.
  if (askedAt > now || said.readAt > now) return false
  if (said.isAnswered || said.changedAt > askedAt || said.readAt < freshSince) return false
  return now - askedAt < DAY
}
