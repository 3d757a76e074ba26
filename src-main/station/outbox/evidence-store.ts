import { randomUUID } from 'node:crypto'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Evidence } from '../../../src-shared/submission.ts'
import { readableRows } from './quarantine-store.ts'
import type { SubmissionRow } from './submission-rows.ts'
import type { WriteThrough } from './write-through.ts'

export type NewEvidence = Omit<Evidence, 'id'> & { readonly submissionId: string }

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
export function absentLooksOf(store: WriteThrough, attemptId: string): number[] {
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
export function dueLooks(store: WriteThrough, now: number, longestMs: number = DAY): SubmissionRow[] {
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
