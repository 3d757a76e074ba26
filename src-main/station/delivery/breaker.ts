/**
 * The breaker protects the queue from a service that is in trouble: after the first sign of it only small
 * questions are asked until one is answered, so that a broken weekend leaves one case to check and not a hundred.
 */
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { Failure, FailureKind } from '../../../src-shared/failure.ts'
import type { ServiceStatus } from '../../../src-shared/station-status.ts'
import type { Clock } from '../ports.ts'

/** When to try again. Full jitter, so that many stations do not come back in step after an outage. */
const MAX_RETRY_DELAY_MS = 15 * MINUTE

/**
 * A pause before the next try: anything up to `base × 2^failures`, at most a quarter of an hour.
 *
 * `failures` counts from 0; `random` is in [0, 1).
 */
export function retryDelayMs(failures: number, baseMs: number, random: number): number {
  const ceiling = Math.min(baseMs * 2 ** Math.min(failures, 30), MAX_RETRY_DELAY_MS)
  return Math.round(ceiling * random)
}

/** How far two stops may lie apart and still be the same place: what the system's buffers hold differs a little. */
const SAME_OFFSET_BYTES = 512 * 1024

/** Of a small request everything lies near; there the places must agree to a tenth. */
const SAME_OFFSET_SHARE = 0.1

/**
 * Did the last three tries stop at the same place of the body? Then it is no weather: something on the way
 * refuses this size.
 */
export function stopsAtSameOffset(handedOverBytes: readonly number[]): boolean {
  const last = handedOverBytes.slice(-3)
  if (last.length < 3 || last.some((bytes) => bytes === 0)) return false
  const farthest = Math.max(...last)
  return farthest - Math.min(...last) <= Math.min(SAME_OFFSET_BYTES, farthest * SAME_OFFSET_SHARE)
}

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

type BreakerSettings = { readonly baseMs: number; readonly random: number; readonly now: number }

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
function isAskedToWait(breaker: Breaker, now: number): boolean {
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

/** What these tell is about the way to the service or the service as a whole, and so about every case. */
const QUEUE_WIDE: readonly FailureKind[] = [
  'offline',
  'notAnswering',
  'throttled',
  'signedOut',
  'wrongAddress',
  'notTrusted',
  'proxySignIn',
  'serviceNotSet',
  'secretsLocked',
  'interrupted',
  'outcomeUnknown',
]

export function isQueueWide(failure: Failure): boolean {
  return QUEUE_WIDE.includes(failure.kind)
}

/** How the service is, for everybody who wants to ask it something. */
export type Health = {
  breaker(): Breaker
  /** Notes trouble; the next question to the service is a small one. */
  noteTrouble(failure: Failure): void
  /** Notes that the service answered sensibly. */
  noteSuccess(): void
  /** Notes that a case was taken or refused in words: the whole way works. */
  noteDelivery(): void
  /** Notes that a case whose answer was lost was found there: what goes arrives, and pauses need not grow any more. */
  noteFound(): void
  /**
   * Makes the next probe due now: a person asked, or the machine woke up. Only a person ends a wait that the service
   * asked for.
   */
  probeNow(by: 'person' | 'station'): void
  status(): ServiceStatus
}

export function createHealth(options: {
  readonly clock: Clock
  readonly baseMs: () => number
  readonly random: () => number
  readonly onChanged: () => void
  readonly onRecovered: () => void
  /** The service asks for a wait that is longer than an hour; once for each. */
  readonly onLongWait?: (until: number) => void
}): Health {
  const { clock } = options
  let breaker: Breaker = { kind: 'closed', since: clock.now(), troubles: 0 }
  let lastSuccessAt: number | null = null

  const update = (next: Breaker): void => {
    const isFirst = lastSuccessAt === null
    const isRecovery = breaker.kind === 'open' && next.kind === 'closed'
    lastSuccessAt = clock.now()
    breaker = next
    if (isRecovery) options.onRecovered()
    if (isRecovery || isFirst) options.onChanged()
  }

  const current = (): Breaker => {
    breaker = adjustForClock(breaker, clock.now())
    return breaker
  }

  return {
    breaker: current,
    noteTrouble: (failure) => {
      const { notBefore: until } = failure
      const previousUntil = breaker.kind === 'open' ? breaker.failure.notBefore : undefined
      if (until !== undefined && until !== previousUntil && until - clock.now() > HOUR)
        options.onLongWait?.(until)
      breaker = tripBreaker(current(), failure, {
        baseMs: options.baseMs(),
        random: options.random(),
        now: clock.now(),
      })
      options.onChanged()
    },
    noteSuccess: () => update(closeBreaker(current(), clock.now())),
    noteDelivery: () => update(resetBreaker(current(), clock.now())),
    noteFound: () => {
      breaker = { ...current(), troubles: 0 }
    },
    probeNow: (by) => {
      breaker = expediteProbe(current(), clock.now(), by)
    },
    status: () => ({
      health: breaker.kind === 'open' ? 'trouble' : lastSuccessAt === null ? 'unknown' : 'reachable',
      since: breaker.since,
      failure: breaker.kind === 'open' ? breaker.failure : null,
      nextTryAt: breaker.kind === 'open' ? breaker.nextProbeAt : null,
      lastSuccessAt,
    }),
  }
}
