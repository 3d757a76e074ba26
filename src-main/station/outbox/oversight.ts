/** What a person oversees: alarms, the audit trail, overdue cases and figures, all from indexes. */
import { randomUUID } from 'node:crypto'
import { type Alarm, type ALARM_KINDS, alarmKindSchema, type AuditEntry } from '../../../src-shared/alarms.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { Message } from '../../../src-shared/wording.ts'
import { detailsColumn, messageOf, textsColumn, wordingToText } from '../json-columns.ts'
import { isRejected } from '../lib/service-case.ts'
import { appendAudit, type Store } from './database.ts'

export type OverdueRow = {
  readonly id: string
  readonly reference: string
  readonly state: SubmissionState
  readonly added_at: number
  readonly changed_at: number
  readonly sent_at: number | null
  readonly confirmed_at: number | null
  /** When the last attempt with an unknown outcome ended. */
  readonly unknown_since: number | null
  readonly first_version_at: number | null
  /** The service's own text for the state of the case, and when we first saw it. */
  readonly listed_state: string | null
  readonly listed_since: number | null
  /** A later case of the same patient was sent, for the same visit or a later one. */
  readonly is_redone: 0 | 1
}

export type OverdueLimits = {
  /** Captured before this instant and not sent. */
  readonly notSentBefore: number
  /** Sent, or perhaps sent, before this instant. */
  readonly notConfirmedBefore: number
  readonly noReportBefore: number
}

/** Late images are no other try. The index is named: nearly every case is `sent`, which the planner does not know. */
const IS_REDONE = `EXISTS (
  SELECT 1 FROM submissions AS later INDEXED BY submissions_by_visit
  WHERE CASE WHEN json_valid(later.fields) THEN later.fields ->> 'history_number' END
      = (CASE WHEN json_valid(s.fields) THEN s.fields ->> 'history_number' END) COLLATE NOCASE
    AND CASE WHEN json_valid(later.fields) THEN later.fields ->> 'visit_date' END
      >= CASE WHEN json_valid(s.fields) THEN s.fields ->> 'visit_date' END
    AND later.state = 'sent' AND later.sent_at > s.sent_at AND later.id <> s.id AND later.addendum_to IS NOT s.id)`

const COLUMNS = `s.id, s.reference, s.state, s.added_at, s.changed_at, s.sent_at, s.confirmed_at,
  (SELECT max(ended_at) FROM attempts WHERE attempts.submission_id = s.id AND outcome = 'unknown') AS unknown_since,
  watch.first_version_at, watch.listed_state, watch.listed_since, ${IS_REDONE} AS is_redone`

const WITH_REPORTS = 'LEFT JOIN report_watches AS watch ON watch.submission_id = s.id'
const BY_CASE = `submissions AS s ${WITH_REPORTS}`
/** Nearly every case is sent, and nearly every one of these confirmed. */
const BY_UNCONFIRMED = `submissions AS s INDEXED BY submissions_unconfirmed ${WITH_REPORTS}`

const BY_REPORT = 'report_watches AS watch CROSS JOIN submissions AS s ON s.id = watch.submission_id'

/** The oldest cases at each step, at most `limit` of each. A case that is at two steps appears once. */
export function overdueRows(store: Store, limits: OverdueLimits, limit: number): OverdueRow[] {
  const rejecting = JSON.stringify(rejectingStates(store))
  const rowsOf = (joined: string, condition: string, ...values: (string | number)[]): OverdueRow[] =>
    store.rows<OverdueRow>(
      `SELECT ${COLUMNS} FROM ${joined} WHERE ${condition} ORDER BY s.position LIMIT ?`,
      ...values,
      limit,
    )
  const found = [
    ...rowsOf(
      BY_CASE,
      "s.state IN ('collecting', 'incomplete', 'review', 'waiting', 'held', 'refused') AND s.added_at < ?",
      limits.notSentBefore,
    ),
    ...rowsOf(
      BY_UNCONFIRMED,
      "s.state = 'sent' AND s.confirmed_at IS NULL AND s.sent_at < ?",
      limits.notConfirmedBefore,
    ),
    ...rowsOf(BY_CASE, "s.state = 'unconfirmed'"),
    ...rowsOf(
      BY_REPORT,
      `watch.first_version_at IS NULL AND s.state = 'sent' AND s.sent_at < ?
         AND coalesce(watch.listed_state, '') NOT IN (SELECT value FROM json_each(?))`,
      limits.noReportBefore,
      rejecting,
    ),
    ...rowsOf(
      BY_REPORT,
      `watch.listed_state IN (SELECT value FROM json_each(?)) AND s.state = 'sent' AND NOT ${IS_REDONE}`,
      rejecting,
    ),
  ]
  return [...new Map(found.map((row) => [row.id, row])).values()]
}

