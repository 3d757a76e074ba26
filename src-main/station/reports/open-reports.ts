/** Asks for reports until there is one, keeps every version, and tells when a new one has come. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import type { Result } from '../../../src-shared/result.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import { saysAnswered, urgencyRank } from '../listed-case.ts'
import { openLoop, type Loop } from '../loop.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { ReportWatch } from '../outbox/report-store.ts'
import type { Identity } from '../outbox/service-store.ts'
import type { Clock, Logger } from '../ports.ts'
import type { CaseList, ReportAnswer } from '../service/service-client.ts'
import { keepReport } from './keep-report.ts'
import { judgeTelling, needsNoQuestion, REPORTS_LOOKED_AT, type Telling } from './list-tells.ts'
import { isOver, type Pause } from './pause.ts'
import { longestReportPauseMs, nextReportCheckAt } from './report-schedule.ts'

/** What is about the way and not about one report: the others would hear the same. */
const ABOUT_THE_WAY: readonly Failure['kind'][] = [
  'offline',
  'notAnswering',
  'signedOut',
  'throttled',
  'notTrusted',
  'proxySignIn',
  'centerNotChanged',
  'serviceNotSet',
]
const PAUSE_IN_TROUBLE_MS = 30 * SECOND
/** A list that was silent about a report is read more rarely: perhaps it tells by now. */
const SILENT_LIST_MS = HOUR

/** The service that is set now, and what is asked of it; each question under the center of its case. */
export type ReportSource = {
  readonly identity: Identity
  /** While the service is in trouble: when it is tried again. Null where it may be asked. */
  troubledUntil(): number | null
  getReport(watch: ReportWatch): Promise<Result<ReportAnswer>>
  listCases(centerId: string | null): Promise<Result<CaseList>>
  /** Keeps what a list says of our cases, and compares it with ours, as with every list that is read. */
  learnFromList(centerId: string | null, cases: readonly ServiceCase[]): Promise<void>
}

export type ReportsOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: () => Settings
  readonly folder: string
  /** Null while no service is set: then nobody can be asked. */
  readonly source: () => ReportSource | null
  readonly onArrived: (arrived: { readonly caseId: string; readonly submissionId: string }) => void
}

/** What a person marked comes before what the service calls urgent. */
function rankOf(watch: ReportWatch): number {
  return watch.is_urgent === 1 ? 3 : urgencyRank(watch.urgency)
}

/** Urgent by hand, then by the service's own urgency; within that, a center at a time, since each switch costs. */
export function inOrderOfUrgency(watches: readonly ReportWatch[]): ReportWatch[] {
  const centers = [...new Set(watches.map((watch) => watch.center_id))]
  return watches.toSorted(
    (one, other) =>
      rankOf(other) - rankOf(one) || centers.indexOf(one.center_id) - centers.indexOf(other.center_id),
  )
}

/** A center that cannot be set keeps nobody of another center waiting. */
function isEverybodys(failure: Failure | null): failure is Failure {
  return failure !== null && ABOUT_THE_WAY.includes(failure.kind) && failure.kind !== 'centerNotChanged'
}

function keyOf({ baseUrl, clientId }: Identity, centerId?: string | null): string {
  return JSON.stringify([baseUrl, clientId, centerId])
}

