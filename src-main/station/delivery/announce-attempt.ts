/** Before an attempt may begin, the disk must know of it outside the outbox, too: an older outbox is known by that. */
import { SECOND } from '../../../src-shared/durations.ts'
import type { Failure } from '../../../src-shared/failure.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import { retryDelayMs } from './retry-policy.ts'

/** As long a pause as after this many failures: a disk that is full now is full in a second, too. */
const DISK_PAUSE_FAILURES = 4

/**
 * Announces the next attempt of a submission. `retryAt` is set where our own disk refused: the case waits, and no other
 * needs to be tried before that instant.
 */
export async function announceAttempt(
  context: DeliveryContext,
  row: SubmissionRow,
): Promise<{ readonly mayBegin: boolean; readonly retryAt: number | null }> {
  const announced = await context.guard.announce(row.id, destinationOf(context, row.center_id))
  switch (announced.kind) {
    case 'announced':
      return { mayBegin: true, retryAt: null }
    case 'notWaiting':
      return { mayBegin: false, retryAt: null }
    case 'failed':
      return { mayBegin: false, retryAt: postponeForDisk(context, row, announced.failure) }
  }
}

function postponeForDisk(context: DeliveryContext, row: SubmissionRow, failure: Failure): number {
  const { outbox, clock } = context
  const baseMs = context.settings().delivery.retryBaseSeconds * SECOND
  const at = clock.now()
  const retryAt = at + retryDelayMs(DISK_PAUSE_FAILURES, baseMs, context.random())
  if (outbox.submissions.row(row.id)?.state === 'waiting')
    outbox.submissions.transition(row.id, 'postponed', { failure, notBefore: retryAt }, { at })
  return retryAt
}
