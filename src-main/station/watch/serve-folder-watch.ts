/** The far side of the thread border: a folder watch that is spoken to by messages. */
import type { MessagePort } from 'node:worker_threads'
import { SECOND } from '../../../src-shared/durations.ts'
import { systemClock } from '../system-clock.ts'
import { FolderWatch, type FolderWatchOptions } from './folder-watch.ts'
import type { WorkerMessage, WorkerCommand } from './watch-messages.ts'
import type { PriorResult, WatchedFolder } from './watcher.ts'

export const ALIVE_EVERY_MS = 5 * SECOND

/** Watches until it is told to close. A defect is thrown out of the thread, whose owner starts another. */
export function serveFolderWatch(
  port: MessagePort,
  folder: WatchedFolder,
  inspect: FolderWatchOptions['inspect'],
): void {
  const send = (message: WorkerMessage): void => port.postMessage(message)
  const unanswered = new Map<number, (areKnown: readonly PriorResult[]) => void>()
  let questions = 0

  const watch = new FolderWatch({
    folder,
    clock: systemClock,
    inspect,
    lookUp: (files) => {
      const question = (questions += 1)
      send({ kind: 'question', question, files })
      return new Promise((resolve) => unanswered.set(question, resolve))
    },
    emit: (event) => send({ kind: 'event', event }),
    onSetAside: (error) => send({ kind: 'setAside', error }),
    onDefect: (error) => {
      // Out of every promise, so that it ends the thread.
      setImmediate(() => {
        throw error
      })
    },
  })
  const alive = setInterval(() => send({ kind: 'alive' }), ALIVE_EVERY_MS)

  const close = async (): Promise<void> => {
    clearInterval(alive)
    await watch.close()
    send({ kind: 'closed' })
    port.close()
  }

  port.on('message', (message: WorkerCommand) => {
    switch (message.kind) {
      case 'sweep':
        watch.sweep()
        return
      case 'acknowledge':
        watch.acknowledge(message.file)
        return
      case 'answer':
        unanswered.get(message.question)?.(message.answers)
        unanswered.delete(message.question)
        return
      case 'close':
        void close()
    }
  })
}
