/** Lists a folder once, in a thread of its own: the thread's owner first, then what runs in the thread. */
import { on } from 'node:events'
import { type MessagePort, Worker } from 'node:worker_threads'
import { errorCode } from '../lib/errors.ts'
import type { LimitedWait } from '../lib/schedule.ts'
import { inSlices, walkFolder } from './walk.ts'
import type { FileMark, ListMessage, WatchWorkerData } from './watch.ts'

/**
 * Lists a folder in a thread of its own, which a hanging share may block; returning early ends it. Throws the file
 * system's error, also if `wait` ends, or one without a code if the thread ended unexpectedly.
 */
export async function* listInThread(
  workerUrl: URL,
  folderPath: string,
  wait: LimitedWait,
): AsyncGenerator<FileMark, void, void> {
  // While a former thread hangs there, another would hang, too.
  await wait(folderPath, () => Promise.resolve())
  const workerData: WatchWorkerData = { kind: 'list', folderPath }
  const thread = new Worker(workerUrl, { workerData, name: 'list' })
  // A thread that hangs in a call to a share must not keep the process alive.
  thread.unref()
  // Without a listener, an error would end the program; the thread exits after it.
  thread.on('error', () => undefined)
  try {
    const messages = on(thread, 'message', { close: ['exit'] }) as AsyncIterableIterator<[ListMessage]>
    for (;;) {
      const next = await wait(folderPath, () => messages.next())
      if (next.done === true) break
      const [message] = next.value
      if (message.kind === 'ended') return
      if (message.kind === 'failed') {
        throw Object.assign(new Error('The folder cannot be listed.'), { code: message.code })
      }
      yield* message.files
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage('next')
    }
    throw new Error('The thread that lists a folder ended.')
  } finally {
    void thread.terminate()
  }
}

/** Every file in a folder, in short slices. Throws if it cannot be opened: an unreachable share is not empty. */
export async function* listFiles(folderPath: string): AsyncGenerator<FileMark, void, void> {
  for await (const slice of inSlices(walkFolder(folderPath), () => false)) {
    for (const walked of slice) {
      if (walked.kind === 'file') {
        const { relativePath, sizeBytes, mtimeMs, ctimeMs } = walked
        yield { folderPath, relativePath, sizeBytes, mtimeMs, ctimeMs }
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
