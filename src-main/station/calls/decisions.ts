/**
 * Decisions of persons and scripts: on many submissions at once, as approve, retry, hold, release, discard, restore, move to
 * a center; and what every decision shares: who and when, its trail, and the case as it was shown.
 */
import { errorName } from '../lib/errors.ts'
import type { BulkResult, ParsedInput } from '../../../src-shared/contract.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, refusal, type Result, succeed } from '../../../src-shared/failure.ts'
import { isUnsent, type SubmissionState, transition } from '../../../src-shared/states.ts'
import { type Reason, REASONS_SETTLED_BY_APPROVAL } from '../../../src-shared/submission.ts'
import { quoted, type WordingKey } from '../../../src-shared/wording.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { identityColumn } from '../json-columns.ts'
import { storageFailureOf } from '../lib/storage-faults.ts'
import { eachTimeSlice } from '../lib/schedule.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { AuditDetails } from '../outbox/database.ts'

type BulkInput = Decision & { readonly ids: readonly string[] }
export type ShownInput = ParsedInput<'submissions.retry'>

type BulkAction<Input> = (row: SubmissionRow, stamp: DecisionStamp, input: Input) => Failure | null

/** The result for one case: null if it was done, or why it was refused. */
type BulkOutcome = { readonly id: string; readonly failure: Failure | null }

export function decisionCalls(parts: StationParts) {
  const { outbox, cases } = parts
  const hold = (row: SubmissionRow, stamp: DecisionStamp): null => {
    outbox.moveSubmission(row.id, 'held', {}, stamp)
    return null
  }
  const discard = (row: SubmissionRow, stamp: DecisionStamp): null => {
    outbox.moveSubmission(row.id, 'discarded', {}, stamp)
    // A copy that was skipped as a duplicate of this case may be the right one.
    if (outbox.forgetDuplicatesOf(row.id) > 0) outbox.afterCommit(() => void cases.folders.rescan())
    return null
  }
  return {
    'submissions.approve': forEachSubmission(parts, (row, stamp, input) => approve(parts, row, stamp, input)),
    'submissions.undoApproval': forEachSubmission(parts, (row, stamp) => undoApproval(parts, row, stamp)),
    'submissions.retry': retryMany(parts),
    'submissions.prioritise': forEachSubmission(parts, (row, stamp) => {
      if (transition(row.state, 'discarded') === null) return failureOf('notAllowed')
      outbox.setUrgent(row.id, stamp.at, stamp)
      return null
    }),
    'submissions.hold': forEachSubmission(parts, hold),
    'submissions.release': forEachSubmission(
      parts,
      (row, stamp, { seen }: ShownInput) => unlikeShown(parts, row.id, seen) ?? release(parts, row, stamp),
    ),
    'submissions.discard': forEachSubmission(
      parts,
      (row, stamp, { seen }: ShownInput) => unlikeShown(parts, row.id, seen) ?? discard(row, stamp),
    ),
    'submissions.restore': forEachSubmission(parts, (row, stamp) => restore(parts, row, stamp)),
    'submissions.cancel': forEachSubmission(parts, (row, stamp, decision) =>
      cancelSending(parts, row, stamp, decision),
    ),
    'submissions.moveToCenter': forEachSubmission(
      parts,
      (row, stamp, { centerId, seen }: ParsedInput<'submissions.moveToCenter'>) =>
        unlikeShown(parts, row.id, seen) ?? moveToCenter(parts, row, centerId, stamp),
    ),
    'submissions.closeNow': forEachSubmission(parts, (row, stamp) => {
      if (row.state !== 'collecting') return failureOf('notAllowed')
      auditDecision(parts, row.id, 'closedNow', stamp)
      cases.settle(row.id, 'closing', stamp)
      return null
    }),
  } satisfies Partial<CallHandlers>
}

/**
 * Applies an action to each submission, a slice in one commit, yielding in between: a kill leaves every case whole. If
 * a slice cannot be committed, the rest is refused for that reason; if nothing was changed, the call fails.
 */
