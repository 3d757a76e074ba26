/** The owner of the thread that inspects photographs, which a hostile image may kill. */
import { Worker } from 'node:worker_threads'
import { MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { worded } from '../../../../src-shared/wording.ts'
import { errorCode } from '../../lib/errors.ts'
import { serially } from '../../lib/schedule.ts'
import type { Logger } from '../../ports.ts'
import type { PhotoReading, PhotoRequest } from './photo.ts'

export type PhotoThread = {
  /** One at a time. An image that kills the thread twice, or occupies it for minutes, is `damaged`. */
  read(request: PhotoRequest): Promise<PhotoReading>
  /** Ends the thread without waiting for an image that blocks it. */
  close(): Promise<void>
}

type PhotoThreadOptions = {
  /** The program of the thread: `reader/images/photo-worker.ts` or its bundle. */
  readonly workerUrl: URL
  readonly logger: Logger
  readonly patienceMs?: number
}

/** The largest image takes seconds on an old computer; one that takes minutes is hostile. */
const PATIENCE_MS = 4 * MINUTE
const CLOSE_WITHIN_MS = 2 * SECOND
/** Without pixels. V8 may still end the process on some runaways (measured), so parsers must bound their memory. */
const HEAP_MEGABYTES = 384
const MOST_TRIES = 2
const NOT_OPENED: PhotoReading = { kind: 'notOpened' }

/** Threads that take photographs by turns. Each starts with its first request and restarts whenever it has died. */
export function startPhotoThreads(count: number, options: PhotoThreadOptions): PhotoThread {
  const threads = Array.from({ length: count }, () => new WorkingPhotoThread(options))
  let turn = 0
  return {
    read: (request) => {
      turn += 1
      return threads[turn % count]?.read(request) ?? Promise.resolve(NOT_OPENED)
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

type Ending = PhotoReading | 'died' | 'overdue'

class WorkingPhotoThread implements PhotoThread {
  readonly #options: PhotoThreadOptions
  #worker: Worker | null = null
  readonly #inTurn = serially()
  #settle: ((ending: Ending) => void) | null = null
  #isClosed = false

  constructor(options: PhotoThreadOptions) {
    this.#options = options
  }

  read(request: PhotoRequest): Promise<PhotoReading> {
    return this.#inTurn(() => this.#tried(request))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#settle?.(NOT_OPENED)
    const worker = this.#worker
    if (worker === null) return
    const gone = Promise.withResolvers<void>()
    // A thread deep in a decoder ends only after the decoder does.
    const timer = setTimeout(gone.resolve, CLOSE_WITHIN_MS)
    worker.once('exit', () => gone.resolve())
    worker.unref()
    void worker.terminate()
    await gone.promise
    clearTimeout(timer)
  }

  async #tried(request: PhotoRequest): Promise<PhotoReading> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      if (this.#isClosed) return NOT_OPENED
      const ending = await this.#asked(request)
      if (ending === 'overdue') {
        this.#options.logger.error('a photograph kept its thread too long')
        break
      }
      if (ending !== 'died') return ending
    }
    return { kind: 'damaged', ...worded('intake:image.tooCostly') }
  }

  async #asked(request: PhotoRequest): Promise<Ending> {
    const { promise, resolve } = Promise.withResolvers<Ending>()
    this.#settle = resolve
    const worker = (this.#worker ??= this.#started())
    const timer = setTimeout(() => {
      this.#worker = null
      worker.unref()
      void worker.terminate()
      resolve('overdue')
    }, this.#options.patienceMs ?? PATIENCE_MS)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(request)
    const ending = await promise
    clearTimeout(timer)
    this.#settle = null
    return ending
  }

  #started(): Worker {
    const worker = new Worker(this.#options.workerUrl, {
      name: 'photo',
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    })
    worker.on('message', (reading: PhotoReading) => this.#ended(worker, reading))
    worker.on('error', (error) => {
      const code = errorCode(error) ?? null
      const name = error instanceof Error ? error.name : 'unknown'
      if (!this.#isClosed)
        this.#options.logger.error('the thread that inspects photographs stopped', { error: name, code })
    })
    worker.on('exit', () => this.#ended(worker, 'died'))
    return worker
  }

  /** Messages from an abandoned thread are ignored. */
  #ended(worker: Worker, ending: Ending): void {
    if (this.#worker !== worker) return
    if (ending === 'died') this.#worker = null
    this.#settle?.(ending)
  }
}
