import type { EventPayload } from '../../../src-shared/contract.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Destination } from '../outbox/destination.ts'
import type { AttemptGuard } from '../outbox/manifest-keeper.ts'
import type { Clock, Logger } from '../ports.ts'
import type { ServiceClient, Throttle } from '../service/service-client.ts'
import type { MissingCounts } from './absences.ts'
import type { CenterGate } from './center-gate.ts'
import type { Health } from './health.ts'
import type { KnownCenters } from './known-centers.ts'

/** What every piece of the delivery works with. */
export type DeliveryContext = {
  readonly outbox: Outbox
  readonly client: ServiceClient
  /** Must be asked before an attempt is opened. */
  readonly guard: AttemptGuard
  readonly gate: CenterGate
  readonly centers: KnownCenters
  readonly missingCounts: MissingCounts
  readonly health: Health
  readonly clock: Clock
  readonly logger: Logger
  readonly random: () => number
  readonly settings: () => Settings
  /** May anything be sent now? False while a person has paused the station, and while it stops. */
  readonly maySend: () => boolean
  /** Ends every small question when the station stops. */
  readonly stopSignal: AbortSignal
  /** Where the bytes of a spooled image lie. */
  readonly spoolPath: (spoolName: string) => string
  /** An alarm was raised about a submission: a person must look. */
  readonly onAlarm: (submissionId: string) => void
  /** One for all transfers. */
  readonly throttle: Throttle
  readonly onProgress: (progress: EventPayload<'deliveryProgressed'>) => void
}

export function destinationOf(context: DeliveryContext, centerId: string | null): Destination {
  return { ...context.client.identity, centerId }
}
