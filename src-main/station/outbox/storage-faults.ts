/** What an error of SQLite says about the disk below it, and what the outbox does then. */
import Database from 'better-sqlite3'

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
