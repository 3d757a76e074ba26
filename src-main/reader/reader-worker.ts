/**
 * The program of the processes that decode our copies of images, one at a time, and of those that read one large data file
 * or patient list. What neither needs of the other's packages is not loaded.
 */
import type { z } from 'zod'
import { SECOND } from '../../src-shared/durations.ts'
import { diskCodeOf } from '../station/lib/files.ts'
import { connectToParent } from '../station/ports.ts'
import {
  type DataAnswer,
  type DataRequest,
  dataRequestSchema,
  type memorySchema,
  type PicturesAnswer,
  type PicturesRequest,
  picturesRequestSchema,
} from './messages.ts'

const station = connectToParent()

const ALIVE_EVERY_MS = 2 * SECOND
/** While it computes it reports nothing; what takes a decoder long is computed beside. */
const sayAlive = (): void => {
  const memoryMb = process.memoryUsage.rss() / 2 ** 20
  void station.send({ kind: 'alive', memoryMb } satisfies z.infer<typeof memorySchema>)
}
setInterval(sayAlive, ALIVE_EVERY_MS)

async function answerTo(request: PicturesRequest): Promise<PicturesAnswer> {
  const { makeScreenPicture, makeThumbnail, screenPictureBytes } = await import('./pictures/decode.ts')
  try {
    switch (request.kind) {
      case 'inspect':
        return { kind: 'inspected', reading: await (await import('./pictures/photo.ts')).readPhoto(request) }
      case 'thumbnail':
        return { kind: 'made', isMade: await makeThumbnail(request.imagePath, request.picturePath) }
      case 'screenPicture':
        return { kind: 'made', isMade: await makeScreenPicture(request.imagePath, request.picturePath) }
      case 'screenPictureBytes':
        return { kind: 'size', bytes: await screenPictureBytes(request.imagePath) }
    }
  } catch (error) {
    const code = diskCodeOf(error)
    // A defect ends the process, and the station starts another.
    if (code === null) throw error
    return { kind: 'failed', code }
  }
}

/** Received in a few milliseconds. */
const PART_LENGTH = 250

let onTaken = (): void => undefined
const answer = (part: DataAnswer): void => void station.send(part)

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
    const { readDataFile } = await import('../station/cases/records/data-files.ts')
    const reading = readDataFile(request.fileName, request.bytes, request.options)
    if (reading.ok)
      await inParts(reading.records, (part) =>
        answer({ kind: 'records', records: part.map((record) => JSON.stringify(record)) }),
      )
    answer({ kind: 'file', reading: reading.ok ? { ...reading, records: [] } : reading })
  } else {
    const { readPatientList } = await import('../station/cases/patient-list.ts')
    const reading = readPatientList(request.bytes, request.options)
    if (reading.ok)
      await inParts([...reading.people], (people) => answer({ kind: 'people', people: [...people] }))
    answer({ kind: 'patients', reading: reading.ok ? { ...reading, people: new Map() } : reading })
  }
}

station.onMessage((message) => {
  if (message === 'taken') return onTaken()
  const data = dataRequestSchema.safeParse(message)
  if (data.success) return void readData(data.data)
  void answerTo(picturesRequestSchema.parse(message)).then((made) => station.send(made))
})
