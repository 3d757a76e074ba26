/** The far side of the thread border: lists the files of a folder once, and ends. */
import type { MessagePort } from 'node:worker_threads'
import { errorCode } from './folder-trouble.ts'
import { listFiles } from './list-files.ts'
import type { ListMessage } from './watch-messages.ts'
import type { FileMark } from './watcher.ts'

/** Few enough to be written down between two frames of a screen. */
const FILES_PER_MESSAGE = 200

/** Sends the files of a folder, some at a time, and goes on when the near side has dealt with those. */
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
      // A defect: out of every promise, so that it ends the thread.
      setImmediate(() => {
        throw error
      })
    })
}
