/** What the parts of the delivery share: the outbox, the service, and the settings in effect. */
import type { EventPayload } from '../../../src-shared/contract.ts'
import { DAY, HOUR, MINUTE } from '../../../src-shared/durations.ts'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import { type Wording, worded, wordingOf } from '../../../src-shared/wording.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { AttemptGuard } from '../outbox/recovery/manifest-writer.ts'
import type { Destination } from '../outbox/rows.ts'
import type { Clock, Logger } from '../ports.ts'
import type { ClockReading, ServiceClient, Throttle } from '../service/client.ts'
import type { Health } from './breaker.ts'
import type { CenterGate, KnownCenters } from './center-lease.ts'

/** Lookups that found nothing, timed by a clock that cannot be set; a restart starts over. */
type MissingCounts = {
  /**
   * Records a lookup of an attempt that found nothing just now. Returns all of its times, oldest first, in
   * milliseconds.
   */
  note(attemptId: string): readonly number[]
}

export function createMissingCounts(clock: Pick<Clock, 'monotonicMs'>): MissingCounts {
  const at = new Map<string, number[]>()
  return {
    note: (attemptId) => {
      const noted = [...(at.get(attemptId) ?? []), clock.monotonicMs()]
      at.set(attemptId, noted)
      return noted
    },
  }
}

export type DeliveryOptions = {
  readonly outbox: Outbox
  readonly client: ServiceClient
  /** Must be asked before an attempt is opened. */
  readonly guard: AttemptGuard
  readonly clock: Clock
  readonly logger: Logger
  readonly random: () => number
  readonly settings: () => Settings
  readonly spoolPath: (spoolName: string) => string
  /** False while a person has paused the station, and while it stops. */
  readonly maySend: () => boolean
  readonly onProgress: (progress: EventPayload<'deliveryProgressed'>) => void
  /** An alarm was raised about a submission: a person must see it. */
  readonly onAlarm: (submissionId: string) => void
}

export type DeliveryContext = DeliveryOptions & {
  readonly gate: CenterGate
  readonly centers: KnownCenters
  readonly missingCounts: MissingCounts
  readonly health: Health
  /** Ends every small request when the station stops. */
  readonly stopSignal: AbortSignal
  /** Shared by all transfers. */
  readonly throttle: Throttle
}

export function destinationOf(context: DeliveryContext, centerId: string | null): Destination {
  return { ...context.client.identity, centerId }
}

/** The failure for a clock that is ahead or behind; null unless it is known to be. */
export function clockFailure(reading: ClockReading): Failure | null {
  if (reading.kind !== 'wrong') return null
  const { differenceMs } = reading
  const amount = amountOf(Math.abs(differenceMs))
  return failureOf('clockWrong', worded(`sending:clock.${differenceMs > 0 ? 'ahead' : 'behind'}`, { amount }))
}

function amountOf(ms: number): Wording {
  const [size, unit] =
    ms >= 2 * DAY
      ? ([DAY, 'days'] as const)
      : ms >= 2 * HOUR
        ? ([HOUR, 'hours'] as const)
        : ([MINUTE, 'minutes'] as const)
  return wordingOf(`sending:clock.${unit}`, { count: Math.round(ms / size) })
}
