/** Every change of state: checked against the state machine, stamped, and recorded in the audit trail. */
import type { Failure } from '../../../src-shared/failure.ts'
import { type SubmissionEvent, type SubmissionState, transition } from '../../../src-shared/states.ts'
import { identityColumn } from '../json-columns.ts'
import { matchesClearance, mayLeave, recordApproval, recordClearance, settleClearance } from './approvals.ts'
import { appendAudit, type AuditDetails } from './audit.ts'
import { isQuarantined } from './quarantine.ts'
import { type AttemptResolution, failureToText } from './rows.ts'
import { indexForSearch, rowOf } from './submissions.ts'
import type { Store } from './database.ts'

/** The event is not allowed in the current state: nothing was written. */
export class MoveRefused extends Error {
  override name = 'MoveRefused' as const
  readonly state: SubmissionState | null

  constructor(state: SubmissionState | null, event: SubmissionEvent) {
    super(`${event} is not possible in ${state ?? 'a submission that does not exist'}`)
    this.state = state
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
  readonly details?: AuditDetails
}

/** With these events a person, or the folder's rule, lets it go exactly as it is. */
const CLEARING: readonly SubmissionEvent[] = [
  'gatheredToSend',
  'approved',
  'releasedToSend',
  'retriedRefused',
]

/**
 * Does the event clear other content than before? After any other event a case waits as it was cleared, or not at
 * all. A retry clears what a person corrected in a refused case.
 */
function clearsAgain(store: Store, id: string, event: SubmissionEvent): boolean {
  if (event !== 'retriedRefused') return event === 'gatheredToSend' || event === 'approved'
  const row = rowOf(store, id)
  return row !== undefined && identityColumn.read(row.identity).isAtWork === true
}

/** These resolve every attempt with an unknown outcome. */
const RESOLUTIONS: Partial<Record<SubmissionEvent, AttemptResolution>> = {
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

/**
 * Moves a submission and returns its new state; throws MoveRefused if the state machine does not allow it.
 *
 * A case that would wait goes on to review in the same commit if its content is not what was cleared, or if it rests
 * on names alone and no person approved it.
 */
export function moveSubmission(
  store: Store,
  id: string,
  event: SubmissionEvent,
  patch: MovePatch,
  options: MoveOptions,
): SubmissionState {
  return store.write(() => {
    const from = store.value<SubmissionState>`SELECT state FROM submissions WHERE id = ${id}`
    // Its state is fixed, whatever the event.
    const isFixed = isQuarantined(store, id)
    const to = from === undefined || isFixed ? null : transition(from, event)
    if (from === undefined || to === null) throw new MoveRefused(from ?? null, event)
    const isAsCleared = to !== 'waiting' || clearsAgain(store, id, event) || matchesClearance(store, id)
    const isCleared = CLEARING.includes(event) && isAsCleared
    const assignments = ['state = @state', 'changed_at = @at']
    const values: Record<string, string | number | null> = { id, state: to, at: options.at }
    const assign = (column: string, value: string | number | null | undefined): void => {
      if (value === undefined) return
      assignments.push(`${column} = @${column}`)
      values[column] = value
    }
    assign('failure', patch.failure === undefined ? undefined : failureToText(patch.failure))
    assign('not_before', patch.notBefore)
    assign('quiet_until', patch.quietUntil)
    assign('case_id', patch.caseId)
    assign('sent_at', patch.sentAt)
    assign('looks', patch.looks)
    if (event === 'held') assign('held_from', from)
    else if (to !== 'held') assign('held_from', null)
    if (isCleared) assign('passed_at', options.at)
    store.run(`UPDATE submissions SET ${assignments.join(', ')} WHERE id = @id`, values)
    if (isCleared) recordClearance(store, id)
    if (event === 'approved') recordApproval(store, id, { by: options.by, at: options.at })
    settleClearance(store, id, to)
    updateAttempts(store, id, event, options.at)
    appendAudit(store, {
      at: options.at,
      submissionId: id,
      what: event,
      by: options.by ?? null,
      details: { from, to, ...(patch.failure ? { failure: patch.failure.kind } : {}), ...options.details },
    })
    if (patch.caseId !== undefined) indexForSearch(store, id)
    store.touch(id)
    if (to !== 'waiting' || (isAsCleared && mayLeave(store, id))) return to
    return moveSubmission(
      store,
      id,
      'gatheredForReview',
      { failure: null, notBefore: null },
      { at: options.at, details: { why: isAsCleared ? 'readFromNames' : whyNotAsCleared(store, id) } },
    )
  })
}

function whyNotAsCleared(store: Store, id: string): 'neverPassed' | 'changedSincePassed' {
  return rowOf(store, id)?.passed_at === null ? 'neverPassed' : 'changedSincePassed'
}
