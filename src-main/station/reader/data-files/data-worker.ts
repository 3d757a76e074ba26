/** The program of the process that reads one large data file or patient list, and is ended with its answer. */
import { setFlagsFromString } from 'node:v8'
import { connectToParent } from '../../ports.ts'
import { type DataAnswer, type DataRequest, dataRequestSchema } from '../messages.ts'
import { readPatientList } from '../patient-list.ts'
import { readDataFile } from './data-files.ts'

setFlagsFromString('--max-old-space-size=1024')

/** Received in a few milliseconds. */
const PART_LENGTH = 250

const station = connectToParent()
const answer = (part: DataAnswer): void => station.send(part)
let onTaken = (): void => undefined

/** The next part is sent once the last was taken: many at once would be received in one piece. */
async function inParts<One>(all: readonly One[], post: (part: readonly One[]) => void): Promise<void> {
  for (let from = 0; from < all.length; from += PART_LENGTH) {
    const { promise, resolve } = Promise.withResolvers<void>()
    onTaken = resolve
    post(all.slice(from, from + PART_LENGTH))
    await promise
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
    if (reading.ok)
      await inParts([...reading.people], (people) => answer({ kind: 'people', people: [...people] }))
    answer({ kind: 'patients', reading: reading.ok ? { ...reading, people: new Map() } : reading })
  }
}

station.onMessage((message) => {
  if (message === 'taken') return onTaken()
  // A defect ends the process, which the station notes.
  void run(dataRequestSchema.parse(message))
})
