/** Loaded before the program of a utility process: gives it the port of Electron in place of Node's channel. */
import { EventEmitter } from 'node:events'

const send = process.send?.bind(process)
const parentPort = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => void send?.(message),
})
process.on('message', (data) => parentPort.emit('message', { data }))
process.once('disconnect', () => process.exit())
Object.assign(process, { parentPort, send: undefined })
