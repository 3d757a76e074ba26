/** The far side of the thread border: lists the files of a folder once, and ends. */
import type { MessagePort } from 'node:worker_threads'
import { codeOf } from './folder-trouble.ts'
import { listFiles } from './list-files.ts'
import type { FromLister } from './watch-messages.ts'
import type { FileMark } from './watcher.ts'

/** Few enough to be written down between two frames of a screen. */
const FILES_PER_MESSAGE = 200

/** Sends the files of a folder, some at a time, and goes on when the near side has dealt with those. */
export function serveFileList(port: MessagePort, folderPath: string): void {
  const tell = (message: FromLister): void => port.postMessage(message)
  const tellFiles = async (files: readonly FileMark[]): Promise<void> => {
    const answered = new Promise<void>((resolve) => port.once('message', () => resolve()))
    tell({ kind: 'files', files })
    await answered
  }

  const list = async (): Promise<void> => {
    let files: FileMark[] = []
    for await (const file of listFiles(folderPath)) {
      if (files.push(file) < FILES_PER_MESSAGE) continue
      await tellFiles(files)
      files = []
    }
    if (files.length > 0) await tellFiles(files)
    tell({ kind: 'ended' })
  }

  list()
    .catch((error: unknown) => {
      const code = codeOf(error)
      if (code === undefined) throw error
      tell({ kind: 'failed', code })
    })
    .finally(() => port.close())
    .catch((error: unknown) => {
      // A defect: out of every promise, so that it ends the thread.
      setImmediate(() => {
        throw error
      })
    })
}
