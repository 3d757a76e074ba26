/**
 * Follows up on what was sent: looks up cases that may have arrived, reads back delivered ones, and audits
 * lists.
 */
import { setImmediate } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { succeed } from '../../../src-shared/failure.ts'
import { type Loop, openLoop } from '../lib/schedule.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { CaseList } from '../service/client.ts'
import { fetchCaseList, isServiceTrouble } from './case-list.ts'
import type { CenterLease } from './center-lease.ts'
import { confirmSent, maxLookupIntervalMs, nextConfirmationAt } from './confirm.ts'
import { type DeliveryContext, destinationOf } from './context.ts'
import { createAuditSchedule } from './duplicates.ts'
import { reconcile } from './reconcile.ts'

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
