/**
 * The worker side of the watching threads: serves a folder watch, or one listing of a folder, over a message port.
 */
import type { MessagePort } from 'node:worker_threads'
import { SECOND } from '../../../src-shared/durations.ts'
import { errorCode } from '../lib/errors.ts'
import { systemClock } from '../ports.ts'
import { FolderWatch, type FolderWatchOptions } from './folder-watch.ts'
import { inSlices, walkFolder } from './walk.ts'
import {
  type FileMark,
  type ListMessage,
  type PriorResult,
  type WatchedFolder,
  type WorkerCommand,
  type WorkerMessage,
} from './watch.ts'

const ALIVE_EVERY_MS = 5 * SECOND

/** Watches until it receives `close`. A defect is thrown out of the thread, and its owner starts another. */
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

/**
 * Every file in a folder, of any kind, marked as a `settled` event would mark it. Yields the thread between short
 * slices. Throws the file system's error if the folder cannot be opened: an unreachable share must not pass for an
 * empty folder.
 */
export async function* listFiles(folderPath: string): AsyncGenerator<FileMark, void, void> {
  for await (const slice of inSlices(walkFolder(folderPath), () => false)) {
    for (const walked of slice) {
      if (walked.kind === 'file') {
        const { relativePath, sizeBytes, mtimeMs } = walked
        yield { folderPath, relativePath, sizeBytes, mtimeMs }
      }
    }
  }
}

/** Few enough to be written to the database between two frames of a screen. */
const FILES_PER_MESSAGE = 200

/** Sends the files of a folder in batches and waits for an answer after each. */
export function serveFileList(port: MessagePort, folderPath: string): void {
  const send = (message: ListMessage): void => port.postMessage(message)
  const sendFiles = async (files: readonly FileMark[]): Promise<void> => {
    const answered = new Promise<void>((resolve) => port.once('message', () => resolve()))
    send({ kind: 'files', files })
    await answered
  }

  const list = async (): Promise<void> => {
    let files: FileMark[] = []
    for await (const file of listFiles(folderPath)) {
      if (files.push(file) < FILES_PER_MESSAGE) continue
      await sendFiles(files)
      files = []
    }
    if (files.length > 0) await sendFiles(files)
    send({ kind: 'ended' })
  }

  list()
    .catch((error: unknown) => {
      const code = errorCode(error)
      if (code === undefined) throw error
      send({ kind: 'failed', code })
    })
    .finally(() => port.close())
    .catch((error: unknown) => {
      // A defect: thrown outside of every promise, so that it ends the thread.
      setImmediate(() => {
        throw error
      })
    })
}
