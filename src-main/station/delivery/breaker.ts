/**
 * The breaker protects the queue from a service that is in trouble: after the first sign of it only small
 * questions are asked until one is answered, so that a broken weekend leaves one case to check and not a hundred.
 */
import type { Failure } from '../../../src-shared/failure.ts'
import { retryDelayMs } from './retry-policy.ts'

/** `troubles` counts the signs of trouble since something was delivered: a service that answers questions may still lose cases. */
export type Breaker =
  | { readonly kind: 'closed'; readonly since: number; readonly troubles: number }
  | {
      readonly kind: 'open'
      readonly since: number
      readonly troubles: number
      readonly failure: Failure
      /** When it was tripped last. */
      readonly trippedAt: number
      readonly nextProbeAt: number
      /** Until then the service wants to be left alone; null where it named no time. */
      readonly waitUntil: number | null
    }

export type BreakerSettings = { readonly baseMs: number; readonly random: number; readonly now: number }

/**
 * After trouble: opens, or stays open with the newer reason.
 *
 * A time that the service asked for is obeyed exactly: what fails meanwhile neither shortens it nor hides its reason.
 */
export function tripBreaker(breaker: Breaker, failure: Failure, settings: BreakerSettings): Breaker {
  const { now } = settings
  const ownProbeAt = now + retryDelayMs(breaker.troubles, settings.baseMs, settings.random)
  const asked = failure.notBefore ?? null
  const requested = { failure, waitUntil: asked, nextProbeAt: asked ?? ownProbeAt }
  const effective =
    breaker.kind === 'open' && isAskedToWait(breaker, now) && (breaker.waitUntil ?? 0) > (asked ?? 0)
      ? {
          failure: breaker.failure,
          waitUntil: breaker.waitUntil,
          nextProbeAt: Math.max(ownProbeAt, breaker.waitUntil ?? 0),
        }
      : requested
  return {
    kind: 'open',
    since: breaker.kind === 'open' ? breaker.since : now,
    troubles: breaker.troubles + 1,
    trippedAt: now,
    ...effective,
  }
}

/** Has the service asked to be left alone for longer than until now? */
export function isAskedToWait(breaker: Breaker, now: number): boolean {
  return breaker.kind === 'open' && breaker.waitUntil !== null && now < breaker.waitUntil
}

/**
 * May the small question be asked now? Also where the clock was set back: then nobody knows how long to wait still.
 * What the service asked for is waited for all the same, see `afterClock`.
 */
export function isProbeDue(breaker: Breaker, now: number): boolean {
  if (breaker.kind === 'closed') return false
  return breaker.nextProbeAt <= now || (now < breaker.trippedAt && breaker.waitUntil === null)
}

/** Where the clock was set back behind the trouble, a wait that the service asked for begins anew, and is no longer. */
export function adjustForClock(breaker: Breaker, now: number): Breaker {
  if (breaker.kind === 'closed' || breaker.waitUntil === null || now >= breaker.trippedAt) return breaker
  const byMs = breaker.trippedAt - now
  return {
    ...breaker,
    trippedAt: now,
    nextProbeAt: breaker.nextProbeAt - byMs,
    waitUntil: breaker.waitUntil - byMs,
  }
}

/** Makes the next probe due. Only a person may end a wait that the service asked for. */
export function expediteProbe(breaker: Breaker, now: number, by: 'person' | 'station'): Breaker {
  if (breaker.kind === 'closed' || (by === 'station' && isAskedToWait(breaker, now))) return breaker
  return { ...breaker, nextProbeAt: now, waitUntil: null }
}

/** After an answer that proves the service reachable. Whatever was on its way ends no wait that the service asked for. */
export function closeBreaker(breaker: Breaker, now: number): Breaker {
  if (breaker.kind === 'closed' || isAskedToWait(breaker, now)) return breaker
  return { kind: 'closed', since: now, troubles: breaker.troubles }
}

/** After a case that arrived: all is well again, but for a wait that the service asked for. */
export function resetBreaker(breaker: Breaker, now: number): Breaker {
  return breaker.kind === 'closed' && breaker.troubles === 0
    ? breaker
    : { ...closeBreaker(breaker, now), troubles: 0 }
}
