/** Lists are often terse: cases among the new ones that could be ours are read whole, so that a reference can be seen. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { hasId, idsOf } from '../case-ids.ts'
import type { DeliveryContext } from './delivery-context.ts'

/** New cases that are asked for one by one where the list tells little about them. */
const MAX_DETAILS = 10

export type DetailedCases = {
  readonly cases: readonly ServiceCase[]
  /** Was anything asked of the service? */
  readonly wasAsked: boolean
}

/** Where there are many that could be it, each look, counted by `number`, reads others of them. */
export async function withDetails(
  context: Pick<DeliveryContext, 'client' | 'stopSignal'>,
  listed: readonly ServiceCase[],
  lookup: { readonly number: number; readonly mightMatch: (one: ServiceCase) => boolean },
): Promise<DetailedCases> {
  const candidates = listed.filter((one) => lookup.mightMatch(one))
  const wholes = new Map<ServiceCase, ServiceCase>()
  for (let index = 0; index < Math.min(MAX_DETAILS, candidates.length); index += 1) {
    const one = candidates[(lookup.number * MAX_DETAILS + index) % candidates.length]
    if (!one) continue
    const whole = await context.client.getCase(one.caseId, context.stopSignal)
    // Asked for one, answered with another: nothing was read.
    if (whole.ok && idsOf(one).some((id) => hasId(whole.value, id)))
      wholes.set(one, { ...mergeDetails(one, whole.value), caseId: one.caseId })
  }
  const cases = wholes.size === 0 ? listed : listed.map((one) => wholes.get(one) ?? one)
  return { cases, wasAsked: candidates.length > 0 }
}

function mergeDetails(listed: ServiceCase, whole: ServiceCase): ServiceCase {
  const stated = Object.entries(whole).filter(([, value]) => value !== null)
  return { ...listed, ...Object.fromEntries(stated), raw: { ...listed.raw, ...whole.raw } }
}
