/** The program of the thread that looks at photographs: one request at a time, one answer for each. */
import { parentPort } from 'node:worker_threads'
import { type PhotoRequest, readPhoto } from './photo.ts'

const port = parentPort
if (port === null) throw new Error('This runs in a worker thread only.')

port.on('message', (request: PhotoRequest) => {
  // A defect ends the thread, whose owner starts another.
  void readPhoto(request).then((reading) => port.postMessage(reading))
})
