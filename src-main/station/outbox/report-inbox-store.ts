/** The reports that have come, as the screens list them. */
import { MAX_LISTED_REPORTS, reportKindSchema, type ReportSummary } from '../../../src-shared/report.ts'
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

type SummaryRow = OwnerRow & {
  readonly kind: string
  readonly version_count: number
  readonly fetched_at: number
  readonly read_at: number | null
}

const LATEST =
  '(SELECT max(position) FROM report_versions AS each WHERE each.submission_id = watch.submission_id)'
/**
 * CROSS JOIN keeps the order as it is written: the planner would read everything and sort it. The plus keeps it from
 * trying each position that was found for each watch.
 */
const MATCHING_SEARCH = `CROSS JOIN submissions ON submissions.id = watch.submission_id
  AND +submissions.position IN (SELECT rowid FROM submission_words WHERE submission_words MATCH ?)`

type Unread = 'IS NULL' | 'IS NOT NULL'

/** The newest of those that are read or unread: the versions are walked until there are enough. */
function walkedPositions(
  store: WriteThrough,
  readAt: Unread,
  expression: string | null,
  limit: number,
): number[] {
  return store.sql
    .prepare<(string | number)[], number>(
      `SELECT latest.position FROM report_versions AS latest
       CROSS JOIN report_watches AS watch ON watch.submission_id = latest.submission_id
       ${expression === null ? '' : MATCHING_SEARCH}
       WHERE watch.read_at ${readAt} AND latest.position = ${LATEST} ORDER BY latest.position DESC LIMIT ?`,
    )
    .pluck()
    .all(...(expression === null ? [] : [expression]), limit)
}

const IS_UNREAD = 'first_version_at IS NOT NULL AND read_at IS NULL'

function unreadPositions(store: WriteThrough, expression: string | null): number[] {
  const unread = store.sql
    .prepare<[number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM report_watches WHERE ${IS_UNREAD} LIMIT ?)`,
    )
    .pluck()
    .get(FEW + 1)
  if ((unread ?? 0) > FEW) return walkedPositions(store, 'IS NULL', expression, MAX_LISTED_REPORTS)
  return store.sql
    .prepare<(string | number)[], number>(
      `SELECT ${LATEST} AS latest FROM report_watches AS watch INDEXED BY report_watches_unread
       ${expression === null ? '' : MATCHING_SEARCH} WHERE ${IS_UNREAD} ORDER BY latest DESC LIMIT ?`,
    )
    .pluck()
    .all(...(expression === null ? [] : [expression]), MAX_LISTED_REPORTS)
}

/** The latest versions that are listed, in the order of the list. */
function listedPositions(store: WriteThrough, { search, submissionId }: WantedReports): number[] {
  if (submissionId !== undefined)
    return store.sql
      .prepare<[string], number>(
        'SELECT position FROM report_versions WHERE submission_id = ? ORDER BY position DESC LIMIT 1',
      )
      .pluck()
      .all(submissionId)
  const expression = searchExpression(search)
  if (expression !== null && findsFew(store, expression))
    return store.sql
      .prepare<[string, number], number>(
        `SELECT ${LATEST} AS latest FROM submission_words
         CROSS JOIN submissions ON submissions.position = submission_words.rowid
         CROSS JOIN report_watches AS watch ON watch.submission_id = submissions.id
         WHERE submission_words MATCH ? AND first_version_at IS NOT NULL
         ORDER BY read_at IS NULL DESC, latest DESC LIMIT ?`,
      )
      .pluck()
      .all(expression, MAX_LISTED_REPORTS)
  const unread = unreadPositions(store, expression)
  const rest = MAX_LISTED_REPORTS - unread.length
  return rest === 0 ? unread : [...unread, ...walkedPositions(store, 'IS NOT NULL', expression, rest)]
}

/** The inbox: the latest version of every report, those that nobody has read first and within that the newest. */
export function listReports(store: WriteThrough, wanted: WantedReports = {}): ReportSummary[] {
  return store.sql
    .prepare<[string], SummaryRow>(
      `SELECT latest.case_id, latest.submission_id, reference, fields, is_urgent, urgency, latest.kind,
         latest.fetched_at, watch.read_at,
         (SELECT count(*) FROM report_versions AS each WHERE each.submission_id = latest.submission_id) AS version_count
       FROM json_each (?) AS listed CROSS JOIN report_versions AS latest ON latest.position = listed.value
       CROSS JOIN report_watches AS watch ON watch.submission_id = latest.submission_id
       CROSS JOIN submissions ON submissions.id = watch.submission_id ${CASE_STATE_JOIN}
       ORDER BY listed.key`,
    )
    .all(JSON.stringify(listedPositions(store, wanted)))
    .map((row) => ({
      ...ownerOf(row),
      kind: reportKindSchema.catch('unknown').parse(row.kind),
      versionCount: row.version_count,
      fetchedAt: row.fetched_at,
      readAt: row.read_at,
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
