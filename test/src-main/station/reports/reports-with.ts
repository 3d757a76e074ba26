import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Loop } from '../../../../src-main/station/lib/schedule.ts'
import { openReports, type ReportClient } from '../../../../src-main/station/reports/reports.ts'
import type { ReportAnswer } from '../../../../src-main/station/service/client.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, startAttempt, MORNING, openTestOutbox, SERVICE } from '../../../tools/outbox-with.ts'
import { serviceCase } from '../delivery/scripted-service.ts'

export const NOT_READY: Result<ReportAnswer> = succeed({ kind: 'notReady' })

export function report(
  text: string,
  stated: Partial<Extract<ReportAnswer, { kind: 'report' }>> = {},
): Result<ReportAnswer> {
  const bytes = Buffer.from(text)
  return succeed({ kind: 'report', reportKind: 'text', contentType: 'text/plain', bytes, ...stated })
}

/** A case as a list shows it. */
export const listed = (caseId: string, state: string, stated: Partial<ServiceCase> = {}): ServiceCase =>
  serviceCase(caseId, { state, raw: { id: caseId, state }, ...stated })

export type Asked = { readonly caseId: string; readonly centerId: string | null; readonly at: number }

export type TestReports = {
  readonly test: ReturnType<typeof openTestOutbox>
  readonly clock: ManualClock
  readonly folder: string
  readonly asked: Asked[]
  /** When a list was read, milliseconds after the morning. */
  readonly lists: number[]
  readonly arrived: string[]
  /** As in the station while the breaker is open. */
  troubledUntil: number | null
  wake(): void
  readonly logger: ReturnType<typeof createRecordingLogger>
  send(
    caseId: string,
    options?: { centerId?: string | null; destination?: typeof SERVICE; at?: number },
  ): string
  open(): void
  /** Sends these cases, and opens the reports. */
  openWith(...caseIds: readonly string[]): void
}

/** Reports on a real outbox, with whatever the test lets the service answer. */
export function reportsWith(
  answer: (asked: Asked) => Result<ReportAnswer>,
  list: (at: number, centerId: string | null) => readonly ServiceCase[] | Failure['kind'] = () =>
    'answerUnreadable',
  checkSeconds = 300,
): TestReports {
  let loop: Loop | null = null
  // As in the station: whatever has changed may be due now.
  const test = openTestOutbox(undefined, () => loop?.wake())
  const clock = new ManualClock({ now: MORNING })
  const folder = join(test.folder, 'reports')
  const asked: Asked[] = []
  const lists: number[] = []
  const arrived: string[] = []
  const logger = createRecordingLogger()
  const clientOf = (centerId: string | null): ReportClient => ({
    getReport: (caseId) => {
      const question = { caseId, centerId, at: clock.now() - MORNING }
      asked.push(question)
      return Promise.resolve(answer(question))
    },
    listCases: () => {
      lists.push(clock.now() - MORNING)
      const cases = list(clock.now() - MORNING, centerId)
      return Promise.resolve(
        typeof cases === 'string' ? fail(failureOf(cases)) : succeed({ cases, isComplete: true }),
      )
    },
  })
  const made: TestReports = {
    troubledUntil: null,
    wake: () => loop?.wake(),
    test,
    clock,
    folder,
    asked,
    lists,
    arrived,
    logger,
    send: (caseId, { centerId = null, destination = SERVICE, at = MORNING } = {}) => {
      const id = addWaiting(test, { centerId })
      startAttempt(test, id, centerId)
      test.outbox.moveSubmission(id, 'deliveredNow', { caseId, sentAt: at }, { at })
      test.outbox.watchReport({ submissionId: id, caseId, destination: { ...destination, centerId }, at })
      return id
    },
    open: () => {
      const reports = openReports({
        outbox: test.outbox,
        clock,
        logger,
        settings: () => settingsSchema.parse({ reports: { checkSeconds } }),
        folder,
        delivery: () => ({
          identity: SERVICE,
          serviceStatus: () => ({ nextTryAt: made.troubledUntil }),
          learnFromList: (centerId, cases) => {
            test.outbox.saveCaseStates({ ...SERVICE, centerId }, cases, clock.now())
            return Promise.resolve()
          },
          ask: (centerId, question) => question(clientOf(centerId), new AbortController().signal),
        }),
      })
      reports.onArrived(({ caseId }) => void arrived.push(caseId))
      loop = reports
      onTestFinished(() => reports.close())
    },
    openWith: (...caseIds) => {
      for (const caseId of caseIds) made.send(caseId)
      made.open()
    },
  }
  return made
}
