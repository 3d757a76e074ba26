import { HOUR } from '../../../src-shared/durations.ts'
import type { Failure, FailureKind } from '../../../src-shared/failure.ts'
import type { ServiceStatus } from '../../../src-shared/station-status.ts'
import type { Clock } from '../ports.ts'
import {
  adjustForClock,
  closeBreaker,
  expediteProbe,
  resetBreaker,
  tripBreaker,
  type Breaker,
} from './breaker.ts'

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
