/** Utility processes: children of Node with a `process.parentPort`. `kill` asks politely, as Electron does. */
import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { needsReady, strict } from './link.ts'

const PARENT_PORT = new URL('./utility-port.ts', import.meta.url).href

export const utilityProcess = strict('utilityProcess', {
  fork(path: string, parameters: readonly string[], options: { readonly stdio: 'ignore' }) {
    needsReady('utilityProcess.fork')
    const child = fork(path, parameters, {
      serialization: 'advanced',
      execArgv: ['--import', PARENT_PORT],
      stdio: [options.stdio, options.stdio, options.stdio, 'ipc'],
    })
    const events = new EventEmitter()
    child.on('message', (message) => events.emit('message', message))
    child.on('exit', (code) => events.emit('exit', code ?? 1))
    return strict(
      'UtilityProcess',
      Object.assign(events, {
        pid: child.pid,
        postMessage: (message: object) => void (child.connected && child.send(message, () => undefined)),
        kill: () => child.kill('SIGTERM'),
      }),
    )
  },
})