export function forEachSubmission<Input extends BulkInput>(
  parts: StationParts,
  action: BulkAction<Input>,
): (input: Input) => Promise<Result<BulkResult>> {
  return async (input) => {
    const changed: BulkResult = { changed: [], refused: [] }
    const stamp = stampNow(parts, input)
    const total = input.ids.length
    /** Why the rest is not tried. */
    let stopFailure: Failure | null = null
    const runSlice = (slice: Iterable<string>): BulkOutcome[] => {
      if (parts.isStopping()) stopFailure ??= refusal('notAllowed', 'call:request.stopping')
      try {
        if (stopFailure === null)
          return parts.outbox.write(() =>
            Array.from(slice, (id) => ({
              id,
              failure: runOnOne(parts, id, (row) => action(row, stamp, input)),
            })),
          )
      } catch (error) {
        stopFailure = storageFailureOf(error)
        if (stopFailure === null) throw error
      }
      const failure = stopFailure
      return Array.from(slice, (id) => ({ id, failure }))
    }
    await eachTimeSlice(input.ids, parts.ports.clock, (slice) => {
      const outcomes = runSlice(slice)
      for (const outcome of outcomes) {
        if (outcome.failure) changed.refused.push({ id: outcome.id, failure: outcome.failure })
        else changed.changed.push(outcome.id)
      }
      const done = changed.changed.length + changed.refused.length
      // A single slice is done before anyone could see its progress.
      if (outcomes.length < total) parts.emitCallProgress({ done, total })
    })
    parts.delivery()?.wake()
    parts.cases.wake()
    // Reported once if it is the same for all.
    return stopFailure !== null && changed.changed.length === 0 ? fail(stopFailure) : succeed(changed)
  }
}

/** Runs in a savepoint: a case that is refused or unreadable must not block the others. */
function runOnOne(
  parts: StationParts,
  id: string,
  action: (row: SubmissionRow) => Failure | null,
): Failure | null {
  const { outbox, ports } = parts
  try {
    return outbox.write(() => {
      const row = outbox.rowOf(id)
      return row ? action(row) : notThere(parts, id)
    })
  } catch (error) {
    if (outbox.isMoveRefused(error)) return failureOf('notAllowed')
    // The slice is then run again without the unreadable case.
    if (storageFailureOf(error) !== null || outbox.isCaseUnreadable(error)) throw error
    ports.logger.error('a case could not be changed', { submission: id, error: errorName(error) })
    return failureOf('internal')
  }
}

function restore(parts: StationParts, row: SubmissionRow, stamp: DecisionStamp): Failure | null {
  const { outbox, cases } = parts
  if (row.erased_at !== null) return failureOf('notAllowed')
  if (outbox.hasUnresolvedAttempt(row.id)) {
    // It was thrown away on purpose: if it proves absent, a person looks before it goes again.
    outbox.forgetClearance(row.id)
    outbox.moveSubmission(row.id, 'restoredToUnconfirmed', { notBefore: stamp.at }, stamp)
    return null
  }
  outbox.moveSubmission(row.id, 'restoredToReview', {}, stamp)
  // Questions settled before the discard are asked again: its images may be in another case by now.
  const identity = identityColumn.read(row.identity)
  outbox.setIdentity(row.id, { ...identity, isAddendumAccepted: false })
  cases.settle(row.id, 'restore', stamp)
  return null
}

/** Back into the queue if exactly this content was approved and may leave; otherwise to a person. */
function release({ cases }: StationParts, row: SubmissionRow, stamp: DecisionStamp): Failure | null {
  if (row.state !== 'held') return failureOf('notAllowed')
  cases.settle(row.id, 'release', stamp)
  return null
}

/** Asks the service once whether it is reachable, however many cases are retried. */
function retryMany(parts: StationParts): CallHandlers['submissions.retry'] {
  return async (input) => {
    let isRetryWanted = false
    const changed = await forEachSubmission(parts, (row, stamp, { seen }: ShownInput) => {
      const failure = unlikeShown(parts, row.id, seen) ?? retry(parts, row, stamp, seen)
      if (failure === null && row.state !== 'refused')
        parts.outbox.afterCommit(() => {
          isRetryWanted = true
        })
      return failure
    })(input)
    if (isRetryWanted) parts.delivery()?.retryNow('person')
    return changed
  }
}

