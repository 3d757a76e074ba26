/** The moves that a person or a script may ask for, each on many submissions at once. */
import type { BulkResult } from '../../../src-shared/contract.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { type SubmissionState, transition } from '../../../src-shared/states.ts'
import { type Reason, REASONS_SETTLED_BY_APPROVAL } from '../../../src-shared/submission.ts'
import type { CallHandlers } from '../api.ts'
import type { StationParts } from '../apply-settings.ts'
import { identityColumn } from '../json-columns.ts'
import { storageFailureOf } from '../lib/storage-faults.ts'
import { eachTimeSlice } from '../lib/schedule.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import { type Decision, type DecisionStamp, stampAt } from './csv-export.ts'

const TOO_LATE = failureOf('notAllowed', {
  message:
    'All of this case has left already, so it cannot be stopped any more. Its answer is awaited; nothing was changed.',
})

const NOT_SENDING = failureOf('notAllowed', {
  message: 'This case is not being sent right now. To keep it from being sent, put it on hold.',
})

/** Stops a transfer whose last bytes are still here; the delivery puts the case on hold once it has stopped. */
function cancelSending(
  parts: StationParts,
  row: SubmissionRow,
  { at, by, details }: DecisionStamp,
  decision: Decision,
): Failure | null {
  switch (parts.delivery()?.cancel(row.id, { by: decision.by, why: decision.why })) {
    case 'stopping':
      parts.outbox.audit.append({ at, submissionId: row.id, what: 'cancelled', by: by ?? null, details })
      return null
    case 'tooLate':
      return TOO_LATE
    case 'notSending':
    case undefined:
      return NOT_SENDING
  }
}

// A person's word on the center of a case that has not left.

/** What was sent, or may have been, belongs to the center of its attempt; what was thrown away is restored first. */
const MOVABLE: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'waiting',
  'held',
  'refused',
]

const NOT_MOVABLE = failureOf('notAllowed', {
  message:
    'A case that is on its way, was sent or was discarded keeps its center. Nothing was changed; if it reached the wrong center, ask the service.',
})

const MAY_HAVE_ARRIVED = failureOf('notAllowed', {
  message:
    'This case may have arrived under its present center, so it is not given to another one. Nothing was changed; make a new case if it is needed there.',
})

/**
 * Gives a case to another center. The center is no part of what was passed for sending, and a person chose it, so what
 * waits goes on waiting as long as nothing else has changed.
 */
function moveToCenter(
  parts: StationParts,
  row: SubmissionRow,
  centerId: string,
  stamp: DecisionStamp,
): Failure | null {
  const { outbox } = parts
  if (!MOVABLE.includes(row.state)) return NOT_MOVABLE
  const isOpen = outbox.attempts.of(row.id).some((attempt) => attempt.outcome === null)
  if (isOpen || outbox.attempts.hasUnresolved(row.id)) return MAY_HAVE_ARRIVED
  if (row.center_id === centerId) return null
  outbox.centers.assign(row.id, centerId, stamp)
  refreshAfterMove(parts, row, stamp)
  return null
}

/** The case is read anew: what was missing may have been the center. */
function refreshAfterMove(parts: StationParts, row: SubmissionRow, stamp: DecisionStamp): void {
  const { outbox, intake } = parts
  if (row.state === 'incomplete') return intake.refreshAndMove(row.id)
  const reasons = intake.refresh(row.id)
  if (row.state === 'collecting' || row.state === 'held') return
  if (reasons.length > 0) outbox.submissions.transition(row.id, 'gatheredIncomplete', {}, stamp)
  else if (row.state === 'waiting' && !outbox.approvals.matches(row.id))
    outbox.submissions.transition(row.id, 'gatheredForReview', {}, stamp)
}

// One decision on many cases: each is changed or refused on its own, a few milliseconds at a time.

type BulkInput = Decision & { readonly ids: readonly string[] }

