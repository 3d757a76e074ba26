/** The entry point of the thread that inspects photographs: one request at a time, one answer for each. */
import { parentPort } from 'node:worker_threads'
import { type PhotoRequest, readPhoto } from './photo.ts'

const port = parentPort
if (port === null) throw new Error('This runs in a worker thread only.')

port.on('message', (request: PhotoRequest) => {
  // A defect ends the thread, and its owner starts another.
  void readPhoto(request).then((reading) => port.postMessage(reading))
})
