/** The entry point of the thread that reads one large data file or patient list, and ends with its answer. */
import { once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { readPatientList } from '../patient-list.ts'
import { readDataFile } from './data-files.ts'
import { type DataAnswer, type DataRequest, PART_LENGTH } from './data-thread.ts'

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
  port.unref()
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
    if (reading.ok) {
      const { patients, shared } = reading.list
      await inParts([...patients, ...shared], (entries) => answer({ kind: 'entries', entries }))
    }
    const list = { patients: new Map(), shared: new Map() }
    answer({
      kind: 'patients',
      reading: reading.ok ? { ...reading, list: { ...reading.list, ...list } } : reading,
    })
  }
}

// A defect ends the thread with an error, which its owner passes on.
void run(workerData as DataRequest)
