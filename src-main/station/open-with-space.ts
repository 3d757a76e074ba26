/** Opening what lies on a disk that is full. */
import { isFullDisk } from './full-disk.ts'

/** What SQLite says where it cannot even open for lack of space: it must write a little to read a log of writes. */
const FULL_FOR_SQLITE = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_SHMOPEN']

/** Is lack of space why this was thrown, itself or what it was caused by? */
export function isForLackOfSpace(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (isFullDisk(one) || ('code' in one && FULL_FOR_SQLITE.includes(String(one.code)))) return true
  return false
}

/**
 * Opens; where that fails for lack of space, gives space up and opens once more. Throws what `fullError` makes of it
 * where it fails for that again, and any other error as it is.
 */
export function openWithSpace<Opened>(
  open: () => Opened,
  giveUpSpace: () => boolean,
  fullError: (cause: unknown) => Error,
): Opened {
  try {
    return open()
  } catch (error) {
    if (!isForLackOfSpace(error)) throw error
    if (giveUpSpace()) return openWithSpace(open, () => false, fullError)
    throw fullError(error)
  }
}
