/** After the sending: looks for what may have arrived, reads back what was delivered, and compares lists with ours. */
import { setImmediate } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { succeed } from '../../../src-shared/result.ts'
import { openLoop, type Loop } from '../loop.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { openAuditRota } from './audit-rota.ts'
import type { CaseList } from '../service/service-client.ts'
import { isTrouble, readCaseList } from './baseline.ts'
import type { CenterHold } from './center-gate.ts'
import { confirmSent } from './confirm-sent.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import { longestLookMs, nextConfirmationAt } from './look-schedule.ts'
import { lookFor } from './look-for.ts'

/** While the service is in trouble nothing is asked; it is tried again when the breaker has closed, or after this. */
const PAUSE_IN_TROUBLE_MS = MINUTE
/** A center that cannot be set keeps its own cases waiting, and nobody else's. */
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

/** What is due so soon is read back by the same list: in a busy hour one list serves many cases. */
const CONFIRM_TOGETHER_MS = SECOND / 2

/** Longer than this the looks keep the thread from nobody. */
const LOOKS_MAY_TAKE_MS = 10
/** What is read back under a center that another client has switched would confirm a case in the wrong one. */
const SET_ANEW = { maxAgeMs: 0 }

export function openFollowUp(context: DeliveryContext): Loop {
  const { outbox, clock, health, gate } = context
  const rota = openAuditRota(context)

  /** After a restored outbox these may be thousands: others get the thread in between. */
  const lookForAll = async (
    centerId: string | null,
    looks: readonly SubmissionRow[],
    list: CaseList | null,
    hold: CenterHold,
  ): Promise<void> => {
    if (looks.length === 0) return
    const place = destinationOf(context, centerId)
    const bound = new Set(outbox.boundCaseIds(place))
    const known = outbox.knownCases(place)
    let begunAt = performance.now()
    for (const row of looks) {
      await lookFor(context, row, { list, bound, known, hold })
      if (performance.now() - begunAt < LOOKS_MAY_TAKE_MS) continue
      await setImmediate()
      begunAt = performance.now()
    }
  }

  /** Sent before there was a center: whatever is shown under the one that is set now says nothing of these. */
  const followWithoutCenter = async (
    looks: readonly SubmissionRow[],
    confirmations: readonly SubmissionRow[],
  ): Promise<void> => {
    await lookForAll(null, looks, null, { isHeld: () => true })
    const now = clock.now()
    for (const row of confirmations)
      outbox.setNotBefore(row.id, nextConfirmationAt(row.sent_at ?? row.changed_at, now))
  }

  /** One list answers for all submissions of a center. The answer is when to try again, null where all went well. */
  const followCenter = async (
    centerId: string | null,
    looks: readonly SubmissionRow[],
    confirmations: readonly SubmissionRow[],
  ): Promise<number | null> => {
    if (centerId === null && context.settings().centerId !== null) {
      await followWithoutCenter(looks, confirmations)
      return null
    }
    const followed = await gate.within(
      centerId,
      async (hold) => {
        const list = await readCaseList(context, centerId, hold)
        const isLost = !list.ok && list.failure.kind === 'centerNotChanged'
        if (!list.ok && (isLost || (await isTrouble(context, list.failure)))) return list
        const known = list.ok ? list.value : null
        for (const row of confirmations) await confirmSent(context, row, known, hold)
        await lookForAll(centerId, looks, known, hold)
        return succeed(null)
      },
      SET_ANEW,
    )
    if (followed.ok) return null
    if (followed.failure.kind === 'centerNotChanged') {
      for (const row of [...looks, ...confirmations])
        outbox.setNotBefore(row.id, clock.now() + PAUSE_FOR_CENTER_MS)
      return null
    }
    health.noteTrouble(followed.failure)
    return clock.now() + PAUSE_IN_TROUBLE_MS
  }

  const run = async (): Promise<number | null> => {
    const breaker = health.breaker()
    if (breaker.kind === 'open') return Math.max(breaker.nextProbeAt, clock.now() + SECOND)
    const looks = byCenter(
      outbox.dueLooks(clock.now(), longestLookMs(context.settings().delivery.lookSeconds)),
    )
    const confirmations = byCenter(outbox.dueConfirmations(clock.now() + CONFIRM_TOGETHER_MS))
    const audits = rota.due(clock.now())
    for (const centerId of new Set([...looks.keys(), ...confirmations.keys(), ...audits])) {
      if (context.stopSignal.aborted) return null
      const againAt = await followCenter(
        centerId,
        looks.get(centerId) ?? [],
        confirmations.get(centerId) ?? [],
      )
      if (againAt !== null) return againAt
      rota.read(centerId, clock.now())
    }
    const next = [outbox.nextFollowUpAt(), rota.nextAt(clock.now())].filter((at) => at !== null)
    return next.length === 0 ? null : Math.min(...next)
  }

  return openLoop({ name: 'following up', clock, logger: context.logger, run })
}
