import { randomUUID } from 'node:crypto'
import { type Alarm, type ALARM_KINDS, alarmKindSchema } from '../../../src-shared/alarms.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Evidence } from '../../../src-shared/submission.ts'
import { textsColumn } from '../json-columns.ts'
import { appendAudit } from './audit.ts'
import { readableRows } from './quarantine.ts'
import type { SubmissionRow } from './rows.ts'
import type { WriteThrough } from './write-through.ts'

type NewEvidence = Omit<Evidence, 'id'> & { readonly submissionId: string }

export function appendEvidence(store: WriteThrough, evidence: NewEvidence): void {
  store.write(() => {
    store.sql
      .prepare(
        'INSERT INTO evidence (id, submission_id, attempt_id, at, kind, case_ids, message, by) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        randomUUID(),
        evidence.submissionId,
        evidence.attemptId,
        evidence.at,
        evidence.kind,
        JSON.stringify(evidence.caseIds),
        evidence.message,
        evidence.by,
      )
    store.touch(evidence.submissionId)
  })
}

/** Looks of one attempt that found nothing, oldest first: instants only. */
export function absentLookupsOf(store: WriteThrough, attemptId: string): number[] {
  return store.sql
    .prepare<[string], number>(
      "SELECT at FROM evidence WHERE attempt_id = ? AND kind = 'absent' ORDER BY position",
    )
    .pluck()
    .all(attemptId)
}

/** Later than any look that is planned from now on: the clock was set back, and nobody knows when it is due. */
const BEYOND_ANY_LOOKUP_MS = HOUR

/**
 * Unconfirmed submissions whose next look has come, oldest first. `longestMs` is the longest interval of the plan: what is
 * due much later than that was planned before the clock was set back.
 */
export function dueLookups(store: WriteThrough, now: number, longestMs: number = DAY): SubmissionRow[] {
  const rows = store.sql
    .prepare<[number, number], SubmissionRow>(
      "SELECT * FROM submissions WHERE state = 'unconfirmed' AND (not_before <= ? OR not_before > ?) ORDER BY position",
    )
    .all(now, now + longestMs + BEYOND_ANY_LOOKUP_MS)
  return readableRows(store, 'submissions', rows)
}

/** The pause of a case whose center could not be set is the longest that does not grow with its age; and a little. */
const LONGEST_FIXED_PAUSE_MS = MINUTE

const A_LITTLE_MS = 10 * SECOND

/**
 * Sent submissions that were never read back and whose next try has come.
 *
 * A try is planned after half of the time since the sending, and at the latest after a day. What lies further ahead than
 * that was planned while the clock was ahead, however long ago the case was sent.
 */
export function dueConfirmations(store: WriteThrough, now: number): SubmissionRow[] {
  const rows = store.sql
    .prepare<[number, number, number, number, number, number], SubmissionRow>(
      `SELECT * FROM submissions WHERE state = 'sent' AND confirmed_at IS NULL
         AND id NOT IN (SELECT submission_id FROM quarantine)
         AND (coalesce(not_before, 0) <= ?
           OR not_before > ? + ? + min(max((? - coalesce(sent_at, changed_at)) / 2, ?), ?))
       ORDER BY position LIMIT 50`,
    )
    .all(now, now, A_LITTLE_MS, now, LONGEST_FIXED_PAUSE_MS, DAY)
  return readableRows(store, 'submissions', rows)
}

/** When the next look or confirmation is due, or null. */
export function nextFollowUpAt(store: WriteThrough): number | null {
  return (
    store.sql
      .prepare<[], number>(
        `SELECT min(at) FROM (
           SELECT min(not_before) AS at FROM submissions
             WHERE state = 'unconfirmed' AND id NOT IN (SELECT submission_id FROM quarantine)
           UNION ALL
           SELECT min(coalesce(not_before, 0)) FROM submissions WHERE state = 'sent' AND confirmed_at IS NULL
             AND id NOT IN (SELECT submission_id FROM quarantine))`,
      )
      .pluck()
      .get() ?? null
  )
}

/** Alarms: raised once for the same trouble, open until a person settles them, never deleted. */
type NewAlarm = {
  readonly kind: (typeof ALARM_KINDS)[number]
  readonly submissionId: string | null
  /** The cases at the service that it is about; the same ones in another order are the same alarm. */
  readonly caseIds: readonly string[]
  readonly message: string
  readonly at: number
}

/** Raises an alarm; false where just this one was raised before, settled or not. */
export function raiseAlarm(store: WriteThrough, alarm: NewAlarm): boolean {
  return store.write(() => {
    const { changes } = store.sql
      .prepare(
        `INSERT OR IGNORE INTO alarms (id, kind, submission_id, case_ids, message, raised_at) VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(
        randomUUID(),
        alarm.kind,
        alarm.submissionId,
        JSON.stringify(alarm.caseIds.toSorted()),
        alarm.message,
        alarm.at,
      )
    if (changes === 0) return false
    appendAudit(store, {
      at: alarm.at,
      submissionId: alarm.submissionId,
      what: 'alarmRaised',
      by: null,
      details: { alarm: alarm.kind, caseIds: alarm.caseIds.toSorted() },
    })
    if (alarm.submissionId !== null) store.touch(alarm.submissionId)
    return true
  })
}

type AlarmRow = {
  id: string
  kind: string
  submission_id: string | null
  reference: string | null
  case_ids: string
  message: string
  raised_at: number
}

/** Enough for a screen; a station with more open alarms than this has one trouble and not a hundred. */
const MAX_SHOWN = 100

/** The alarms that nobody has settled, newest first. */
export function openAlarms(store: WriteThrough): Alarm[] {
  return store.sql
    .prepare<[], AlarmRow>(
      `SELECT alarms.id, kind, submission_id, reference, case_ids, message, raised_at
       FROM alarms LEFT JOIN submissions ON submissions.id = submission_id
       WHERE settled_at IS NULL ORDER BY alarms.position DESC LIMIT ${MAX_SHOWN}`,
    )
    .all()
    .map((row) => ({
      id: row.id,
      kind: alarmKindSchema.catch('unknown').parse(row.kind),
      submissionId: row.submission_id,
      reference: row.reference,
      caseIds: textsColumn.readOr(row.case_ids, []),
      message: row.message,
      raisedAt: row.raised_at,
    }))
}

/** A person has seen it; false where there is no such open alarm. */
export function settleAlarm(
  store: WriteThrough,
  id: string,
  settled: { readonly by: string | null; readonly why: string | null; readonly at: number },
): boolean {
  return store.write(() => {
    const row = store.sql
      .prepare<[number, string | null, string], { submission_id: string | null; kind: string }>(
        'UPDATE alarms SET settled_at = ?, settled_by = ? WHERE id = ? AND settled_at IS NULL RETURNING submission_id, kind',
      )
      .get(settled.at, settled.by, id)
    if (!row) return false
    appendAudit(store, {
      at: settled.at,
      submissionId: row.submission_id,
      what: 'alarmSettled',
      by: settled.by,
      details: { alarm: row.kind, ...(settled.why === null ? {} : { why: settled.why }) },
    })
    return true
  })
}
