/** Loaded before the program of a utility process: gives it the port of Electron in place of Node's channel, and its mark. */
import { EventEmitter } from 'node:events'

const send = process.send?.bind(process)
const parentPort = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => void send?.(message),
})
process.on('message', (data) => parentPort.emit('message', { data }))
process.once('disconnect', () => process.exit())
Object.assign(process, { parentPort, send: undefined })
// Without it images would be decoded as in plain Node.
Object.defineProperty(process.versions, 'electron', { value: '45.0.0', enumerable: true })
