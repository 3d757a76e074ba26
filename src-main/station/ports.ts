/** What a host lends a station: what differs between Electron and plain Node, and what tests turn. */
import { setFlagsFromString } from 'node:v8'
import { SECOND } from '../../src-shared/durations.ts'
import type { DesktopRoute, UpdateState } from '../../src-shared/desktop.ts'
import type { SecretStorage } from '../../src-shared/setting-sources.ts'

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

export type LogLine = {
  readonly at: number
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly facts: LogFacts
}

/** The client secret. One that cannot be read any more is absent: it can be entered again, and nothing else is lost. */
export type SecretStore = {
  /** Rejects with a SecretsLockedError if the secret exists and cannot be read at the moment. */
  read(): Promise<string | null>
  write(value: string): Promise<void>
  /** The storage that the next secret would go to. */
  storedIn(): Promise<SecretStorage>
}

/** The proxy for an address, such as `http://proxy.clinic.example:3128`, or null for a direct way. */
export type Proxies = {
  proxyFor(url: string): Promise<string | null>
}

/** Notices outside of the window, the most urgent first. Few on purpose: what needs no action has no notice. */
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
  readonly count: number
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

/** Paths of the programs that run off the main thread; a bundle has other names for them. */
type Workers = {
  readonly watch: URL
  /** A process that decodes our copies of images. */
  readonly pictures: URL
  /** One that reads a large data file, patient list or list of cases. */
  readonly data: URL
  readonly outbox: URL
}

/** A process of the station's own, which what it opens may end. Messages are structured clones. */
export type ChildProcess = {
  send(message: unknown): void
  /** Ends it at once; not waited for. */
  kill(): void
}

/** How a process ended that never began. */
export const NOT_STARTED = 'not started'

/** Never throws. `onExit` is called once, with how it ended. `heapMb` limits its heap: V8 takes a limit only at the start. */
export type StartProcess = (
  program: URL,
  events: { readonly onMessage: (message: unknown) => void; readonly onExit: (how: string) => void },
  heapMb?: number,
) => ChildProcess

/** For V8 in such a process. A file's objects live briefly; V8 lets them fill 96 MB, which it never gives back. */
export function heapFlags(heapMb?: number): readonly string[] {
  return ['--max-semi-space-size=2', ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`])]
}

/**
 * For V8 in the host's own process, which takes no flags at its start: its young generation stays as it begins, and its old
 * one is collected at one and a half times of what was in use. V8 alone waits for four times.
 */
export function limitOwnHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=50')
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
  /** Does the system start the program at login as the settings say? Null if that was not checked yet. */
  readonly startAtLogin?: () => 'asWanted' | 'refused' | null
  readonly secrets: SecretStore
  readonly proxies: Proxies
  readonly notifier: Notifier
  readonly workers: Workers
  readonly startProcess: StartProcess
  /** A host that is brought up to date by others has none. */
  readonly updates?: Updates
}

/** A timer of Node holds 24 days; a longer one would run at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

function after(delayMs: number, run: () => void): () => void {
  if (delayMs > MAX_TIMER_MS) {
    let cancel = after(MAX_TIMER_MS, () => {
      cancel = after(delayMs - MAX_TIMER_MS, run)
    })
    return () => cancel()
  }
  const timer = setTimeout(run, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after,
}

/** Thrown if a secret exists but cannot be read now: the station waits for it, and does not ask for it again. */
export class SecretsLockedError extends Error {
  override readonly name = 'SecretsLockedError'

  constructor() {
    super('the safe for secrets does not answer at the moment')
  }
}

/** A secret in `FUNDUS_COURIER_CLIENT_SECRET` counts before any stored one; it is never written anywhere. */
export function withSecretFromEnvironment(
  store: SecretStore,
  environment: Readonly<Record<string, string | undefined>>,
): SecretStore {
  const secret = environment['FUNDUS_COURIER_CLIENT_SECRET']
  if (secret === undefined || secret === '') return store
  return { ...store, read: () => Promise.resolve(secret), storedIn: () => Promise.resolve('environment') }
}

/** The name that people know an operating system by; what `os.version()` and `os.release()` say differs. */
export function systemName(platform: NodeJS.Platform, version: string, release: string): string {
  if (platform === 'darwin') return `macOS (Darwin ${release})`
  // `Windows 11 Pro`, and `10.0.26100`.
  return `${platform === 'win32' ? version : platform === 'linux' ? 'Linux' : platform} ${release}`
}

/** The way of a process back to the station that started it: the channel of a Node child, or Electron's port. */
type ParentProcess = {
  /** Structured clones, both ways. Resolves once the message has left this process, which may die then. */
  send(message: unknown): Promise<void>
  onMessage(listener: (message: unknown) => void): void
}

/** `process.parentPort` of Electron's utility process. */
type UtilityPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** `exit` would wait for calls to a share that hang. */
function killOwnProcess(): void {
  process.kill(process.pid, 'SIGKILL')
}

/**
 * To be called once. The process ends with its station, however that ends, and by a defect of its own; not by a signal to
 * all processes of the station, or what it reads would count as what has ended it.
 */
export function connectToParent(): ParentProcess {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.on('unhandledRejection', () => process.exit(1))
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: UtilityPort }
  if (parentPort)
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
      send: async (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
    }
  if (process.send === undefined) throw new Error('This runs in a process of the station only.')
  process.once('disconnect', killOwnProcess)
  // A station that was killed while this process started disconnected unheard.
  if (!process.connected) killOwnProcess()
  return {
    send: (message) =>
      new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve())),
    onMessage: (listener) => void process.on('message', listener),
  }
}

const ALIVE_EVERY_MS = 2 * SECOND

/** Reports the memory of this process from now on; while it computes it reports nothing. The station ends one that takes too much. */
export function reportMemory(station: ParentProcess): void {
  setInterval(() => {
    void station.send({ kind: 'alive', memoryMb: process.memoryUsage.rss() / 2 ** 20 })
  }, ALIVE_EVERY_MS)
}
