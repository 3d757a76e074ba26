import { Worker } from 'node:worker_threads'
import { SECOND } from '../../../src-shared/durations.ts'
import type { Clock, Logger } from '../ports.ts'
import { systemClock } from '../system-clock.ts'
import { codeOf, SILENT_REASON, WORKER_ENDED_REASON, WORKER_KEEPS_ENDING_REASON } from './folder-trouble.ts'
import { PlannedRun } from './planned-run.ts'
import { afterDeath, keepsDying, NO_DEATHS } from './thread-deaths.ts'
import type { FromWorker, ToWorker, WatchWorkerData } from './watch-messages.ts'
import type { FileMark, KnownAs, SettledFile, WatchedFolder, Watcher, WatchEvent } from './watcher.ts'

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
  readonly areKnown?: (files: readonly FileMark[]) => readonly KnownAs[]
  readonly logger?: Logger
  readonly clock?: Clock
}

/** A thread says every five seconds that it is alive; a slow share may keep it from that for a while. */
const SILENCE_MS = 45 * SECOND
const LISTEN_EVERY_MS = 15 * SECOND
/** A walk makes much that is thrown away at once: a small room for it is emptied often, and costs no more. */
const YOUNG_MEGABYTES = 8
/** A thread that hangs in a call to a share cannot end, and nobody waits for it. */
const CLOSE_WITHIN_MS = 2 * SECOND

/** Watches a folder from a thread of its own, which is started anew whenever it ends unasked. */
export function openWatcher(options: WatcherOptions): Watcher {
  return new ThreadedWatcher(options)
}

class ThreadedWatcher implements Watcher {
  readonly #options: WatcherOptions
  readonly #clock: Clock
  readonly #nextStart: PlannedRun
  readonly #nextListening: PlannedRun
  #thread: Worker | null = null
  #deaths = NO_DEATHS
  #startedMs = 0
  #heardMs = 0
  /** It was told that the thread keeps dying, and no sweep has shown since that this is over. */
  #isFailing = false
  #isSilent = false
  #isClosed = false
  #onEnded: (() => void) | null = null

  constructor(options: WatcherOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#nextStart = new PlannedRun(this.#clock, () => this.#start())
    this.#nextListening = new PlannedRun(this.#clock, () => this.#listen())
    this.#start()
    this.#nextListening.within(LISTEN_EVERY_MS)
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
    this.#nextListening.cancel()
    const thread = this.#thread
    if (thread === null) return
    await new Promise<void>((resolve) => {
      this.#onEnded = resolve
      this.#clock.after(CLOSE_WITHIN_MS, resolve)
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
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    })
    this.#thread = thread
    this.#startedMs = this.#clock.monotonicMs()
    this.#heardMs = this.#startedMs
    thread.on('message', (message: FromWorker) => this.#hear(message))
    thread.on('error', (error) => {
      const facts = { error: error instanceof Error ? error.name : 'unknown', code: codeOf(error) ?? null }
      this.#options.logger?.error('the thread that watches a folder stopped', facts)
    })
    thread.on('exit', () => this.#ended())
  }

  #ended(): void {
    this.#thread = null
    this.#onEnded?.()
    if (this.#isClosed) return
    const atMs = this.#clock.monotonicMs()
    this.#deaths = afterDeath(this.#deaths, this.#startedMs, atMs)
    this.#isFailing = keepsDying(this.#deaths, atMs)
    this.#tellUnreachable(this.#isFailing ? WORKER_KEEPS_ENDING_REASON : WORKER_ENDED_REASON)
    this.#nextStart.within(this.#deaths.pauseMs)
  }

  #hear(message: FromWorker): void {
    this.#heardMs = this.#clock.monotonicMs()
    if (message.kind === 'closed') this.#onEnded?.()
    if (this.#isClosed) return
    // What was said to be away answers again; only a sweep can tell that all is well.
    if (this.#isSilent) this.#send({ kind: 'sweep' })
    this.#isSilent = false
    if (message.kind === 'question') {
      const areKnown = this.#options.areKnown?.(message.files) ?? message.files.map(() => 'new' as const)
      this.#send({ kind: 'answer', question: message.question, areKnown })
    }
    if (message.kind === 'setAside')
      this.#options.logger?.error('a file could not be read and was set aside', { error: message.error })
    if (message.kind === 'event') this.#hearEvent(message.event)
  }

  #hearEvent(event: WatchEvent): void {
    // A sweep between two deaths shows that the folder is there, not that it is watched.
    if (event.kind === 'swept' && keepsDying(this.#deaths, this.#clock.monotonicMs())) return
    if (event.kind === 'swept') this.#isFailing = false
    if (event.kind === 'unreachable')
      this.#options.logger?.warn('a watched folder cannot be reached', { code: event.code ?? null })
    this.#options.onEvent(event)
  }

  #listen(): void {
    this.#nextListening.within(LISTEN_EVERY_MS)
    // The next sweep may say that the folder is watched again, and may be far off.
    if (this.#isFailing && !keepsDying(this.#deaths, this.#clock.monotonicMs())) this.#send({ kind: 'sweep' })
    const silenceMs = this.#clock.monotonicMs() - this.#heardMs
    if (this.#thread === null || this.#isSilent || silenceMs < SILENCE_MS) return
    this.#isSilent = true
    this.#tellUnreachable(SILENT_REASON)
  }

  #tellUnreachable(reason: string): void {
    const { folder, onEvent } = this.#options
    onEvent({ kind: 'unreachable', folderPath: folder.path, at: this.#clock.now(), reason })
  }

  #send(message: ToWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread?.postMessage(message)
  }
}
