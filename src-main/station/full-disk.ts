import { errorCode } from './lib/errors.ts'

/** What systems say where a disk, or what one may use of it, is full; EFBIG where a file may not grow. */
const SYSTEM_FULL_CODES: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Did our own disk refuse this for lack of space? */
export function isFullDisk(error: unknown): boolean {
  return SYSTEM_FULL_CODES.includes(errorCode(error) ?? '')
}

/** What SQLite says, also where it cannot even open for lack of space: it must write a little to read a log of writes. */
const FULL_FOR_SQLITE = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_SHMOPEN']

/** Is lack of space why this was thrown by our own disk or database, itself or what it was caused by? */
export function isForLackOfSpace(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (isFullDisk(one) || FULL_FOR_SQLITE.includes(errorCode(one) ?? '')) return true
  return false
}
