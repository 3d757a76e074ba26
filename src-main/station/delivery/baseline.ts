/** Reads the service's list of cases and keeps it as the baseline of the attempts to come. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { CaseList } from '../service/service-client.ts'
import { unambiguousIdsOf } from '../case-ids.ts'
import { eachSlice } from '../each-slice.ts'
import { auditCases } from './audit-cases.ts'
import type { CenterLease } from './center-gate.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import { isQueueWide } from './health.ts'

/** A list older than this says too little about what is new. */
const BASELINE_MAX_AGE_MS = 10 * MINUTE

/**
 * Reads the list under the center that the gate holds, and remembers its ids.
 *
 * A list that was read while a new token came may be another center's: it is told as `centerNotChanged` and not kept.
 */
export async function fetchCaseList(
  context: DeliveryContext,
  centerId: string | null,
  lease: CenterLease,
): Promise<Result<CaseList>> {
  const { health } = context
  const { troubles } = health.breaker()
  const list = await context.client.listCases(context.stopSignal)
  if (!list.ok) return list
  // An answer to what was asked before the newest trouble does not say that it is over.
  if (health.breaker().troubles <= troubles) health.noteSuccess()
  if (!lease.isValid()) return fail(failureOf('centerNotChanged'))
  if (await context.centers.isElsewhere(centerId, context.stopSignal)) {
    context.gate.invalidate()
    return fail(failureOf('centerNotChanged'))
  }
  context.outbox.cases.saveList(destinationOf(context, centerId), {
    readAt: context.clock.now(),
    caseIds: list.value.cases.flatMap((one) => unambiguousIdsOf(one)),
    isComplete: list.value.isComplete,
  })
  await learnFromList(context, centerId, list.value.cases)
  return list
}

/** Whoever read the list and for whatever: it tells of our cases' states, and whether one of them is there twice. */
export async function learnFromList(
  context: DeliveryContext,
  centerId: string | null,
  cases: readonly ServiceCase[],
): Promise<void> {
  await eachSlice(cases, (slice) =>
    context.outbox.cases.saveStates(destinationOf(context, centerId), slice, context.clock.now()),
  )
  await auditCases(context, centerId, cases)
}

/**
 * Sees to it that the ids known before an attempt are not old.
 *
 * Doubles as the small question before a big body. A service that answers but shows no readable list is no
 * trouble: then nothing is known, and absence proves nothing.
 */
export async function refreshBaseline(
  context: DeliveryContext,
  centerId: string | null,
  lease: CenterLease,
): Promise<Result<null>> {
  const { outbox, clock } = context
  const readAt = outbox.cases.listReadAt(destinationOf(context, centerId))
  // A list from the future was read before the clock was set back: nobody knows how old it is.
  const ageMs = readAt === null ? Infinity : clock.now() - readAt
  if (ageMs >= 0 && ageMs < BASELINE_MAX_AGE_MS) return succeed(null)
  const list = await fetchCaseList(context, centerId, lease)
  const isLost = !list.ok && list.failure.kind === 'centerNotChanged'
  if (!list.ok && (isLost || (await isServiceTrouble(context, list.failure)))) return fail(list.failure)
  return succeed(null)
}

/**
 * Is a failed list the service's trouble, or merely a service that lists nothing?
 *
 * Where the list is not understood, the centers are asked for: an address that answers neither is the wrong one.
 */
export async function isServiceTrouble(context: DeliveryContext, failure: Failure): Promise<boolean> {
  if (failure.kind === 'wrongAddress' || failure.kind === 'signedOut') {
    const centers = await context.client.listCenters(context.stopSignal)
    return !centers.ok
  }
  return isQueueWide(failure)
}
