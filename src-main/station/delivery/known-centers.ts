/** What the service has told of its centers: whether it marks the current one, and which it does not know any more. */
import type { Center } from '../../../src-shared/case.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { ServiceClient } from '../service/service-client.ts'

export type KnownCenters = {
  /** A list of centers was read: where it marks the current one, the mark is read from now on. */
  learn(centers: readonly Center[]): void
  /** Does the service mark another center as the current one? False where it says nothing. */
  isElsewhere(centerId: string | null, signal: AbortSignal): Promise<boolean>
  /** Does the service mark the current center at all, as far as is known? Else nothing tells that somebody has switched it. */
  areMarked(): boolean
  /** A center could not be set; the failure to tell, which after repeated refusals names a center that is unknown. */
  noteRefusal(centerId: string, failure: Failure, signal: AbortSignal): Promise<Failure>
  /** A center was set. */
  noteSet(centerId: string): void
}

/** So often a refusal may be a mood of the service; then its list is asked. */
const REFUSALS_BEFORE_LISTING = 3

const CENTER_NOT_KNOWN =
  'The service does not know the center of this case any more, so the case waits and goes to no other one. Move it to another center, or ask the service; other cases go on.'

export function isUnknownCenter(centerId: string, centers: readonly Center[]): boolean {
  return centers.length > 0 && !centers.some((center) => center.centerId === centerId)
}

export function openKnownCenters(parts: {
  readonly client: Pick<ServiceClient, 'listCenters' | 'identity'>
  readonly outbox: Pick<Outbox, 'facts'>
}): KnownCenters {
  const { client, outbox } = parts
  const serviceKey = JSON.stringify([client.identity.baseUrl, client.identity.clientId])
  let isMarked = outbox.facts.read('centersMarkedAt') === serviceKey
  /** A service that marks nothing is asked once a session, and not again. */
  let wasAsked = false
  const refusals = new Map<string, number>()

  const learn = (centers: readonly Center[]): void => {
    wasAsked = true
    if (isMarked || !centers.some((center) => center.isCurrent === true)) return
    isMarked = true
    outbox.facts.write('centersMarkedAt', serviceKey)
  }
  return {
    learn,
    isElsewhere: async (centerId, signal) => {
      if (centerId === null || (!isMarked && wasAsked)) return false
      const centers = await client.listCenters(signal)
      wasAsked = true
      if (centers.ok) learn(centers.value)
      const marked = centers.ok ? centers.value.find((center) => center.isCurrent === true) : undefined
      return marked !== undefined && marked.centerId !== centerId
    },
    areMarked: () => isMarked,
    noteRefusal: async (centerId, failure, signal) => {
      const count = (refusals.get(centerId) ?? 0) + 1
      refusals.set(centerId, count)
      if (count < REFUSALS_BEFORE_LISTING) return failure
      const centers = await client.listCenters(signal)
      if (!centers.ok) return failure
      learn(centers.value)
      return isUnknownCenter(centerId, centers.value) ? { ...failure, message: CENTER_NOT_KNOWN } : failure
    },
    noteSet: (centerId) => void refusals.delete(centerId),
  }
}

/** The service marks another center, after a switch that it took or because somebody else switched. */
export function switchedSilently(): Failure {
  return failureOf('centerNotChanged', {
    message:
      'The service marks another center as the current one, not the one of this case. The case was not sent; the station sets its center again and tries again by itself.',
  })
}
