/** Requests reports until there is one, and stores and announces every version. Lists spare single requests. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DAY, HOUR, SECOND } from '../../../src-shared/durations.ts'
import { type Failure, OF_THE_SERVICE, type Result } from '../../../src-shared/failure.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import type { ServiceStatus } from '../../../src-shared/station-status.ts'
import { saysAnswered, urgencyRank } from '../lib/service-case.ts'
import { writeDurably } from '../lib/files.ts'
import { eachSlice, openLoop } from '../lib/schedule.ts'
import { createSignal } from '../lib/part.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { ServiceIdentity } from '../outbox/cases-and-centers.ts'
import type { AnnouncedReport, ReportWatch } from '../outbox/reports.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Clock, Logger } from '../ports.ts'
import type { ReportAnswer, ServiceClient } from '../service/client.ts'
import { ENDINGS, isOver, type Pause } from './copies.ts'

/** A report may still change: for this long it is checked again, once a day. */
const RECHECK_FOR_MS = 30 * DAY

/** No request is planned further ahead than this, in milliseconds. */
function maxReportIntervalMs(checkMs: number): number {
  return Math.max(DAY, checkMs)
}

/**
 * When to ask again for the report of a case: after a tenth of the time since sending, between the setting and a day;
 * after the first version daily for thirty days, then never (null).
 */
export function planNextCheck(options: {
  readonly sentAt: number
  readonly firstVersionAt: number | null
  readonly now: number
  readonly checkMs: number
}): number | null {
  const { sentAt, firstVersionAt, now, checkMs } = options
  if (firstVersionAt === null)
    return Math.ceil(now + Math.min(Math.max(checkMs, (now - sentAt) / 10), maxReportIntervalMs(checkMs)))
  return now - firstVersionAt < RECHECK_FOR_MS ? now + DAY : null
}

/** Would every other request fail as well? A wrong address may be that of one report. */
function isServiceWide({ kind }: Failure): boolean {
  return [...OF_THE_SERVICE, 'centerNotChanged', 'serviceNotSet'].includes(kind) && kind !== 'wrongAddress'
}

/** Does this failure stop every request? A center that cannot be set delays only its own cases. */
function affectsAll(failure: Failure | null): failure is Failure {
  return failure !== null && isServiceWide(failure) && failure.kind !== 'centerNotChanged'
}

/** The key under which things are remembered about a service, or about one of its centers. */
function serviceKey({ baseUrl, clientId }: ServiceIdentity, centerId?: string | null): string {
  return JSON.stringify([baseUrl, clientId, centerId])
}

/** Only the latest reports are considered, so that a change in the service's behaviour is noticed. */
const REPORTS_SAMPLED = 20

/** Reports that the list showed by the time they came, if it missed none. */
const REPORTS_FOR_PROOF = 3

/** A list that lags behind a report by more than this has missed it. */
const LAG_MS = HOUR

/** A list that missed a report is read less often: it may have improved. */
const SILENT_LIST_INTERVAL_MS = HOUR

/** `proven`: it announced reports. `silent`: it missed a report. `unknown`: too little was seen. */
type ListReliability = 'unknown' | 'proven' | 'silent'

export function assessList(reports: readonly AnnouncedReport[]): ListReliability {
  let confirmed = 0
  for (const report of reports) {
    if (saysAnswered({ state: report.state, mark: report.report_mark })) {
      if (report.changed_at <= report.first_version_at) confirmed += 1
    } else if (report.read_at > report.first_version_at + LAG_MS) return 'silent'
  }
  return confirmed >= REPORTS_FOR_PROOF ? 'proven' : 'unknown'
}

/** Skip a due request, because the list shows no change since `freshSince`? Once a day it is made all the same. */
export function canSkipCheck(
  reliability: ListReliability,
  { first_version_at: firstVersionAt, asked_at: askedAt }: Pick<ReportWatch, 'first_version_at' | 'asked_at'>,
  listed: ReturnType<Outbox['caseStateOf']>,
  { freshSince, now }: { readonly freshSince: number; readonly now: number },
): boolean {
  if (reliability !== 'proven' || firstVersionAt !== null || askedAt === null || listed === null) return false
  // Times in the future are from before the clock was set back: their age is unknown.
  if (askedAt > now || listed.read_at > now) return false
  const isAnswered = saysAnswered({ state: listed.state, mark: listed.report_mark })
  if (isAnswered || listed.changed_at > askedAt || listed.read_at < freshSince) return false
  return now - askedAt < DAY
}

const PAUSE_IN_TROUBLE_MS = 30 * SECOND

