/** The near side of the thread that holds a decoded picture. */
// oxlint-disable-next-line import/default -- Vite makes this module, with a worker as its default
import PictureWorker from './picture-worker.ts?worker'
import type { PictureResponse, PictureRequest } from './picture-words.ts'
import type { Size } from './pyramid.ts'

export type OpenPicture = {
  readonly size: Size
  /** A tile of the picture after it was halved so many times; null once the picture was closed. */
  tile(halvings: number, column: number, row: number): Promise<ImageBitmap | null>
  /** Gives back all memory that the picture took. */
  close(): void
}

/** Decodes a picture beside the page; null where the bytes are none that a browser can show, or `signal` says that nobody waits. */
export function openPicture(blob: Blob, signal: AbortSignal): Promise<OpenPicture | null> {
  const worker = new PictureWorker()
  const pending = new Map<number, (bitmap: ImageBitmap | null) => void>()
  let count = 0
  const ask = (question: PictureRequest): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(question)
  }
  const close = (): void => {
    worker.terminate()
    for (const settle of pending.values()) settle(null)
    pending.clear()
  }
  const { promise, resolve } = Promise.withResolvers<OpenPicture | null>()
  const giveUp = (): void => {
    close()
    resolve(null)
  }
  signal.addEventListener('abort', giveUp, { once: true })
  worker.addEventListener('error', giveUp)
  worker.addEventListener('message', ({ data }: MessageEvent<PictureResponse>) => {
    if (data.kind === 'unreadable') giveUp()
    else if (data.kind === 'tile') {
      pending.get(data.number)?.(data.bitmap)
      pending.delete(data.number)
    } else
      resolve({
        size: data.size,
        tile(halvings, column, row) {
          count += 1
          const tile = Promise.withResolvers<ImageBitmap | null>()
          pending.set(count, tile.resolve)
          ask({ kind: 'tile', number: count, halvings, column, row })
          return tile.promise
        },
        close,
      })
  })
  ask({ kind: 'open', blob })
  return promise
}
