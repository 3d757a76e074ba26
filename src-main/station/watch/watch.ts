/** Watching a folder: the events that the station receives, and the owner of the worker thread that produces them. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { ImageType } from '../../../src-shared/image-files.ts'
import type { FileNote, FolderStatus } from '../../../src-shared/station-status.ts'
import type { UnusableWhy } from '../../../src-shared/submission.ts'
import type { Message, NameIn } from '../../../src-shared/wording.ts'
import { errorCode } from '../lib/errors.ts'
import { type LimitedWait, PlannedRun } from '../lib/schedule.ts'
import { type Clock, type Logger, systemClock } from '../ports.ts'

/** The holder named in a lease: a unique id, and a name that people know. */
export type StationName = { readonly stationId: string; readonly hostName: string }

export type WatchedFolder = {
  readonly path: string
  readonly settleMs: number
  readonly sweepMs: number
  /** The station that writes a lease into the folder; null if the settings turn leases off. */
  readonly lease: StationName | null
}

export type FolderGuard = FolderStatus['guard']

type KnownResult = 'known' | 'damaged'

/** `sha256`: of the bytes taken (null if never hashed), if they may be others now. `damaged`: never opens. */
export type PriorResult = 'new' | KnownResult | { readonly as: KnownResult; readonly sha256: string | null }

/** An observed file. `mtimeMs` is epoch milliseconds, rounded down so that it compares equal in a database. */
export type FileMark = {
  readonly folderPath: string
  /** Inside the folder, with `/` between its parts, as the directory spells it. */
  readonly relativePath: string
  readonly sizeBytes: number
  readonly mtimeMs: number
  /** The time of the last change of anything, which no program can set. Undefined for an entry of an archive. */
  readonly ctimeMs?: number
  /** Of its bytes, once they were read. */
  readonly sha256?: string
  /** Of an entry of an archive: some programs write the same time into all, and sizes are often equal. */
  readonly crc32?: number
}

/** A file that has settled: unchanged for the settle time, openable and, for images, structurally whole. */
export type SettledFile = FileMark & {
  /** The type found in the content. A sidecar is recognised by its extension and passed on unread. */
  readonly content: ImageType | 'zip' | 'sidecar'
}

/** A file that stays as it is and cannot be used as the image that its name may promise. */
export type UnusableMark = FileMark & Message & { readonly why: UnusableWhy }

export type WatchEvent =
  /** Any note on the same file no longer holds. */
  | { readonly kind: 'settled'; readonly file: SettledFile }
  /** A file that is not one of our images, or that stays incomplete. Emitted once while it is unchanged. */
  | { readonly kind: 'noted'; readonly note: FileNote }
  /** Beside its note; emitted once while it is unchanged. */
  | { readonly kind: 'unusable'; readonly file: UnusableMark }
  | { readonly kind: 'noteCleared'; readonly fileName: string }
  /** These files are not there any more, under these names. */
  | { readonly kind: 'gone'; readonly fileNames: readonly string[] }
  /** The file was written over under this name, size and time: what was taken under them are other bytes. */
  | { readonly kind: 'rewritten'; readonly file: FileMark }
  /** Files that were doubted, and whose bytes are those that were taken. */
  | { readonly kind: 'verified'; readonly files: readonly (FileMark & { readonly sha256: string })[] }
  /** The folder is reachable, and every file in it was seen. */
  | { readonly kind: 'swept' }
  /** While it is `taken`, nothing is opened or emitted; `hostName` is the computer that holds the folder. */
  | { readonly kind: 'guard'; readonly guard: FolderGuard; readonly hostName: string | null }
  /** Emitted once per reason and ended by the next `swept`. `code` is that of the file system error, if any. */
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason; readonly code?: string }

/** Watches one folder. */
export type Watcher = {
  sweep(): void
  /** A settled file has been dealt with. While it is not acknowledged and unchanged, each sweep emits it again. */
  acknowledge(file: SettledFile): void
  /** Emits as gone those of these files of which it has seen nothing since it started, nor a folder or archive of them. */
  reportGone(fileNames: readonly string[]): void
  close(): Promise<void>
}

/** `workerData` of the thread: a folder to watch, or one to list once. */
export type WatchWorkerData =
  | { readonly kind: 'watch'; readonly folder: WatchedFolder }
  | { readonly kind: 'list'; readonly folderPath: string }