/** A case that may have arrived is never simply retried: it is looked up first. */
function retry(
  parts: StationParts,
  row: SubmissionRow,
  stamp: DecisionStamp,
  seen: ShownInput['seen'],
): Failure | null {
  const { outbox } = parts
  switch (row.state) {
    case 'waiting':
      outbox.setNotBefore(row.id, null)
      auditDecision(parts, row.id, 'retried', stamp)
      return null
    case 'refused': {
      const read = parts.cases.settle(row.id, 'retry', stamp)
      if (read === null) return notThere(parts, row.id)
      const open = read.reasons.filter(needsPerson)
      if (open.length > 0) return incompleteFailure(open)
      if (!read.hasChanged) return null
      return seen ? failureOf('changed') : refusal('notAllowed', 'call:decision.changedSinceRead')
    }
    case 'unconfirmed':
      outbox.setNotBefore(row.id, stamp.at)
      auditDecision(parts, row.id, 'lookedAgain', stamp)
      return null
    default:
      return failureOf('notAllowed')
  }
}

/** True if the reason needs more than the review that an approval implies. */
function needsPerson({ kind }: Reason): boolean {
  return !REASONS_SETTLED_BY_APPROVAL.includes(kind)
}

function incompleteFailure([first]: readonly Reason[]): Failure {
  const reason = first === undefined ? '' : quoted(first)
  return refusal('notAllowed', 'call:decision.incomplete', { reason })
}

type ApproveInput = ParsedInput<'submissions.approve'>

const APPROVABLE: readonly SubmissionState[] = ['incomplete', 'review', 'refused']

/** What is approved is what was shown; if it is read differently now, or a value is missing, it stays with a person. */
function approve(
  parts: StationParts,
  row: SubmissionRow,
  stamp: DecisionStamp,
  { ids, seen, undoSeconds = 0 }: ApproveInput,
): Failure | null {
  const { outbox, cases } = parts
  const unlike = unlikeShown(parts, row.id, seen)
  if (unlike?.kind === 'needsLook' || row.state === 'waiting') return unlike
  if (!APPROVABLE.includes(row.state)) return failureOf('notAllowed')
  const isOneOfSeveral = seen !== undefined && new Set(ids).size > 1
  const read = cases.settle(row.id, 'approval', { ...stamp, shown: seen?.[row.id], isOneOfSeveral })
  if (read === null) return notThere(parts, row.id)
  const { reasons } = read
  if (read.hasChanged) return failureOf('changed')
  const open = reasons.filter(needsPerson)
  if (open.length > 0) return incompleteFailure(open)
  if (isOneOfSeveral && !outbox.mayBeApprovedTogether(row.id)) return failureOf('needsLook')
  const { centerId } = parts.settings.current()
  if (row.center_id === null && centerId !== null) outbox.setCenter(row.id, centerId)
  let seenNow: typeof read | null = read
  if (reasons.length > 0) {
    // Earlier questions are settled by now; without any, the first reading is still valid.
    const identity = identityColumn.read(outbox.rowOf(row.id)?.identity ?? row.identity)
    outbox.setIdentity(row.id, { ...identity, isAddendumAccepted: true })
    seenNow = cases.refresh(row.id)
  }
  const via = seen === undefined ? 'script' : 'screen'
  const ms = Math.ceil(undoSeconds * SECOND)
  const undo = ms === 0 ? null : { ms, before: row }
  const details = { ...stamp.details, via, ...(undo && { undoSeconds }) }
  const patch = { failure: null, notBefore: null }
  outbox.moveSubmission(row.id, 'approved', patch, { ...stamp, via, undo, details })
  if (undo) outbox.afterCommit(() => cases.undo.start(row.id, ms))
  else cases.noteApproved(row.id, via === 'screen' && seenNow !== null ? seenNow.evidence : null)
  return null
}

/** Why an approval can no longer be taken back, by the state of its case. */
const TOO_LATE: Partial<Record<SubmissionState, WordingKey>> = {
  waiting: 'call:undo.waiting',
  sending: 'call:undo.sending',
  unconfirmed: 'call:undo.unconfirmed',
  sent: 'call:undo.sent',
}

