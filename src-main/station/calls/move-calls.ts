/** The moves that a person or a script may ask for, each on many submissions at once. */
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { transition } from '../../../src-shared/states.ts'
import { REASONS_SETTLED_BY_APPROVAL, type Reason } from '../../../src-shared/submission.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { identityColumn } from '../json-columns.ts'
import type { CallHandlers } from '../station-api.ts'
import type { StationParts } from '../station-parts.ts'
import type { DecisionStamp } from './decided.ts'
import { cancelSending } from './cancel-sending.ts'
import { moveToCenter } from './move-to-center.ts'
import { forEachSubmission } from './on-many.ts'

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
