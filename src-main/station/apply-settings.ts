import { join } from 'node:path'
import type { EventPayload } from '../../src-shared/contract.ts'
import type { ClinicalSettings, ManagedFile, ServiceSettings, Settings } from '../../src-shared/settings.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import { type Delivery, openDelivery } from './delivery/delivery.ts'
import type { StationEvents } from './events.ts'
import type { Intake } from './intake/intake.ts'
import { type Loop, serially } from './lib/schedule.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { AttemptGuard } from './outbox/recovery/manifest-writer.ts'
import type { Ports } from './ports.ts'
import type { ServiceClient } from './service/client.ts'
import type { SettingsStore } from './settings/settings.ts'
import { type CameraParts, createClient, type ReportParts } from './station.ts'
import type { StationPhase } from './status.ts'
import type { StorageMonitor } from './storage/storage.ts'
import type { Uploads } from './storage/uploads.ts'

/** Brings back to a person what was written in another unit than the settings have now, and says so on each case. */
export function recheckUnits(options: {
  readonly outbox: Pick<Outbox, 'submissions'>
  readonly intake: Pick<Intake, 'refresh'>
  readonly units: ClinicalSettings
  readonly at: number
}): void {
  const { outbox, intake } = options
  for (const id of outbox.submissions.applyUnits(options.units, options.at)) {
    const state = outbox.submissions.row(id)?.state
    if (state === 'sending' || state === 'unconfirmed' || state === 'discarded') continue
    intake.refresh(id)
  }
}

/** What the calls work with: the parts of a running station, by type. */
export type StationParts = {
  readonly ports: Ports
  readonly outbox: Outbox
  readonly intake: Intake
  readonly uploads: Pick<Uploads, 'taken'>
  /** What was written in other units than the settings have now comes back to a person. */
  readonly recheckUnits: () => void
  readonly reports: Loop
  readonly settings: SettingsStore
  /** What became of the files of administrators, and what this start's command line states. */
  readonly managedFiles: readonly ManagedFile[]
  readonly commandLine: Readonly<Record<string, string>>
  readonly reportsFolder: string
  readonly stationId: string
  readonly dataFolder: string
  /** Null while no service is set. */
  delivery(): Delivery | null
  status(): StationStatus
  /** Keeps until when a person has paused sending; null resumes. */
  setPause(until: number | 'untilResumed' | null): void
  /** Ends safe mode, where the station is in it. */
  startNormally(): Promise<void>
  /** Settings have changed: what depends on them is opened anew. */
  applySettings(changed: {
    readonly isServiceChanged: boolean
    readonly areFoldersChanged: boolean
    readonly isPatientListChanged: boolean
    /** How names are read may have changed: open cases are read anew, and what was left alone is looked at again. */
    readonly areProfilesChanged: boolean
  }): Promise<void>
  /** A client for a trial, which nobody else uses. */
  openTestClient(service: ServiceSettings): ServiceClient
  /** Something outside the outbox changed that the status tells. */
  emitStatus(): void
  /** How far a call on many cases has come. */
  emitCallProgress(progress: EventPayload<'callProgressed'>): void
  /** Is the station ending? Then nothing new is begun. */
  isStopping(): boolean
  /** The host is to end the station and itself. */
  requestStop(): void
}

/** Keeps the one delivery of a station: to the service that is set, and to another once the settings say so. */
type DeliveryHolder = {
  /** Null while no service is set. */
  current(): Delivery | null
  /** Opens the delivery to the service that is set now, after the one before was closed. */
  reopen(): Promise<void>
  close(): Promise<void>
}

type DeliveryHolderOptions = {
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

type Apply = StationParts['applySettings']

/** What a change of the settings does to the parts that are open. */
type SettingsApplier = {
  readonly apply: Apply
  /** As if everything had been set just now. */
  applyAll(): Promise<void>
  /** Resolves when nothing that was asked for is still being applied. */
  done(): Promise<void>
}

/** One change after the other: two deliveries at once would not know of each other's center. */
export function createSettingsApplier(options: {
  readonly phase: () => StationPhase
  readonly settings: SettingsStore
  readonly storage: StorageMonitor
  readonly cameraParts: CameraParts
  readonly reportParts: ReportParts
  readonly deliveryHolder: DeliveryHolder
  readonly events: StationEvents
  /** Something changed that the status tells. */
  readonly onChanged: () => void
}): SettingsApplier {
  const { phase, settings, storage, cameraParts, deliveryHolder, events } = options
  const { reports, copies } = options.reportParts
  const inTurn = serially()

  const applyNow = async (changed: Parameters<Apply>[0]): Promise<void> => {
    const requestedPhase = phase()
    if (requestedPhase !== 'running' && requestedPhase !== 'safe') return
    storage.check()
    if (requestedPhase === 'running') await applyToParts(changed)
    events.emit('settingsChanged', await settings.shown())
    options.onChanged()
  }

  const applyToParts = async (changed: Parameters<Apply>[0]): Promise<void> => {
    // After the disk has failed nothing is sent until the next start, to no service.
    if (changed.isServiceChanged && storage.isHealthy()) {
      await deliveryHolder.reopen()
      reports.wake()
    }
    if (changed.areFoldersChanged) await cameraParts.intake.watch(settings.current().folders)
    if (changed.isPatientListChanged) cameraParts.recheckPatientList()
    if (changed.areProfilesChanged) cameraParts.rereadNames()
    deliveryHolder.current()?.wake()
    copies.wake()
  }

  const apply: Apply = (changed) => inTurn(() => applyNow(changed))
  return {
    apply,
    applyAll: () =>
      apply({
        isServiceChanged: true,
        areFoldersChanged: true,
        isPatientListChanged: true,
        areProfilesChanged: true,
      }),
    done: () => inTurn(() => Promise.resolve()),
  }
}
