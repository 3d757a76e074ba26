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
const BROKEN = [
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
  return BROKEN.some((word) => code === word || code.startsWith(`${word}_`)) ? 'broken' : null
}

/** Where storage trouble is told, and where space comes from. */
export type StorageCare = {
  /** Gives up what was kept for this moment; false where there is nothing more to give. */
  readonly giveUpSpace: () => boolean
  readonly onState: (state: StorageState) => void
}
