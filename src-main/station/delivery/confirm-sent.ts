/** Reads a delivered case back, and learns from it how far the service's list can be believed. */
import { SECOND } from '../../../src-shared/durations.ts'
import { caseOfId, hasId } from '../case-ids.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { CaseList } from '../service/service-client.ts'
import type { CenterLease } from './center-gate.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import { echoes, isOtherPatient } from './judge-look.ts'
import { nextConfirmationAt } from './look-schedule.ts'

const SECOND_READ_AFTER_MS = SECOND

/** Confirms a sent submission by the list that was just read, or else by asking for the case itself. */
export async function confirmSent(
  context: DeliveryContext,
  row: SubmissionRow,
  list: CaseList | null,
  lease: CenterLease,
): Promise<void> {
  const { outbox, clock, client } = context
  if (row.case_id === null) return
  const listed = list ? caseOfId(list.cases, row.case_id) : undefined
  const sentAt = row.sent_at ?? row.changed_at
  const attempt = outbox.attempts.of(row.id).at(-1)
  const isSameService =
    attempt?.base_url === client.identity.baseUrl && attempt.client_id === client.identity.clientId
  if (!isSameService) return outbox.submissions.setNotBefore(row.id, nextConfirmationAt(sentAt, clock.now()))

  const asked = listed ? null : await client.getCase(row.case_id, context.stopSignal)
  // What is shown under another id is another case.
  const wasShown = asked?.ok === true && hasId(asked.value, row.case_id)
  const readBack = listed ?? (wasShown ? asked.value : null)
  // The mark was read behind the list, and is read behind what is asked for by itself.
  const isElsewhere = asked !== null && (await context.centers.isElsewhere(row.center_id, context.stopSignal))
  if (isElsewhere) context.gate.invalidate()
  // Under another center the same id may be another patient's.
  if (!readBack || isElsewhere || !lease.isValid()) {
    if (wasSeenOnce(context, attempt.id, row.id))
      noteReadBack(context, row, attempt.id, 'readBackFailed', NOT_SEEN_AGAIN)
    return outbox.submissions.setNotBefore(row.id, nextConfirmationAt(sentAt, clock.now()))
  }
  const fields = outbox.submissions.get(row.id)?.fields ?? {}
  if (isOtherPatient(readBack, fields)) {
    noteOtherPatient(context, row, attempt.id)
    return outbox.submissions.setNotBefore(row.id, nextConfirmationAt(sentAt, clock.now()))
  }
  if (isUnmarked(context, row) && !wasSeenOnce(context, attempt.id, row.id)) {
    noteReadBack(context, row, attempt.id, 'readBack', SEEN_ONCE)
    return outbox.submissions.setNotBefore(row.id, clock.now() + SECOND_READ_AFTER_MS)
  }
  outbox.write(() => {
    noteReadBack(context, row, attempt.id, 'readBack', listed ? READ_IN_THE_LIST : READ_BY_ITSELF)
    outbox.submissions.setConfirmed(row.id, clock.now())
    outbox.submissions.setNotBefore(row.id, null)
    if (list)
      updateCalibration(
        context,
        row,
        listed !== undefined,
        listed !== undefined && echoes(listed, row.reference),
      )
  })
}

/**
 * Where nothing marks the current center, another client may switch it between our setting and our reading, and a case
 * that lies under the wrong one would be found there. It is read twice, each time after its center was set.
 */
function isUnmarked({ centers }: DeliveryContext, row: SubmissionRow): boolean {
  return row.center_id !== null && !centers.areMarked()
}

/** Was it there when it was looked for last? */
function wasSeenOnce({ outbox }: DeliveryContext, attemptId: string, submissionId: string): boolean {
  const evidence = outbox.submissions.details(submissionId)?.evidence ?? []
  return evidence.findLast((entry) => entry.attemptId === attemptId)?.kind === 'readBack'
}

function noteReadBack(
  { outbox, clock }: DeliveryContext,
  row: SubmissionRow,
  attemptId: string,
  kind: 'readBack' | 'readBackFailed',
  message: string,
): void {
  const caseIds = row.case_id === null ? [] : [row.case_id]
  outbox.evidence.append({
    submissionId: row.id,
    attemptId,
    at: clock.now(),
    kind,
    caseIds,
    message,
    by: null,
  })
}

/** A confirmed case that stands in the list makes the list believable; one that does not makes it unbelievable. */
function updateCalibration(
  context: DeliveryContext,
  row: SubmissionRow,
  isListed: boolean,
  isEchoed: boolean,
): void {
  const { outbox, clock } = context
  const destination = destinationOf(context, row.center_id)
  const before = outbox.cases.calibrationOf(destination)
  outbox.cases.saveCalibration(destination, {
    seen: before.seen + (isListed ? 1 : 0),
    missed: before.missed + (isListed ? 0 : 1),
    echoed: before.echoed + (isEchoed ? 1 : 0),
    slowestMs: isListed
      ? Math.max(before.slowestMs, clock.now() - (row.sent_at ?? clock.now()))
      : before.slowestMs,
  })
}

const READ_IN_THE_LIST = "The case was read back in the service's list, and nothing in it speaks against it."
const READ_BY_ITSELF =
  'The case was read back from the service by its id, and nothing in it speaks against it.'

const SEEN_ONCE =
  'The case was read back once. Nothing tells which center the service shows, so it is read once more before it is confirmed.'
const NOT_SEEN_AGAIN =
  'The case was read back before and could not be read back under its center now, so that once is not counted. The station looks again by itself; where this lasts, check at the service that the case lies in its own center.'

const OTHER_PATIENT =
  'The service shows another patient under the id that it gave for this case. It is not confirmed; ask the service about it.'

function noteOtherPatient(context: DeliveryContext, row: SubmissionRow, attemptId: string): void {
  const { outbox, clock } = context
  const at = clock.now()
  const caseIds = row.case_id === null ? [] : [row.case_id]
  const isNew = outbox.write(() => {
    const alarm = { kind: 'otherPatient' as const, submissionId: row.id, caseIds, message: OTHER_PATIENT, at }
    if (!outbox.alarms.raise(alarm)) return false
    const evidence = { submissionId: row.id, attemptId, at, caseIds, message: OTHER_PATIENT, by: null }
    outbox.evidence.append({ ...evidence, kind: 'readBackFailed' })
    return true
  })
  if (isNew) context.onAlarm(row.id)
}
