/** Opening what lies on a disk that is full. */
import { isFullDisk } from './full-disk.ts'

/** What SQLite says where it cannot even open for lack of space: it must write a little to read a log of writes. */
const FULL_FOR_SQLITE = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_SHMOPEN']
/** With less than this nothing that works with a database can be expected to. */
const NEARLY_NOTHING_BYTES = 1_024 * 1_024

/** Is lack of space why this was thrown, itself or what it was caused by? */
export function isForLackOfSpace(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (isFullDisk(one) || ('code' in one && FULL_FOR_SQLITE.includes(String(one.code)))) return true
  return false
}

export type SpaceInHand = {
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
  space: SpaceInHand,
): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    const freeBytes = await space.askFree()
    const isFull = isForLackOfSpace(error) || (freeBytes !== null && freeBytes < NEARLY_NOTHING_BYTES)
    if (!isFull || !space.giveUp()) throw error
    return open()
  }
}
