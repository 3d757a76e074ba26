/**
 * Attempts, the write-ahead record of delivery; what lookups found about them; and which case is due for what.
 *
 * A row is committed before any byte leaves, and each phase before it begins. So what a restart finds is proof:
 * an attempt that had not reached `handedOver` never released the last bytes of its request.
 */
import { randomUUID } from 'node:crypto'
import { knownPosition } from './cases-and-centers.ts'
import type { Store } from './database.ts'
import {
  type AttemptRow,
  type Destination,
  isReadable,
  readableRows,
  refuseUnreadable,
  rowOf,
  rowsOfCase,
  type SubmissionRow,
} from './rows.ts'
import { type MovePatch, moveSubmission } from './transitions.ts'
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { Failure } from '../../../src-shared/failure.ts'
import type { SubmissionEvent } from '../../../src-shared/states.ts'
import type { AttemptPhase, Evidence, Outcome } from '../../../src-shared/submission.ts'
import { failureToText, wordingToText } from '../json-columns.ts'

export type AttemptPlan = {
  readonly submissionId: string
  readonly destination: Destination
  readonly requestBytes: number
  readonly at: number
}

/** Opens an attempt of a waiting submission: row and state are committed together. */
export function openAttempt(
  store: Store,
  plan: AttemptPlan,
): { readonly attemptId: string; readonly number: number } {
  return store.write(() => {
    refuseUnreadable(store, plan.submissionId)
    const attemptId = randomUUID()
    const number = (rowOf(store, plan.submissionId)?.attempts ?? 0) + 1
    moveSubmission(
      store,
      plan.submissionId,
      'claimed',
      { failure: null, notBefore: null },
      { at: plan.at, details: { attempt: number } },
    )
    store.run`UPDATE submissions SET attempts = ${number} WHERE id = ${plan.submissionId}`
    const { baseUrl, clientId, centerId } = plan.destination
    store.run`
      INSERT INTO attempts (id, submission_id, number, base_url, client_id, center_id, phase,
      request_bytes, known_position, started_at)
      VALUES (${attemptId}, ${plan.submissionId}, ${number}, ${baseUrl}, ${clientId}, ${centerId}, 'prepared',
      ${plan.requestBytes}, ${knownPosition(store)}, ${plan.at})`
    return { attemptId, number }
  })
}

/** Commits that a phase is about to begin. */
export function markPhase(store: Store, attemptId: string, phase: AttemptPhase): void {
  store.run`UPDATE attempts SET phase = ${phase} WHERE id = ${attemptId}`
}

export type AttemptEnd = {
  readonly outcome: Outcome
  readonly handedOverBytes: number
  readonly failure: Failure | null
  readonly answer: { readonly status: number; readonly body: Uint8Array } | null
  readonly at: number
}

/** Ends an attempt and moves its submission, in one commit. */
export function endAttempt(
  store: Store,
  attemptId: string,
  end: AttemptEnd,
  event: SubmissionEvent,
  patch: MovePatch,
): void {
  store.write(() => {
    const attempt = attemptRow(store, attemptId)
    if (!attempt || attempt.outcome !== null) throw new Error('an attempt ends once')
    const { answer } = end
    const body = answer && Buffer.from(answer.body.subarray(0, MAX_STORED_ANSWER_BYTES))
    store.run`
      UPDATE attempts SET phase = 'ended', outcome = ${end.outcome}, handed_over_bytes = ${end.handedOverBytes},
      failure = ${failureToText(end.failure)}, answer_status = ${answer?.status ?? null}, answer_body = ${body},
      answer_size_bytes = ${answer?.body.byteLength ?? null}, ended_at = ${end.at} WHERE id = ${attemptId}`
    moveSubmission(store, attempt.submission_id, event, patch, {
      at: end.at,
      details: { attempt: attempt.number, outcome: end.outcome },
    })
  })
}

/** Enough of an answer to understand it later. */
const MAX_STORED_ANSWER_BYTES = 64 * 1024

export function attemptRow(store: Store, attemptId: string): AttemptRow | undefined {
  const row = store.row<AttemptRow>`SELECT * FROM attempts WHERE id = ${attemptId}`
  return row && rowsOfCase(store, 'attempts', [row])[0]
}

export function attemptsOf(store: Store, submissionId: string): AttemptRow[] {
  const rows = store.rows<AttemptRow>`
    SELECT * FROM attempts WHERE submission_id = ${submissionId} ORDER BY number`
  return rowsOfCase(store, 'attempts', rows)
}

/** Attempts left open when the process was killed or the machine switched off. */
export function openAttemptRows(store: Store): AttemptRow[] {
  const rows = store.rows<AttemptRow>(`SELECT * FROM attempts WHERE outcome IS NULL
    AND submission_id NOT IN (SELECT submission_id FROM quarantine)`)
  return readableRows(store, 'attempts', rows).filter((row) => isReadable(store, row.submission_id))
}

