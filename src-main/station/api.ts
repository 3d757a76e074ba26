/** The two faces that a host sees of a station: calls with their answers, and bytes by id. */
import type { BytesKind, CallName, CallOutput, ParsedInput, StationEvent } from '../../src-shared/contract.ts'
import type { UploadedFile } from '../../src-shared/desktop.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { Ports } from './ports.ts'
import type { ConfigFile } from './settings/config-file.ts'
import type { ManagedSetup } from './settings/policy.ts'
import type { Upload } from './storage/uploads.ts'

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
  /** The revision of the latest event that was emitted. */
  revision(): number
  bytes(kind: BytesKind, id: string): Promise<ServedBytes | null>
  /** Keeps a file that a person hands over for a case by hand; `submissions.create` takes its path. */
  saveUpload(file: Upload): Promise<Result<UploadedFile>>
  /** Makes a checked copy of the outbox now, beside the daily ones; fails with a sentence if that cannot be done. */
  backUp(): Promise<Result<string>>
  /** Ends every attempt as it stands, closes the outbox; resolves when nothing more is written. */
  stop(): Promise<void>
}

export type StationOptions = {
  /** One per machine: outbox, spool, reports and settings lie in it. */
  readonly dataFolder: string
  readonly config: ConfigFile | null
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
