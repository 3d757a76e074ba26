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

/** The next part is sent once the last was taken: many at once would be received in one piece. */
async function answerRecords(all: readonly unknown[]): Promise<void> {
  for (let from = 0; from < all.length; from += PART_LENGTH) {
    const { promise, resolve } = Promise.withResolvers<void>()
    onTaken = resolve
    answer({
      kind: 'records',
      records: all.slice(from, from + PART_LENGTH).map((one) => JSON.stringify(one)),
    })
    await promise
  }
}

/** Answers with what has no records of its own. */
async function readData(request: DataRequest): Promise<Record<string, unknown>> {
  if (request.kind === 'cases') {
    const shown = shownPageIn(request.answer)
    await answerRecords(shown?.page.cases ?? [])
    return { shown: shown && { ...shown, page: { ...shown.page, cases: [] } } }
  }
  if (request.kind === 'file') {
    const reading = readDataFile(request.fileName, request.bytes, request.options)
    if (reading.ok) await answerRecords(reading.records)
    return reading.ok ? { ...reading, records: [] } : reading
  }
  const reading = readPatientList(request.bytes, request.options)
  if (reading.ok) await answerRecords([...reading.people])
  return reading.ok ? { ...reading, people: new Map() } : reading
}

station.onMessage((message) => {
  if (message === 'taken') return onTaken()
  void readData(dataRequestSchema.parse(message)).then((rest) => answer({ kind: 'rest', rest }))
})
