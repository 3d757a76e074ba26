/** Follows up on what was sent: looks up what may have arrived, reads back what was delivered, and audits lists. */
import { setImmediate } from 'node:timers/promises'
import type { ServiceCase } from '../../../src-shared/case.ts'
import { DAY, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { succeed } from '../../../src-shared/failure.ts'
import type { Wording, WordingKey } from '../../../src-shared/wording.ts'
import { caseOfId, hasId } from '../lib/service-case.ts'
import { type Loop, openLoop } from '../lib/schedule.ts'
import type { Destination, SubmissionRow } from '../outbox/rows.ts'
import type { CaseList } from '../service/client.ts'
import { appendEvidence, readList, raiseAlarm } from './case-list.ts'
import { type CenterLease, destinationOf, wasSwitched } from './center-lease.ts'
import type { DeliveryContext } from './context.ts'
import {
  asksForImages,
  compareImages,
  doesCaseShowImages,
  noteFewerImages,
  READ_AGAIN_MS,
} from './image-shortfall.ts'
import { type BoundIds, isOtherPatient } from './match-cases.ts'
import { type KnownIds, reconcile } from './reconcile.ts'

/** While the service is in trouble, until the breaker has closed; and for the cases of a center that cannot be set. */
const PAUSE_MS = MINUTE

/** What waits for the uploads of its center to pause asks again so soon. */
const BESIDE_UPLOADS_MS = 3 * SECOND

/** Cases due this soon share one list: in a busy hour one list serves many. */
const CONFIRM_TOGETHER_MS = SECOND / 2

/** After this long, lookups and confirmations yield the thread. */
const MAX_BLOCKING_MS = 10

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
    const bound = boundIdsOf(context, destination)
    const known = knownIdsOf(context)
    await eachYielding(unconfirmed, context, (row) => reconcile(context, row, { list, bound, known, lease }))
  }

  /** These were sent before there was a center: a list under the current center says nothing about them. */
  const followWithoutCenter = async (
    unconfirmed: readonly SubmissionRow[],
    confirmations: readonly SubmissionRow[],
  ): Promise<void> => {
    await reconcileAll(null, unconfirmed, null, { isValid: () => true, isNew: true })
    const now = clock.now()
    for (const row of confirmations)
      outbox.setNotBefore(row.id, nextConfirmationAt(row.sent_at ?? row.changed_at, now), { plannedAt: now })
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
        // Beside uploads the center is not set again, and without a mark a read would prove nothing: these wait.
        const mayConfirm = lease.isNew || centerId === null || context.centers.areMarked()
        const at = clock.now()
        if (!mayConfirm)
          for (const { id } of confirmations)
            outbox.setNotBefore(id, at + BESIDE_UPLOADS_MS, { plannedAt: at })
        if (!mayConfirm && unconfirmed.length === 0 && confirmations.length > 0) return succeed(null)
        const list = await readList(context, centerId, lease)
        if (!list.ok) return list
        if (mayConfirm)
          await eachYielding(confirmations, context, (row) => confirmSent(context, row, list.value, lease))
        await reconcileAll(centerId, unconfirmed, list.value, lease)
        return succeed(null)
      },
      // Under a center that another client has switched, reading back would confirm a case in the wrong one.
      0,
    )
    if (followed.ok) return null
    if (followed.failure.kind === 'centerNotChanged') {
      for (const row of [...unconfirmed, ...confirmations])
        outbox.setNotBefore(row.id, clock.now() + PAUSE_MS, { plannedAt: clock.now() })
      return null
    }
    health.noteTrouble(followed.failure)
    return clock.now() + PAUSE_MS
  }

  const run = async (): Promise<number | null> => {
    const breaker = health.breaker()
    if (breaker.kind === 'open') return Math.max(breaker.nextProbeAt, clock.now() + SECOND)
    const unconfirmed = Map.groupBy(outbox.dueLookups(clock.now()), (row) => row.center_id)
    const confirmations = Map.groupBy(
      outbox.dueConfirmations(clock.now() + CONFIRM_TOGETHER_MS),
      (row) => row.center_id,
    )
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
    const next = [outbox.nextFollowUpAt(), auditSchedule.nextAt(clock.now())].filter((at) => at !== null)
    return next.length === 0 ? null : Math.min(...next)
  }

  return openLoop({ name: 'following up', clock, logger: context.logger, run })
}