/** Is there an attempt with an unknown outcome, or one that the service showed all the same, that is not resolved yet? */
export function hasUnresolvedAttempt(store: Store, submissionId: string): boolean {
  return store.finds`
    SELECT 1 FROM attempts WHERE submission_id = ${submissionId} AND (outcome = 'unknown' OR found_at IS NOT NULL)
    AND resolution IS NULL LIMIT 1`
}

/** Records which id a person was warned about when they said that this attempt became that case. */
export function noteWarning(store: Store, attemptId: string, caseId: string): void {
  store.run`UPDATE attempts SET warned_case_id = ${caseId} WHERE id = ${attemptId}`
}

/** Our own pauses last a quarter of an hour at most; one more hour means that the clock was set back. */
const MAX_OWN_WAIT_MS = HOUR + 15 * MINUTE
/** Written before the clock was set back, if it is this far in the future; less is a correction of the clock. */
const SET_BACK_MS = 5 * MINUTE

/**
 * The submissions that may go now, urgent ones first, then the oldest. A due time implausibly far ahead was set before
 * the clock was set back, unless a service asked for it; one recorded in what is now the future never counts.
 */
export function dueSubmissions(store: Store, now: number, limit: number): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>(
    `SELECT * FROM submissions WHERE state = 'waiting' AND undo_ms IS NULL
         AND id NOT IN (SELECT submission_id FROM quarantine) AND (not_before IS NULL OR not_before <= @now
         OR (not_before > @now + @longest AND coalesce(CASE WHEN json_valid(failure) THEN failure ->> 'notBefore' END, 0) <> not_before)
         OR changed_at > @now + @setBack)
       ORDER BY is_urgent DESC, position LIMIT @limit`,
    { now, longest: MAX_OWN_WAIT_MS, setBack: SET_BACK_MS, limit },
  )
  return readableRows(store, 'submissions', rows)
}

/** When the next waiting submission becomes due after `now`, epoch milliseconds; null if none does. */
export function nextDueAfter(store: Store, now: number): number | null {
  return store.value<number>`
    SELECT min(not_before) FROM submissions WHERE state = 'waiting' AND undo_ms IS NULL AND not_before > ${now}
    AND id NOT IN (SELECT submission_id FROM quarantine)`
}

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

/** Unconfirmed submissions with a lookup due, oldest first; also those planned by a clock that was set back since. */
export function dueLookups(store: Store, now: number): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>`
    SELECT * FROM submissions WHERE state = 'unconfirmed'
    AND id NOT IN (SELECT submission_id FROM quarantine) AND (not_before <= ${now} OR planned_at > ${now})
    ORDER BY position`
  return readableRows(store, 'submissions', rows)
}

/** Never read back and due, or planned by a clock that was set back since. */
export function dueConfirmations(store: Store, now: number): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>`
    SELECT * FROM submissions INDEXED BY submissions_unconfirmed WHERE state = 'sent' AND confirmed_at IS NULL
    AND id NOT IN (SELECT submission_id FROM quarantine)
    AND (coalesce(not_before, 0) <= ${now} OR planned_at > ${now})
    ORDER BY position LIMIT 50`
  return readableRows(store, 'submissions', rows)
}

/** When the next lookup or confirmation is due, epoch milliseconds; null if none is. */
export function nextFollowUpAt(store: Store): number | null {
  return store.value<number>(`SELECT min(at) FROM (
         SELECT min(not_before) AS at FROM submissions
           WHERE state = 'unconfirmed' AND id NOT IN (SELECT submission_id FROM quarantine)
         UNION ALL
         SELECT min(coalesce(not_before, 0)) FROM submissions INDEXED BY submissions_unconfirmed
           WHERE state = 'sent' AND confirmed_at IS NULL AND id NOT IN (SELECT submission_id FROM quarantine))`)
}

/** A service's answer, for people to read. `sizeBytes` is its full size; `text` holds at most 64 KiB. */
export type StoredAnswer = { readonly status: number; readonly sizeBytes: number; readonly text: string }

/** The answer to an attempt, with what is not visible as escapes; null if none came. Never for a log. */
export function answerOf(store: Store, attemptId: string): StoredAnswer | null {
  const attempt = attemptRow(store, attemptId)
  if (!attempt || attempt.answer_status === null) return null
  const body = attempt.answer_body ?? new Uint8Array()
  return {
    status: attempt.answer_status,
    sizeBytes: attempt.answer_size_bytes ?? body.byteLength,
    text: visibleText(body),
  }
}

/** Control characters but tab and line feed, marks of the writing direction, characters without a glyph. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu

/** Decodes UTF-8; invisible characters become `\u{N}`. */
export function visibleText(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
  return text.replaceAll(INVISIBLE, (one) => `\\u{${one.codePointAt(0)?.toString(16) ?? ''}}`)
}
