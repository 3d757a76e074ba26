/** The threads of the reader, each of which a hostile file may kill or occupy for minutes, and nothing else. */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { Sidecar } from '../cases/meaning/sources.ts'
import { errorCode } from '../lib/errors.ts'
import { serially } from '../lib/schedule.ts'
import type { Logger } from '../ports.ts'
import {
  type DataFileOptions,
  type DataFileReading,
  readDataFile,
  type SidecarList,
} from './data-files/data-files.ts'
import type { DataAnswer, DataRequest } from './data-files/data-worker.ts'
import type { PhotoReading, PhotoRequest } from './images/photo.ts'
import { type PatientListOptions, type PatientListReading, readPatientList } from './patient-list.ts'

export type ReaderThreads = ReturnType<typeof openReaderThreads>

type ReaderThreadsOptions = {
  /** `reader/images/photo-worker.ts` and `reader/data-files/data-worker.ts`, or their bundles. */
  readonly programs: { readonly photo: URL; readonly data: URL }
  readonly photoThreads: number
  readonly logger: Logger
  readonly photoPatienceMs?: number
}

/** The largest image takes seconds on an old computer; one that takes minutes is hostile. */
const PHOTO_PATIENCE_MS = 4 * MINUTE
/** Without pixels. V8 may still end the process on some runaways (measured), so parsers must bound their memory. */
const PHOTO_LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 384 }
const MOST_TRIES = 2
const NOT_OPENED: PhotoReading = { kind: 'notOpened' }

/** A smaller data file is read in less time than a thread takes to start. */
const SMALL_BYTES = 64 * 1_024
const DATA_PATIENCE_MS = 2 * MINUTE
/** V8 gives the heap of an ended thread back on the main thread, page by page: a small nursery leaves half as many. */
const DATA_LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 12 }

/** Photographs are taken by turns; each large data file or patient list has a thread of its own while it is read. */
export function openReaderThreads(options: ReaderThreadsOptions) {
  const { programs, photoThreads, logger, photoPatienceMs = PHOTO_PATIENCE_MS } = options
  const photos = Array.from(
    { length: photoThreads },
    () =>
      new ReaderThread<PhotoRequest, PhotoReading>({
        name: 'photo',
        program: programs.photo,
        limits: PHOTO_LIMITS,
        patienceMs: photoPatienceMs,
        logger,
      }),
  )
  const dataThreads = new Set<ReaderThread<DataRequest, DataAnswer>>()
  let turn = 0

  /** Rejects if the thread dies or takes minutes; a file that causes that is set aside by the caller. */
  const askForData = async <Value extends object>(
    request: DataRequest,
    take: (answer: DataAnswer) => Value | null,
  ): Promise<Value> => {
    const thread = new ReaderThread<DataRequest, DataAnswer>({
      name: 'data',
      program: programs.data,
      limits: DATA_LIMITS,
      patienceMs: DATA_PATIENCE_MS,
      logger,
    })
    dataThreads.add(thread)
    const value = await thread.ask(request, take)
    dataThreads.delete(thread)
    void thread.close()
    if (typeof value === 'string') throw new Error('the thread that reads data files ended without an answer')
    return value
  }

  return {
    /** An image that kills its thread twice, or occupies it for minutes, is `damaged`. */
    readPhoto: async (request: PhotoRequest): Promise<PhotoReading> => {
      turn += 1
      const thread = photos[turn % photoThreads]
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const reading = (await thread?.ask(request, (answer) => answer)) ?? 'closed'
        if (reading === 'closed') return NOT_OPENED
        if (typeof reading !== 'string') return reading
        if (reading === 'overdue') break
      }
      return { kind: 'damaged', ...worded('intake:image.tooCostly') }
    },
    readDataFile: async (
      fileName: string,
      bytes: Uint8Array,
      options: DataFileOptions,
    ): Promise<DataFileReading<SidecarList>> => {
      if (bytes.length <= SMALL_BYTES) return readDataFile(fileName, bytes, options)
      const texts: string[] = []
      return askForData<DataFileReading<SidecarList>>(
        { kind: 'file', fileName, bytes, options },
        (answer) => {
          if (answer.kind === 'records') texts.push(...answer.records)
          if (answer.kind !== 'file') return null
          if (!answer.reading.ok) return answer.reading
          const at = (index: number): Sidecar | undefined => parsed(texts.at(index))
          return { ...answer.reading, records: { length: texts.length, at } }
        },
      )
    },
    readPatientList: async (bytes: Uint8Array, options: PatientListOptions): Promise<PatientListReading> => {
      if (bytes.length <= SMALL_BYTES) return readPatientList(bytes, options)
      const people = new Map<string, readonly Sidecar[]>()
      return askForData<PatientListReading>({ kind: 'patients', bytes, options }, (answer) => {
        if (answer.kind === 'people') for (const [number, those] of answer.people) people.set(number, those)
        if (answer.kind !== 'patients') return null
        return answer.reading.ok ? { ...answer.reading, people } : answer.reading
      })
    },
    /** Ends the threads without waiting for a file that blocks one. */
    close: async (): Promise<void> => {
      await Promise.all([...photos, ...dataThreads].map((thread) => thread.close()))
    },
  }
}

