/** Between the choice of a case and its attempt much is awaited: is it still the case that was chosen? */
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { DeliveryContext } from './delivery-context.ts'

/**
 * May the attempt for which `row` was chosen begin now? It must still wait, for the same center (the gate holds
 * the one of `row`) and with just the content that was passed for sending, to a service that is in no new trouble.
 *
 * What is sent must be read in the same synchronous step, so that nobody can change it in between.
 */
export function canStartAttempt(
  { outbox, health, maySend }: DeliveryContext,
  row: SubmissionRow,
  /** The signs of trouble that were known when the case was chosen. */
  troubles: number,
): boolean {
  // Trouble that came up meanwhile keeps it, also where a question that was asked before has closed the breaker again.
  if (health.breaker().kind === 'open' || health.breaker().troubles > troubles) return false
  const current = outbox.submissions.row(row.id)
  if (current?.state !== 'waiting' || current.center_id !== row.center_id) return false
  return outbox.quarantine.isReadable(row.id) && outbox.approvals.matches(row.id) && maySend()
}
