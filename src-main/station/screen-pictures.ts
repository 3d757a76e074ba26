/**
 * Pictures of images that no browser draws, made when somebody looks and removed soon after, so that neither the disk
 * fills with them nor one outlives the image that it shows.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE } from '../../src-shared/durations.ts'
import type { Clock, Logger } from './ports.ts'
import { removeOrLeave, renameStubbornly } from './stubborn-files.ts'
import { errorCode } from './lib/errors.ts'

export type ScreenPictures = {
  /** Where the picture of an image lies for the next minutes; null where none can be made now. */
  of(imageId: string, imagePath: string): Promise<string | null>
  close(): Promise<void>
}

export type ScreenPicturesOptions = {
  /** The folder of the thumbnails. In it they have a folder of their own, which is removed at the start and at the end. */
  readonly beside: string
  readonly clock: Clock
  readonly logger: Logger
  /** How many bytes it will take; null where it cannot be made. */
  readonly bytesOf: (imagePath: string) => Promise<number | null>
  /** False where it cannot be made. */
  readonly make: (imagePath: string, picturePath: string) => Promise<boolean>
  readonly mayTakeSpace: (bytes: number) => Promise<boolean>
}

/** As long as somebody looks through the images of a case. */
const KEPT_FOR_MS = 10 * MINUTE
/** Two side by side, and those that are stepped through. */
const MOST_KEPT = 6

type Kept = { readonly path: string; cancel: () => void }

/** Prepares the folder; what a station that was killed left in it is gone. */
export function openScreenPictures(options: ScreenPicturesOptions): ScreenPictures {
  const { beside, clock, logger, bytesOf, make, mayTakeSpace } = options
  const folder = join(beside, 'whole')
  /** The one that was asked for the longest time ago comes first. */
  const kept = new Map<string, Kept>()
  let isClosed = false
  const emptied = async (): Promise<void> => {
    try {
      await rm(folder, { recursive: true, force: true })
    } catch {
      logger.warn('pictures for the screen could not be removed')
    }
  }

  const forget = async (imageId: string): Promise<void> => {
    const one = kept.get(imageId)
    if (!one) return
    kept.delete(imageId)
    one.cancel()
    await removeOrLeave(one.path)
  }
  const keep = (imageId: string, path: string): void => {
    kept.get(imageId)?.cancel()
    kept.delete(imageId)
    kept.set(imageId, { path, cancel: clock.after(KEPT_FOR_MS, () => void forget(imageId)) })
  }
  const made = async (imageId: string, imagePath: string): Promise<string | null> => {
    const one = kept.get(imageId)
    if (one || isClosed) {
      if (one) keep(imageId, one.path)
      return one?.path ?? null
    }
    const bytes = await bytesOf(imagePath)
    if (bytes === null || !(await mayTakeSpace(bytes))) return null
    const path = join(folder, `${imageId}.png`)
    const unfinished = `${path}.tmp`
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      if (!(await make(imagePath, unfinished))) {
        await removeOrLeave(unfinished)
        return null
      }
      await renameStubbornly(unfinished, path)
    } catch (error) {
      // The disk failed: that is told elsewhere, and here is only one picture less.
      const code = errorCode(error) ?? null
      logger.warn('a picture for the screen could not be written', { code })
      await removeOrLeave(unfinished)
      return null
    }
    keep(imageId, path)
    const [oldest] = kept.keys()
    if (kept.size > MOST_KEPT && oldest !== undefined) await forget(oldest)
    return path
  }

  /** One after the other: each takes a core and the memory of an image. */
  let queue: Promise<unknown> = emptied()
  return {
    of(imageId, imagePath) {
      const answer = queue.then(() => made(imageId, imagePath))
      queue = answer.catch(() => undefined)
      return answer
    },
    async close() {
      isClosed = true
      await queue
      for (const { cancel } of kept.values()) cancel()
      kept.clear()
      await emptied()
    },
  }
}