export type WorkerCommand =
  | { readonly kind: 'sweep' }
  | { readonly kind: 'reportGone'; readonly fileNames: readonly string[] }
  | { readonly kind: 'acknowledge'; readonly file: SettledFile }
  | { readonly kind: 'answer'; readonly question: number; readonly answers: readonly PriorResult[] }
  | { readonly kind: 'close' }

export type WorkerMessage =
  | { readonly kind: 'event'; readonly event: WatchEvent }
  /** Asks which of exactly these files have been dealt with before. Answered in the order of asking. */
  | { readonly kind: 'question'; readonly question: number; readonly files: readonly FileMark[] }
  /** A file was set aside because inspecting it threw; for the log, without content. */
  | { readonly kind: 'setAside'; readonly error: string }
  /** Sent at intervals: a thread that hangs in a call to a share sends nothing. */
  | { readonly kind: 'alive' }

export type UnreachableReason = NameIn<'intake:watch.unreachable'>

export type WatcherOptions = {
  readonly folder: WatchedFolder
  /** The program of the thread: `watch-worker.ts` or its bundle. */
  readonly workerUrl: URL
  readonly onEvent: (event: WatchEvent) => void
  /** The results of earlier ingests, one per file, so that a restart does not read years of exports again. */
  readonly lookup?: (files: readonly FileMark[]) => readonly PriorResult[]
  readonly logger?: Logger
  readonly clock?: Clock
}

/** One crash may be an accident; this many within the window are a persistent fault. */
const MAX_CRASHES = 3
const CRASH_WINDOW_MS = 10 * MINUTE

/** The pause before a thread that ended starts again grows with the crashes within the window. */
const FIRST_PAUSE_MS = SECOND
const LONGEST_PAUSE_MS = 30 * SECOND

/** A thread reports every five seconds that it is alive; a slow share may delay that. */
const SILENCE_MS = 45 * SECOND
const ALIVE_CHECK_MS = 15 * SECOND

/** A walk creates much short-lived garbage: a small young generation is collected often and costs no more. */
const YOUNG_GENERATION_MB = 8

/** A thread that hangs in a call to a share cannot end, so closing does not wait for it. */
const CLOSE_TIMEOUT_MS = 2 * SECOND

/** Watches a folder in a thread of its own and restarts it whenever it ends unexpectedly. */
export function openWatcher(options: WatcherOptions): Watcher {
  return new ThreadedWatcher(options)
}

class ThreadedWatcher implements Watcher {
  readonly #options: WatcherOptions
  readonly #clock: Clock
  readonly #nextStart: PlannedRun
  readonly #nextAliveCheck: PlannedRun
  #thread: Worker | null = null
  /** When it crashed within the window, monotonic. */
  #crashesMs: readonly number[] = []
  #lastMessageMs = 0
  /** Repeated crashes were reported, and no sweep has shown a recovery since. */
  #isFailing = false
  #isSilent = false
  #isClosed = false

  constructor(options: WatcherOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#nextStart = new PlannedRun(this.#clock, () => this.#start())
    this.#nextAliveCheck = new PlannedRun(this.#clock, () => this.#checkAlive())
    this.#start()
    this.#nextAliveCheck.runIn(ALIVE_CHECK_MS)
  }

  sweep(): void {
    this.#send({ kind: 'sweep' })
  }

  acknowledge(file: SettledFile): void {
    this.#send({ kind: 'acknowledge', file })
  }

  reportGone(fileNames: readonly string[]): void {
    if (fileNames.length > 0) this.#send({ kind: 'reportGone', fileNames })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#nextStart.cancel()
    this.#nextAliveCheck.cancel()
    const thread = this.#thread
    if (thread === null) return
    await new Promise<unknown>((resolve) => {
      thread.once('exit', resolve)
      this.#clock.after(CLOSE_TIMEOUT_MS, () => resolve(null))
      this.#send({ kind: 'close' })
    })
    thread.unref()
    void thread.terminate()
  }

