/**
 * The breaker protects the queue from a service that is in trouble: after the first sign of it only small
 * questions are asked until one is answered, so that a broken weekend leaves one case to check and not a hundred.
 */
import type { Failure } from '../../../src-shared/failure.ts'
import { pauseMs } from './retry-policy.ts'

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
    }

export type BreakerSettings = { readonly baseMs: number; readonly random: number; readonly now: number }

/** After trouble: opens, or stays open with the newer reason. A time that the service asked for is obeyed exactly. */
export function trip(breaker: Breaker, failure: Failure, settings: BreakerSettings): Breaker {
  const since = breaker.kind === 'open' ? breaker.since : settings.now
  const nextProbeAt =
    failure.notBefore ?? settings.now + pauseMs(breaker.troubles, settings.baseMs, settings.random)
  return {
    kind: 'open',
    since,
    failure,
    troubles: breaker.troubles + 1,
    trippedAt: settings.now,
    nextProbeAt,
  }
}

/** May the small question be asked now? Also where the clock was set back: then nobody knows how long to wait still. */
export function isProbeDue(breaker: Breaker, now: number): boolean {
  return breaker.kind === 'open' && (breaker.nextProbeAt <= now || now < breaker.trippedAt)
}

/** After an answer that proves the service reachable. */
export function close(breaker: Breaker, now: number): Breaker {
  return breaker.kind === 'closed' ? breaker : { kind: 'closed', since: now, troubles: breaker.troubles }
}

/** After a case that arrived: all is well again. */
export function reset(breaker: Breaker, now: number): Breaker {
  return breaker.kind === 'closed' && breaker.troubles === 0
    ? breaker
    : { ...close(breaker, now), troubles: 0 }
}