type BulkAction<Input> = (row: SubmissionRow, decided: DecisionStamp, input: Input) => Failure | null

/** What became of one case: null if it was done, or why it was refused. */
type BulkOutcome = { readonly id: string; readonly failure: Failure | null }

const STATION_STOPPING = failureOf('notAllowed', {
  message: 'The station is closing, so this case was not changed. Do it again after the next start.',
})

/**
 * Does one thing to each of many submissions: null if it was done, or why it was refused.
 *
 * One commit for each slice of the list, and others have the thread in between. A kill leaves every case whole, and the
 * same call may be made again. After a slice that cannot be committed, the rest is refused for the same reason, and the
 * whole call where nothing was changed at all.
 */
function forEachSubmission<Input extends BulkInput>(
  parts: StationParts,
  action: BulkAction<Input>,
): (input: Input) => Promise<Result<BulkResult>> {
  return async (input) => {
    const changed: BulkResult = { changed: [], refused: [] }
    const stamp = stampAt(input, parts.ports.clock.now())
    const total = input.ids.length
    let stopFailure: Failure | null = null
    await eachTimeSlice(input.ids, parts.ports.clock, (slice) => {
      if (parts.isStopping()) stopFailure ??= STATION_STOPPING
      const { outcomes, failure } =
        stopFailure === null
          ? runSlice(parts, slice, (id) => runOnOne(parts, id, (row) => action(row, stamp, input)))
          : refuseSlice(slice, stopFailure)
      stopFailure = failure
      for (const outcome of outcomes) {
        if (outcome.failure) changed.refused.push({ id: outcome.id, failure: outcome.failure })
        else changed.changed.push(outcome.id)
      }
      const done = changed.changed.length + changed.refused.length
      // What one slice does is done before anyone could see how far it is.
      if (outcomes.length < total) parts.emitCallProgress({ done, total })
    })
    parts.delivery()?.wake()
    parts.intake.wake()
    // Said once where it is the same for all of them.
    return stopFailure !== null && changed.changed.length === 0 ? fail(stopFailure) : succeed(changed)
  }
}

/** What became of a slice, and why the rest is not tried; null if it is. */
type Slice = { readonly outcomes: readonly BulkOutcome[]; readonly failure: Failure | null }

function runSlice(
  { outbox }: StationParts,
  slice: Iterable<string>,
  action: (id: string) => Failure | null,
): Slice {
  try {
    const outcomes = outbox.write(() => Array.from(slice, (id) => ({ id, failure: action(id) })))
    return { outcomes, failure: null }
  } catch (error) {
    const failure = storageFailureOf(error)
    if (failure === null) throw error
    return refuseSlice(slice, failure)
  }
}

function refuseSlice(slice: Iterable<string>, failure: Failure): Slice {
  return { outcomes: Array.from(slice, (id) => ({ id, failure })), failure }
}

/** A case that cannot be read is on the disk, and nothing can be done to it. */
export function notThere({ outbox }: StationParts, id: string): Failure {
  return failureOf(outbox.quarantine.of(id) === null ? 'notFound' : 'caseUnreadable')
}

/** In a savepoint of its own: a case that is refused, or that cannot be read, keeps no other from being changed. */
function runOnOne(
  parts: StationParts,
  id: string,
  action: (row: SubmissionRow) => Failure | null,
): Failure | null {
  const { outbox, ports } = parts
  try {
    return outbox.write(() => {
      const row = outbox.submissions.row(id)
      return row ? action(row) : notThere(parts, id)
    })
  } catch (error) {
    if (outbox.isMoveRefused(error)) return failureOf('notAllowed')
    // The slice is then run again, without the case that cannot be read.
    if (storageFailureOf(error) !== null || outbox.isCaseUnreadable(error)) throw error
    ports.logger.error('a case could not be changed', {
      submission: id,
      error: error instanceof Error ? error.name : 'unknown',
    })
    return failureOf('internal')
  }
}

