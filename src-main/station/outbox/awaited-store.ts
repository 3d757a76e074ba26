/** The cases that wait for their report. */
import { MAX_LISTED_REPORTS, type PendingReport } from '../../../src-shared/report.ts'
import {
  FEW,
  findsFew,
  ownerOf,
  CASE_STATE_JOIN,
  searchExpression,
  type OwnerRow,
  type WantedReports,
} from './listed-reports.ts'
import type { WriteThrough } from './write-through.ts'

type PendingReportRow = OwnerRow & {
  readonly sent_at: number
  readonly next_check_at: number | null
  readonly state: string | null
}

type PendingSource = { readonly from: string; readonly values: readonly string[] }

const MISSING = `report_watches AS watch INDEXED BY report_watches_missing
  CROSS JOIN submissions ON submissions.id = watch.submission_id`
const BY_SENDING = `submissions INDEXED BY submissions_by_sending
  CROSS JOIN report_watches AS watch ON watch.submission_id = submissions.id`

/** Where the cases without a report are looked for: on whichever side few are read. */
function pendingSource(store: WriteThrough, { search, submissionId }: WantedReports): PendingSource {
  if (submissionId !== undefined)
    return {
      from: 'report_watches AS watch CROSS JOIN submissions ON submissions.id = watch.submission_id WHERE watch.submission_id = ?',
      values: [submissionId],
    }
  const expression = searchExpression(search)
  if (expression !== null && findsFew(store, expression))
    return {
      from: `submission_words CROSS JOIN submissions ON submissions.position = submission_words.rowid
        CROSS JOIN report_watches AS watch ON watch.submission_id = submissions.id WHERE submission_words MATCH ?`,
      values: [expression],
    }
  const missing = store.sql
    .prepare<[number], number>(
      'SELECT count(*) FROM (SELECT 1 FROM report_watches WHERE first_version_at IS NULL LIMIT ?)',
    )
    .pluck()
    .get(FEW + 1)
  const from = (missing ?? 0) <= FEW ? MISSING : BY_SENDING
  if (expression === null) return { from: `${from} WHERE true`, values: [] }
  return {
    from: `${from} WHERE +submissions.position IN (SELECT rowid FROM submission_words WHERE submission_words MATCH ?)`,
    values: [expression],
  }
}

/** The cases that have no report yet, those that have waited longest first. */
export function awaitedReports(store: WriteThrough, wanted: WantedReports = {}): PendingReport[] {
  const { from, values } = pendingSource(store, wanted)
  return store.sql
    .prepare<(string | number)[], PendingReportRow>(
      `WITH awaited AS MATERIALIZED (SELECT watch.submission_id AS id FROM ${from}
         AND sent_at IS NOT NULL AND first_version_at IS NULL ORDER BY submissions.sent_at LIMIT ?)
       SELECT watch.case_id, watch.submission_id, reference, fields, is_urgent, urgency, submissions.sent_at,
         next_check_at, said.state
       FROM awaited CROSS JOIN report_watches AS watch ON watch.submission_id = awaited.id
       CROSS JOIN submissions ON submissions.id = awaited.id ${CASE_STATE_JOIN}
       ORDER BY submissions.sent_at`,
    )
    .all(...values, MAX_LISTED_REPORTS)
    .map((row) => ({
      ...ownerOf(row),
      sentAt: row.sent_at,
      nextCheckAt: row.next_check_at,
      state: row.state,
    }))
}
