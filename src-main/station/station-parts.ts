import type { Outbox } from './outbox/outbox.ts'
import type { Delivery } from './delivery/open-delivery.ts'
import type { Intake } from './intake/open-intake.ts'
import type { Uploads } from './handed-files.ts'
import type { Loop } from './loop.ts'
import type { Ports } from './ports.ts'
import type { ServiceClient } from './service/service-client.ts'
import type { SettingsStore } from './settings-store.ts'
import type { EventPayload } from '../../src-shared/contract.ts'
import type { ManagedFile } from '../../src-shared/setting-source.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { ServiceSettings } from '../../src-shared/settings.ts'

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
