/** The program of the threads that watch a folder, or list it once. It connects the watch to the checks of content. */
import { once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { SECOND } from '../../src-shared/durations.ts'
import { systemClock } from './ports.ts'
import { inspectFile } from './reader/inspect-file.ts'
import { FolderWatch } from './watch/folder-watch.ts'
import { listFiles } from './watch/walk.ts'
import type {
  FileMark,
  PriorResult,
  WatchedFolder,
  WatchWorkerData,
  WorkerCommand,
  WorkerMessage,
} from './watch/watch.ts'

const ALIVE_EVERY_MS = 5 * SECOND

/** Few enough to be written to the database between two frames of a screen. */
const FILES_PER_MESSAGE = 200

if (parentPort === null) throw new Error('This runs in a worker thread only.')
const data = workerData as WatchWorkerData
if (data.kind === 'watch') serveWatch(parentPort, data.folder)
else void sendFiles(parentPort, data.folderPath).catch(endWith)

/** Thrown outside of every promise, so that it ends the thread and reaches its owner. */
function endWith(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}

/** Watches until it receives `close`. A defect ends the thread, and its owner starts another. */
function serveWatch(port: MessagePort, folder: WatchedFolder): void {
  const send = (message: WorkerMessage): void => port.postMessage(message)
  let questions = 0
  const unanswered = new Map<number, (answers: readonly PriorResult[]) => void>()

  const watch = new FolderWatch({
    folder,
    clock: systemClock,
    inspect: inspectFile,
    lookup: (files) => {
      questions += 1
      const question = questions
      send({ kind: 'question', question, files })
      return new Promise((resolve) => unanswered.set(question, resolve))
    },
    emit: (event) => send({ kind: 'event', event }),
    onSetAside: (error) => send({ kind: 'setAside', error }),
    onDefect: endWith,
  })
  const alive = setInterval(() => send({ kind: 'alive' }), ALIVE_EVERY_MS)

  const close = async (): Promise<void> => {
    clearInterval(alive)
    await watch.close()
    process.exit()
  }

  port.on('message', (message: WorkerCommand) => {
    switch (message.kind) {
      case 'sweep':
        return watch.sweep()
      case 'reportGone':
        return watch.reportGone(message.fileNames)
      case 'acknowledge':
        return watch.acknowledge(message.file)
      case 'answer':
        unanswered.get(message.question)?.(message.answers)
        unanswered.delete(message.question)
        return
      case 'close':
        return void close()
    }
  })
}

/** Sends the files of a folder in batches, each after the answer to the one before; an empty one is the end. */
async function sendFiles(port: MessagePort, folderPath: string): Promise<void> {
  let files: FileMark[] = []
  const send = async (): Promise<void> => {
    const answered = once(port, 'message')
    port.postMessage(files)
    files = []
    await answered
  }
  for await (const file of listFiles(folderPath)) if (files.push(file) === FILES_PER_MESSAGE) await send()
  if (files.length > 0) await send()
  port.postMessage([])
  port.close()
}