function parsed(text: string | undefined): Sidecar | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Sidecar)
}

type ThreadOptions = {
  readonly name: 'photo' | 'data'
  readonly program: URL
  readonly limits: ResourceLimits
  readonly patienceMs: number
  readonly logger: Logger
}

/** Why a request has no answer. */
type Ending = 'died' | 'overdue' | 'closed'

const CLOSE_WITHIN_MS = 2 * SECOND

/** A thread that takes requests in turn. It starts with a request, and with the next one after it has ended. */
class ReaderThread<Request, Answer> {
  readonly #options: ThreadOptions
  readonly #inTurn = serially()
  #worker: Worker | null = null
  #end: ((ending: Ending) => void) | null = null
  #isClosed = false

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  /** Passes each answer to `take` until it returns a value, and asks for more until then. */
  ask<Value extends object>(
    request: Request,
    take: (answer: Answer) => Value | null,
  ): Promise<Value | Ending> {
    return this.#inTurn(async () => {
      if (this.#isClosed) return 'closed'
      const { promise, resolve } = Promise.withResolvers<Value | Ending>()
      this.#end = resolve
      const worker = (this.#worker ??= this.#started())
      const onAnswer = (answer: Answer): void => {
        const value = take(answer)
        if (value !== null) return resolve(value)
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage('taken')
      }
      worker.on('message', onAnswer)
      const timer = setTimeout(() => {
        this.#options.logger.error('a file kept its thread too long', { thread: this.#options.name })
        void this.#terminated()
        resolve('overdue')
      }, this.#options.patienceMs)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(request)
      const ending = await promise
      clearTimeout(timer)
      worker.off('message', onAnswer)
      this.#end = null
      return ending
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#end?.('closed')
    const { promise, resolve } = Promise.withResolvers<unknown>()
    // A thread deep in a decoder ends only after the decoder does.
    const timer = setTimeout(resolve, CLOSE_WITHIN_MS)
    void this.#terminated().then(resolve)
    await promise
    clearTimeout(timer)
  }

  #started(): Worker {
    const { name, program, limits, logger } = this.#options
    const worker = new Worker(program, { name, resourceLimits: limits })
    worker.on('error', (error) => {
      const facts = { error: error instanceof Error ? error.name : 'unknown', code: errorCode(error) ?? null }
      if (!this.#isClosed) logger.error('a thread that reads files stopped', { thread: name, ...facts })
    })
    worker.on('exit', () => {
      // An abandoned thread is none.
      if (this.#worker !== worker) return
      this.#worker = null
      this.#end?.('died')
    })
    return worker
  }

  async #terminated(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    worker?.unref()
    await worker?.terminate()
  }
}
