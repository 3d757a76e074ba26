import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FileMark, ListMessage, WatchWorkerData } from './watch.ts'

/**
 * Every file that lies in a folder now, listed by a thread of its own: a share that hangs must not hold up the program.
 *
 * Throws an error with the file system's `code` when the folder cannot be opened, and one without where the thread
 * ended unasked. Whoever leaves off early ends the thread.
 */
export async function* listInThread(
  workerUrl: URL,
  folderPath: string,
): AsyncGenerator<FileMark, void, void> {
  const workerData: WatchWorkerData = { kind: 'list', folderPath }
  const thread = new Worker(workerUrl, { workerData, name: 'list' })
  // A thread that hangs in a call to a share keeps nothing alive.
  thread.unref()
  // Without a listener an error would end the program; what follows it is the end of the thread.
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

/** Rejects where the thread ends without a word. */
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
