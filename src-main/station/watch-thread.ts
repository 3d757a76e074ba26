/** The thread that watches a folder, or lists it once. It connects the watch to the checks of content. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { SECOND } from '../../src-shared/durations.ts'
import { inspectFile } from './intake/inspect-file.ts'
import { systemClock } from './ports.ts'
import { FolderWatch } from './watch/folder-watch.ts'
import { serveFileList } from './watch/list-folder.ts'
import type {
  PriorResult,
  WatchedFolder,
  WatchWorkerData,
  WorkerCommand,
  WorkerMessage,
} from './watch/watch.ts'

/** Begins to watch or to list the folder that the thread was started for. */
export function startWatchThread(): void {
  if (parentPort === null) throw new Error('This runs in a worker thread only.')
  const data = workerData as WatchWorkerData
  if (data.kind === 'watch') serveFolderWatch(parentPort, data.folder)
  else serveFileList(parentPort, data.folderPath)
}

const ALIVE_EVERY_MS = 5 * SECOND

/** Watches until it receives `close`. A defect is thrown out of the thread, and its owner starts another. */
function serveFolderWatch(port: MessagePort, folder: WatchedFolder): void {
  const send = (message: WorkerMessage): void => port.postMessage(message)
  const unanswered = new Map<number, (areKnown: readonly PriorResult[]) => void>()
  let questions = 0

  const watch = new FolderWatch({
    folder,
    clock: systemClock,
    inspect: inspectFile,
    lookup: (files) => {
      const question = (questions += 1)
      send({ kind: 'question', question, files })
      return new Promise((resolve) => unanswered.set(question, resolve))
    },
    emit: (event) => send({ kind: 'event', event }),
    onSetAside: (error) => send({ kind: 'setAside', error }),
    onDefect: (error) => {
      // Thrown outside of every promise, so that it ends the thread.
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
