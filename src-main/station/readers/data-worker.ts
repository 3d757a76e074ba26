/** The program of the processes that read one large data file, patient list or list of the service's cases. */
import { connectToParent, reportMemory } from '../ports.ts'
import { shownPageIn } from '../service/cases.ts'
import {
  type DataAnswer,
  type DataRequest,
  dataRequestSchema,
  readDataFile,
  readPatientList,
} from './read-data.ts'

const station = connectToParent()
reportMemory(station)

/** Received in a few milliseconds. */
const PART_LENGTH = 250

let onTaken = (): void => undefined
const answer = (part: DataAnswer): void => void station.send(part)

const answerRecords = (part: readonly object[]): void =>
  answer({ kind: 'records', records: part.map((record) => JSON.stringify(record)) })

/** The next part is sent once the last was taken: many at once would be received in one piece. */
async function inParts<One>(all: readonly One[], post: (part: readonly One[]) => void): Promise<void> {
  for (let from = 0; from < all.length; from += PART_LENGTH) {
    const { promise, resolve } = Promise.withResolvers<void>()
    onTaken = resolve
    post(all.slice(from, from + PART_LENGTH))
    await promise
  }
}

async function readData(request: DataRequest): Promise<void> {
  if (request.kind === 'file') {
    const reading = readDataFile(request.fileName, request.bytes, request.options)
    if (reading.ok) await inParts(reading.records, answerRecords)
    answer({ kind: 'file', reading: reading.ok ? { ...reading, records: [] } : reading })
  } else if (request.kind === 'cases') {
    const shown = shownPageIn(request.answer)
    if (shown !== null) await inParts(shown.page.cases, answerRecords)
    answer({ kind: 'cases', shown: shown && { ...shown, page: { ...shown.page, cases: [] } } })
  } else {
    const reading = readPatientList(request.bytes, request.options)
    if (reading.ok)
      await inParts([...reading.people], (people) => answer({ kind: 'people', people: [...people] }))
    answer({ kind: 'patients', reading: reading.ok ? { ...reading, people: new Map() } : reading })
  }
}

station.onMessage((message) => {
  if (message === 'taken') return onTaken()
  void readData(dataRequestSchema.parse(message))
})
