/**
 * Cancels transfers for a person, and adopts cases that the service has already. A transfer can be canceled
 * until its last bytes leave.
 */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import { idsOf } from '../lib/case-ids.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import { type DeliveryContext, destinationOf } from './context.ts'

/** Who canceled and why, for the audit trail. */
export type CancelRequest = { readonly by?: string | undefined; readonly why?: string | undefined }

/**
 * `stopping`: the case goes on hold. `tooLate`: all bytes were handed over, so it may have arrived.
 * `notSending`: it is not being transferred.
 */
export type CancelResult = 'stopping' | 'tooLate' | 'notSending'

/** The abort reason if a person canceled; a station that stops gives another. */
class StoppedByPerson extends Error {
  override name = 'StoppedByPerson' as const
  readonly request: CancelRequest

  constructor(who: CancelRequest) {
    super('a person stopped the transfer')
    this.request = who
  }
}

export function stoppedByPerson(): Failure {
  return failureOf('interrupted', { endedBy: 'person', ...worded('sending:cancel.byPerson') })
}

/** The person's request behind an aborted transfer; null if there is none. */
export function cancelRequestOf(signal: AbortSignal): CancelRequest | null {
  return signal.reason instanceof StoppedByPerson ? signal.reason.request : null
}

/** Stops the transfer that `abort` controls; undefined if there is none. */
export function cancelTransfer(
  { outbox, clock }: Pick<DeliveryContext, 'outbox' | 'clock'>,
  submissionId: string,
  request: CancelRequest,
  abort: AbortController | undefined,
): CancelResult {
  const row = outbox.submissions.row(submissionId)
  if (!abort || !row) return 'notSending'
  if (row.state === 'waiting') {
    // Chosen, but still waiting for a request before its attempt: a held case is not attempted.
    holdForPerson({ outbox }, submissionId, request, clock.now())
    outbox.afterCommit(() => abort.abort(new StoppedByPerson(request)))
    return 'stopping'
  }
  const attempt = outbox.attempts.of(submissionId).at(-1)
  if (row.state !== 'sending' || !attempt || attempt.outcome !== null) return 'notSending'
  if (attempt.phase === 'handedOver') return 'tooLate'
  outbox.afterCommit(() => abort.abort(new StoppedByPerson(request)))
  return 'stopping'
}

/** Puts a waiting submission on hold for the person who stopped it. */
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

/** The submission bound to the case under any of its ids; null if there is none. */
export function submissionWithCase(
  { outbox, client }: Pick<DeliveryContext, 'outbox' | 'client'>,
  one: ServiceCase,
  centerId: string | null,
): string | null {
  const destination = { ...client.identity, centerId }
  const holders = idsOf(one).map((id) => outbox.submissions.boundTo(id, destination))
  return holders.find((holder) => holder !== null)?.id ?? null
}

/** Moves the submission to `sent`. Call it in the write that found no other submission with the case. */
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
