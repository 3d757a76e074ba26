/** What may have waited too long: rows for the decision, narrowed by indexes, so that a long history costs nothing. */
import type { SubmissionState } from '../../../src-shared/states.ts'
import { isRejected } from '../listed-case.ts'
import type { WriteThrough } from './write-through.ts'

export type OverdueRow = {
  readonly id: string
  readonly reference: string
  readonly state: SubmissionState
  readonly added_at: number
  readonly changed_at: number
  readonly sent_at: number | null
  readonly confirmed_at: number | null
  /** When the last attempt ended of which nobody knows whether it arrived. */
  readonly unknown_since: number | null
  readonly first_version_at: number | null
  /** The service's own word for the state of the case, and since when it says so. */
  readonly listed_state: string | null
  readonly listed_since: number | null
  /** A later case of the same patient was sent for the same visit or a later one. */
  readonly is_redone: 0 | 1
}

export type OverdueLimits = {
  /** Captured before this instant and not sent. */
  readonly notSentBefore: number
  /** Sent, or perhaps sent, before this instant. */
  readonly notConfirmedBefore: number
  readonly noReportBefore: number
}

/**
 * Late images of a case are no new try of it: they came with the first. The index is named because nearly every case
 * is `sent`, which the planner does not know.
 */
const IS_REDONE = `EXISTS (
  SELECT 1 FROM submissions AS later INDEXED BY submissions_by_visit
  WHERE CASE WHEN json_valid(later.fields) THEN later.fields ->> 'history_number' END
      = (CASE WHEN json_valid(s.fields) THEN s.fields ->> 'history_number' END) COLLATE NOCASE
    AND CASE WHEN json_valid(later.fields) THEN later.fields ->> 'visit_date' END
      >= CASE WHEN json_valid(s.fields) THEN s.fields ->> 'visit_date' END
    AND later.state = 'sent' AND later.sent_at > s.sent_at AND later.id <> s.id AND later.addendum_to IS NOT s.id)`

const COLUMNS = `s.id, s.reference, s.state, s.added_at, s.changed_at, s.sent_at, s.confirmed_at,
  (SELECT max(ended_at) FROM attempts WHERE attempts.submission_id = s.id AND outcome = 'unknown') AS unknown_since,
  watch.first_version_at, said.state AS listed_state, said.changed_at AS listed_since, ${IS_REDONE} AS is_redone`

const JOINED = `LEFT JOIN report_watches AS watch ON watch.submission_id = s.id
  LEFT JOIN case_states AS said
    ON said.base_url = watch.base_url AND said.client_id = watch.client_id
      AND said.center_key = coalesce(watch.center_id, '-') AND said.case_id = watch.case_id`

/** The oldest at each step, at most `limit` of each; what is in two steps comes once. */
export function ageingRows(store: WriteThrough, limits: OverdueLimits, limit: number): OverdueRow[] {
  const rows = new Map<string, OverdueRow>()
  const rejecting = JSON.stringify(rejectingStates(store))
  const take = (found: readonly OverdueRow[]): void => {
    for (const row of found) rows.set(row.id, row)
  }
  take(
    store.sql
      .prepare<[number, number], OverdueRow>(
        `SELECT ${COLUMNS} FROM submissions AS s ${JOINED}
         WHERE s.state IN ('collecting', 'incomplete', 'review', 'waiting', 'held', 'refused') AND s.added_at < ?
         ORDER BY s.position LIMIT ?`,
      )
      .all(limits.notSentBefore, limit),
  )
  take(
    store.sql
      .prepare<[number, number], OverdueRow>(
        `SELECT ${COLUMNS} FROM submissions AS s ${JOINED}
         WHERE s.state = 'sent' AND s.confirmed_at IS NULL AND s.sent_at < ? ORDER BY s.position LIMIT ?`,
      )
      .all(limits.notConfirmedBefore, limit),
  )
  take(
    store.sql
      .prepare<[number], OverdueRow>(
        `SELECT ${COLUMNS} FROM submissions AS s ${JOINED}
         WHERE s.state = 'unconfirmed' ORDER BY s.position LIMIT ?`,
      )
      .all(limit),
  )
  take(
    store.sql
      .prepare<[number, string, number], OverdueRow>(
        // CROSS JOIN keeps the order: few cases are without a report, and most are sent.
        `SELECT ${COLUMNS} FROM report_watches AS watch CROSS JOIN submissions AS s ON s.id = watch.submission_id
         LEFT JOIN case_states AS said
           ON said.base_url = watch.base_url AND said.client_id = watch.client_id
      AND said.center_key = coalesce(watch.center_id, '-') AND said.case_id = watch.case_id
         WHERE watch.first_version_at IS NULL AND s.state = 'sent' AND s.sent_at < ?
           AND coalesce(said.state, '') NOT IN (SELECT value FROM json_each(?)) ORDER BY s.position LIMIT ?`,
      )
      .all(limits.noReportBefore, rejecting, limit),
  )
  take(rejectedRows(store, rejecting, limit))
  return [...rows.values()]
}

/** The words for "rejected" are the service's own: those that are in use are looked at, and not every case. */
function rejectingStates(store: WriteThrough): string[] {
  return store.sql
    .prepare<[], string>('SELECT DISTINCT state FROM case_states WHERE state IS NOT NULL')
    .pluck()
    .all()
    .filter(isRejected)
}

function rejectedRows(store: WriteThrough, rejecting: string, limit: number): OverdueRow[] {
  return store.sql
    .prepare<[string, number], OverdueRow>(
      `SELECT ${COLUMNS} FROM case_states AS said
       CROSS JOIN report_watches AS watch
         ON watch.case_id = said.case_id AND watch.base_url = said.base_url AND watch.client_id = said.client_id
           AND coalesce(watch.center_id, '-') = said.center_key
       CROSS JOIN submissions AS s ON s.id = watch.submission_id
       WHERE said.state IN (SELECT value FROM json_each(?)) AND s.state = 'sent' AND NOT ${IS_REDONE}
       ORDER BY s.position LIMIT ?`,
    )
    .all(rejecting, limit)
}
