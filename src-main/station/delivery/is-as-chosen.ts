/** Between the choice of a case and its attempt much is awaited: is it still the case that was chosen? */
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { DeliveryContext } from './delivery-context.ts'

/**
 * May the attempt for which `row` was chosen begin now? It must still wait, for the same center (the gate holds
 * the one of `row`) and with just the content that was passed for sending.
 *
 * What is sent must be read in the same synchronous step, so that nobody can change it in between.
 */
export function isAsChosen({ outbox, maySend }: DeliveryContext, row: SubmissionRow): boolean {
  const now = outbox.rowOf(row.id)
  if (now?.state !== 'waiting' || now.center_id !== row.center_id) return false
  return outbox.isAsPassed(row.id) && maySend()
}
