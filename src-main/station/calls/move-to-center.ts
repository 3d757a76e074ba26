/** A person's word on the center of a case that has not left. */
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { StationParts } from '../station-parts.ts'
import type { DecisionStamp } from './decided.ts'

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
export function moveToCenter(
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
