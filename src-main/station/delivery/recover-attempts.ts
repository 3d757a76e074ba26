/** What a start finds: attempts that a kill, a crash or a power cut left open. */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Clock } from '../ports.ts'

/**
 * Ends every open attempt, or that of one submission after a defect, by what was written down before it happened.
 *
 * Before `handedOver` the last bytes had not been released, so the request was incomplete: unsent. From then on
 * it may have arrived: unknown, to be looked for at once.
 */
export function recoverAttempts(
  outbox: Outbox,
  clock: Clock,
  submissionId?: string,
): { readonly unsent: number; readonly unknown: number } {
  const count = { unsent: 0, unknown: 0 }
  for (const attempt of outbox.attempts.openRows()) {
    if (submissionId !== undefined && attempt.submission_id !== submissionId) continue
    const at = clock.now()
    const wasIncomplete = attempt.phase === 'prepared' || attempt.phase === 'sending'
    const failure = failureOf(wasIncomplete ? 'interrupted' : 'outcomeUnknown', {
      requestBytes: attempt.request_bytes,
    })
    const end = {
      outcome: wasIncomplete ? ('unsent' as const) : ('unknown' as const),
      handedOverBytes: wasIncomplete ? 0 : attempt.request_bytes,
      failure,
      answer: null,
      at,
    }
    if (wasIncomplete) outbox.attempts.end(attempt.id, end, 'stayedUnsent', { failure, notBefore: at })
    else outbox.attempts.end(attempt.id, end, 'becameUnknown', { failure, notBefore: at + SECOND, looks: 0 })
    count[wasIncomplete ? 'unsent' : 'unknown'] += 1
  }
  return count
}
