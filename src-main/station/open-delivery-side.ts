/** Keeps the one delivery of a station: to the service that is set, and to another once the settings say so. */
import { join } from 'node:path'
import type { Settings } from '../../src-shared/settings.ts'
import { createClient } from './client-for.ts'
import { openDelivery, type Delivery } from './delivery/open-delivery.ts'
import type { AttemptGuard } from './outbox/manifest-keeper.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports } from './ports.ts'
import type { StationEvents } from './station-events.ts'

export type DeliveryHolder = {
  /** Null while no service is set. */
  current(): Delivery | null
  /** Opens the delivery to the service that is set now, after the one before was closed. */
  reopen(): Promise<void>
  close(): Promise<void>
}

export type DeliveryHolderOptions = {
  readonly outbox: Outbox
  readonly ports: Ports
  readonly guard: AttemptGuard
  readonly settings: () => Settings
  readonly readSecret: (baseUrl: string) => Promise<string | null>
  readonly spoolFolder: string
  readonly maySend: () => boolean
  readonly events: StationEvents
  /** Something changed that the status tells. */
  readonly onChanged: () => void
}

/** Opens no delivery yet: that begins with `renew`. */
export function openDeliveryHolder(options: DeliveryHolderOptions): DeliveryHolder {
  const { outbox, ports, guard, settings, readSecret, spoolFolder, maySend, events, onChanged } = options
  let current: Delivery | null = null

  const open = (): Delivery | null => {
    const { service } = settings()
    if (!service) return null
    return openDelivery({
      outbox,
      client: createClient(ports, { ...service, clientSecret: undefined }, readSecret, onChanged),
      guard,
      clock: ports.clock,
      logger: ports.logger,
      random: Math.random,
      settings,
      spoolPath: (spoolName) => join(spoolFolder, spoolName),
      maySend,
      onProgress: (progress) => events.emitThrottled('deliveryProgressed', progress.id, () => progress),
      onHealthChanged: onChanged,
      // The status tells of it, and whoever is to be told outside of the window reads it there.
      onAlarm: onChanged,
    })
  }

  return {
    current: () => current,
    reopen: async () => {
      await current?.close()
      current = open()
    },
    close: async () => {
      await current?.close()
    },
  }
}
