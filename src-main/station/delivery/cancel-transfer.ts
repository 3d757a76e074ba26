/** A person stops a transfer: possible as long as the last bytes of the case are still here. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { idsOf } from '../lib/case-ids.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import { type DeliveryContext, destinationOf } from './context.ts'

/** Who stopped it and why, for the trail. */
export type CancelRequest = { readonly by?: string | undefined; readonly why?: string | undefined }

/**
 * What a wish to cancel came to. `stopping`: the case will be on hold. `tooLate`: all of it was handed over, so it may
 * have arrived. `notSending`: there is no transfer of it.
 */
export type CancelResult = 'stopping' | 'tooLate' | 'notSending'

/** Why a transfer was aborted, where a person wanted it; a station that stops gives no such reason. */
class StoppedByPerson extends Error {
  override name = 'StoppedByPerson' as const
  readonly request: CancelRequest

  constructor(who: CancelRequest) {
    super('a person stopped the transfer')
    this.request = who
  }
}

export const STOPPED_BY_PERSON = failureOf('interrupted', {
  endedBy: 'person',
  message:
    'A person stopped the transfer before the case had left completely. It did not arrive and is on hold; release it to send it again.',
})

/** The person's wish behind an aborted transfer, or null. */
export function cancelRequestOf(signal: AbortSignal): CancelRequest | null {
  return signal.reason instanceof StoppedByPerson ? signal.reason.request : null
}

/** Stops the transfer that `abort` ends; undefined where none is under way. */
export function cancelTransfer(
  { outbox, clock }: Pick<DeliveryContext, 'outbox' | 'clock'>,
  submissionId: string,
  request: CancelRequest,
  abort: AbortController | undefined,
): CancelResult {
  const row = outbox.submissions.row(submissionId)
  if (!abort || !row) return 'notSending'
  if (row.state === 'waiting') {
    // Chosen, and something is asked before its attempt: no attempt will be made of what is held.
    holdForPerson({ outbox }, submissionId, request, clock.now())
    abort.abort(new StoppedByPerson(request))
    return 'stopping'
  }
  const attempt = outbox.attempts.of(submissionId).at(-1)
  if (row.state !== 'sending' || !attempt || attempt.outcome !== null) return 'notSending'
  if (attempt.phase === 'handedOver') return 'tooLate'
  abort.abort(new StoppedByPerson(request))
  return 'stopping'
}

/** Puts on hold what waits, for the person who stopped it. */
export function holdForPerson(
  { outbox }: Pick<DeliveryContext, 'outbox'>,
  submissionId: string,
  { by, why }: CancelRequest,
  at: number,
): void {
  outbox.submissions.transition(
    submissionId,
    'held',
    { failure: null, notBefore: null },
    { at, by, details: { decision: 'transferStopped', ...(why === undefined ? {} : { why }) } },
  )
}

// Takes a case of the service for a submission.

/** The submission that has the case already, under any of its ids; null where none has. */
export function submissionWithCase(
  { outbox, client }: Pick<DeliveryContext, 'outbox' | 'client'>,
  one: ServiceCase,
  centerId: string | null,
): string | null {
  const destination = { ...client.identity, centerId }
  const holders = idsOf(one).map((id) => outbox.submissions.boundTo(id, destination))
  return holders.find((holder) => holder !== null)?.id ?? null
}

/** Moves the submission to `sent`; to be called in the write in which nobody else was found to have the case. */
export function adoptCase(context: DeliveryContext, row: SubmissionRow, caseId: string, at: number): void {
  const { outbox } = context
  outbox.submissions.transition(
    row.id,
    'foundDelivered',
    { caseId, sentAt: at, failure: null, notBefore: at },
    { at, details: { caseId } },
  )
  outbox.reports.watch({
    submissionId: row.id,
    caseId,
    destination: destinationOf(context, row.center_id),
    at,
  })
  outbox.facts.write('lastSentAt', String(at))
  outbox.afterCommit(() => context.health.noteFound())
}
