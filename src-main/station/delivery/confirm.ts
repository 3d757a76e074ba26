/**
 * Plans when to look a case up, confirms delivered cases, and calibrates how far the service's list can be
 * trusted.
 */
import { DAY, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { worded, type WordingKey } from '../../../src-shared/wording.ts'
import { caseOfId, hasId } from '../lib/case-ids.ts'
import type { Calibration } from '../outbox/cases-and-centers.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { CaseList } from '../service/client.ts'
import type { CenterLease } from './center-lease.ts'
import { type DeliveryContext, destinationOf } from './context.ts'
import { echoes, isOtherPatient } from './match-cases.ts'

/**
 * The instant of the next lookup in epoch milliseconds; null after a day, when only a start, a reconnection or a
 * person causes one.
 *
 * Missed lookups are not made up for: one late lookup says as much as seven. The last interval repeats. `looks`
 * counts earlier lookups: a clock set ahead by days must not end them after two, and after one set back the plan
 * continues by their number.
 */
export function nextLookupAt(
  endedAt: number,
  now: number,
  lookSeconds: readonly number[],
  lookups: number = Infinity,
): number | null {
  const last = lookSeconds.at(-1) ?? 3_600
  if (now < endedAt) return Math.round(now + (lookSeconds[lookups + 1] ?? last) * SECOND)
  const planned = lookSeconds.map((seconds) => Math.round(endedAt + seconds * SECOND)).find((at) => at > now)
  const at = planned ?? Math.round(now + last * SECOND)
  const isDayOver = at - endedAt > DAY
  return isDayOver && lookups >= Math.min(lookSeconds.length, MIN_LOOKUPS) ? null : at
}

/** Made at the least, however late the clock says it is. */
const MIN_LOOKUPS = 8

/** The longest interval of the plan, in milliseconds. */
export function maxLookupIntervalMs(lookSeconds: readonly number[]): number {
  return Math.max(...lookSeconds, 0) * SECOND
}

/** Spread over a quarter of an hour. */
const LOOKUPS_FOR_PROOF = 3

const PROOF_SPAN_MS = 15 * MINUTE

/** A single listed case may be chance. */
const CASES_FOR_CALIBRATION = 3

/**
 * Does absence from the list prove anything?
 *
 * Only if the list showed every earlier confirmed case, and the lookups span more time than the slowest of them
 * took.
 */
export function isProvenAbsent(absentAt: readonly number[], calibration: Calibration): boolean {
  const [first] = absentAt
  const last = absentAt.at(-1)
  if (first === undefined || last === undefined || absentAt.length < LOOKUPS_FOR_PROOF) return false
  const isCalibrated = calibration.missed === 0 && calibration.seen >= CASES_FOR_CALIBRATION
  return isCalibrated && last - first >= Math.max(PROOF_SPAN_MS, 2 * calibration.slowestMs)
}

/**
 * When to read a case back again that was not found: soon at first, then ever less often, at the latest after a
 * day.
 */
export function nextConfirmationAt(sentAt: number, now: number): number {
  return now + Math.round(Math.min(Math.max((now - sentAt) / 2, 5 * SECOND), DAY))
}

const SECOND_READ_AFTER_MS = SECOND

/** Confirms a sent submission by the list just read, or by requesting the case itself. */
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
  // A case with another id is another case.
  const wasShown = asked?.ok === true && hasId(asked.value, row.case_id)
  const readBack = listed ?? (wasShown ? asked.value : null)
  // The center mark was read after the list, so it must be read again after a separate request.
  const isElsewhere = asked !== null && (await context.centers.isElsewhere(row.center_id, context.stopSignal))
  if (isElsewhere) context.gate.invalidate()
  // Under another center the same id may be another patient's.
  if (!readBack || isElsewhere || !lease.isValid()) {
    if (wasSeenOnce(context, attempt.id, row.id))
      noteReadBack(context, row, attempt.id, 'readBackFailed', 'sending:confirm.notAgain')
    return outbox.submissions.setNotBefore(row.id, nextConfirmationAt(sentAt, clock.now()))
  }
  const fields = outbox.submissions.get(row.id)?.fields ?? {}
  if (isOtherPatient(readBack, fields)) {
    noteOtherPatient(context, row, attempt.id)
    return outbox.submissions.setNotBefore(row.id, nextConfirmationAt(sentAt, clock.now()))
  }
  if (isUnmarked(context, row) && !wasSeenOnce(context, attempt.id, row.id)) {
    noteReadBack(context, row, attempt.id, 'readBack', 'sending:confirm.once')
    return outbox.submissions.setNotBefore(row.id, clock.now() + SECOND_READ_AFTER_MS)
  }
  outbox.write(() => {
    noteReadBack(
      context,
      row,
      attempt.id,
      'readBack',
      listed ? 'sending:confirm.inList' : 'sending:confirm.byId',
    )
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
 * Without a mark of the current center, another client may switch it between our setting and our reading, and a
 * misplaced case would be found there. So it is read twice, each time after setting the center.
 */
function isUnmarked({ centers }: DeliveryContext, row: SubmissionRow): boolean {
  return row.center_id !== null && !centers.areMarked()
}

/** Did the previous lookup find it? */
function wasSeenOnce({ outbox }: DeliveryContext, attemptId: string, submissionId: string): boolean {
  const evidence = outbox.submissions.details(submissionId)?.evidence ?? []
  return evidence.findLast((entry) => entry.attemptId === attemptId)?.kind === 'readBack'
}

function noteReadBack(
  { outbox, clock }: DeliveryContext,
  row: SubmissionRow,
  attemptId: string,
  kind: 'readBack' | 'readBackFailed',
  key: WordingKey,
): void {
  const caseIds = row.case_id === null ? [] : [row.case_id]
  outbox.evidence.append({
    submissionId: row.id,
    attemptId,
    at: clock.now(),
    kind,
    caseIds,
    ...worded(key),
    by: null,
  })
}

/** Every confirmed case that the list shows makes the list more credible; one that it lacks discredits it. */
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

function noteOtherPatient(context: DeliveryContext, row: SubmissionRow, attemptId: string): void {
  const { outbox, clock } = context
  const at = clock.now()
  const caseIds = row.case_id === null ? [] : [row.case_id]
  const message = worded('sending:confirm.otherPatient')
  const isNew = outbox.write(() => {
    const alarm = { kind: 'otherPatient' as const, submissionId: row.id, caseIds, ...message, at }
    if (!outbox.alarms.raise(alarm)) return false
    const evidence = { submissionId: row.id, attemptId, at, caseIds, ...message, by: null }
    outbox.evidence.append({ ...evidence, kind: 'readBackFailed' })
    return true
  })
  if (isNew) context.onAlarm(row.id)
}
