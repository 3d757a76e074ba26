/** What an error of our own disk or database means for whoever asked for something. */
import { failureOf, type Failure } from '../../src-shared/failure.ts'
import { isForLackOfSpace } from './full-disk.ts'
import { StorageError } from './outbox/opening-trouble.ts'
import { openingError } from './outbox/opening-trouble.ts'
import { storageFaultOf, StorageStopped } from './outbox/storage-faults.ts'

const NOT_DONE =
  'The disk of the station is full, so this was not done. All cases are kept. Free some space on this computer and do it again.'
const FULL_AT_START =
  'The disk of this computer is full, so the station cannot start. Nothing is lost, and nothing was sent. Free some space and start again.'
const FAILED_AT_START =
  'The disk of the data folder fails, so the station cannot start. Nothing was sent. Check the disk; restore the data folder from a backup if it is damaged.'

/** The failure that an error of the storage is; null where it is another error. */
export function storageFailureOf(error: unknown): Failure | null {
  if (error instanceof StorageStopped || storageFaultOf(error) === 'broken') return failureOf('storage')
  return isForLackOfSpace(error) ? failureOf('diskLow', { message: NOT_DONE }) : null
}

/** Does what may fail because the storage does, which is told elsewhere; any other error is thrown. */
export function ignoringStorageErrors(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (storageFailureOf(error) === null) throw error
  }
}

/** An error of a start in words for people, where the storage is the reason; else the error itself. */
export function startErrorOf(error: unknown): unknown {
  if (error instanceof StorageError) return error
  if (isForLackOfSpace(error)) return new StorageError(FULL_AT_START, { cause: error })
  // Met after the opening, it is told as what the opening itself would have said: a damaged file can be built anew.
  if (storageFaultOf(error) === 'broken') return openingError(error)
  // The error that broke it was taken for another; what it was nobody knows any more.
  if (error instanceof StorageStopped) return new StorageError(FAILED_AT_START, { cause: error })
  return error
}