/** One after the other; yields the thread after `MAX_BLOCKING_MS`. What a stop leaves is due at the next start. */
async function eachYielding(
  rows: readonly SubmissionRow[],
  { stopSignal }: Pick<DeliveryContext, 'stopSignal'>,
  act: (row: SubmissionRow) => Promise<void>,
): Promise<void> {
  let begunAt = performance.now()
  for (const row of rows) {
    if (stopSignal.aborted) return
    await act(row)
    if (performance.now() - begunAt < MAX_BLOCKING_MS) continue
    await setImmediate()
    begunAt = performance.now()
  }
}

/** The ids of each center are read once a round; those that are seen from then on are new to every attempt before. */
function knownIdsOf({ outbox }: DeliveryContext): KnownIds {
  const read = new Map<string, ReadonlyMap<string, number>>()
  return ({ base_url: baseUrl, client_id: clientId, center_id: centerId, known_position }, caseId) => {
    if (known_position === 0) return false
    const key = JSON.stringify([baseUrl, clientId, centerId])
    const positions = read.get(key) ?? outbox.knownPositions({ baseUrl, clientId, centerId })
    read.set(key, positions)
    return (positions.get(caseId) ?? Infinity) <= known_position
  }
}

/** Each id is asked once a round: a list is compared with every case that is looked up. */
function boundIdsOf({ outbox }: DeliveryContext, destination: Destination): BoundIds {
  const asked = new Map<string, boolean>()
  return {
    has: (caseId) => {
      const known = asked.get(caseId) ?? outbox.boundSubmission(caseId, destination) !== null
      asked.set(caseId, known)
      return known
    },
    add: (caseId) => asked.set(caseId, true),
  }
}

/** A duplicate shows within days; a month after its last case the list of a center is not asked for any more. */
const AUDITED_DAYS = 30

