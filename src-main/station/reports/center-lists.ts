/** The service that is asked for reports, and what a failure of it means for the others. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { DAY, HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { Failure, Result } from '../../../src-shared/failure.ts'
import { type ReportMark, saysAnswered } from '../lib/case-ids.ts'
import type { ServiceIdentity } from '../outbox/cases-and-centers.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { AnnouncedReport, ReportWatch } from '../outbox/reports.ts'
import type { Clock } from '../ports.ts'
import type { CaseList, ReportAnswer } from '../service/client.ts'
import { isOver } from './copies.ts'

/** What is about the way and not about one report: the others would hear the same. */
const SERVICE_WIDE_KINDS: readonly Failure['kind'][] = [
  'offline',
  'notAnswering',
  'signedOut',
  'throttled',
  'notTrusted',
  'proxySignIn',
  'centerNotChanged',
  'serviceNotSet',
  'secretsLocked',
]

/** The service that is set now, and what is asked of it; each question under the center of its case. */
export type ReportSource = {
  readonly identity: ServiceIdentity
  /** While the service is in trouble: when it is tried again. Null where it may be asked. */
  troubledUntil(): number | null
  getReport(watch: ReportWatch): Promise<Result<ReportAnswer>>
  listCases(centerId: string | null): Promise<Result<CaseList>>
  /** Keeps what a list says of our cases, and compares it with ours, as with every list that is read. */
  learnFromList(centerId: string | null, cases: readonly ServiceCase[]): Promise<void>
}

export function isServiceWide(failure: Failure): boolean {
  return SERVICE_WIDE_KINDS.includes(failure.kind)
}

/** A center that cannot be set keeps nobody of another center waiting. */
export function affectsAll(failure: Failure | null): failure is Failure {
  return failure !== null && isServiceWide(failure) && failure.kind !== 'centerNotChanged'
}

/** A service, or one center of it, as the key of what is remembered about it. */
export function serviceKey({ baseUrl, clientId }: ServiceIdentity, centerId?: string | null): string {
  return JSON.stringify([baseUrl, clientId, centerId])
}

// Can the service's list be believed where it says that a case has no report yet?

/** So many of the latest reports are looked at: a service that changes its ways is noticed. */
const REPORTS_SAMPLED = 20

/** Reports that the list told of before or when they came, without one that it was silent about. */
const REPORTS_FOR_PROOF = 3

/** A list that lags behind this much longer than a report was silent about it. */
const LAG_MS = HOUR

/** `tells`: proven. `silent`: a report came that the list does not know of. `unknown`: too little was seen. */
type ListReliability = 'unknown' | 'tells' | 'silent'

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

/** A list that was silent about a report is read more rarely: perhaps it tells by now. */
const SILENT_LIST_INTERVAL_MS = HOUR

/** Reads the lists of centers where cases wait for their reports, and judges by them which need not be asked about. */
type CenterLists = {
  /**
   * Reads the list of a center where several of these wait for their report, at most once in the interval. Answers with
   * the failure where the others would hear the same.
   */
  read(source: ReportSource, centerId: string | null, due: readonly ReportWatch[]): Promise<Failure | null>
  /** Which of a center need not be asked about now. Judged by what is known at that moment; nothing is asked. */
  canSkip(source: ReportSource, centerId: string | null): (watch: ReportWatch) => boolean
}

export function openCenterLists(options: {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly checkMs: () => number
}): CenterLists {
  const { outbox, clock, checkMs } = options
  const listReadAt = new Map<string, number>()

  const reliabilityOf = ({ identity }: ReportSource, centerId: string | null): ListReliability =>
    assessList(outbox.reports.announced({ ...identity, centerId }, REPORTS_SAMPLED), saysAnswered)

  return {
    read: async (source, centerId, due) => {
      if (due.filter((watch) => watch.first_version_at === null).length < 2) return null
      const key = serviceKey(source.identity, centerId)
      const isSilent = reliabilityOf(source, centerId) === 'silent'
      const pause = isSilent ? Math.max(SILENT_LIST_INTERVAL_MS, checkMs()) : checkMs()
      const readAt = listReadAt.get(key)
      if (readAt !== undefined && !isOver({ since: readAt, until: readAt + pause }, clock.now())) return null
      const list = await source.listCases(centerId)
      if (!list.ok && isServiceWide(list.failure)) return list.failure
      listReadAt.set(key, clock.now())
      if (list.ok) await source.learnFromList(centerId, list.value.cases)
      return null
    },
    canSkip: (source, centerId) => {
      const reliability = reliabilityOf(source, centerId)
      return (watch) => {
        if (reliability !== 'tells') return false
        const caseState = outbox.cases.stateOf({ ...source.identity, centerId }, watch.case_id)
        return canSkipCheck({
          reliability,
          firstVersionAt: watch.first_version_at,
          askedAt: watch.asked_at,
          listed: caseState && {
            isAnswered: saysAnswered({ state: caseState.state, mark: caseState.report_mark }),
            changedAt: caseState.changed_at,
            readAt: caseState.read_at,
          },
          freshSince: clock.now() - checkMs() - MINUTE,
          now: clock.now(),
        })
      }
    },
  }
}
