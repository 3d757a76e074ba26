/**
 * Follows up on what was sent: looks up cases that may have arrived, reads back delivered ones, and audits
 * lists.
 */
import { setImmediate } from 'node:timers/promises'
import { DAY, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { succeed } from '../../../src-shared/failure.ts'
import { worded, type WordingKey } from '../../../src-shared/wording.ts'
import { caseOfId, hasId } from '../lib/case-ids.ts'
import { type Loop, openLoop } from '../lib/schedule.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { CaseList } from '../service/client.ts'
import { fetchCaseList, isServiceTrouble } from './case-list.ts'
import { type CenterLease, destinationOf } from './center-lease.ts'
import type { DeliveryContext } from './delivery.ts'
import { echoes, isOtherPatient } from './match-cases.ts'
import { maxLookupIntervalMs, reconcile } from './reconcile.ts'

/** No requests while the service is in trouble; continues once the breaker has closed, or after this. */
const PAUSE_IN_TROUBLE_MS = MINUTE
/** A center that cannot be set delays only its own cases. */
const PAUSE_FOR_CENTER_MS = MINUTE

function byCenter(rows: readonly SubmissionRow[]): ReadonlyMap<string | null, SubmissionRow[]> {
  const groups = new Map<string | null, SubmissionRow[]>()
  for (const row of rows) {
    const group = groups.get(row.center_id)
    if (group) group.push(row)
    else groups.set(row.center_id, [row])
  }
  return groups
}

/** Cases due this soon share one list: in a busy hour one list serves many. */
const CONFIRM_TOGETHER_MS = SECOND / 2

/** After this long, lookups yield the thread. */
const MAX_BLOCKING_MS = 10
/** Under a center that another client has switched, reading back would confirm a case in the wrong one. */
const FRESH_CENTER = { maxAgeMs: 0 }

export function openFollowUp(context: DeliveryContext): Loop {
  const { outbox, clock, health, gate } = context
  const auditSchedule = createAuditSchedule(context)

  /** After a restore there may be thousands: yields the thread in between. */
  const reconcileAll = async (
    centerId: string | null,
    unconfirmed: readonly SubmissionRow[],
    list: CaseList | null,
    lease: CenterLease,
  ): Promise<void> => {
    if (unconfirmed.length === 0) return
    const destination = destinationOf(context, centerId)
    const bound = new Set(outbox.cases.boundIds(destination))
    const known = outbox.cases.known(destination)
    let begunAt = performance.now()
    for (const row of unconfirmed) {
      await reconcile(context, row, { list, bound, known, lease })
      if (performance.now() - begunAt < MAX_BLOCKING_MS) continue
      await setImmediate()
      begunAt = performance.now()
    }
  }

  /** These were sent before there was a center: a list under the current center says nothing about them. */
  const followWithoutCenter = async (
    unconfirmed: readonly SubmissionRow[],
    confirmations: readonly SubmissionRow[],
  ): Promise<void> => {
    await reconcileAll(null, unconfirmed, null, { isValid: () => true })
    const now = clock.now()
    for (const row of confirmations)
      outbox.submissions.setNotBefore(row.id, nextConfirmationAt(row.sent_at ?? row.changed_at, now))
  }

  /** One list answers for all submissions of a center. Returns when to try again; null if all went well. */
  const followCenter = async (
    centerId: string | null,
    unconfirmed: readonly SubmissionRow[],
    confirmations: readonly SubmissionRow[],
  ): Promise<number | null> => {
    if (centerId === null && context.settings().centerId !== null) {
      await followWithoutCenter(unconfirmed, confirmations)
      return null
    }
    const followed = await gate.runIn(
      centerId,
      async (lease) => {
        const list = await fetchCaseList(context, centerId, lease)
        const isLost = !list.ok && list.failure.kind === 'centerNotChanged'
        if (!list.ok && (isLost || (await isServiceTrouble(context, list.failure)))) return list
        const known = list.ok ? list.value : null
        for (const row of confirmations) await confirmSent(context, row, known, lease)
        await reconcileAll(centerId, unconfirmed, known, lease)
        return succeed(null)
      },
      FRESH_CENTER,
    )
    if (followed.ok) return null
    if (followed.failure.kind === 'centerNotChanged') {
      for (const row of [...unconfirmed, ...confirmations])
        outbox.submissions.setNotBefore(row.id, clock.now() + PAUSE_FOR_CENTER_MS)
      return null
    }
    health.noteTrouble(followed.failure)
    return clock.now() + PAUSE_IN_TROUBLE_MS
  }

  const run = async (): Promise<number | null> => {
    const breaker = health.breaker()
    if (breaker.kind === 'open') return Math.max(breaker.nextProbeAt, clock.now() + SECOND)
    const unconfirmed = byCenter(
      outbox.evidence.dueLookups(clock.now(), maxLookupIntervalMs(context.settings().delivery.lookSeconds)),
    )
    const confirmations = byCenter(outbox.evidence.dueConfirmations(clock.now() + CONFIRM_TOGETHER_MS))
    const audits = auditSchedule.dueCenters(clock.now())
    for (const centerId of new Set([...unconfirmed.keys(), ...confirmations.keys(), ...audits])) {
      if (context.stopSignal.aborted) return null
      const againAt = await followCenter(
        centerId,
        unconfirmed.get(centerId) ?? [],
        confirmations.get(centerId) ?? [],
      )
      if (againAt !== null) return againAt
      auditSchedule.noteRead(centerId, clock.now())
    }
    const next = [outbox.evidence.nextFollowUpAt(), auditSchedule.nextAt(clock.now())].filter(
      (at) => at !== null,
    )
    return next.length === 0 ? null : Math.min(...next)
  }

  return openLoop({ name: 'following up', clock, logger: context.logger, run })
}

/** A duplicate shows within days; after a month no one asks any more. */
const AUDITED_DAYS = 30

type AuditSchedule = {
  dueCenters(now: number): readonly (string | null)[]
  /** The list of a center was requested, whether or not it could be read. */
  noteRead(centerId: string | null, now: number): void
  /** When the next list is due, epoch milliseconds; null if no center has cases that matter. */
  nextAt(now: number): number | null
}

function createAuditSchedule(context: DeliveryContext): AuditSchedule {
  const { outbox, client } = context
  const askedAt = new Map<string | null, number>()
  /**
   * When a center's list was last read or requested. A time in the future was recorded before the clock was set
   * back.
   */
  const lastAt = (centerId: string | null, now: number): number => {
    const readAt = outbox.cases.listReadAt(destinationOf(context, centerId)) ?? 0
    return Math.max(...[readAt, askedAt.get(centerId) ?? 0].filter((at) => at <= now), 0)
  }
  const centers = (now: number): readonly (string | null)[] =>
    outbox.centers.confirmedSince(now - AUDITED_DAYS * DAY, client.identity)
  return {
    dueCenters: (now) => centers(now).filter((centerId) => now - lastAt(centerId, now) >= DAY),
    noteRead: (centerId, now) => void askedAt.set(centerId, now),
    nextAt: (now) => {
      const times = centers(now).map((centerId) => lastAt(centerId, now) + DAY)
      return times.length === 0 ? null : Math.min(...times)
    },
  }
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