type MoveCalls = Pick<
  CallHandlers,
  | 'submissions.approve'
  | 'submissions.retry'
  | 'submissions.prioritise'
  | 'submissions.hold'
  | 'submissions.release'
  | 'submissions.discard'
  | 'submissions.restore'
  | 'submissions.closeNow'
  | 'submissions.cancel'
  | 'submissions.moveToCenter'
>

function incompleteFailure(reasons: readonly Reason[]): Failure {
  const [first] = reasons
  return failureOf('notAllowed', {
    message: `Something is still missing or unclear, so it was not changed. ${first?.message ?? ''}`.trim(),
  })
}

const CHANGED_SINCE_READ = failureOf('notAllowed', {
  message: 'This case has changed since it was last read. Look at it again before it is sent.',
})

/** More than a look, which whoever passes a case on has had. */
function needsPerson({ kind }: Reason): boolean {
  return !REASONS_SETTLED_BY_APPROVAL.includes(kind)
}

/**
 * Approval settles what only asked for a look; whatever is missing keeps the submission with a person. What is approved
 * is what was shown: where a new reading finds something else, the person looks again.
 */
function approve(parts: StationParts, row: SubmissionRow, stamp: DecisionStamp): Failure | null {
  const { outbox, intake } = parts
  if (row.state === 'waiting') return null
  if (row.state === 'incomplete' || row.state === 'review' || row.state === 'refused') {
    const digestBefore = outbox.approvals.contentDigest(row.id)
    const reasons = intake.refresh(row.id)
    const open = reasons.filter(needsPerson)
    if (open.length > 0) {
      if (row.state === 'review') intake.refreshAndMove(row.id)
      return incompleteFailure(open)
    }
    if (outbox.approvals.contentDigest(row.id) !== digestBefore) return CHANGED_SINCE_READ
    const identity = identityColumn.read(outbox.submissions.row(row.id)?.identity ?? row.identity)
    if (reasons.length > 0) outbox.submissions.setIdentity(row.id, { ...identity, isAddendumAccepted: true })
    const { centerId } = parts.settings.current()
    if (row.center_id === null && centerId !== null) outbox.submissions.setCenter(row.id, centerId)
    // What was asked is settled by now; where nothing was, the first reading stands.
    if (reasons.length > 0) intake.refresh(row.id)
    if (row.state !== 'review') outbox.submissions.transition(row.id, 'gatheredForReview', {}, stamp)
  }
  outbox.submissions.transition(row.id, 'approved', { failure: null, notBefore: null }, stamp)
  return null
}

/** What may have arrived is never simply tried again: it is looked for. */
function retry(parts: StationParts, row: SubmissionRow, stamp: DecisionStamp): Failure | null {
  const { outbox } = parts
  switch (row.state) {
    case 'waiting':
      outbox.submissions.setNotBefore(row.id, null)
      auditDecision(parts, row.id, 'retried', stamp)
      return null
    case 'refused': {
      const digestBefore = outbox.approvals.contentDigest(row.id)
      const open = parts.intake.refresh(row.id).filter(needsPerson)
      if (open.length > 0) return incompleteFailure(open)
      if (outbox.approvals.contentDigest(row.id) !== digestBefore) return CHANGED_SINCE_READ
      // No approval: a case that rests on names alone and was never approved goes to review.
      outbox.submissions.transition(row.id, 'retriedRefused', { failure: null, notBefore: null }, stamp)
      return null
    }
    case 'unconfirmed':
      outbox.submissions.setNotBefore(row.id, stamp.at)
      auditDecision(parts, row.id, 'lookedAgain', stamp)
      return null
    default:
      return failureOf('notAllowed')
  }
}

