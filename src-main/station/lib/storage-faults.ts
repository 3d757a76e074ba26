/** What an error of SQLite says about the disk below it, and what that means for whoever asked for something. */
import Database from 'better-sqlite3'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import { isForLackOfSpace, openingError, StorageError } from './errors.ts'

/**
 * - well     writes work
 * - full     the last write found no space, also after space had been given up for it; it was undone as a whole
 * - broken   the disk failed or the file is damaged: nothing is written any more until the next start
 */
export type StorageState = 'well' | 'full' | 'broken'

/** Refuses every write after the disk failed: what it holds now is for the next start to judge. */
export class StorageStopped extends Error {
  override name = 'StorageStopped' as const

  constructor() {
    super('The outbox is not written any more.')
  }
}

/** Beyond these nothing that is read or written can be relied on. Extended codes begin with the same words. */
const BROKEN_CODES = [
  'SQLITE_IOERR',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_PROTOCOL',
]

/** What an error says about the storage; null where it is about something else, such as a constraint. */
export function storageFaultOf(error: unknown): Exclude<StorageState, 'well'> | null {
  if (!(error instanceof Database.SqliteError)) return null
  const { code } = error
  if (code === 'SQLITE_FULL') return 'full'
  return BROKEN_CODES.some((prefix) => code === prefix || code.startsWith(`${prefix}_`)) ? 'broken' : null
}

/**
 * What SQLite says where a write is refused for a quota that is used up, too (EDQUOT; it knows ENOSPC only). The
 * transaction is undone as with a full disk. A flush that fails so is another code, and nothing can be relied on after
 * it, whatever the reason was.
 */
const WRITE_REFUSED = 'SQLITE_IOERR_WRITE'

/** The error as it would be where the disk is full, if that is why the write was refused; else the error itself. */
export function asDiskFull(error: unknown, isOutOfSpace: () => boolean): unknown {
  const isRefused = error instanceof Database.SqliteError && error.code === WRITE_REFUSED
  if (!isRefused || !isOutOfSpace()) return error
  return Object.assign(new Database.SqliteError(error.message, 'SQLITE_FULL'), { cause: error })
}

/** Where storage trouble is told, and where space comes from. */
export type StorageHooks = {
  /** Asks the volume, with a write, whether it has no space left. Asked after an error only. */
  readonly isOutOfSpace: () => boolean
  /** Gives up what was kept for this moment; false where there is nothing more to give. */
  readonly giveUpSpace: () => boolean
  readonly onState: (state: StorageState) => void
}

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
