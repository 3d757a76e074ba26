/** Takes a case of the service for a submission. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { idsOf } from '../case-ids.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'

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
