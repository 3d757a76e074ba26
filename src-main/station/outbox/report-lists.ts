/** Reports as the screens list them: those that have arrived, and cases that still wait for one. */
import { patientNameOf } from '../../../src-shared/measurement-ranges.ts'
import {
  MAX_LISTED_REPORTS,
  type PendingReport,
  reportKindSchema,
  type ReportSummary,
} from '../../../src-shared/report.ts'
import { readUrgency, type SentWrongly, type Urgency } from '../../../src-shared/submission.ts'
import { fieldsColumn, reportDoneColumn, sentWronglyColumn } from '../json-columns.ts'
import { matchExpression } from './list.ts'
import type { Store } from './database.ts'

/** What both lists share: the owner of a line. */
type OwnerRow = {
  readonly case_id: string
  readonly submission_id: string
  readonly reference: string
  readonly fields: string
  readonly is_urgent: 0 | 1
  readonly urgency: string | null
  readonly sent_wrongly: string | null
}

function ownerOf(row: OwnerRow): Omit<PendingReport, 'sentAt' | 'nextCheckAt' | 'state'> {
  const fields = fieldsColumn.readOr(row.fields, {})
  const urgency: Urgency = row.is_urgent === 1 ? 'urgent' : readUrgency(row.urgency)
  return {
    caseId: row.case_id,
    submissionId: row.submission_id,
    reference: row.reference,
    historyNumber: fields.history_number ?? null,
    patientName: patientNameOf(fields),
    visitDate: fields.visit_date ?? null,
    urgency,
    sentWrongly: whyNotToUse(row.sent_wrongly),
  }
}

/** Of a note that cannot be read, the gravest reason. */
function whyNotToUse(note: string | null): SentWrongly['because'] | undefined {
  if (note === null) return undefined
  return sentWronglyColumn.canRead(note) ? sentWronglyColumn.read(note).because : 'patient'
}

/** Restricts the list to one submission, or to the results of a search. */
type WantedReports = {
  readonly search?: string | undefined
  readonly submissionId?: string | undefined
}

/** Up to this many are looked up one by one; beyond it, an existing order is walked until there are enough. */
const FEW = 5_000

/** Does the search find few cases? */
function findsFew(store: Store, expression: string): boolean {
  const found = store.value<number>`
    SELECT count(*) FROM (SELECT 1 FROM submission_words WHERE submission_words MATCH ${expression}
    LIMIT ${FEW + 1})`
  return (found ?? 0) <= FEW
}

/** The tables that a list starts from, up to a condition, and the values in it. */
type Source = { readonly from: string; readonly values: readonly string[] }

/**
 * Starts from whichever table needs fewer reads; `inOrder` walks all cases in the order of the list. CROSS JOIN keeps the
 * planner from reading and sorting all, the plus from trying each position for each watch.
 */
function sourceOf(store: Store, { search, submissionId }: WantedReports, inOrder: () => string): Source {
  if (submissionId !== undefined)
    return {
      from: 'report_watches AS watch CROSS JOIN submissions ON submissions.id = watch.submission_id WHERE watch.submission_id = ?',
      values: [submissionId],
    }
  const expression = search === undefined ? null : matchExpression(search)
  if (expression === null) return { from: `${inOrder()} WHERE true`, values: [] }
  const from = findsFew(store, expression)
    ? `submission_words CROSS JOIN submissions ON submissions.position = submission_words.rowid
        CROSS JOIN report_watches AS watch ON watch.submission_id = submissions.id WHERE submission_words MATCH ?`
    : `${inOrder()} WHERE +submissions.position IN (SELECT rowid FROM submission_words WHERE submission_words MATCH ?)`
  return { from, values: [expression] }
}

type SummaryRow = OwnerRow & {
  readonly kind: string
  readonly version_count: number
  readonly fetched_at: number
  readonly read_at: number | null
  readonly done: string | null
}

const INBOX = `report_watches AS watch INDEXED BY report_watches_inbox
  CROSS JOIN submissions ON submissions.id = watch.submission_id`

/** The inbox: the latest version of every report, unread ones first, then those about which nothing was done, then the newest. */
export function listReports(store: Store, wanted: WantedReports = {}): ReportSummary[] {
  const { from, values } = sourceOf(store, wanted, () => INBOX)
  const listed = store.values<string>(
    `SELECT watch.submission_id FROM ${from} AND watch.latest IS NOT NULL
       ORDER BY watch.read_at IS NULL DESC, watch.done IS NULL DESC, watch.latest DESC LIMIT ?`,
    ...values,
    MAX_LISTED_REPORTS,
  )
  return store
    .rows<SummaryRow>(
      `SELECT watch.case_id, watch.submission_id, reference, fields, is_urgent, listed_urgency AS urgency,
         sent_wrongly, latest.kind, latest.fetched_at, watch.read_at, done,
         (SELECT count(*) FROM report_versions AS each WHERE each.submission_id = watch.submission_id) AS version_count
       FROM json_each (?) AS listed CROSS JOIN report_watches AS watch ON watch.submission_id = listed.value
       CROSS JOIN report_versions AS latest ON latest.position = watch.latest
       CROSS JOIN submissions ON submissions.id = watch.submission_id ORDER BY listed.key`,
      JSON.stringify(listed),
    )
    .map((row) => ({
      ...ownerOf(row),
      kind: reportKindSchema.catch('unknown').parse(row.kind),
      versionCount: row.version_count,
      fetchedAt: row.fetched_at,
      readAt: row.read_at,
      // One that cannot be read is asked for again.
      done: row.done !== null && reportDoneColumn.canRead(row.done) ? reportDoneColumn.read(row.done) : null,
    }))
}

type PendingReportRow = OwnerRow & {
  readonly sent_at: number
  readonly next_check_at: number | null
  readonly state: string | null
}

const MISSING = `report_watches AS watch INDEXED BY report_watches_missing
  CROSS JOIN submissions ON submissions.id = watch.submission_id`

const BY_SENDING = `submissions INDEXED BY submissions_by_sending
  CROSS JOIN report_watches AS watch ON watch.submission_id = submissions.id`

/** Few are missing, or they are walked in their order. */
function missingSource(store: Store): string {
  const missing = store.value<number>`
    SELECT count(*) FROM (SELECT 1 FROM report_watches WHERE first_version_at IS NULL LIMIT ${FEW + 1})`
  return (missing ?? 0) <= FEW ? MISSING : BY_SENDING
}

/** The cases without a report so far, those that have waited longest first. */
export function pendingReports(store: Store, wanted: WantedReports = {}): PendingReport[] {
  const { from, values } = sourceOf(store, wanted, () => missingSource(store))
  return store
    .rows<PendingReportRow>(
      `WITH awaited AS MATERIALIZED (SELECT watch.submission_id AS id FROM ${from}
         AND sent_at IS NOT NULL AND first_version_at IS NULL ORDER BY submissions.sent_at LIMIT ?)
       SELECT watch.case_id, watch.submission_id, reference, fields, is_urgent, listed_urgency AS urgency,
         sent_wrongly, submissions.sent_at, next_check_at, listed_state AS state
       FROM awaited CROSS JOIN report_watches AS watch ON watch.submission_id = awaited.id
       CROSS JOIN submissions ON submissions.id = awaited.id
       ORDER BY submissions.sent_at`,
      ...values,
      MAX_LISTED_REPORTS,
    )
    .map((row) => ({
      ...ownerOf(row),
      sentAt: row.sent_at,
      nextCheckAt: row.next_check_at,
      state: row.state,
    }))
}
