import type { EventPayload } from '../../../src-shared/contract.ts'
import type { ManagedFile, ServiceSettings } from '../../../src-shared/settings.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Intake } from '../intake/intake.ts'
import type { Loop } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Ports } from '../ports.ts'
import type { ServiceClient } from '../service/client.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Uploads } from '../storage/uploads.ts'

/** What a change of the settings means for the parts that are open. */
export type SettingsChange = {
  readonly isServiceChanged: boolean
  readonly areFoldersChanged: boolean
  readonly isPatientListChanged: boolean
  /** How names are read may have changed: open cases are read again, and so are ignored files. */
  readonly areProfilesChanged: boolean
}

/** What the calls work with: the parts of a running station, by type. */
export type StationParts = {
  readonly ports: Ports
  readonly outbox: Outbox
  readonly intake: Intake
  readonly uploads: Pick<Uploads, 'taken'>
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
  /** Stores until when a person has paused sending; null resumes. */
  setPause(until: number | 'untilResumed' | null): void
  /** Ends safe mode, if the station is in it. */
  startNormally(): Promise<void>
  /** Settings have changed: the parts that depend on them follow. */
  applySettings(changed: SettingsChange): Promise<void>
  /** A client for a connection test. */
  openTestClient(service: ServiceSettings): ServiceClient
  /** Something outside the outbox changed that the status shows. */
  emitStatus(): void
  /** How far a call on many cases has come. */
  emitCallProgress(progress: EventPayload<'callProgressed'>): void
  /** Is the station ending? Then nothing new is begun. */
  isStopping(): boolean
  /** The host is to end the station and itself. */
  requestStop(): void
}
