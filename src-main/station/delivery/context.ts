/** What the parts of the delivery share: the outbox, the service, and the settings in effect. */
import type { EventPayload } from '../../../src-shared/contract.ts'
import type { Outcome } from '../../../src-shared/submission.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { AttemptGuard } from '../outbox/recovery/manifest-writer.ts'
import type { Clock, Logger } from '../ports.ts'
import type { ServiceClient, Throttle } from '../service/client.ts'
import type { Health } from './breaker.ts'
import type { CenterGate, KnownCenters } from './center-lease.ts'

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
  /** Reads a case again from its sources: what came during an earlier attempt was not read. */
  readonly reread: (submissionId: string) => void
  /** False while a person has paused the station, and while it stops. */
  readonly maySend: () => boolean
  readonly onProgress: (progress: EventPayload<'deliveryProgressed'>) => void
  /** An attempt has ended. */
  readonly onOutcome?: (outcome: Outcome) => void
  /** An alarm was raised about a submission: a person must see it. */
  readonly onAlarm: (submissionId: string) => void
}

export type DeliveryContext = DeliveryOptions & {
  readonly gate: CenterGate
  readonly centers: KnownCenters
  /** When lookups of an attempt found nothing, oldest first, by the monotonic clock. A restart starts over. */
  readonly missedAt: Map<string, readonly number[]>
  readonly health: Health
  /** Ends every small request when the station stops. */
  readonly stopSignal: AbortSignal
  /** Shared by all transfers. */
  readonly throttle: Throttle
}
