/** Applies an outcome to its submission and to the health of the service. */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { PostEvidence } from '../service/client.ts'
import { isQueueWide, retryDelayMs } from './breaker.ts'
import { type CancelRequest, holdForPerson, stoppedByPerson } from './cancel-transfer.ts'
import { type DeliveryContext, destinationOf } from './context.ts'
import { type DeterminedOutcome, endedAttempts } from './outcome.ts'

const CONFIRM_AFTER_MS = SECOND

export type EndedAttempt = {
  readonly evidence: PostEvidence
  readonly found: DeterminedOutcome
  /** A person's request to stop the transfer; null if there was none. */
  readonly cancelRequest: CancelRequest | null
}

/**
 * Ends the attempt and moves its submission according to the outcome, in one commit.
 *
 * True if a person's request came in time: nothing had left, and the submission is on hold.
 */
export function recordAttempt(
  context: DeliveryContext,
  row: SubmissionRow,
  attemptId: string,
  { evidence, found, cancelRequest }: EndedAttempt,
): boolean {
  const { outbox, clock } = context
  const at = clock.now()
  const { delivery } = context.settings()
  const isCancelled = cancelRequest !== null && found.outcome === 'unsent'
  const stopped = { ...stoppedByPerson(), requestBytes: evidence.requestBytes }
  const failure = found.outcome === 'delivered' ? null : isCancelled ? stopped : found.failure
  const end = {
    outcome: found.outcome,
    handedOverBytes: evidence.handedOverBytes,
    failure,
    answer: evidence.answer ? { status: evidence.answer.status, body: evidence.answer.body } : null,
    at,
  }
  switch (found.outcome) {
    case 'delivered':
      outbox.write(() => {
        outbox.attempts.end(attemptId, end, 'deliveredNow', {
          caseId: found.caseId,
          sentAt: at,
          failure: null,
          // One list reads back many cases that were delivered close together.
          notBefore: at + CONFIRM_AFTER_MS,
        })
        outbox.reports.watch({
          submissionId: row.id,
          caseId: found.caseId,
          destination: destinationOf(context, row.center_id),
          at: at + SECOND,
        })
        outbox.facts.write('lastSentAt', String(at))
      })
      return false
    case 'unsent': {
      if (isCancelled) {
        outbox.write(() => {
          outbox.attempts.end(attemptId, end, 'stayedUnsent', { failure: null, notBefore: null })
          holdForPerson(context, row.id, cancelRequest, at)
        })
        return true
      }
      const failures = consecutiveFailures(context, row.id)
      const pause =
        found.next === 'atOnce'
          ? 0
          : retryDelayMs(failures, delivery.retryBaseSeconds * SECOND, context.random())
      outbox.attempts.end(attemptId, end, 'stayedUnsent', {
        failure,
        notBefore: found.failure.notBefore ?? at + pause,
      })
      return false
    }
    case 'refused':
      outbox.attempts.end(attemptId, end, 'wasRefused', { failure, notBefore: null })
      return false
    case 'unknown': {
      const firstLookupMs = Math.round((delivery.lookSeconds[0] ?? 2) * SECOND)
      outbox.attempts.end(attemptId, end, 'becameUnknown', {
        failure,
        notBefore: at + firstLookupMs,
        looks: 0,
      })
      return false
    }
  }
}

/** Trouble beyond a single case opens the breaker. */
export function updateHealth(context: DeliveryContext, found: DeterminedOutcome): void {
  switch (found.outcome) {
    case 'delivered':
      return context.health.noteDelivery()
    case 'refused':
      // Only a refusal by the service proves the route; a damaged image of ours never left.
      if (found.failure.status !== undefined) context.health.noteDelivery()
      return
    case 'unknown':
      return context.health.noteTrouble(failureOf('notAnswering'))
    case 'unsent':
      if (found.next === 'afterPause' && isQueueWide(found.failure)) context.health.noteTrouble(found.failure)
  }
}

/** Consecutive tries that failed to leave; determines the pause before the next. */
function consecutiveFailures(context: DeliveryContext, submissionId: string): number {
  const attempts = endedAttempts(context, submissionId)
  const lastOther = attempts.findLastIndex((attempt) => attempt.outcome !== 'unsent')
  return attempts.length - 1 - lastOther
}