export function openReports(options: ReportsOptions): Loop {
  const { outbox, clock, settings } = options
  const listReadAt = new Map<string, number>()
  /** What a service asked us to wait; of that service only. */
  let asked: { readonly by: string; readonly pause: Pause } | null = null
  const checkMs = (): number => settings().reports.checkSeconds * SECOND

  const nextAfter = (watch: ReportWatch, firstVersionAt: number | null): number | null =>
    nextReportCheckAt({ sentAt: watch.sent_at, firstVersionAt, now: clock.now(), checkMs: checkMs() })

  /** A time that the service asked for is obeyed exactly. */
  const againAfter = (failure: Failure): number =>
    Math.max(clock.now() + PAUSE_IN_TROUBLE_MS, failure.notBefore ?? 0)

  const pauseAfter = ({ identity }: ReportSource, failure: Failure): number => {
    const { notBefore } = failure
    if (notBefore !== undefined)
      asked = { by: keyOf(identity), pause: { since: clock.now(), until: notBefore } }
    return againAfter(failure)
  }

  /** When questions may go on, or null for now: whatever wakes the station, a wait is kept. */
  const waitsUntil = (source: ReportSource): number | null => {
    const now = clock.now()
    if (asked && asked.by === keyOf(source.identity) && !isOver(asked.pause, now)) return asked.pause.until
    const until = source.troubledUntil()
    return until === null ? null : Math.min(Math.max(until, now + SECOND), now + PAUSE_IN_TROUBLE_MS)
  }

  const check = async (source: ReportSource, watch: ReportWatch): Promise<Failure | null> => {
    const askedAt = clock.now()
    const answer = await source.getReport(watch)
    const report = answer.ok && answer.value.kind === 'report' ? answer.value : null
    const isNew = report ? await keepReport(options, watch, report) : false
    // What an outage kept from being asked is asked soon after it, and not at the pace of an old case.
    const isAboutTheWay = !answer.ok && ABOUT_THE_WAY.includes(answer.failure.kind)
    const nextAt = isAboutTheWay
      ? againAfter(answer.failure)
      : nextAfter(watch, watch.first_version_at ?? (report ? clock.now() : null))
    outbox.setNextCheck(watch.submission_id, nextAt, answer.ok ? null : answer.failure, askedAt)
    if (isNew) options.onArrived({ caseId: watch.case_id, submissionId: watch.submission_id })
    return answer.ok ? null : answer.failure
  }

  /** A report that cannot be kept (a full disk, a file in its place) keeps nobody else's from coming. */
  const checkSafely = async (source: ReportSource, watch: ReportWatch): Promise<Failure | null> => {
    try {
      return await check(source, watch)
    } catch (error) {
      options.logger.error('a report could not be kept', {
        submission: watch.submission_id,
        error: error instanceof Error ? error.name : 'unknown',
      })
      const now = clock.now()
      outbox.setNextCheck(watch.submission_id, now + PAUSE_IN_TROUBLE_MS, failureOf('storage'), now)
      return null
    }
  }

  const tellingOf = ({ identity }: ReportSource, centerId: string | null): Telling =>
    judgeTelling(outbox.toldReports({ ...identity, centerId }, REPORTS_LOOKED_AT), saysAnswered)

  /** Reads the list of a center where several cases wait for their report, at most once in the interval. */
  const readList = async (
    source: ReportSource,
    centerId: string | null,
    due: readonly ReportWatch[],
  ): Promise<Failure | null> => {
    const missing = due.filter((watch) => watch.center_id === centerId && watch.first_version_at === null)
    if (missing.length < 2) return null
    const key = keyOf(source.identity, centerId)
    const pause = tellingOf(source, centerId) === 'silent' ? Math.max(SILENT_LIST_MS, checkMs()) : checkMs()
    const readAt = listReadAt.get(key)
    if (readAt !== undefined && !isOver({ since: readAt, until: readAt + pause }, clock.now())) return null
    const list = await source.listCases(centerId)
    if (!list.ok && ABOUT_THE_WAY.includes(list.failure.kind)) return list.failure
    listReadAt.set(key, clock.now())
    if (list.ok) await source.learnFromList(centerId, list.value.cases)
    return null
  }

  const saysNothingNew = (source: ReportSource, watch: ReportWatch): boolean => {
    const said = outbox.caseStateOf(source.identity, watch.case_id)
    return needsNoQuestion({
      telling: tellingOf(source, watch.center_id),
      firstVersionAt: watch.first_version_at,
      askedAt: watch.asked_at,
      said: said && {
        isAnswered: saysAnswered({ state: said.state, mark: said.report_mark }),
        changedAt: said.changed_at,
        readAt: said.read_at,
      },
      freshSince: clock.now() - checkMs() - MINUTE,
      now: clock.now(),
    })
  }

  const run = async (): Promise<number | null> => {
    const source = options.source()
    if (!source) return null
    const waits = waitsUntil(source)
    if (waits !== null) return waits
    const due = inOrderOfUrgency(
      outbox.dueReportWatches(clock.now(), source.identity, longestReportPauseMs(checkMs())),
    )
    const listed = new Map<string | null, Failure | null>()
    for (const watch of due) {
      const waitsNow = waitsUntil(source)
      if (waitsNow !== null) return waitsNow
      const centerId = watch.center_id
      if (!listed.has(centerId)) listed.set(centerId, await readList(source, centerId, due))
      const trouble = listed.get(centerId) ?? null
      if (isEverybodys(trouble)) return pauseAfter(source, trouble)
      if (trouble) outbox.postponeCheck(watch.submission_id, againAfter(trouble))
      else if (saysNothingNew(source, watch))
        outbox.postponeCheck(watch.submission_id, nextAfter(watch, watch.first_version_at))
      else {
        const failure = await checkSafely(source, watch)
        if (isEverybodys(failure)) return pauseAfter(source, failure)
      }
    }
    return outbox.nextReportCheckAt(source.identity)
  }

  return openLoop({ name: 'asking for reports', clock, logger: options.logger, run })
}