/** Once a day the list of each center in use is compared with ours. */
function createAuditSchedule(context: DeliveryContext) {
  const { outbox, client } = context
  const askedAt = new Map<string | null, number>()
  /** When the list of each center is due. A time in the future is from before the clock was set back. */
  const dueTimes = (now: number): (readonly [centerId: string | null, at: number])[] =>
    outbox.caseListsReadAt(client.identity).map(({ centerId, readAt }) => {
      const times = [readAt, askedAt.get(centerId) ?? 0].filter((at) => at <= now)
      return [centerId, Math.max(...times, 0) + DAY]
    })
  return {
    dueCenters: (now: number): (string | null)[] => {
      const due = dueTimes(now).flatMap(([centerId, at]) => (at <= now ? [centerId] : []))
      return due.filter((centerId) => {
        const isInUse = outbox.wasSentSince(destinationOf(context, centerId), now - AUDITED_DAYS * DAY)
        // Whether it is used again is looked up as rarely.
        if (!isInUse) askedAt.set(centerId, now)
        return isInUse
      })
    },
    /** The list of a center was requested, whether or not it could be read. */
    noteRead: (centerId: string | null, now: number): void => void askedAt.set(centerId, now),
    /** When the next list is due, epoch milliseconds; null if none was ever read. */
    nextAt: (now: number): number | null => {
      const times = dueTimes(now).map(([, at]) => at)
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}

/** When to read a case back again that was not found: ever less often, at the latest after a day. */
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
  const caseIds = [row.case_id]
  const listed = list ? caseOfId(list.cases, row.case_id) : undefined
  const readAgainAt = (at: number): void => outbox.setNotBefore(row.id, at, { plannedAt: clock.now() })
  const tryLater = (): void => readAgainAt(nextConfirmationAt(row.sent_at ?? row.changed_at, clock.now()))
  const attempt = outbox.attemptsOf(row.id).at(-1)
  const isSameService =
    attempt?.base_url === client.identity.baseUrl && attempt.client_id === client.identity.clientId
  if (!isSameService) return tryLater()

  const asked =
    listed && !asksForImages(context, row.id, listed)
      ? null
      : await client.getCase(row.case_id, context.stopSignal)
  // What has shown the images before must be heard now: without it, too few would go unnoticed.
  if (listed && asked?.ok === false && asked.failure.kind !== 'notFound' && doesCaseShowImages(context))
    return tryLater()
  // A case with another id is another case.
  const shown = asked?.ok === true && hasId(asked.value, row.case_id) ? asked.value : null
  const readBack = listed ?? shown
  // The center mark was read after the list, so it must be read again after a separate request.
  const isElsewhere = asked !== null && (await wasSwitched(context, row.center_id))
  const note = (kind: 'readBack' | 'readBackFailed', key: WordingKey, values?: Wording['values']): void =>
    appendEvidence(context, row.id, attempt.id, { kind, caseIds, key, values })
  // Under another center the same id may be another patient's.
  if (!readBack || isElsewhere || !lease.isValid()) {
    if (wasSeenOnce(context, attempt.id, row.id)) note('readBackFailed', 'sending:confirm.notAgain')
    return tryLater()
  }
  if (isOtherPatient(readBack, outbox.submissionOf(row.id)?.fields ?? {})) {
    const key = 'sending:confirm.otherPatient'
    raiseAlarm(context, row.id, { kind: 'otherPatient', caseIds, key }, () => note('readBackFailed', key))
    return tryLater()
  }
  // Without a mark of the current center, another client may switch it between our setting and our reading, and a
  // misplaced case would be found there. So it is read twice, each time after setting the center.
  const isUnmarked = row.center_id !== null && !context.centers.areMarked()
  if (isUnmarked && !wasSeenOnce(context, attempt.id, row.id)) {
    note('readBack', 'sending:confirm.once')
    return readAgainAt(clock.now() + SECOND_READ_AFTER_MS)
  }
  const images = compareImages(context, row, attempt, { listed, asked: shown })
  if (images.kind === 'again' || images.kind === 'fewer') {
    noteFewerImages(context, row, attempt.id, images)
    return images.kind === 'again' ? readAgainAt(clock.now() + READ_AGAIN_MS) : tryLater()
  }
  outbox.write(() => {
    if (images.kind === 'odd') {
      const { shown, sent } = images
      note('readBack', 'sending:confirm.otherNumber', { shown, sent })
    } else note('readBack', 'sending:confirm.readBack')
    outbox.setConfirmed(row.id, clock.now())
    outbox.setNotBefore(row.id, null)
    if (list) updateCalibration(context, row, listed)
  })
}

function wasSeenOnce({ outbox }: DeliveryContext, attemptId: string, submissionId: string): boolean {
  const evidence = outbox.detailsOf(submissionId)?.evidence ?? []
  return evidence.findLast((entry) => entry.attemptId === attemptId)?.kind === 'readBack'
}

/** Every confirmed case that the list shows makes the list more credible; one that it lacks discredits it. */
function updateCalibration(
  context: DeliveryContext,
  row: SubmissionRow,
  listed: ServiceCase | undefined,
): void {
  const { outbox, clock } = context
  const destination = destinationOf(context, row.center_id)
  const before = outbox.calibrationOf(destination)
  const delayMs = listed ? clock.now() - (row.sent_at ?? clock.now()) : 0
  outbox.saveCalibration(destination, {
    seen: before.seen + (listed ? 1 : 0),
    missed: before.missed + (listed ? 0 : 1),
    slowestMs: Math.max(before.slowestMs, delayMs),
  })
}
