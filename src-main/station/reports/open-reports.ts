/** Asks for reports until there is one, keeps every version, and tells when a new one has come. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import type { ReportKind } from '../../../src-shared/report.ts'
import { fail, type Result } from '../../../src-shared/result.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import { writeDurably } from '../durable-file.ts'
import { openLoop, type Loop } from '../loop.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { ReportWatch } from '../outbox/report-store.ts'
import type { Clock, Logger } from '../ports.ts'
import type { ReportAnswer } from '../service/service-client.ts'
import { nextReportCheckAt } from './report-schedule.ts'

const EXTENSIONS: Readonly<Record<ReportKind, string>> = {
  pdf: 'pdf',
  json: 'json',
  html: 'html',
  text: 'txt',
  image: 'img',
  link: 'url',
}

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

export type ReportsOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: () => Settings
  readonly folder: string
  readonly ask: (watch: ReportWatch) => Promise<Result<ReportAnswer>>
  readonly onArrived: (arrived: { readonly caseId: string; readonly submissionId: string }) => void
}

/** Keeps one answer as a version; false where it is the one that is there already. */
async function keep(
  options: ReportsOptions,
  watch: ReportWatch,
  report: Extract<ReportAnswer, { kind: 'report' }>,
): Promise<boolean> {
  const sha256 = createHash('sha256').update(report.bytes).digest('hex')
  const fileName = `${sha256}.${EXTENSIONS[report.reportKind]}`
  if (options.outbox.latestReportHash(watch.submission_id) === sha256) return false
  // The bytes first, then the row: a row without bytes would be a lost report.
  await writeDurably(join(options.folder, fileName), report.bytes)
  return options.outbox.keepReportVersion({
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

export function openReports(options: ReportsOptions): Loop {
  const { outbox, clock, settings } = options

  const check = async (watch: ReportWatch): Promise<Failure | null> => {
    const answer = await options.ask(watch)
    const isNew =
      answer.ok && answer.value.kind === 'report' ? await keep(options, watch, answer.value) : false
    const now = clock.now()
    const next = nextReportCheckAt({
      sentAt: watch.sent_at,
      firstVersionAt: watch.first_version_at ?? (answer.ok && answer.value.kind === 'report' ? now : null),
      now,
      checkMs: settings().reports.checkSeconds * SECOND,
    })
    const isAboutTheWay = !answer.ok && ABOUT_THE_WAY.includes(answer.failure.kind)
    // What an outage kept from being asked is asked soon after it, and not at the pace of an old case.
    const nextAt = isAboutTheWay ? now + PAUSE_IN_TROUBLE_MS : next
    outbox.setNextCheck(watch.submission_id, nextAt, answer.ok ? null : answer.failure)
    if (isNew) options.onArrived({ caseId: watch.case_id, submissionId: watch.submission_id })
    return answer.ok ? null : answer.failure
  }

  /** A report that cannot be kept (a full disk, a file in its place) keeps nobody else's from coming. */
  const checkSafely = async (watch: ReportWatch): Promise<Failure | null> => {
    try {
      return await check(watch)
    } catch (error) {
      options.logger.error('a report could not be kept', {
        submission: watch.submission_id,
        error: error instanceof Error ? error.name : 'unknown',
      })
      outbox.setNextCheck(watch.submission_id, clock.now() + PAUSE_IN_TROUBLE_MS, failureOf('storage'))
      return null
    }
  }

  const run = async (): Promise<number | null> => {
    for (const watch of outbox.dueReportWatches(clock.now())) {
      const failure = await checkSafely(watch)
      // A center that cannot be set keeps nobody of another center waiting.
      const isEverybodys =
        failure !== null && ABOUT_THE_WAY.includes(failure.kind) && failure.kind !== 'centerNotChanged'
      if (isEverybodys) return clock.now() + PAUSE_IN_TROUBLE_MS
    }
    return outbox.nextReportCheckAt()
  }

  return openLoop({ name: 'asking for reports', clock, logger: options.logger, run })
}

/** Where no service is set, nobody can be asked. */
export function askNobody(): Promise<Result<ReportAnswer>> {
  return Promise.resolve(fail(failureOf('serviceNotSet')))
}
