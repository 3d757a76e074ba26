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
import type { DeliveryContext } from './delivery-context.ts'
import { longestLookMs } from './look-schedule.ts'
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

const LOOKS_IN_A_ROW = 20
/** What is read back under a center that another client has switched would confirm a case in the wrong one. */
const SET_ANEW = { maxAgeMs: 0 }

export function openFollowUp(context: DeliveryContext): Loop {
  const { outbox, clock, health, gate } = context
  const rota = openAuditRota(context)

  /** After a restored outbox these may be thousands: others get the thread in between. */
  const lookForAll = async (
    looks: readonly SubmissionRow[],
    list: CaseList | null,
    hold: CenterHold,
  ): Promise<void> => {
    for (let start = 0; start < looks.length; start += LOOKS_IN_A_ROW) {
      if (start > 0) await setImmediate()
      const bound = new Set(outbox.boundCaseIds(context.client.identity))
      for (const row of looks.slice(start, start + LOOKS_IN_A_ROW))
        await lookFor(context, row, { list, bound, hold })
    }
  }

  /** One list answers for all submissions of a center. The answer is when to try again, null where all went well. */
  const followCenter = async (
    centerId: string | null,
    looks: readonly SubmissionRow[],
    confirmations: readonly SubmissionRow[],
  ): Promise<number | null> => {
    const followed = await gate.within(
      centerId,
      async (hold) => {
        const list = await readCaseList(context, centerId, hold)
        const isLost = !list.ok && list.failure.kind === 'centerNotChanged'
        if (!list.ok && (isLost || (await isTrouble(context, list.failure)))) return list
        const known = list.ok ? list.value : null
        for (const row of confirmations) await confirmSent(context, row, known, hold)
        await lookForAll(looks, known, hold)
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