/** The service has its own texts for "rejected". The distinct ones in use, by one step through the index for each. */
function rejectingStates(store: Store): string[] {
  return store
    .values<string>(
      `WITH RECURSIVE used (state) AS (SELECT min(listed_state) FROM report_watches
         UNION ALL SELECT (SELECT min(listed_state) FROM report_watches WHERE listed_state > used.state)
           FROM used WHERE used.state IS NOT NULL)
       SELECT state FROM used WHERE state IS NOT NULL`,
    )
    .filter(isRejected)
}

/** The size and version of the outbox, for the diagnostics. */
export function outboxNumbers(store: Store) {
  return {
    schemaVersion: store.value<number>('SELECT user_version FROM pragma_user_version'),
    sizeBytes: store.value<number>('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'),
  }
}

type StateAge = {
  readonly state: SubmissionState
  readonly count: number
  /** Null for a final state: how long a case has been finished means nothing. */
  readonly oldestAddedAt: number | null
  readonly unchangedSince: number | null
}

/** The number of submissions in each state, and the age of the oldest unless the state is final. */
export function stateAges(store: Store): StateAge[] {
  return store.rows<StateAge>(`SELECT counted.state, counted.count, min(added_at) AS oldestAddedAt, min(changed_at) AS unchangedSince
       FROM submission_counts AS counted LEFT JOIN submissions INDEXED BY submissions_by_age
         ON submissions.state = counted.state AND counted.state NOT IN ('sent', 'discarded')
       WHERE counted.count > 0 GROUP BY counted.state ORDER BY counted.state`)
}

type AttemptTally = {
  readonly outcome: string | null
  readonly failure: string | null
  readonly status: number | null
  readonly count: number
  readonly lastAt: number
}

/** The outcomes of the latest attempts by kind of failure, the most recent first. */
export function tallyAttempts(store: Store, latest: number): AttemptTally[] {
  return store.rows<AttemptTally>`
    SELECT outcome, CASE WHEN json_valid(failure) THEN failure ->> 'kind' END AS failure,
    answer_status AS status, count(*) AS count, max(started_at) AS lastAt
    FROM (SELECT outcome, failure, answer_status, started_at FROM attempts ORDER BY rowid DESC
    LIMIT ${latest}) GROUP BY 1, 2, 3 ORDER BY lastAt DESC`
}

/** An alarm is raised once for the same trouble, stays open until a person settles it, and is never deleted. */
type NewAlarm = Message & {
  readonly kind: (typeof ALARM_KINDS)[number]
  readonly submissionId: string | null
  /** The cases at the service concerned. The same cases in another order are the same alarm. */
  readonly caseIds: readonly string[]
  readonly at: number
}

/** Raises an alarm; false if the same one was raised before, settled or not. */
export function raiseAlarm(store: Store, alarm: NewAlarm): boolean {
  return store.write(() => {
    const { kind, submissionId, at } = alarm
    const caseIds = alarm.caseIds.toSorted()
    const { changes } = store.run`
      INSERT OR IGNORE INTO alarms (id, kind, submission_id, case_ids, message, wording, raised_at)
      VALUES (${randomUUID()}, ${kind}, ${submissionId}, ${JSON.stringify(caseIds)}, ${alarm.message},
      ${wordingToText(alarm)}, ${at})`
    if (changes === 0) return false
    const details = { alarm: kind, caseIds }
    appendAudit(store, { at, submissionId, what: 'alarmRaised', details })
    if (submissionId !== null) store.touch(submissionId)
    return true
  })
}

type AlarmRow = Omit<Alarm, 'kind' | 'caseIds' | 'message' | 'wording'> &
  Record<'kind' | 'case_ids' | 'message', string> & { readonly wording: string | null }

/** A station with more open alarms has one trouble and not a hundred. */
const MAX_SHOWN = 100

/** The unsettled alarms, newest first. */
export function openAlarms(store: Store): Alarm[] {
  return store
    .rows<AlarmRow>(`SELECT alarms.id, kind, submission_id AS submissionId, reference, case_ids, message, wording,
         raised_at AS raisedAt
       FROM alarms LEFT JOIN submissions ON submissions.id = submission_id
       WHERE settled_at IS NULL ORDER BY alarms.position DESC LIMIT ${MAX_SHOWN}`)
    .map(({ id, submissionId, reference, raisedAt, ...row }) => ({
      id,
      submissionId,
      reference,
      raisedAt,
      kind: alarmKindSchema.catch('unknown').parse(row.kind),
      caseIds: textsColumn.readOr(row.case_ids, []),
      ...messageOf(row),
    }))
}

