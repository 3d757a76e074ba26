/** When to request which report, what the service's list shows of its case, and the versions that arrived. */
import { randomUUID } from 'node:crypto'
import type { ServiceCase } from '../../../src-shared/case.ts'
import { DAY, HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { ReportDone, ReportKind } from '../../../src-shared/report.ts'
import { idsOf, type ReportMark, reportMarkOf } from '../lib/service-case.ts'
import type { ServiceIdentity } from './cases-and-centers.ts'
import type { Store } from './database.ts'
import type { Destination, SubmissionRow } from './rows.ts'

export type ReportWatch = {
  readonly submission_id: string
  readonly case_id: string
  readonly base_url: string
  readonly client_id: string
  readonly center_id: string | null
  readonly next_check_at: number | null
  /** When the service was last asked for this report. */
  readonly asked_at: number | null
  readonly first_version_at: number | null
  readonly read_at: number | null
  readonly sent_at: number
  readonly is_urgent: 0 | 1
  /** In the service's own words; null if no list has shown it. */
  readonly listed_urgency: string | null
}

/** Starts requesting the report of a case, from the service that issued its id. */
export function watchReport(
  store: Store,
  watch: {
    readonly submissionId: string
    readonly caseId: string
    readonly destination: Destination
    readonly at: number
  },
): void {
  const { baseUrl, clientId, centerId } = watch.destination
  store.run`
    INSERT OR IGNORE INTO report_watches (submission_id, case_id, base_url, client_id, center_id,
    next_check_at) VALUES (${watch.submissionId}, ${watch.caseId}, ${baseUrl}, ${clientId}, ${centerId},
    ${watch.at})`
}

/** No request is planned this far beyond the interval: the clock was set back. */
const BEYOND_ANY_CHECK_MS = HOUR

/** Due, urgent first, perhaps of one service. `longestMs`: a later time was planned before the clock was set back. */
export function dueReportWatches(
  store: Store,
  now: number,
  at: ServiceIdentity | null = null,
  longestMs: number = DAY,
): ReportWatch[] {
  return store.rows<ReportWatch>(
    `SELECT watch.*, submissions.sent_at, submissions.is_urgent FROM report_watches AS watch
       JOIN submissions ON submissions.id = submission_id
       WHERE (next_check_at <= @now OR next_check_at > @beyond)
         AND watch.base_url = coalesce(@baseUrl, watch.base_url)
         AND watch.client_id = coalesce(@clientId, watch.client_id) ORDER BY is_urgent DESC, next_check_at`,
    {
      now,
      beyond: now + longestMs + BEYOND_ANY_CHECK_MS,
      baseUrl: at?.baseUrl ?? null,
      clientId: at?.clientId ?? null,
    },
  )
}

export function nextReportCheckAt(store: Store, at: ServiceIdentity): number | null {
  return store.value<number>`
    SELECT next_check_at FROM report_watches WHERE next_check_at IS NOT NULL
    AND base_url = ${at.baseUrl} AND client_id = ${at.clientId} ORDER BY next_check_at LIMIT 1`
}

/** Records a request, and when the next one is due. */
export function setNextReportCheck(
  store: Store,
  submissionId: string,
  nextCheckAt: number | null,
  askedAt: number,
): void {
  store.run`
    UPDATE report_watches SET next_check_at = ${nextCheckAt}, asked_at = ${askedAt}
    WHERE submission_id = ${submissionId}`
}

/** Postpones a request that the service's list made unnecessary. */
export function postponeCheck(store: Store, submissionId: string, nextCheckAt: number | null): void {
  store.run`UPDATE report_watches SET next_check_at = ${nextCheckAt} WHERE submission_id = ${submissionId}`
}

/** A case whose state differs in every list triggers no more requests than this. */
const ASKED_AGAIN_AFTER_MS = MINUTE

/** Lists are read often and mostly unchanged: an unchanged state is written only this often. */
const READ_FRESH_MS = MINUTE

/** The latest state that the service showed for one of our cases. */
type CaseState = {
  readonly state: string | null
  readonly urgency: string | null
  readonly report_mark: ReportMark
  /** When we first saw this state. */
  readonly changed_at: number
  readonly read_at: number
}

const LISTED =
  'listed_state AS state, listed_urgency AS urgency, report_mark, listed_since AS changed_at, listed_at AS read_at'

type ReportedState = Pick<CaseState, 'state' | 'urgency' | 'report_mark'>

/** Saves what a list says about our cases alone. If the text of a case changed, its report is due at once. */
export function saveCaseStates(
  store: Store,
  at: Destination,
  cases: readonly ServiceCase[],
  now: number,
): void {
  const watched = watchedStates(store, at, cases.flatMap(idsOf))
  const stated = cases.flatMap((one) => {
    // The receipt may have used another id than the list.
    const caseId = idsOf(one).find((id) => watched.has(id))
    const { state, urgency } = one
    return caseId === undefined ? [] : [{ caseId, state, urgency, report_mark: reportMarkOf(one) }]
  })
  const isFresh = (before: CaseState | null, reported: ReportedState): boolean =>
    before !== null &&
    isSameState(before, reported) &&
    before.urgency === reported.urgency &&
    // A time in the future was recorded before the clock was set back.
    before.read_at <= now &&
    now - before.read_at < READ_FRESH_MS
  if (stated.every(({ caseId, ...reported }) => isFresh(watched.get(caseId) ?? null, reported))) return
  store.write(() => {
    for (const { caseId, ...reported } of stated) {
      // Asked again: a list may show a case twice.
      const before = caseStateOf(store, at, caseId)
      if (isFresh(before, reported)) continue
      const isOther = before !== null && !isSameState(before, reported)
      const changed = store.rows<{ readonly submission_id: string }>`
        UPDATE report_watches SET listed_state = ${reported.state}, listed_urgency = ${reported.urgency},
        report_mark = ${reported.report_mark}, listed_at = ${now},
        listed_since = ${before === null || isOther ? now : before.changed_at},
        next_check_at = iif(${isOther ? 1 : 0}, min(coalesce(next_check_at, 9e15),
          max(${now}, coalesce(asked_at, 0) + ${ASKED_AGAIN_AFTER_MS})), next_check_at)
        WHERE case_id = ${caseId} AND base_url = ${at.baseUrl} AND client_id = ${at.clientId}
        AND center_id IS ${at.centerId} RETURNING submission_id`
      // The change wakes whatever requests reports.
      if (isOther) for (const { submission_id: id } of changed) store.touch(id)
    }
  })
}

/** Which of the ids are of cases that are watched for a report, with the state that was shown last, if one was. */
function watchedStates(
  store: Store,
  at: Destination,
  caseIds: readonly string[],
): Map<string, CaseState | null> {
  const rows = store.rows<{ readonly case_id: string } & (CaseState | { readonly read_at: null })>(
    `SELECT case_id, ${LISTED} FROM json_each(?) AS asked CROSS JOIN report_watches
       WHERE case_id = asked.value AND base_url = ? AND client_id = ? AND center_id IS ?`,
    JSON.stringify(caseIds),
    at.baseUrl,
    at.clientId,
    at.centerId,
  )
  return new Map(rows.map(({ case_id, ...shown }) => [case_id, shown.read_at === null ? null : shown]))
}

export function caseStateOf(store: Store, at: Destination, caseId: string): CaseState | null {
  return watchedStates(store, at, [caseId]).get(caseId) ?? null
}

function isSameState(one: ReportedState, other: ReportedState): boolean {
  return one.state === other.state && one.report_mark === other.report_mark
}

/** What the list of the service shows of a case whose first report came. */
export type AnnouncedReport = Omit<CaseState, 'urgency'> & { readonly first_version_at: number }

/** Of the latest cases of a center that got their first report, those that its list shows, with what it says. */
export function announcedReports(store: Store, at: Destination, limit: number): AnnouncedReport[] {
  return store.rows<AnnouncedReport>(
    `SELECT first_version_at, ${LISTED} FROM (SELECT * FROM report_watches
         WHERE base_url = ? AND client_id = ? AND center_id IS ? AND first_version_at IS NOT NULL
         ORDER BY first_version_at DESC LIMIT ?)
       WHERE listed_at IS NOT NULL ORDER BY first_version_at DESC`,
    at.baseUrl,
    at.clientId,
    at.centerId,
    limit,
  )
}

/** Makes every missing report due now, whatever the list says. */
export function checkMissingNow(store: Store, at: number): void {
  store.run`UPDATE report_watches SET next_check_at = ${at}, asked_at = NULL WHERE first_version_at IS NULL`
}

export type ReportVersionRow = {
  readonly id: string
  readonly submission_id: string
  readonly case_id: string
  readonly kind: ReportKind
  readonly content_type: string
  readonly size_bytes: number
  readonly sha256: string
  readonly file_name: string
  readonly fetched_at: number
  /** The sequence number of the version when it last came: an earlier version that returns gets a new number. */
  readonly number: number
  /** When this version was copied for the clinic; null if it was not. */
  readonly saved_at: number | null
}

type NewReportVersion = Omit<ReportVersionRow, 'id' | 'number' | 'saved_at'>

const NEXT_NUMBER =
  '(SELECT coalesce(max(number), 0) + 1 FROM report_versions WHERE submission_id = @submission_id)'

/** Saves a version; false if its bytes equal the latest version. */
export function saveReportVersion(store: Store, version: NewReportVersion): boolean {
  return store.write(() => {
    const inserted = store.run(
      `INSERT OR IGNORE INTO report_versions (id, submission_id, case_id, kind, content_type, size_bytes, sha256, file_name, fetched_at, number)
         VALUES (@id, @submission_id, @case_id, @kind, @content_type, @size_bytes, @sha256, @file_name, @fetched_at, ${NEXT_NUMBER})`,
      { id: randomUUID(), ...version },
    )
    if (inserted.changes === 0 && !makeLatest(store, version)) return false
    store.run`
      UPDATE report_watches SET first_version_at = coalesce(first_version_at, ${version.fetched_at}),
      read_at = NULL, done = NULL, latest = (SELECT max(position) FROM report_versions) WHERE submission_id = ${version.submission_id}`
    store.touch(version.submission_id)
    return true
  })
}

/** Makes an earlier version the latest again if the service returned to it; false if it is the latest already. */
function makeLatest(store: Store, version: NewReportVersion): boolean {
  const moved = store.run(
    `UPDATE report_versions SET position = (SELECT max(position) + 1 FROM report_versions), fetched_at = @fetched_at,
         number = ${NEXT_NUMBER}, saved_at = NULL
       WHERE submission_id = @submission_id AND sha256 = @sha256
         AND position < (SELECT max(position) FROM report_versions WHERE submission_id = @submission_id)`,
    { fetched_at: version.fetched_at, submission_id: version.submission_id, sha256: version.sha256 },
  )
  return moved.changes > 0
}

/** Is a report of this id being requested, for this submission if given? */
export function awaitsReport(store: Store, caseId: string, submissionId?: string): boolean {
  return store.finds`
    SELECT 1 FROM report_watches WHERE case_id = ${caseId}
    AND (${submissionId ?? null} IS NULL OR submission_id = ${submissionId ?? null}) LIMIT 1`
}

/** The submission of this case id whose report came last: two centers or services may use the same id. */
function latestOfCase(store: Store, caseId: string): string | null {
  return store.value<string>`
    SELECT submission_id FROM report_watches WHERE case_id = ${caseId} AND latest IS NOT NULL
    ORDER BY latest DESC LIMIT 1`
}

/** All versions of a report, newest first, of one submission: elsewhere the same id may be another patient's case. */
export function reportVersionsOf(
  store: Store,
  caseId: string,
  submissionId: string | null = latestOfCase(store, caseId),
): ReportVersionRow[] {
  if (submissionId === null) return []
  return store.rows<ReportVersionRow>`
    SELECT * FROM report_versions WHERE submission_id = ${submissionId} AND case_id = ${caseId}
    ORDER BY position DESC`
}

/** Is there a report of this submission? */
export function hasReportOf(store: Store, submissionId: string): boolean {
  return store.finds`SELECT 1 FROM report_versions WHERE submission_id = ${submissionId} LIMIT 1`
}

/** The hash of the latest version of a submission, or null. */
export function latestReportHash(store: Store, submissionId: string): string | null {
  return store.value<string>`
    SELECT sha256 FROM report_versions WHERE submission_id = ${submissionId} ORDER BY position DESC
    LIMIT 1`
}

export function reportVersion(store: Store, id: string): ReportVersionRow | undefined {
  return store.row<ReportVersionRow>`SELECT * FROM report_versions WHERE id = ${id}`
}

/** Marks the report of one submission as read, or as unread (null): the given one, or the one that this case id shows. */
export function markReportRead(
  store: Store,
  caseId: string,
  at: number | null,
  submissionId: string | null = latestOfCase(store, caseId),
): void {
  store.run`
    UPDATE report_watches SET read_at = ${at} WHERE submission_id = ${submissionId} AND case_id = ${caseId}`
}

/** Notes what was done about the report of one submission, or takes that back (null). */
export function markReportDone(store: Store, submissionId: string, done: ReportDone | null): void {
  store.run`
    UPDATE report_watches SET done = ${done && JSON.stringify(done)} WHERE submission_id = ${submissionId}`
}

export function countReports(store: Store): { readonly unread: number; readonly awaiting: number } {
  const count = (condition: string): number =>
    store.value<number>(`SELECT count(*) FROM report_watches WHERE ${condition}`) ?? 0
  return {
    unread: count('first_version_at IS NOT NULL AND read_at IS NULL'),
    awaiting: count('first_version_at IS NULL'),
  }
}

type OfCase = Pick<SubmissionRow, 'reference' | 'fields'> & { readonly is_sent_wrongly: 0 | 1 }
/** A version not yet copied into the clinic's folder. */
export type UnsavedReport = ReportVersionRow & OfCase & { readonly position: number }

/** The oldest versions after a position that were not copied. The name of a copy says if its case was sent wrongly. */
export function unsavedReports(store: Store, afterPosition: number, limit: number): UnsavedReport[] {
  return store.rows<UnsavedReport>`
    SELECT report_versions.*, reference, fields, sent_wrongly IS NOT NULL AS is_sent_wrongly
    FROM report_versions JOIN submissions
    ON submissions.id = submission_id WHERE saved_at IS NULL
    AND report_versions.position > ${afterPosition} ORDER BY report_versions.position LIMIT ${limit}`
}

/** The current last position: every later version has a greater one, even one that returns. */
export function lastReportPosition(store: Store): number {
  return store.value<number>('SELECT coalesce(max(position), 0) FROM report_versions') ?? 0
}

/** Marks a version as copied, unless it returned under another number meanwhile. */
export function markReportSaved(
  store: Store,
  version: Pick<ReportVersionRow, 'id' | 'number'>,
  at: number,
): void {
  store.run`
    UPDATE report_versions SET saved_at = ${at} WHERE id = ${version.id} AND number = ${version.number}`
}
