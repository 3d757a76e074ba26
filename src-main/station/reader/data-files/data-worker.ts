/** The entry point of the thread that reads one large data file or patient list, and ends with its answer. */
import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { Sidecar } from '../../cases/meaning/sources.ts'
import { type PatientListOptions, type PatientListReading, readPatientList } from '../patient-list.ts'
import { type DataFileOptions, type DataFileReading, readDataFile } from './data-files.ts'

export type DataRequest =
  | {
      readonly kind: 'file'
      readonly fileName: string
      readonly bytes: Uint8Array
      readonly options: DataFileOptions
    }
  | { readonly kind: 'patients'; readonly bytes: Uint8Array; readonly options: PatientListOptions }

/**
 * Records and people come in parts, because receiving many at once would block; then the rest of the reading. Records come
 * as JSON, and are parsed once they are needed: 20,000 objects that live for seconds make the heap grow by 200 MB.
 */
export type DataAnswer =
  | { readonly kind: 'records'; readonly records: readonly string[] }
  | { readonly kind: 'people'; readonly people: readonly (readonly [string, readonly Sidecar[]])[] }
  | { readonly kind: 'file'; readonly reading: DataFileReading }
  | { readonly kind: 'patients'; readonly reading: PatientListReading }

/** Received in a few milliseconds. */
const PART_LENGTH = 250

if (parentPort === null) throw new Error('This runs in a worker thread only.')
const port: MessagePort = parentPort

const answer = (part: DataAnswer): void => port.postMessage(part)

/** The next part is sent once the last was taken: many at once would be received in one piece. */
async function inParts<One>(all: readonly One[], post: (part: readonly One[]) => void): Promise<void> {
  for (let from = 0; from < all.length; from += PART_LENGTH) {
    const taken = once(port, 'message')
    post(all.slice(from, from + PART_LENGTH))
    await taken
  }
}

async function run(request: DataRequest): Promise<void> {
  if (request.kind === 'file') {
    const reading = readDataFile(request.fileName, request.bytes, request.options)
    if (reading.ok)
      await inParts(reading.records, (part) =>
        answer({ kind: 'records', records: part.map((record) => JSON.stringify(record)) }),
      )
    answer({ kind: 'file', reading: reading.ok ? { ...reading, records: [] } : reading })
  } else {
    const reading = readPatientList(request.bytes, request.options)
    if (reading.ok) await inParts([...reading.people], (people) => answer({ kind: 'people', people }))
    answer({ kind: 'patients', reading: reading.ok ? { ...reading, people: new Map() } : reading })
  }
}

// A defect ends the thread with an error, which its owner notes.
port.once('message', (request: DataRequest) => void run(request))