/** Settles an alarm that a person has seen; false if there is no such open alarm. */
export function settleAlarm(
  store: Store,
  id: string,
  { by, why, at }: { readonly by: string | null; readonly why: string | null; readonly at: number },
): boolean {
  return store.write(() => {
    const row = store.row<{ submission_id: string | null; kind: string }>`
      UPDATE alarms SET settled_at = ${at} WHERE id = ${id} AND settled_at IS NULL RETURNING submission_id, kind`
    if (!row) return false
    const details = { alarm: row.kind, ...(why !== null && { why }) }
    appendAudit(store, { at, submissionId: row.submission_id, what: 'alarmSettled', by, details })
    return true
  })
}

/** Filters the trail. Instants are epoch milliseconds; `until` is exclusive. */
export type AuditFilter = {
  readonly submissionId?: string | undefined
  /** The reference of a submission, or its id at the service. */
  readonly reference?: string | undefined
  readonly what?: readonly string[] | undefined
  readonly by?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

type AuditRow = Omit<AuditEntry, 'details'> & { readonly details: string }

const AUDIT_COLUMNS = `audit.id, audit.at, audit.submission_id AS submissionId, submissions.reference, what, audit.by,
  audit.details`

type Value = string | number

type Narrowed = { readonly where: string; readonly values: readonly Value[] }

function narrowed(filter: AuditFilter & { readonly after?: number }): Narrowed {
  const filters: readonly (readonly [string, Value | undefined])[] = [
    ['audit.submission_id = ?', filter.submissionId],
    [
      `audit.submission_id IN (SELECT id FROM submissions, (SELECT ? AS asked)
         WHERE submissions.reference = asked OR submissions.case_id = asked)`,
      filter.reference,
    ],
    // One SQL text for any number of values, because statements are cached by their text.
    ['audit.what IN (SELECT value FROM json_each(?))', filter.what && JSON.stringify(filter.what)],
    ['audit.by = ?', filter.by],
    ['audit.at >= ?', filter.since],
    ['audit.at < ?', filter.until],
    ['audit.id > ?', filter.after],
  ]
  const set = filters.filter((filter): filter is readonly [string, Value] => filter[1] !== undefined)
  const conditions = set.map(([condition]) => condition)
  const values = set.map(([, value]) => value)
  return { where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '', values }
}

function readEntries(
  store: Store,
  { where, values }: Narrowed,
  order: 'ASC' | 'DESC',
  limit: number,
): AuditEntry[] {
  return store
    .rows<AuditRow>(
      `SELECT ${AUDIT_COLUMNS} FROM audit LEFT JOIN submissions ON submissions.id = audit.submission_id
       ${where} ORDER BY audit.id ${order} LIMIT ?`,
      ...values,
      limit,
    )
    .map((row) => ({ ...row, details: detailsColumn.readOr(row.details, {}) }))
}

/** The newest entries first, at most `limit`. */
export function listAudit(
  store: Store,
  { limit, ...query }: AuditFilter & { readonly limit: number },
): AuditEntry[] {
  return readEntries(store, narrowed(query), 'DESC', limit)
}

/** What ids of images and submissions mean today: the file, and the history number or else the reference. */
export function namesOfIds(store: Store, ids: readonly string[]): ReadonlyMap<string, string> {
  const asked = JSON.stringify(ids)
  const rows = store.rows<{ readonly id: string; readonly name: string }>`
    SELECT id, file_name AS name FROM images WHERE id IN (SELECT value FROM json_each(${asked}))
    UNION ALL SELECT id, coalesce(CASE WHEN json_valid(fields) THEN fields ->> 'history_number' END, reference)
    FROM submissions WHERE id IN (SELECT value FROM json_each(${asked}))`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The oldest entries first, newer than the entry `after`. */
export function auditAfter(store: Store, filter: AuditFilter, after: number, limit: number): AuditEntry[] {
  return readEntries(store, narrowed({ ...filter, after }), 'ASC', limit)
}

/** Counts the entries that match a filter. */
export function countAudit(store: Store, filter: AuditFilter): number {
  const { where, values } = narrowed(filter)
  return store.value<number>(`SELECT count(*) FROM audit ${where}`, ...values) ?? 0
}
