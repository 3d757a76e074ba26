/**
 * Every change of state, checked, stamped and recorded. Approval from review, release, retry and the folder's rule clear
 * the content for sending; only the first is an approval. What is not proven leaves only with an approval.
 */
import type { Failure } from '../../../src-shared/failure.ts'
import { type SubmissionEvent, type SubmissionState, transition } from '../../../src-shared/states.ts'
import { failureToText, identityColumn } from '../json-columns.ts'
import {
  type ApprovedVia,
  type Candidate,
  candidateOf,
  isAsCleared,
  recordApproval,
  settleClearance,
  whyUnproven,
  withoutNotes,
} from './approvals.ts'
import { appendAudit, type AuditDetails, type Store } from './database.ts'
import { type AttemptRow, rowOf } from './rows.ts'
import { indexForSearch } from './submissions.ts'

/** The event is not allowed in the current state: nothing was written. */
export class MoveRefused extends Error {
  override name = 'MoveRefused' as const

  constructor(state: SubmissionState | null, event: SubmissionEvent) {
    super(`${event} is not possible in ${state ?? 'a submission that does not exist'}`)
  }
}

/** What may change together with the state; undefined values stay. */
export type MovePatch = {
  readonly failure?: Failure | null
  readonly notBefore?: number | null
  readonly quietUntil?: number | null
  readonly caseId?: string
  readonly sentAt?: number
  readonly looks?: number
}

export type MoveOptions = {
  readonly at: number
  readonly by?: string | undefined
  /** Of an approval: through what it came. */
  readonly via?: ApprovedVia
  readonly details?: AuditDetails
}

/** With these events a person, or the folder's rule, lets it go exactly as it is. */
const CLEARING: readonly SubmissionEvent[] = [
  'gatheredToSend',
  'approved',
  'releasedToSend',
  'retriedRefused',
]

/** Does the event clear other content than before? A retry clears what a person corrected in a refused case. */
function clearsAgain({ row }: Candidate, event: SubmissionEvent): boolean {
  if (event === 'retriedRefused') return identityColumn.read(row.identity).isAtWork === true
  return event === 'gatheredToSend' || event === 'approved'
}

/** These resolve every attempt with an unknown outcome. */
const RESOLUTIONS: Partial<Record<SubmissionEvent, AttemptRow['resolution']>> = {
  foundDelivered: 'arrived',
  provenAbsent: 'absent',
}

/** Records what a transition says about the attempts of the submission. */
function updateAttempts(store: Store, id: string, event: SubmissionEvent, at: number): void {
  const resolution = RESOLUTIONS[event]
  if (resolution !== undefined)
    store.run`
      UPDATE attempts SET resolution = ${resolution} WHERE submission_id = ${id} AND outcome = 'unknown'
      AND resolution IS NULL`
  if (event === 'foundAtService')
    store.run(
      `UPDATE attempts SET found_at = @at WHERE submission_id = @id
           AND number = (SELECT max(number) FROM attempts WHERE submission_id = @id)`,
      { id, at },
    )
}

/** Throws MoveRefused for a move the table lacks. What may not leave goes from `waiting` on to `review`. */
export function moveSubmission(
  store: Store,
  id: string,
  event: SubmissionEvent,
  patch: MovePatch,
  options: MoveOptions,
): SubmissionState {
  return store.write(() => {
    // The state of one that is quarantined is fixed, whatever the event.
    const { from, isFixed } = store.row<{ from: SubmissionState; isFixed: 0 | 1 }>`
      SELECT state AS "from", id IN (SELECT submission_id FROM quarantine) AS isFixed
      FROM submissions WHERE id = ${id}` ?? { from: null, isFixed: 1 }
    const to = from === null || isFixed === 1 ? null : transition(from, event)
    if (from === null || to === null) throw new MoveRefused(from, event)
    const candidate = to === 'waiting' ? candidateOf(store, id) : null
    const isSameContent = candidate !== null && (clearsAgain(candidate, event) || isAsCleared(candidate))
    const isCleared = isSameContent && CLEARING.includes(event)
    // Columns with an undefined value stay.
    const columns: Record<string, string | number | null | undefined> = {
      state: to,
      changed_at: options.at,
      failure: patch.failure === undefined ? undefined : failureToText(patch.failure),
      not_before: patch.notBefore,
      quiet_until: patch.quietUntil,
      case_id: patch.caseId,
      sent_at: patch.sentAt,
      looks: patch.looks,
    }
    // A hold records its origin, as long as it lasts.
    if (event === 'held') columns['held_from'] = from
    else if (to !== 'held') columns['held_from'] = null
    if (isCleared) {
      columns['passed_at'] = options.at
      columns['passed_digest'] = candidate.digest
      columns['identity'] = withoutNotes(candidate.row.identity)
    }
    const changes = Object.entries(columns).filter(([, value]) => value !== undefined)
    const assignments = changes.map(([column]) => `${column} = @${column}`).join(', ')
    store.run(`UPDATE submissions SET ${assignments} WHERE id = @id`, { id, ...Object.fromEntries(changes) })
    const isApproved = candidate !== null && event === 'approved'
    if (isApproved) recordApproval(store, candidate, { by: options.by, via: options.via, at: options.at })
    settleClearance(store, id, to)
    updateAttempts(store, id, event, options.at)
    const { at, by } = options
    const details = { from, to, ...(patch.failure && { failure: patch.failure.kind }), ...options.details }
    appendAudit(store, { at, submissionId: id, what: event, by, details })
    if (patch.caseId !== undefined) indexForSearch(store, id)
    store.touch(id)
    if (to !== 'waiting' || (isSameContent && (isApproved || candidate.mayLeave))) return to
    return sendBack(store, id, candidate, isSameContent, options.at)
  })
}

function sendBack(
  store: Store,
  id: string,
  candidate: Candidate | null,
  isSameContent: boolean,
  at: number,
): SubmissionState {
  const whyNotCleared = candidate?.row.passed_at === null ? 'neverPassed' : 'changedSincePassed'
  const why = isSameContent && candidate !== null ? whyUnproven(candidate) : whyNotCleared
  const patch = { failure: null, notBefore: null }
  return moveSubmission(store, id, 'gatheredForReview', patch, { at, details: { why } })
}

/** Moves a waiting case to review if it is not what was cleared, or may not leave as it is. True if it was moved. */
export function reviewIfUncleared(store: Store, id: string, at: number): boolean {
  return store.write(() => {
    if (rowOf(store, id)?.state !== 'waiting') return false
    const candidate = candidateOf(store, id)
    const isSameContent = candidate !== null && isAsCleared(candidate)
    if (isSameContent && candidate.mayLeave) return false
    sendBack(store, id, candidate, isSameContent, at)
    return true
  })
}