/** However many are tried again, the service is asked once whether it is there. */
function retryMany(parts: StationParts): MoveCalls['submissions.retry'] {
  return async (input) => {
    let isRetryWanted = false
    const changed = await forEachSubmission(parts, (row, stamp) => {
      const failure = retry(parts, row, stamp)
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

/** A decision that moves nothing stands in the trail all the same. */
function auditDecision(parts: StationParts, submissionId: string, what: string, stamp: DecisionStamp): void {
  const { at, by, details } = stamp
  parts.outbox.audit.append({ at, submissionId, what, by: by ?? null, details })
}

/** Back into the line, if just this had been passed for sending and may leave; else to a person. */
function release(parts: StationParts, row: SubmissionRow, stamp: DecisionStamp): Failure | null {
  const { outbox, intake } = parts
  if (row.state !== 'held') return failureOf('notAllowed')
  if (intake.refresh(row.id).length > 0)
    outbox.submissions.transition(row.id, 'gatheredIncomplete', {}, stamp)
  else
    outbox.submissions.transition(
      row.id,
      row.held_from === 'waiting' && outbox.approvals.matches(row.id) && outbox.approvals.mayLeave(row.id)
        ? 'releasedToSend'
        : 'releasedToReview',
      {},
      stamp,
    )
  return null
}

function restore(parts: StationParts, row: SubmissionRow, stamp: DecisionStamp): Failure | null {
  const { outbox, intake } = parts
  if (outbox.attempts.hasUnresolved(row.id)) {
    outbox.submissions.transition(row.id, 'restoredToUnconfirmed', { notBefore: stamp.at }, stamp)
    return null
  }
  outbox.submissions.transition(row.id, 'restoredToReview', {}, stamp)
  // What was settled before it was thrown away is asked again: its images may be in another case by now.
  const identity = identityColumn.read(row.identity)
  outbox.submissions.setIdentity(row.id, { ...identity, isAddendumAccepted: false })
  if (intake.refresh(row.id).length > 0)
    outbox.submissions.transition(row.id, 'gatheredIncomplete', {}, stamp)
  return null
}

export function moveCalls(parts: StationParts): MoveCalls {
  const { outbox, intake } = parts
  const hold = (row: SubmissionRow, stamp: DecisionStamp): null => {
    outbox.submissions.transition(row.id, 'held', {}, stamp)
    return null
  }
  const discard = (row: SubmissionRow, stamp: DecisionStamp): null => {
    outbox.submissions.transition(row.id, 'discarded', {}, stamp)
    // A copy elsewhere that was passed by because of this case may be the right one.
    if (outbox.files.forgetDuplicatesOf(row.id) > 0) outbox.afterCommit(() => intake.rescan())
    return null
  }
  return {
    'submissions.approve': forEachSubmission(parts, (row, stamp) => approve(parts, row, stamp)),
    'submissions.retry': retryMany(parts),
    'submissions.prioritise': forEachSubmission(parts, (row, stamp) => {
      if (transition(row.state, 'discarded') === null) return failureOf('notAllowed')
      outbox.submissions.setUrgent(row.id, stamp.at, stamp)
      return null
    }),
    'submissions.hold': forEachSubmission(parts, hold),
    'submissions.release': forEachSubmission(parts, (row, stamp) => release(parts, row, stamp)),
    'submissions.discard': forEachSubmission(parts, discard),
    'submissions.restore': forEachSubmission(parts, (row, stamp) => restore(parts, row, stamp)),
    'submissions.cancel': forEachSubmission(parts, (row, stamp, decision) =>
      cancelSending(parts, row, stamp, decision),
    ),
    'submissions.moveToCenter': forEachSubmission(parts, (row, stamp, { centerId }) =>
      moveToCenter(parts, row, centerId, stamp),
    ),
    'submissions.closeNow': forEachSubmission(parts, (row, stamp) => {
      if (row.state !== 'collecting') return failureOf('notAllowed')
      auditDecision(parts, row.id, 'closedNow', stamp)
      intake.refreshAndMove(row.id)
      return null
    }),
  }
}
