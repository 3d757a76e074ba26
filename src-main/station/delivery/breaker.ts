/**
 * The breaker protects the queue from a service that is in trouble: after the first sign of it only small
 * questions are asked until one is answered, so that a broken weekend leaves one case to check and not a hundred.
 */
import type { Failure } from '../../../src-shared/failure.ts'
import { pauseMs } from './retry-policy.ts'

export type Breaker =
  | { readonly kind: 'closed'; readonly since: number }
  | {
      readonly kind: 'open'
      readonly since: number
      readonly failure: Failure
      readonly probes: number
      readonly nextProbeAt: number
    }

export type BreakerSettings = { readonly baseMs: number; readonly random: number; readonly now: number }

/** After trouble: opens, or stays open with the newer reason. A time that the service asked for is obeyed exactly. */
export function trip(breaker: Breaker, failure: Failure, settings: BreakerSettings): Breaker {
  const since = breaker.kind === 'open' ? breaker.since : settings.now
  const probes = breaker.kind === 'open' ? breaker.probes + 1 : 0
  const nextProbeAt = failure.notBefore ?? settings.now + pauseMs(probes, settings.baseMs, settings.random)
  return { kind: 'open', since, failure, probes, nextProbeAt }
}

/** After an answer that proves the service well. */
export function close(breaker: Breaker, now: number): Breaker {
  return breaker.kind === 'closed' ? breaker : { kind: 'closed', since: now }
}