export type ArrivedReport = {
  readonly caseId: string
  readonly submissionId: string
  /** A person, or the service, marked the case urgent. */
  readonly isUrgent: boolean
}

type ReportsOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: () => Settings
  readonly folder: string
  /** Null while no service is set: then no request can be made. */
  readonly delivery: () => ReportSource | null
}

/** The delivery to the service currently set, as reports ask it. */
type ReportSource = Pick<Delivery, 'identity' | 'learnFromList'> & {
  serviceStatus(): Pick<ServiceStatus, 'nextTryAt'>
  ask<Value>(
    centerId: string | null,
    question: (client: ReportClient, signal: AbortSignal) => Promise<Result<Value>>,
  ): Promise<Result<Value>>
}

export type ReportClient = Pick<ServiceClient, 'getReport' | 'listCases'>

/** From this rank on a case is urgent; the service's "preferential" is below it. */
const URGENT_RANK = 2

export function openReports(options: ReportsOptions) {
  const { outbox, clock, settings } = options
  const arrived = createSignal<[ArrivedReport]>()
  /** What a service asked us to wait; of that service only. */
  let requestedWait: { readonly by: string; readonly pause: Pause } | null = null
  const checkMs = (): number => settings().reports.checkSeconds * SECOND
  const listReadAt = new Map<string, number>()

  const nextAfter = (watch: ReportWatch, firstVersionAt: number | null): number | null =>
    planNextCheck({ sentAt: watch.sent_at, firstVersionAt, now: clock.now(), checkMs: checkMs() })

  /** A time that the service asked for is respected exactly. */
  const againAfter = (failure: Failure): number =>
    Math.max(clock.now() + PAUSE_IN_TROUBLE_MS, failure.notBefore ?? 0)

  const pauseAfter = ({ identity }: ReportSource, failure: Failure): number => {
    const { notBefore } = failure
    if (notBefore !== undefined)
      requestedWait = { by: serviceKey(identity), pause: { since: clock.now(), until: notBefore } }
    return againAfter(failure)
  }

  /** When requests may continue; null for now. A wait holds, whatever wakes the station. */
  const blockedUntil = (source: ReportSource): number | null => {
    const now = clock.now()
    const asked = requestedWait?.by === serviceKey(source.identity) ? requestedWait.pause : null
    if (asked && !isOver(asked, now)) return asked.until
    const until = source.serviceStatus().nextTryAt
    return until === null ? null : Math.min(Math.max(until, now + SECOND), now + PAUSE_IN_TROUBLE_MS)
  }

  const check = async (source: ReportSource, watch: ReportWatch): Promise<Failure | null> => {
    const askedAt = clock.now()
    const answer = await source.ask(watch.center_id, (client, signal) =>
      client.getReport(watch.case_id, signal),
    )
    const report = answer.ok && answer.value.kind === 'report' ? answer.value : null
    const isNew = report ? await saveReport(options, watch, report) : false
    // A request that an outage prevented is made soon after it, not at the pace of an old case.
    const nextAt =
      !answer.ok && isServiceWide(answer.failure)
        ? againAfter(answer.failure)
        : nextAfter(watch, watch.first_version_at ?? (report ? clock.now() : null))
    outbox.setNextReportCheck(watch.submission_id, nextAt, askedAt)
    if (isNew)
      arrived.emit({
        caseId: watch.case_id,
        submissionId: watch.submission_id,
        isUrgent: rankOf(watch) >= URGENT_RANK,
      })
    return answer.ok ? null : answer.failure
  }

  /** A report that cannot be stored (a full disk, a file in its place) does not hold up the others. */
  const checkSafely = async (source: ReportSource, watch: ReportWatch): Promise<Failure | null> => {
    try {
      return await check(source, watch)
    } catch (error) {
      options.logger.error('a report could not be kept', {
        submission: watch.submission_id,
        error: error instanceof Error ? error.name : 'unknown',
      })
      const now = clock.now()
      outbox.setNextReportCheck(watch.submission_id, now + PAUSE_IN_TROUBLE_MS, now)
      return null
    }
  }

  const reliabilityOf = ({ identity }: ReportSource, centerId: string | null): ListReliability =>
    assessList(outbox.announcedReports({ ...identity, centerId }, REPORTS_SAMPLED))

  /** Reads a center's list if several cases wait for reports, once per interval; a failure would stop all requests. */
  const readList = async (
    source: ReportSource,
    centerId: string | null,
    due: readonly ReportWatch[],
  ): Promise<Failure | null> => {
    if (due.filter((watch) => watch.first_version_at === null).length < 2) return null
    const key = serviceKey(source.identity, centerId)
    const isSilent = reliabilityOf(source, centerId) === 'silent'
    const pause = isSilent ? Math.max(SILENT_LIST_INTERVAL_MS, checkMs()) : checkMs()
    const readAt = listReadAt.get(key)
    if (readAt !== undefined && !isOver({ since: readAt, until: readAt + pause }, clock.now())) return null
    const list = await source.ask(centerId, (client, signal) => client.listCases(signal))
    if (!list.ok && isServiceWide(list.failure)) return list.failure
    listReadAt.set(key, clock.now())
    if (list.ok) await source.learnFromList(centerId, list.value.cases)
    return null
  }

  /** Postpones a center's cases that need no request, by slices of one commit; a failure if none can be made. */
  const postponeUnchanged = async (
    source: ReportSource,
    centerId: string | null,
    due: readonly ReportWatch[],
  ): Promise<Failure | ReadonlySet<string>> => {
    const trouble = await readList(source, centerId, due)
    if (affectsAll(trouble)) return trouble
    const settled = new Set<string>()
    const reliability = reliabilityOf(source, centerId)
    const isUnchanged = (watch: ReportWatch): boolean => {
      const now = clock.now()
      const listed = outbox.caseStateOf({ ...source.identity, centerId }, watch.case_id)
      return canSkipCheck(reliability, watch, listed, { freshSince: now - checkMs(), now })
    }
    await eachSlice(due, (slice) => {
      const spared = trouble ? slice : slice.filter(isUnchanged)
      outbox.write(() => {
        for (const watch of spared) {
          const nextAt = trouble ? againAfter(trouble) : nextAfter(watch, watch.first_version_at)
          outbox.postponeCheck(watch.submission_id, nextAt)
        }
      })
      for (const watch of spared) settled.add(watch.submission_id)
    })
    return settled
  }

  const run = async (): Promise<number | null> => {
    const source = options.delivery()
    if (!source) return null
    const waits = blockedUntil(source)
    if (waits !== null) return waits
    const due = sortByUrgency(
      outbox.dueReportWatches(clock.now(), source.identity, maxReportIntervalMs(checkMs())),
    )
    const settled = new Map<string | null, ReadonlySet<string>>()
    for (const watch of due) {
      const centerId = watch.center_id
      if (settled.get(centerId)?.has(watch.submission_id) === true) continue
      const waitsNow = blockedUntil(source)
      if (waitsNow !== null) return waitsNow
      if (!settled.has(centerId)) {
        const found = await postponeUnchanged(
          source,
          centerId,
          due.filter((one) => one.center_id === centerId),
        )
        if ('kind' in found) return pauseAfter(source, found)
        settled.set(centerId, found)
        if (found.has(watch.submission_id)) continue
      }
      const failure = await checkSafely(source, watch)
      if (affectsAll(failure)) return pauseAfter(source, failure)
    }
    return outbox.nextReportCheckAt(source.identity)
  }

  return {
    ...openLoop({ name: 'asking for reports', clock, logger: options.logger, run }),
    /** A new version has come and is kept. */
    onArrived: arrived.subscribe,
  }
}

