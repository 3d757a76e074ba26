/** What lookups found about an attempt, when the next one is due, and alarms for a person. */
import { randomUUID } from 'node:crypto'
import { type Alarm, type ALARM_KINDS, alarmKindSchema } from '../../../src-shared/alarms.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Evidence } from '../../../src-shared/submission.ts'
import type { Message } from '../../../src-shared/wording.ts'
import { textsColumn } from '../json-columns.ts'
import { appendAudit } from './audit.ts'
import { readableRows } from './quarantine.ts'
import { messageOf, type SubmissionRow, wordingToText } from './rows.ts'
import type { Store } from './database.ts'

type NewEvidence = Omit<Evidence, 'id'> & { readonly submissionId: string }

export function appendEvidence(store: Store, evidence: NewEvidence): void {
  store.write(() => {
    store.run`
      INSERT INTO evidence (id, submission_id, attempt_id, at, kind, case_ids, message, wording, by)
      VALUES (${randomUUID()}, ${evidence.submissionId}, ${evidence.attemptId}, ${evidence.at},
      ${evidence.kind}, ${JSON.stringify(evidence.caseIds)}, ${evidence.message},
      ${wordingToText(evidence)}, ${evidence.by})`
    store.touch(evidence.submissionId)
  })
}

/** When lookups of one attempt found nothing, oldest first, epoch milliseconds. */
export function absentLookupsOf(store: Store, attemptId: string): number[] {
  return store.values<number>`
    SELECT at FROM evidence WHERE attempt_id = ${attemptId} AND kind = 'absent' ORDER BY position`
}

/** No lookup is planned this far beyond the interval: the clock was set back, so the true due time is unknown. */
const BEYOND_ANY_LOOKUP_MS = HOUR

/**
 * Unconfirmed submissions with a lookup due, oldest first. `longestMs` is the longest interval of the plan: a
 * due time much later was planned before the clock was set back.
 */
export function dueLookups(store: Store, now: number, longestMs: number = DAY): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>`
    SELECT * FROM submissions WHERE state = 'unconfirmed'
    AND (not_before <= ${now} OR not_before > ${now + longestMs + BEYOND_ANY_LOOKUP_MS}) ORDER BY position`
  return readableRows(store, 'submissions', rows)
}

/** The longest pause that does not grow with a case's age, of one whose center could not be set; and a margin. */
const LONGEST_FIXED_PAUSE_MS = MINUTE

const MARGIN_MS = 10 * SECOND

/**
 * Sent submissions that were never read back and are due for another try.
 *
 * A try is planned after half of the time since sending, and at the latest after a day. A later due time was
 * planned while the clock was ahead, however long ago the case was sent.
 */
export function dueConfirmations(store: Store, now: number): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>`
    SELECT * FROM submissions WHERE state = 'sent' AND confirmed_at IS NULL
    AND id NOT IN (SELECT submission_id FROM quarantine)
    AND (coalesce(not_before, 0) <= ${now} OR not_before > ${now} + ${MARGIN_MS} +
    min(max((${now} - coalesce(sent_at, changed_at)) / 2, ${LONGEST_FIXED_PAUSE_MS}), ${DAY}))
    ORDER BY position LIMIT 50`
  return readableRows(store, 'submissions', rows)
}

/** When the next lookup or confirmation is due, epoch milliseconds; null if none is. */
export function nextFollowUpAt(store: Store): number | null {
  return (
    store.value<number>(`SELECT min(at) FROM (
           SELECT min(not_before) AS at FROM submissions
             WHERE state = 'unconfirmed' AND id NOT IN (SELECT submission_id FROM quarantine)
           UNION ALL
           SELECT min(coalesce(not_before, 0)) FROM submissions WHERE state = 'sent' AND confirmed_at IS NULL
             AND id NOT IN (SELECT submission_id FROM quarantine))`) ?? null
  )
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
    const { changes } = store.run`
      INSERT OR IGNORE INTO alarms (id, kind, submission_id, case_ids, message, wording, raised_at)
      VALUES (${randomUUID()}, ${alarm.kind}, ${alarm.submissionId},
      ${JSON.stringify(alarm.caseIds.toSorted())}, ${alarm.message}, ${wordingToText(alarm)}, ${alarm.at})`
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
  wording: string | null
  raised_at: number
}

/** A station with more open alarms has one trouble and not a hundred. */
const MAX_SHOWN = 100

/** The unsettled alarms, newest first. */
export function openAlarms(store: Store): Alarm[] {
  return store
    .rows<AlarmRow>(`SELECT alarms.id, kind, submission_id, reference, case_ids, message, wording, raised_at
       FROM alarms LEFT JOIN submissions ON submissions.id = submission_id
       WHERE settled_at IS NULL ORDER BY alarms.position DESC LIMIT ${MAX_SHOWN}`)
    .map((row) => ({
      id: row.id,
      kind: alarmKindSchema.catch('unknown').parse(row.kind),
      submissionId: row.submission_id,
      reference: row.reference,
      caseIds: textsColumn.readOr(row.case_ids, []),
      ...messageOf(row),
      raisedAt: row.raised_at,
    }))
}

/** Settles an alarm that a person has seen; false if there is no such open alarm. */
export function settleAlarm(
  store: Store,
  id: string,
  settled: { readonly by: string | null; readonly why: string | null; readonly at: number },
): boolean {
  return store.write(() => {
    const row = store.row<{ submission_id: string | null; kind: string }>`
      UPDATE alarms SET settled_at = ${settled.at}, settled_by = ${settled.by} WHERE id = ${id}
      AND settled_at IS NULL RETURNING submission_id, kind`
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