  #start(): void {
    const workerData: WatchWorkerData = { kind: 'watch', folder: this.#options.folder }
    const thread = new Worker(this.#options.workerUrl, {
      workerData,
      name: 'watch',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    this.#thread = thread
    this.#lastMessageMs = this.#clock.monotonicMs()
    thread.on('message', (message: WorkerMessage) => this.#onMessage(message))
    thread.on('error', (error) => {
      const facts = { error: error instanceof Error ? error.name : 'unknown', code: errorCode(error) ?? null }
      this.#options.logger?.error('the thread that watches a folder stopped', facts)
    })
    thread.on('exit', () => this.#onExit())
  }

  #onExit(): void {
    this.#thread = null
    if (this.#isClosed) return
    this.#crashesMs = [...this.#recentCrashes(), this.#clock.monotonicMs()]
    this.#isFailing = this.#isCrashLooping()
    this.#emitUnreachable(this.#isFailing ? 'stoppedAgain' : 'stopped')
    this.#nextStart.runIn(Math.min(FIRST_PAUSE_MS * 2 ** (this.#crashesMs.length - 1), LONGEST_PAUSE_MS))
  }

  #recentCrashes(): readonly number[] {
    const nowMs = this.#clock.monotonicMs()
    return this.#crashesMs.filter((atMs) => nowMs - atMs < CRASH_WINDOW_MS)
  }

  /** True if it crashed so often recently that the folder must not count as watched, whatever a sweep shows. */
  #isCrashLooping(): boolean {
    return this.#recentCrashes().length >= MAX_CRASHES
  }

  #onMessage(message: WorkerMessage): void {
    this.#lastMessageMs = this.#clock.monotonicMs()
    if (this.#isClosed) return
    // A silent thread answers again; only a sweep can show that all is well.
    if (this.#isSilent) this.#send({ kind: 'sweep' })
    this.#isSilent = false
    if (message.kind === 'question') {
      const answers = this.#options.lookup?.(message.files) ?? message.files.map(() => 'new' as const)
      this.#send({ kind: 'answer', question: message.question, answers })
    }
    if (message.kind === 'setAside')
      this.#options.logger?.error('a file could not be read and was set aside', { error: message.error })
    if (message.kind === 'event') this.#onWatchEvent(message.event)
  }

  #onWatchEvent(event: WatchEvent): void {
    // A sweep between two crashes shows that the folder is there, not that it is watched.
    if (event.kind === 'swept' && this.#isCrashLooping()) return
    if (event.kind === 'swept') this.#isFailing = false
    if (event.kind === 'unreachable')
      this.#options.logger?.warn('a watched folder cannot be reached', { code: event.code ?? null })
    this.#options.onEvent(event)
  }

  #checkAlive(): void {
    this.#nextAliveCheck.runIn(ALIVE_CHECK_MS)
    // The next regular sweep would clear the failure, but may be far off.
    if (this.#isFailing && !this.#isCrashLooping()) this.#send({ kind: 'sweep' })
    const silenceMs = this.#clock.monotonicMs() - this.#lastMessageMs
    if (this.#thread === null || this.#isSilent || silenceMs < SILENCE_MS) return
    this.#isSilent = true
    this.#emitUnreachable('silent')
  }

  #emitUnreachable(reason: UnreachableReason): void {
    this.#options.onEvent({ kind: 'unreachable', reason })
  }

  #send(message: WorkerCommand): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread?.postMessage(message)
  }
}

/**
 * Lists a folder once, in a thread of its own, which a hanging share may block; returning early ends it. Throws the file
 * system's error, also if `wait` ends, or one without a code if the thread ended unexpectedly.
 */
export async function* listInThread(
  workerUrl: URL,
  folderPath: string,
  wait: LimitedWait,
): AsyncGenerator<FileMark, void, void> {
  // While a former thread hangs there, another would hang, too.
  await wait(folderPath, () => Promise.resolve())
  const workerData: WatchWorkerData = { kind: 'list', folderPath }
  const thread = new Worker(workerUrl, { workerData, name: 'list' })
  // A thread that hangs in a call to a share must not keep the process alive.
  thread.unref()
  // The wait for a message throws it, too; without a listener, it would end the program.
  thread.on('error', () => undefined)
  try {
    const messages = on(thread, 'message', { close: ['exit'] }) as AsyncIterableIterator<
      [readonly FileMark[]]
    >
    for (;;) {
      const next = await wait(folderPath, () => messages.next())
      if (next.done === true) throw new Error('The thread that lists a folder ended.')
      const [files] = next.value
      if (files.length === 0) return
      yield* files
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage('next')
    }
  } finally {
    void thread.terminate()
  }
}
