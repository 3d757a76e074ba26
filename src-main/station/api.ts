/** The station as a whole: what a host sees of it, and what its calls work with. */
import type {
  BytesKind,
  CallName,
  CallOutput,
  EventPayload,
  ParsedInput,
  StationEvent,
} from '../../src-shared/contract.ts'
import type { UploadedFile } from '../../src-shared/desktop.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { ServiceSettings } from '../../src-shared/settings.ts'
import type { ManagedFile } from '../../src-shared/setting-sources.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { Cases } from './cases/cases.ts'
import type { Loop } from './lib/schedule.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports } from './ports.ts'
import type { ServiceClient } from './service/client.ts'
import type { AdministratorFile, ManagedSetup } from './settings/managed-files.ts'
import type { SettingsStore } from './settings/settings.ts'
import type { DataFolderProtection } from './storage/protection.ts'
import type { Upload, Uploads } from './storage/uploads.ts'

/** One handler per call: a call without a handler does not compile. */
export type CallHandlers = {
  readonly [Name in CallName]: (input: ParsedInput<Name>) => Promise<Result<CallOutput<Name>>>
}

/** A file to be served as it is on the disk, by its kind and id; null if there is none. */
export type ServedBytes = { readonly path: string; readonly contentType: string; readonly sizeBytes: number }

export type Station = {
  readonly handlers: CallHandlers
  /** Passes every event to the listener until the returned function is called. */
  on(listener: (event: StationEvent) => void): () => void
  /** The machine slept, or the network came back: everything that waits is looked at again. */
  wakeUp(): void
  revision(): number
  bytes(kind: BytesKind, id: string): Promise<ServedBytes | null>
  /** Keeps a file that a person hands over for a case by hand; `submissions.create` takes its path. */
  saveUpload(file: Upload): Promise<Result<UploadedFile>>
  /** Its numbers for IT, as `METRICS_TYPE`. */
  metrics(): Promise<string>
  /** Makes a checked copy of the outbox now, beside the daily ones; fails with a sentence if that cannot be done. */
  backUp(): Promise<Result<string>>
  /** Ends every attempt as it stands, closes the outbox; resolves when nothing more is written. */
  stop(): Promise<void>
}

export type StationOptions = {
  /** One per machine: outbox, spool, reports and settings lie in it. */
  readonly dataFolder: string
  readonly config: AdministratorFile | null
  /** What else an administrator has set up beside the station; nothing if it is omitted. */
  readonly managed?: ManagedSetup
  readonly ports: Ports
  /** A client asked over the contract that the station ends. */
  readonly onStopRequested?: () => void
  /** `safe`: its screens only, until a person starts it normally. What is in the outbox stays as it is. */
  readonly startAs?: 'working' | 'safe'
  /** Bytes that may still be written to the volume of a folder; if it is omitted, the system is asked. */
  readonly askFreeBytes?: (folder: string) => Promise<number | null>
}

/** What the calls work with: the parts of a running station, by type. */
export type StationParts = {
  readonly ports: Ports
  readonly outbox: Outbox
  readonly cases: Cases
  readonly uploads: Pick<Uploads, 'taken'>
  readonly reports: Loop
  readonly settings: SettingsStore
  /** What became of the files of administrators, and what this start's command line states. */
  readonly managedFiles: readonly ManagedFile[]
  readonly commandLine: Readonly<Record<string, string>>
  readonly reportsFolder: string
  readonly stationId: string
  readonly dataFolder: string
  readonly protection: DataFolderProtection
  /** Null while no service is set. */
  delivery(): Delivery | null
  status(): StationStatus
  /** Stores until when a person has paused sending; null resumes. */
  setPause(until: number | 'untilResumed' | null): void
  startNormally(): Promise<void>
  /** These sections of the settings have changed: the parts that depend on them follow. */
  applySettings(changed: readonly string[]): Promise<void>
  openTestClient(service: ServiceSettings): ServiceClient
  /** Deletes the files that nothing needs any more, and what the log and older backups have of erased cases. */
  eraseLeftovers(): Promise<void>
  /** Something outside the outbox changed that the status shows. */
  emitStatus(): void
  emitCallProgress(progress: EventPayload<'callProgressed'>): void
  emitWindows(windows: EventPayload<'windowsChanged'>): void
  /** Is the station ending? Then nothing new is begun. */
  isStopping(): boolean
  /** The host is to end the station and itself. */
  requestStop(): void
}
