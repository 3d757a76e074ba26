/** After an attempt: is the center still the one that the case was made for? Another client may have switched it. */
import type { Outcome } from '../../../src-shared/submission.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { DeliveryContext } from './delivery-context.ts'

const SWITCHED =
  'Right after this case was sent, the service marked another center as the current one: another workstation may have switched it meanwhile. Check at the service that the case lies in its own center.'

/** Reads the mark once more; what may have arrived while another center was set is an alarm. */
export async function checkCenterAfter(
  context: DeliveryContext,
  row: SubmissionRow,
  attemptId: string,
  outcome: Outcome,
): Promise<void> {
  const { outbox, clock } = context
  if (!(await context.centers.isElsewhere(row.center_id, context.stopSignal))) return
  context.gate.forget()
  if (outcome !== 'delivered' && outcome !== 'unknown') return
  const at = clock.now()
  const caseId = outbox.rowOf(row.id)?.case_id ?? null
  const caseIds = caseId === null ? [] : [caseId]
  outbox.write(() => {
    const evidence = { submissionId: row.id, attemptId, at, caseIds, message: SWITCHED, by: null }
    outbox.appendEvidence({ ...evidence, kind: 'centerUnsure' })
    outbox.raiseAlarm({ kind: 'centerSwitched', submissionId: row.id, caseIds, message: SWITCHED, at })
  })
  context.onAlarm(row.id)
}
