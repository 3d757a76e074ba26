/** After an attempt: is the center still the one that the case was made for? Another client may have switched it. */
import type { Outcome } from '../../../src-shared/submission.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { DeliveryContext } from './delivery-context.ts'

const CENTER_SWITCHED =
  'Right after this case was sent, the service marked another center as the current one: another workstation may have switched it meanwhile. Check at the service that the case lies in its own center.'

const SIGNED_IN_AGAIN =
  'Between the last bytes of this case and the answer to it the station had to sign in anew, which may have set another center at the service. Check at the service that the case lies in its own center.'

/**
 * Reads the mark once more; what may have arrived while another center was set is an alarm.
 *
 * `wasHeld`: the center was certain up to the end of the exchange. Where it was not, the mark that is read now says
 * nothing about that moment.
 */
export async function checkCenterAfter(
  context: DeliveryContext,
  row: SubmissionRow,
  attemptId: string,
  { outcome, wasHeld }: { readonly outcome: Outcome; readonly wasHeld: boolean },
): Promise<void> {
  const { outbox, clock } = context
  const isElsewhere = await context.centers.isElsewhere(row.center_id, context.stopSignal)
  if (isElsewhere) context.gate.invalidate()
  if (!isElsewhere && wasHeld) return
  const message = isElsewhere ? CENTER_SWITCHED : SIGNED_IN_AGAIN
  if (outcome !== 'delivered' && outcome !== 'unknown') return
  const at = clock.now()
  const caseId = outbox.submissions.row(row.id)?.case_id ?? null
  const caseIds = caseId === null ? [] : [caseId]
  outbox.write(() => {
    const evidence = { submissionId: row.id, attemptId, at, caseIds, message, by: null }
    outbox.evidence.append({ ...evidence, kind: 'centerUnsure' })
    outbox.alarms.raise({ kind: 'centerSwitched', submissionId: row.id, caseIds, message, at })
  })
  context.onAlarm(row.id)
}
