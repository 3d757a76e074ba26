/** What the screens list of reports: those that came, and the cases that wait for theirs. */
import type { Fields } from '../../../src-shared/fields.ts'
import {
  MOST_LISTED_REPORTS,
  type AwaitedReport,
  type ReportKind,
  type ReportSummary,
} from '../../../src-shared/report.ts'
import { readUrgency, type Urgency } from '../../../src-shared/urgency.ts'
import { matchExpression } from './match-expression.ts'
import type { WriteThrough } from './write-through.ts'

type OwnerRow = {
  readonly case_id: string
  readonly submission_id: string
  readonly reference: string
  readonly fields: string
  readonly is_urgent: 0 | 1
  readonly urgency: string | null
}

type SummaryRow = OwnerRow & {
  readonly kind: ReportKind
  readonly version_count: number
  readonly fetched_at: number
  readonly read_at: number | null
}

type AwaitedRow = OwnerRow & {
  readonly sent_at: number
  readonly next_check_at: number | null
  readonly state: string | null
}

/** A watch with its submission, and what the service last said of the case. */
const WATCHES = `report_watches AS watch
  JOIN submissions ON submissions.id = watch.submission_id
  LEFT JOIN case_states AS said ON said.base_url = watch.base_url AND said.client_id = watch.client_id
    AND said.center_key = coalesce(watch.center_id, '-') AND said.case_id = watch.case_id`

const FOUND = 'submissions.position IN (SELECT rowid FROM submission_words WHERE submission_words MATCH ?)'

function ownerOf(row: OwnerRow): Omit<AwaitedReport, 'sentAt' | 'nextCheckAt' | 'state'> {
  const fields = JSON.parse(row.fields) as Fields
  const name = [fields.first_name, fields.last_name].filter((part) => part !== undefined).join(' ')
  const urgency: Urgency = row.is_urgent === 1 ? 'urgent' : readUrgency(row.urgency)
  return {
    caseId: row.case_id,
    submissionId: row.submission_id,
    reference: row.reference,
    historyNumber: fields.history_number ?? null,
    patientName: name === '' ? null : name,
    visitDate: fields.visit_date ?? null,
    urgency,
  }
}

/** What is searched for, as the index of words wants it; null for no word at all. */
function searched(search: string | undefined): string | null {
  return search === undefined ? null : matchExpression(search)
}

/** The inbox: the latest version of every report, those that nobody has read first and within that the newest. */
export function listReports(store: WriteThrough, search?: string): ReportSummary[] {
  const expression = searched(search)
  return store.sql
    .prepare<(string | number)[], SummaryRow>(
      `SELECT latest.case_id, latest.submission_id, reference, fields, is_urgent, urgency, latest.kind,
         latest.fetched_at, watch.read_at,
         (SELECT count(*) FROM report_versions AS each WHERE each.submission_id = latest.submission_id) AS version_count
       FROM report_versions AS latest JOIN ${WATCHES}
       WHERE watch.submission_id = latest.submission_id ${expression === null ? '' : `AND ${FOUND}`}
         AND NOT EXISTS (SELECT 1 FROM report_versions AS later
         WHERE later.submission_id = latest.submission_id AND later.position > latest.position)
       ORDER BY watch.read_at IS NULL DESC, latest.position DESC LIMIT ?`,
    )
    .all(...(expression === null ? [] : [expression]), MOST_LISTED_REPORTS)
    .map((row) => ({
      ...ownerOf(row),
      kind: row.kind,
      versionCount: row.version_count,
      fetchedAt: row.fetched_at,
      readAt: row.read_at,
    }))
}

/** The cases that have no report yet, those that have waited longest first. */
export function awaitedReports(store: WriteThrough, search?: string): AwaitedReport[] {
  const expression = searched(search)
  return store.sql
    .prepare<(string | number)[], AwaitedRow>(
      `SELECT watch.case_id, watch.submission_id, reference, fields, is_urgent, urgency, submissions.sent_at,
         next_check_at, said.state
       FROM ${WATCHES} WHERE first_version_at IS NULL ${expression === null ? '' : `AND ${FOUND}`}
       ORDER BY submissions.sent_at LIMIT ?`,
    )
    .all(...(expression === null ? [] : [expression]), MOST_LISTED_REPORTS)
    .map((row) => ({
      ...ownerOf(row),
      sentAt: row.sent_at,
      nextCheckAt: row.next_check_at,
      state: row.state,
    }))
}

/** Is a report of this submission kept? */
export function hasReportOf(store: WriteThrough, submissionId: string): boolean {
  return (
    store.sql
      .prepare<[string], number>('SELECT 1 FROM report_versions WHERE submission_id = ? LIMIT 1')
      .pluck()
      .get(submissionId) === 1
  )
}
