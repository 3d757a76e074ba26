/** What the service last said of the cases that are ours. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { idsOf } from '../case-ids.ts'
import { reportMarkOf, type ReportMark } from '../listed-case.ts'
import type { Destination } from './destination.ts'
import { NO_CENTER } from './no-center.ts'
import type { WriteThrough } from './write-through.ts'

/** A case whose words change with every reading is not asked about more often than this. */
const ASKED_AGAIN_AFTER_MS = MINUTE
/** Lists are read often and mostly say what they said: that they said it again is written down so often. */
const READ_FRESH_MS = MINUTE

export type CaseState = {
  readonly state: string | null
  readonly urgency: string | null
  readonly report_mark: ReportMark
  /** Since when it says so, as far as we saw. */
  readonly changed_at: number
  readonly read_at: number
}

type ReportedState = Pick<CaseState, 'state' | 'urgency' | 'report_mark'>

/**
 * Keeps what a list, or a case read by itself, says of cases that are ours; the others are passed by. The report of a
 * case whose words have changed is due at once.
 */
export function keepCaseStates(
  store: WriteThrough,
  at: Destination,
  cases: readonly ServiceCase[],
  now: number,
): void {
  store.write(() => {
    for (const one of cases) {
      // A receipt may have told another id than the list does.
      const caseId = idsOf(one).find((id) => isWatched(store, at, id))
      if (caseId === undefined) continue
      const reported = { state: one.state, urgency: one.urgency, report_mark: reportMarkOf(one) }
      const before = caseStateOf(store, at, caseId)
      const isOther = before !== null && !isSameState(before, reported)
      // A reading from the future was made before the clock was set back.
      const isFresh = before !== null && before.read_at <= now && now - before.read_at < READ_FRESH_MS
      if (isFresh && !isOther && before.urgency === reported.urgency) continue
      upsertCaseState(store, at, caseId, {
        ...reported,
        changed_at: before === null || isOther ? now : before.changed_at,
        read_at: now,
      })
      if (isOther) checkReportSoon(store, at, caseId, now)
    }
  })
}

export function caseStateOf(store: WriteThrough, at: Destination, caseId: string): CaseState | null {
  return (
    store.sql
      .prepare<[string, string, string, string], CaseState>(
        `SELECT state, urgency, report_mark, changed_at, read_at FROM case_states
         WHERE base_url = ? AND client_id = ? AND center_key = ? AND case_id = ?`,
      )
      .get(at.baseUrl, at.clientId, at.centerId ?? NO_CENTER, caseId) ?? null
  )
}

function isSameState(one: ReportedState, other: ReportedState): boolean {
  return one.state === other.state && one.report_mark === other.report_mark
}

function isWatched(store: WriteThrough, at: Destination, caseId: string): boolean {
  return (
    store.sql
      .prepare<[string, string, string, string | null], number>(
        'SELECT 1 FROM report_watches WHERE case_id = ? AND base_url = ? AND client_id = ? AND center_id IS ? LIMIT 1',
      )
      .pluck()
      .get(caseId, at.baseUrl, at.clientId, at.centerId) === 1
  )
}

function upsertCaseState(store: WriteThrough, at: Destination, caseId: string, caseState: CaseState): void {
  store.sql
    .prepare(
      `INSERT INTO case_states (base_url, client_id, center_key, case_id, state, urgency, report_mark, changed_at, read_at)
       VALUES (@baseUrl, @clientId, @center, @caseId, @state, @urgency, @report_mark, @changed_at, @read_at)
       ON CONFLICT DO UPDATE SET state = @state, urgency = @urgency, report_mark = @report_mark,
         changed_at = @changed_at, read_at = @read_at`,
    )
    .run({
      baseUrl: at.baseUrl,
      clientId: at.clientId,
      center: at.centerId ?? NO_CENTER,
      caseId,
      ...caseState,
    })
}

function checkReportSoon(store: WriteThrough, at: Destination, caseId: string, now: number): void {
  const asked = store.sql
    .prepare<[number, number, string, string, string, string | null], { submission_id: string }>(
      `UPDATE report_watches SET next_check_at =
         min(coalesce(next_check_at, 9e15), max(?, coalesce(asked_at, 0) + ?))
       WHERE case_id = ? AND base_url = ? AND client_id = ? AND center_id IS ? RETURNING submission_id`,
    )
    .all(now, ASKED_AGAIN_AFTER_MS, caseId, at.baseUrl, at.clientId, at.centerId)
  // Whoever asks for reports is woken by the change.
  for (const { submission_id: id } of asked) store.touch(id)
}