/** Stores one answer as a version; false if it equals the latest one. */
async function saveReport(
  options: ReportsOptions,
  watch: ReportWatch,
  report: Extract<ReportAnswer, { kind: 'report' }>,
): Promise<boolean> {
  const sha256 = createHash('sha256').update(report.bytes).digest('hex')
  const fileName = `${sha256}.${ENDINGS[report.reportKind]}`
  if (options.outbox.latestReportHash(watch.submission_id) === sha256) return false
  // Bytes before row: a row without bytes would be a lost report.
  await writeDurably(join(options.folder, fileName), report.bytes)
  return options.outbox.saveReportVersion({
    submission_id: watch.submission_id,
    case_id: watch.case_id,
    kind: report.reportKind,
    content_type: report.contentType,
    size_bytes: report.bytes.byteLength,
    sha256,
    file_name: fileName,
    fetched_at: options.clock.now(),
  })
}

/** A person's mark precedes the service's urgency. */
function rankOf(watch: ReportWatch): number {
  return watch.is_urgent === 1 ? 3 : urgencyRank(watch.listed_urgency)
}

/** By a person's mark, then by the service's urgency, then by center, because each switch costs time. */
function sortByUrgency(watches: readonly ReportWatch[]): ReportWatch[] {
  const centers = [...new Set(watches.map((watch) => watch.center_id))]
  return watches.toSorted(
    (one, other) =>
      rankOf(other) - rankOf(one) || centers.indexOf(one.center_id) - centers.indexOf(other.center_id),
  )
}
