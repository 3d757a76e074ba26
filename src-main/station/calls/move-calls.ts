/** The moves that a person or a script may ask for, each on many submissions at once. */
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { moveState } from '../../../src-shared/states.ts'
import { REASONS_SETTLED_BY_APPROVAL, type Reason } from '../../../src-shared/submission.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { identityColumn } from '../json-columns.ts'
import type { CallHandlers } from '../station-api.ts'
import type { StationParts } from '../station-parts.ts'
import type { Decided } from './decided.ts'
import { cancelSending } from './cancel-sending.ts'
import { moveToCenter } from './move-to-center.ts'
import { onMany } from './on-many.ts'

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

function missing(reasons: readonly Reason[]): Failure {
  const [first] = reasons
  return failureOf('notAllowed', {
    message: `Something is still missing or unclear, so it was not changed. ${first?.message ?? ''}`.trim(),
  })
}

const CHANGED = failureOf('notAllowed', {
  message: 'This case has changed since it was last read. Look at it again before it is sent.',
})

/** More than a look, which whoever passes a case on has had. */
function asksForMore({ kind }: Reason): boolean {
  return !REASONS_SETTLED_BY_APPROVAL.includes(kind)
}

/**
 * Approval settles what only asked for a look; whatever is missing keeps the submission with a person. What is approved
 * is what was shown: where a new reading finds something else, the person looks again.
 */
function approve(parts: StationParts, row: SubmissionRow, decided: Decided): Failure | null {
  const { outbox, intake } = parts
  if (row.state === 'waiting') return null
  if (row.state === 'incomplete' || row.state === 'review' || row.state === 'refused') {
    const shown = outbox.contentDigest(row.id)
    const asked = intake.refresh(row.id)
    const open = asked.filter(asksForMore)
    if (open.length > 0) {
      if (row.state === 'review') intake.place(row.id)
      return missing(open)
    }
    if (outbox.contentDigest(row.id) !== shown) return CHANGED
    const identity = identityColumn.read(outbox.rowOf(row.id)?.identity ?? row.identity)
    if (asked.length > 0) outbox.setIdentity(row.id, { ...identity, isAddendumAccepted: true })
    const { centerId } = parts.settings.current()
    if (row.center_id === null && centerId !== null) outbox.setCenter(row.id, centerId)
    // What was asked is settled by now; where nothing was, the first reading stands.
    if (asked.length > 0) intake.refresh(row.id)
    if (row.state !== 'review') outbox.moveSubmission(row.id, 'gatheredForReview', {}, decided)
  }
  outbox.moveSubmission(row.id, 'approved', { failure: null, notBefore: null }, decided)
  return null
}

/** What may have arrived is never simply tried again: it is looked for. */
function retry(parts: StationParts, row: SubmissionRow, decided: Decided): Failure | null {
  const { outbox } = parts
  switch (row.state) {
    case 'waiting':
      outbox.setNotBefore(row.id, null)
      noteDecision(parts, row.id, 'retried', decided)
      return null
    case 'refused': {
      const shown = outbox.contentDigest(row.id)
      const open = parts.intake.refresh(row.id).filter(asksForMore)
      if (open.length > 0) return missing(open)
      if (outbox.contentDigest(row.id) !== shown) return CHANGED
      // No approval: a case that rests on names alone and was never approved goes to review.
      outbox.moveSubmission(row.id, 'retriedRefused', { failure: null, notBefore: null }, decided)
      return null
    }
    case 'unconfirmed':
      outbox.setNotBefore(row.id, decided.at)
      noteDecision(parts, row.id, 'lookedAgain', decided)
      return null
    default:
      return failureOf('notAllowed')
  }
}

/** However many are tried again, the service is asked once whether it is there. */
function retryMany(parts: StationParts): MoveCalls['submissions.retry'] {
  return async (input) => {
    let isAsked = false
    const changed = await onMany(parts, (row, decided) => {
      const failure = retry(parts, row, decided)
      if (failure === null && row.state !== 'refused')
        parts.outbox.afterCommit(() => {
          isAsked = true
        })
      return failure
    })(input)
    if (isAsked) parts.delivery()?.retryNow('person')
    return changed
  }
}

/** A decision that moves nothing stands in the trail all the same. */
function noteDecision(parts: StationParts, submissionId: string, what: string, decided: Decided): void {
  const { at, by, details } = decided
  parts.outbox.appendAudit({ at, submissionId, what, by: by ?? null, details })
}

/** Back into the line, if just this had been passed for sending and may leave; else to a person. */
function release(parts: StationParts, row: SubmissionRow, decided: Decided): Failure | null {
  const { outbox, intake } = parts
  if (row.state !== 'held') return failureOf('notAllowed')
  if (intake.refresh(row.id).length > 0) outbox.moveSubmission(row.id, 'gatheredIncomplete', {}, decided)
  else
    outbox.moveSubmission(
      row.id,
      row.held_from === 'waiting' && outbox.isAsPassed(row.id) && outbox.mayLeave(row.id)
        ? 'releasedToSend'
        : 'releasedToReview',
      {},
      decided,
    )
  return null
}

function restore(parts: StationParts, row: SubmissionRow, decided: Decided): Failure | null {
  const { outbox, intake } = parts
  if (outbox.hasUnresolvedAttempt(row.id)) {
    outbox.moveSubmission(row.id, 'restoredToUnconfirmed', { notBefore: decided.at }, decided)
    return null
  }
  outbox.moveSubmission(row.id, 'restoredToReview', {}, decided)
  // What was settled before it was thrown away is asked again: its images may be in another case by now.
  const identity = identityColumn.read(row.identity)
  outbox.setIdentity(row.id, { ...identity, isAddendumAccepted: false })
  if (intake.refresh(row.id).length > 0) outbox.moveSubmission(row.id, 'gatheredIncomplete', {}, decided)
  return null
}

export function moveCalls(parts: StationParts): MoveCalls {
  const { outbox, intake } = parts
  const hold = (row: SubmissionRow, decided: Decided): null => {
    outbox.moveSubmission(row.id, 'held', {}, decided)
    return null
  }
  const discard = (row: SubmissionRow, decided: Decided): null => {
    outbox.moveSubmission(row.id, 'discarded', {}, decided)
    // A copy elsewhere that was passed by because of this case may be the right one.
    if (outbox.forgetDuplicatesOf(row.id) > 0) outbox.afterCommit(() => intake.lookAgain())
    return null
  }
  return {
    'submissions.approve': onMany(parts, (row, decided) => approve(parts, row, decided)),
    'submissions.retry': retryMany(parts),
    'submissions.prioritise': onMany(parts, (row, decided) => {
      if (moveState(row.state, 'discarded') === null) return failureOf('notAllowed')
      outbox.setUrgent(row.id, decided.at, decided)
      return null
    }),
    'submissions.hold': onMany(parts, hold),
    'submissions.release': onMany(parts, (row, decided) => release(parts, row, decided)),
    'submissions.discard': onMany(parts, discard),
    'submissions.restore': onMany(parts, (row, decided) => restore(parts, row, decided)),
    'submissions.cancel': onMany(parts, (row, decided, who) => cancelSending(parts, row, decided, who)),
    'submissions.moveToCenter': onMany(parts, (row, decided, { centerId }) =>
      moveToCenter(parts, row, centerId, decided),
    ),
    'submissions.closeNow': onMany(parts, (row, decided) => {
      if (row.state !== 'collecting') return failureOf('notAllowed')
      noteDecision(parts, row.id, 'closedNow', decided)
      intake.place(row.id)
      return null
    }),
  }
}