/** Takes an approval back that is not final; in the commit that says so, the case is what it was before. */
function undoApproval(
  { outbox, cases }: StationParts,
  row: SubmissionRow,
  stamp: DecisionStamp,
): Failure | null {
  if (row.undo_ms === null) {
    const why = TOO_LATE[row.state]
    return why === undefined ? failureOf('notAllowed') : refusal('notAllowed', why)
  }
  outbox.moveSubmission(row.id, 'undone', {}, stamp)
  cases.settle(row.id, 'undo', stamp)
  return null
}

/** The center is no part of the approval: a waiting case stays in the queue unless something else has changed. */
function moveToCenter(
  parts: StationParts,
  row: SubmissionRow,
  centerId: string,
  stamp: DecisionStamp,
): Failure | null {
  const { outbox, cases } = parts
  // A case that was or may have been sent belongs to the center of its attempt; a discarded one is restored first.
  if (!isUnsent(row.state)) return refusal('notAllowed', 'call:center.notMovable')
  const isOpen = outbox.attemptsOf(row.id).some((attempt) => attempt.outcome === null)
  if (isOpen || outbox.hasUnresolvedAttempt(row.id))
    return refusal('notAllowed', 'call:center.mayHaveArrived')
  if (row.center_id === centerId) return null
  outbox.assignCenter(row.id, centerId, stamp)
  cases.settle(row.id, 'center', stamp)
  return null
}

/** Cancels an upload whose last bytes have not left; the delivery puts the case on hold once it has stopped. */
function cancelSending(
  parts: StationParts,
  row: SubmissionRow,
  stamp: DecisionStamp,
  { by, why }: Decision,
): Failure | null {
  switch (parts.delivery()?.cancel(row.id, { by, why })) {
    case 'stopping':
      auditDecision(parts, row.id, 'cancelled', stamp)
      return null
    case 'tooLate':
      return refusal('notAllowed', 'call:decision.tooLateToCancel')
    case 'notSending':
    case undefined:
      return refusal('notAllowed', 'call:decision.notSending')
  }
}

/** Who decided, and why, as written to the audit trail. */
export type Decision = { readonly by?: string | undefined; readonly why?: string | undefined }

export type DecisionStamp = {
  readonly at: number
  readonly by: string | undefined
  readonly details: Readonly<Record<string, string>>
}

/** The part that all audit entries of one decision share; an entry may add details. */
export function stampAt(decision: Decision, at: number): DecisionStamp {
  const { by, why } = decision
  return { at, by, details: why === undefined ? {} : { why } }
}

export function stampNow({ ports }: Pick<StationParts, 'ports'>, decision: Decision): DecisionStamp {
  return stampAt(decision, ports.clock.now())
}

/** Writes an audit entry for a decision that changes no state; `submissionId` is null if it is about the station. */
export function auditDecision(
  { outbox }: Pick<StationParts, 'outbox'>,
  submissionId: string | null,
  what: string,
  { at, by, details }: DecisionStamp,
  facts: AuditDetails = {},
): void {
  outbox.appendAudit({ at, submissionId, what, by: by ?? null, details: { ...facts, ...details } })
}

/** The failure for an id without a usable row: a quarantined case is on the disk, but cannot be changed. */
export function notThere({ outbox }: Pick<StationParts, 'outbox'>, id: string): Failure {
  return failureOf(outbox.quarantinedOf(id) === null ? 'notFound' : 'caseUnreadable')
}

/** Why this is not the case that the caller showed; null if it is, or if nothing was shown. */
export function unlikeShown(
  { outbox }: Pick<StationParts, 'outbox'>,
  id: string,
  seen: Readonly<Record<string, string>> | undefined,
): Failure | null {
  if (seen === undefined) return null
  const shown = seen[id]
  if (shown === undefined) return failureOf('needsLook')
  return outbox.shownDigest(id) === shown ? null : failureOf('changed')
}

/** A decision as one commit, after which cases may be due. */
export function inOneCommit<Input extends Decision, Value>(
  parts: StationParts,
  decide: (parts: StationParts, input: Input, stamp: DecisionStamp) => Result<Value>,
): (input: Input) => Promise<Result<Value>> {
  return (input) => {
    const answer = parts.outbox.write(() => decide(parts, input, stampNow(parts, input)))
    parts.delivery()?.wake()
    parts.cases.wake()
    return Promise.resolve(answer)
  }
}
