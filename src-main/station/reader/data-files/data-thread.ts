/** Large data files and patient lists are read in a thread of their own: parsing one may take seconds. */
import { Worker } from 'node:worker_threads'
import { MINUTE } from '../../../../src-shared/durations.ts'
import type { Sidecar } from '../../cases/meaning/sources.ts'
import { type PatientListOptions, type PatientListReading, readPatientList } from '../patient-list.ts'
import { type DataFileOptions, type DataFileReading, readDataFile, type SidecarList } from './data-files.ts'

/** What the thread is asked, once: it ends with its answer. */
export type DataRequest =
  | {
      readonly kind: 'file'
      readonly fileName: string
      readonly bytes: Uint8Array
      readonly options: DataFileOptions
    }
  | { readonly kind: 'patients'; readonly bytes: Uint8Array; readonly options: PatientListOptions }

/** A number of a patient list with its patient, or with people who share it. */
type ListEntry = readonly [number: string, people: Sidecar | readonly Sidecar[]]

/**
 * Records and entries come in parts, because receiving many at once would block; then the rest of the reading. Records come
 * as JSON, and are parsed once they are needed: 20,000 objects that live for seconds make the heap grow by 200 MB.
 */
export type DataAnswer =
  | { readonly kind: 'records'; readonly records: readonly string[] }
  | { readonly kind: 'entries'; readonly entries: readonly ListEntry[] }
  | { readonly kind: 'file'; readonly reading: DataFileReading }
  | { readonly kind: 'patients'; readonly reading: PatientListReading }

/** Records in one part: received in a few milliseconds. */
export const PART_LENGTH = 250

/** A smaller file is read in less time than a thread takes to start. */
const SMALL_BYTES = 64 * 1_024
const PATIENCE_MS = 2 * MINUTE
const HEAP_MEGABYTES = 1_024
/** V8 gives the heap of an ended thread back on the main thread, page by page: a small nursery leaves half as many. */
const YOUNG_MEGABYTES = 12

export type DataReader = ReturnType<typeof openDataReader>

/**
 * Reads data files: small ones at once, large ones in a thread of their own (`workerUrl`: `data-worker.ts` or its bundle).
 * Rejects if the thread dies or takes minutes; a file that causes that is set aside by the caller.
 */
export function openDataReader({ workerUrl }: { readonly workerUrl: URL }) {
  const running = new Set<Worker>()

  /** Passes each answer to `take` until it returns a value. */
  const ask = <Value>(request: DataRequest, take: (answer: DataAnswer) => Value | null): Promise<Value> => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const worker = new Worker(workerUrl, {
      name: 'data',
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    })
    running.add(worker)
    const timer = setTimeout(() => void worker.terminate(), PATIENCE_MS)
    worker.on('message', (answer: DataAnswer) => {
      const value = take(answer)
      if (value !== null) return resolve(value)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage('taken')
    })
    worker.on('error', reject)
    worker.on('exit', () => {
      clearTimeout(timer)
      running.delete(worker)
      // After an answer this changes nothing.
      reject(new Error('the thread that reads data files ended without an answer'))
    })
    return promise
  }

  return {
    readFile: async (
      fileName: string,
      bytes: Uint8Array,
      options: DataFileOptions,
    ): Promise<DataFileReading<SidecarList>> => {
      if (bytes.length <= SMALL_BYTES) return readDataFile(fileName, bytes, options)
      const texts: string[] = []
      return ask({ kind: 'file', fileName, bytes, options }, (answer) => {
        if (answer.kind === 'records') texts.push(...answer.records)
        if (answer.kind !== 'file') return null
        if (!answer.reading.ok) return answer.reading
        const at = (index: number): Sidecar | undefined => parsed(texts.at(index))
        return { ...answer.reading, records: { length: texts.length, at } }
      })
    },
    readPatients: async (bytes: Uint8Array, options: PatientListOptions): Promise<PatientListReading> => {
      if (bytes.length <= SMALL_BYTES) return readPatientList(bytes, options)
      const patients = new Map<string, Sidecar>()
      const shared = new Map<string, readonly Sidecar[]>()
      return ask({ kind: 'patients', bytes, options }, (answer) => {
        if (answer.kind === 'entries')
          for (const [number, people] of answer.entries)
            if (isShared(people)) shared.set(number, people)
            else patients.set(number, people)
        if (answer.kind !== 'patients') return null
        const { reading } = answer
        return reading.ok ? { ...reading, list: { ...reading.list, patients, shared } } : reading
      })
    },
    close: async (): Promise<void> => {
      await Promise.all([...running].map((worker) => worker.terminate()))
    },
  }
}

function parsed(text: string | undefined): Sidecar | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Sidecar)
}

function isShared(people: Sidecar | readonly Sidecar[]): people is readonly Sidecar[] {
  return Array.isArray(people)
}
