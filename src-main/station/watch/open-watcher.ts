import { Worker } from 'node:worker_threads'
import { SECOND } from '../../../src-shared/durations.ts'
import type { Clock, Logger } from '../ports.ts'
import { systemClock } from '../system-clock.ts'
import {
  errorCode,
  SILENT_REASON,
  WORKER_ENDED_REASON,
  WORKER_KEEPS_ENDING_REASON,
} from './folder-trouble.ts'
import { PlannedRun } from './planned-run.ts'
import { afterCrash, keepsCrashing, NO_CRASHES } from './thread-deaths.ts'
import type { WorkerMessage, WorkerCommand, WatchWorkerData } from './watch-messages.ts'
import type { FileMark, PriorResult, SettledFile, WatchedFolder, Watcher, WatchEvent } from './watcher.ts'

export type WatcherOptions = {
  readonly folder: WatchedFolder
  /** The program of the thread, `watch-worker.ts` or what a bundler made of it. */
  readonly workerUrl: URL
  readonly onEvent: (event: WatchEvent) => void
  /**
   * Which of these files, just as they are, have been dealt with before? One answer per file, about a hundred at a
   * time. Asked before a file is opened, so that a restart does not read years of exports again. Without it no file
   * is known.
   */
  readonly lookUp?: (files: readonly FileMark[]) => readonly PriorResult[]
  readonly logger?: Logger
  readonly clock?: Clock
}

/** A thread says every five seconds that it is alive; a slow share may keep it from that for a while. */
const SILENCE_MS = 45 * SECOND
const ALIVE_CHECK_MS = 15 * SECOND
/** A walk makes much that is thrown away at once: a small room for it is emptied often, and costs no more. */
const YOUNG_GENERATION_MB = 8
/** A thread that hangs in a call to a share cannot end, and nobody waits for it. */
const CLOSE_TIMEOUT_MS = 2 * SECOND

/** Watches a folder from a thread of its own, which is started anew whenever it ends unasked. */
export function openWatcher(options: WatcherOptions): Watcher {
  return new ThreadedWatcher(options)
}

class ThreadedWatcher implements Watcher {
  readonly #options: WatcherOptions
  readonly #clock: Clock
  readonly #nextStart: PlannedRun
  readonly #nextAliveCheck: PlannedRun
  #thread: Worker | null = null
  #crashes = NO_CRASHES
  #startedMs = 0
  #lastMessageMs = 0
  /** It was told that the thread keeps dying, and no sweep has shown since that this is over. */
  #isFailing = false
  #isSilent = false
  #isClosed = false
  #resolveClose: (() => void) | null = null

  constructor(options: WatcherOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#nextStart = new PlannedRun(this.#clock, () => this.#start())
    this.#nextAliveCheck = new PlannedRun(this.#clock, () => this.#checkAlive())
    this.#start()
    this.#nextAliveCheck.runIn(ALIVE_CHECK_MS)
  }

  sweep(folderPath: string): void {
    if (folderPath === this.#options.folder.path) this.#send({ kind: 'sweep' })
  }

  acknowledge(file: SettledFile): void {
    if (file.folderPath === this.#options.folder.path) this.#send({ kind: 'acknowledge', file })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#nextStart.cancel()
    this.#nextAliveCheck.cancel()
    const thread = this.#thread
    if (thread === null) return
    await new Promise<void>((resolve) => {
      this.#resolveClose = resolve
      this.#clock.after(CLOSE_TIMEOUT_MS, resolve)
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
    this.#startedMs = this.#clock.monotonicMs()
    this.#lastMessageMs = this.#startedMs
    thread.on('message', (message: WorkerMessage) => this.#onMessage(message))
    thread.on('error', (error) => {
      const facts = { error: error instanceof Error ? error.name : 'unknown', code: errorCode(error) ?? null }
      this.#options.logger?.error('the thread that watches a folder stopped', facts)
    })
    thread.on('exit', () => this.#onExit())
  }

  #onExit(): void {
    this.#thread = null
    this.#resolveClose?.()
    if (this.#isClosed) return
    const atMs = this.#clock.monotonicMs()
    this.#crashes = afterCrash(this.#crashes, this.#startedMs, atMs)
    this.#isFailing = keepsCrashing(this.#crashes, atMs)
    this.#emitUnreachable(this.#isFailing ? WORKER_KEEPS_ENDING_REASON : WORKER_ENDED_REASON)
    this.#nextStart.runIn(this.#crashes.pauseMs)
  }

  #onMessage(message: WorkerMessage): void {
    this.#lastMessageMs = this.#clock.monotonicMs()
    if (message.kind === 'closed') this.#resolveClose?.()
    if (this.#isClosed) return
    // What was said to be away answers again; only a sweep can tell that all is well.
    if (this.#isSilent) this.#send({ kind: 'sweep' })
    this.#isSilent = false
    if (message.kind === 'question') {
      const answers = this.#options.lookUp?.(message.files) ?? message.files.map(() => 'new' as const)
      this.#send({ kind: 'answer', question: message.question, answers })
    }
    if (message.kind === 'setAside')
      this.#options.logger?.error('a file could not be read and was set aside', { error: message.error })
    if (message.kind === 'event') this.#onWatchEvent(message.event)
  }

  #onWatchEvent(event: WatchEvent): void {
    // A sweep between two deaths shows that the folder is there, not that it is watched.
    if (event.kind === 'swept' && keepsCrashing(this.#crashes, this.#clock.monotonicMs())) return
    if (event.kind === 'swept') this.#isFailing = false
    if (event.kind === 'unreachable')
      this.#options.logger?.warn('a watched folder cannot be reached', { code: event.code ?? null })
    this.#options.onEvent(event)
  }

  #checkAlive(): void {
    this.#nextAliveCheck.runIn(ALIVE_CHECK_MS)
    // The next sweep may say that the folder is watched again, and may be far off.
    if (this.#isFailing && !keepsCrashing(this.#crashes, this.#clock.monotonicMs()))
      this.#send({ kind: 'sweep' })
    const silenceMs = this.#clock.monotonicMs() - this.#lastMessageMs
    if (this.#thread === null || this.#isSilent || silenceMs < SILENCE_MS) return
    this.#isSilent = true
    this.#emitUnreachable(SILENT_REASON)
  }

  #emitUnreachable(reason: string): void {
    const { folder, onEvent } = this.#options
    onEvent({ kind: 'unreachable', folderPath: folder.path, at: this.#clock.now(), reason })
  }

  #send(message: WorkerCommand): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread?.postMessage(message)
  }
}
