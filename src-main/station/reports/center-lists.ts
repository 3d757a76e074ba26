/** Reads the lists of centers where cases wait for their reports, and judges by them which need not be asked about. */
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { Failure } from '../../../src-shared/failure.ts'
import { saysAnswered } from '../listed-case.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { ReportWatch } from '../outbox/report-store.ts'
import type { Clock } from '../ports.ts'
import { assessList, canSkipCheck, REPORTS_SAMPLED, type ListReliability } from './list-tells.ts'
import { isOver } from './pause.ts'
import { isServiceWide, serviceKey, type ReportSource } from './report-source.ts'

/** A list that was silent about a report is read more rarely: perhaps it tells by now. */
const SILENT_LIST_INTERVAL_MS = HOUR

export type CenterLists = {
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
