/** The owner of a thread that lists a folder once. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FileMark, ListMessage, WatchWorkerData } from './watch.ts'

/**
 * Lists every file of a folder in a thread of its own, so that a hanging share cannot block the program.
 *
 * Throws an error with the file system's `code` if the folder cannot be opened, and one without a code if the thread
 * ended unexpectedly. Returning early from the generator ends the thread.
 */
export async function* listInThread(
  workerUrl: URL,
  folderPath: string,
): AsyncGenerator<FileMark, void, void> {
  const workerData: WatchWorkerData = { kind: 'list', folderPath }
  const thread = new Worker(workerUrl, { workerData, name: 'list' })
  // A thread that hangs in a call to a share must not keep the process alive.
  thread.unref()
  // Without a listener, an error would end the program; the thread exits after it.
  thread.on('error', () => undefined)
  try {
    for (;;) {
      const message = await nextMessage(thread)
      if (message.kind === 'ended') return
      if (message.kind === 'failed') {
        throw Object.assign(new Error('The folder cannot be listed.'), { code: message.code })
      }
      yield* message.files
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage('next')
    }
  } finally {
    void thread.terminate()
  }
}

/** Rejects if the thread exits without a message. */
async function nextMessage(thread: Worker): Promise<ListMessage> {
  const ended = new AbortController()
  try {
    const [message] = (await Promise.race([
      once(thread, 'message', { signal: ended.signal }),
      once(thread, 'exit', { signal: ended.signal }).then(() => {
        throw new Error('The thread that lists a folder ended.')
      }),
    ])) as [ListMessage]
    return message
  } finally {
    ended.abort()
  }
}
