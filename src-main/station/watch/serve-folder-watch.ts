/** The far side of the thread border: a folder watch that is spoken to by messages. */
import type { MessagePort } from 'node:worker_threads'
import { SECOND } from '../../../src-shared/durations.ts'
import { systemClock } from '../system-clock.ts'
import { FolderWatch, type FolderWatchOptions } from './folder-watch.ts'
import type { FromWorker, ToWorker } from './watch-messages.ts'
import type { KnownAs, WatchedFolder } from './watcher.ts'

export const ALIVE_EVERY_MS = 5 * SECOND

/** Watches until it is told to close. A defect is thrown out of the thread, whose owner starts another. */
export function serveFolderWatch(
  port: MessagePort,
  folder: WatchedFolder,
  inspect: FolderWatchOptions['inspect'],
): void {
  const tell = (message: FromWorker): void => port.postMessage(message)
  const unanswered = new Map<number, (areKnown: readonly KnownAs[]) => void>()
  let questions = 0

  const watch = new FolderWatch({
    folder,
    clock: systemClock,
    inspect,
    areKnown: (files) => {
      const question = (questions += 1)
      tell({ kind: 'question', question, files })
      return new Promise((resolve) => unanswered.set(question, resolve))
    },
    tell: (event) => tell({ kind: 'event', event }),
    onSetAside: (error) => tell({ kind: 'setAside', error }),
    onDefect: (error) => {
      // Out of every promise, so that it ends the thread.
      setImmediate(() => {
        throw error
      })
    },
  })
  const alive = setInterval(() => tell({ kind: 'alive' }), ALIVE_EVERY_MS)

  const close = async (): Promise<void> => {
    clearInterval(alive)
    await watch.close()
    tell({ kind: 'closed' })
    port.close()
  }

  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'sweep':
        watch.sweep()
        return
      case 'acknowledge':
        watch.acknowledge(message.file)
        return
      case 'answer':
        unanswered.get(message.question)?.(message.areKnown)
        unanswered.delete(message.question)
        return
      case 'close':
        void close()
    }
  })
}
