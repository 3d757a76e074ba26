/** Opening what lies on a disk that is full. */
import { isForLackOfSpace } from './full-disk.ts'

/** With less than this nothing that works with a database can be expected to. */
const MIN_USABLE_BYTES = 1_024 * 1_024

export type SpaceReserve = {
  /** Gives space up; false where there is none to give. */
  readonly giveUp: () => boolean
  /** Bytes that may still be written; null where that cannot be said. */
  readonly askFree: () => Promise<number | null>
}

/**
 * Opens; where that fails on a disk that is full, gives space up and opens once more. What another thread has thrown may
 * not say why any more, so the disk is asked, too. Throws what opening throws.
 */
export async function openWithSpace<Opened>(
  open: () => Opened | Promise<Opened>,
  space: SpaceReserve,
): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    const freeBytes = await space.askFree()
    const isFull = isForLackOfSpace(error) || (freeBytes !== null && freeBytes < MIN_USABLE_BYTES)
    if (!isFull || !space.giveUp()) throw error
    return open()
  }
}
