/** The service that reports are requested from, and the lists of cases that spare single requests. */
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

/** These concern the route and not one report: every other request would fail as well. */
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

/** The service currently set, and the requests to it, each under the center of its case. */
export type ReportSource = {
  readonly identity: ServiceIdentity
  /** While the service is in trouble: when to try again, epoch milliseconds. Null if requests may go. */
  troubledUntil(): number | null
  getReport(watch: ReportWatch): Promise<Result<ReportAnswer>>
  listCases(centerId: string | null): Promise<Result<CaseList>>
  /** Saves what a list says about our cases, and audits it like every list. */
  learnFromList(centerId: string | null, cases: readonly ServiceCase[]): Promise<void>
}

export function isServiceWide(failure: Failure): boolean {
  return SERVICE_WIDE_KINDS.includes(failure.kind)
}

/** Does this failure stop every request? A center that cannot be set delays only its own cases. */
export function affectsAll(failure: Failure | null): failure is Failure {
  return failure !== null && isServiceWide(failure) && failure.kind !== 'centerNotChanged'
}

/** The key under which things are remembered about a service, or about one of its centers. */
export function serviceKey({ baseUrl, clientId }: ServiceIdentity, centerId?: string | null): string {
  return JSON.stringify([baseUrl, clientId, centerId])
}

/** Only the latest reports are considered, so that a change in the service's behaviour is noticed. */
const REPORTS_SAMPLED = 20

/** Reports that the list showed by the time they came, if it missed none. */
const REPORTS_FOR_PROOF = 3

/** A list that lags behind a report by more than this has missed it. */
const LAG_MS = HOUR

/** `tells`: proven. `silent`: it missed a report. `unknown`: too little was seen. */
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
 * May a due request be skipped, because the list has just shown that nothing changed? Once a day it is made all
 * the same.
 */
export function canSkipCheck(options: {
  readonly reliability: ListReliability
  readonly firstVersionAt: number | null
  readonly askedAt: number | null
  /** The state of the case in the list, and when the list was read. */
  readonly listed: {
    readonly isAnswered: boolean
    readonly changedAt: number
    readonly readAt: number
  } | null
  /** An older list says nothing about the present. */
  readonly freshSince: number
  readonly now: number
}): boolean {
  const { reliability, firstVersionAt, askedAt, listed, freshSince, now } = options
  if (reliability !== 'tells' || firstVersionAt !== null || askedAt === null || listed === null) return false
  // Times in the future are from before the clock was set back: their age is unknown.
  if (askedAt > now || listed.readAt > now) return false
  if (listed.isAnswered || listed.changedAt > askedAt || listed.readAt < freshSince) return false
  return now - askedAt < DAY
}

/** A list that missed a report is read less often: it may have improved. */
const SILENT_LIST_INTERVAL_MS = HOUR

/** Reads the lists of centers whose cases wait for reports, and finds the requests that they make unnecessary. */
type CenterLists = {
  /**
   * Reads the list of a center if several of these cases wait for their reports, at most once per interval.
   * Returns the failure if it would stop the other requests as well.
   */
  read(source: ReportSource, centerId: string | null, due: readonly ReportWatch[]): Promise<Failure | null>
  /**
   * Creates a test for the cases of a center that need no request now. Uses what is known already and makes no
   * request.
   */
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
