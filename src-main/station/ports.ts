/**
 * What a host lends a station. The station knows the disk, SQLite and the network itself; what differs between
 * Electron and plain Node, and what tests must be able to turn, comes in here.
 */
import type { SecretStorage } from '../../src-shared/setting-source.ts'
import type { DesktopRoute } from '../../src-shared/place.ts'
import type { UpdateState } from '../../src-shared/updates.ts'

/** Time. Instants are epoch milliseconds; `monotonicMs` never jumps and is for measuring. */
export type Clock = {
  now(): number
  monotonicMs(): number
  /** Runs once after the delay; the answer cancels it. A timer never keeps the process alive. */
  after(delayMs: number, run: () => void): () => void
}

/** Facts carry ids, kinds and counts: never a name of a file or a person, never a body of an answer, never a secret. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>
export type Logger = {
  info(message: string, facts?: LogFacts): void
  warn(message: string, facts?: LogFacts): void
  error(message: string, facts?: LogFacts): void
}

/** A line of the log as the host has kept it. */
export type LogLine = {
  readonly at: number
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly facts: LogFacts
}

export type SecretName = 'clientSecret'
/** A secret that cannot be read any more is absent: it can be entered again, and nothing else is lost. */
export type SecretStore = {
  /** Rejects with a SecretsLockedError where it is there and cannot be read at the moment. */
  read(name: SecretName): Promise<string | null>
  write(name: SecretName, value: string): Promise<void>
  /** Where the next secret would be kept. */
  storedIn(): Promise<SecretStorage>
}

/** The proxy for an address, such as `http://proxy.clinic.example:3128`, or null for a direct way. */
export type Proxies = {
  proxyFor(url: string): Promise<string | null>
}

/** What a person is told of outside the window, the most urgent first. Few on purpose: what needs nobody is not told. */
export const NOTICE_KINDS = [
  /** Something may have gone wrong already. */
  'alarm',
  'urgentReport',
  /** The disk of the station fails. */
  'storage',
  'signedOut',
  /** The service refused a case. */
  'needsAttention',
  'diskLow',
  /** A watched folder has been out of reach for some minutes. */
  'folderUnreachable',
  /** The service has not answered for long, and cases wait for it. */
  'serviceAway',
  /** A case was captured long ago and is not sent, or is not known to have arrived. */
  'waitsTooLong',
  'reportArrived',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]
/** Carries no name, no number and no path: anybody may stand before the screen. */
export type Notice = {
  readonly kind: NoticeKind
  /** How many matters of the kind it stands for. */
  readonly count: number
  /** Where on the screens they are seen. */
  readonly route: DesktopRoute
}
export type Notifier = {
  notify(notice: Notice): void
}

/** The host's own newer versions. The station only passes on what is asked. */
export type Updates = {
  state(): UpdateState
  /** Resolves once it is known whether there is one. */
  check(): Promise<void>
  install(): void
  postpone(seconds: number): void
}

/** Where the host keeps the programs that run off the main thread; a bundle has other names for them. */
export type Workers = {
  readonly watch: URL
  readonly photo: URL
  readonly outbox: URL
}

export type Ports = {
  readonly host: 'electron' | 'headless'
  readonly version: string
  /** The operating system, and what runs the station in it, such as `Node 24.21.0`. */
  readonly system: string
  readonly runtime: string
  readonly clock: Clock
  readonly logger: Logger
  /** The latest lines of the log, the oldest first; a host that keeps none has no such thing. */
  readonly recentLog?: () => Promise<readonly LogLine[]>
  /** Does the system start the program at login as the settings say? Null where that was not asked yet. */
  readonly startAtLogin?: () => 'asWanted' | 'refused' | null
  readonly secrets: SecretStore
  readonly proxies: Proxies
  readonly notifier: Notifier
  readonly workers: Workers
  /** A host that is brought up to date by others has none. */
  readonly updates?: Updates
}
