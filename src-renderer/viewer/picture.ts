/** The page's handle to the worker that holds a decoded picture. */
import { type ImageJob, TileSource } from 'openseadragon'
// oxlint-disable-next-line import/default -- Vite makes this module, with a worker as its default
import PictureWorker from './picture-worker.ts?worker'
import {
  levelsOf,
  type PictureRequest,
  type PictureResponse,
  type Size,
  TILE_OVERLAP,
  TILE_SIZE,
} from './pyramid.ts'

export type OpenPicture = {
  readonly size: Size
  /** A tile of the picture after this many halvings; null once the picture is closed. */
  tile(halvings: number, column: number, row: number): Promise<ImageBitmap | null>
  close(): void
}

/** Decodes a picture in a worker; null if the browser cannot decode the bytes, or if `signal` is aborted. */
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

let count = 0

/** The tiles of an open picture, in the form that OpenSeadragon requests. */
export function tileSourceOf(picture: OpenPicture): TileSource {
  const levels = levelsOf(picture.size)
  count += 1
  const name = `picture-${count}`
  const source = new TileSource({
    ...picture.size,
    tileSize: TILE_SIZE,
    tileOverlap: TILE_OVERLAP,
    minLevel: levels.min,
    maxLevel: levels.max,
  })
  // Never fetched: it only identifies a tile.
  source.getTileUrl = (level, column, row) => `${name}/${level}/${column}/${row}`
  source.hasTransparency = () => false
  source.downloadTileStart = (job) => void cutTile(picture, levels.max, job)
  source.downloadTileAbort = () => undefined
  return source
}

async function cutTile(picture: OpenPicture, maxLevel: number, job: ImageJob): Promise<void> {
  const { level, x, y } = job.tile
  const bitmap = await picture.tile(maxLevel - level, x, y)
  const context = document.createElement('canvas').getContext('2d')
  if (!bitmap || !context) {
    job.fail('The picture was closed.', null)
    return
  }
  context.canvas.width = bitmap.width
  context.canvas.height = bitmap.height
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  job.finish(context, null, 'context2d')
}
