/** The entry point of the thread that reads one large data file or patient list, and ends with its answer. */
import { parentPort, workerData } from 'node:worker_threads'
import { readPatientList } from '../patient-list.ts'
import { readDataFile } from './data-files.ts'
import { type DataAnswer, type DataRequest, PART_LENGTH } from './data-thread.ts'

const port = parentPort
if (port === null) throw new Error('This runs in a worker thread only.')

const answer = (part: DataAnswer): void => port.postMessage(part)

function inParts<One>(all: readonly One[], post: (part: readonly One[]) => void): void {
  for (let from = 0; from < all.length; from += PART_LENGTH) post(all.slice(from, from + PART_LENGTH))
}

const request = workerData as DataRequest
if (request.kind === 'file') {
  const reading = readDataFile(request.fileName, request.bytes, request.options)
  if (reading.ok) inParts(reading.records, (records) => answer({ kind: 'records', records }))
  answer({ kind: 'file', reading: reading.ok ? { ...reading, records: [] } : reading })
} else {
  const reading = readPatientList(request.bytes, request.options)
  if (reading.ok) {
    const { patients, shared } = reading.list
    inParts([...patients, ...shared], (entries) => answer({ kind: 'entries', entries }))
  }
  const list = { patients: new Map(), shared: new Map() }
  answer({
    kind: 'patients',
    reading: reading.ok ? { ...reading, list: { ...reading.list, ...list } } : reading,
  })
}
