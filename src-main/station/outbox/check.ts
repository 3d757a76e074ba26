/** Checks the database of a data folder before it is opened, and brings it to this program's version. Blocks: for a worker thread. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isForLackOfSpace, openingError } from '../lib/errors.ts'
import { casesWithDanglingRows, checkIntegrity, type Dangling } from './check-rows.ts'
import { openDatabase, type SqlDatabase } from './database.ts'
import { migrate } from './migrations/migrate.ts'
import { assertNotEmptied } from './restored-copy.ts'

/** What tells whether a file is still the one that was checked. */
type FilePrint = { readonly size: number; readonly mtimeNs: string; readonly inode: string }

/** A database that was found sound, and by what it is known again. */
export type CheckedDatabase = {
  /** Whoever opens it next must find this very file, and no WAL beside it. */
  readonly print: FilePrint
  /** Cases of which a row points to nothing. They are quarantined; the others go on. */
  readonly dangling: readonly Dangling[]
}

/** What was written past the last checkpoint is not in the database file yet. */
function hasWal(path: string): boolean {
  const wal = `${path}-wal`
  return existsSync(wal) && statSync(wal).size > 0
}

/** Reads the entry of the file only, and never opens it. */
function printOf(path: string): FilePrint {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true })
  return { size: Number(size), mtimeNs: String(mtimeNs), inode: String(ino) }
}

/** Is this the very file that was checked, with nothing written since? */
export function isAsChecked(path: string, { print }: CheckedDatabase): boolean {
  const now = printOf(path)
  return (
    !hasWal(path) && print.size === now.size && print.mtimeNs === now.mtimeNs && print.inode === now.inode
  )
}

/** Of this connection only: checking looks up every entry of every index, one by one. */
const CACHE_KIBIBYTES = 64_000

/**
 * Checks a database that nobody has open; null where there is none yet.
 *
 * Throws a StorageError, with a sentence, where it is held by another process, not ours, damaged, emptied, or too new.
 */
export function checkDatabase(path: string): CheckedDatabase | null {
  try {
    if (!existsSync(path) || statSync(path).size === 0) return null
    return checkOpened(path)
  } catch (error) {
    throw openingError(error)
  }
}

/** So that closing writes nothing, and the print is taken while nobody else can write. */
function emptyWal(sql: SqlDatabase): void {
  try {
    sql.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // A full disk keeps the WAL, which is sound: the next open finds it, and looks itself.
    if (!isForLackOfSpace(error)) throw error
  }
}

function checkOpened(path: string): CheckedDatabase {
  const sql = openDatabase(path)
  try {
    sql.pragma(`cache_size = -${CACHE_KIBIBYTES}`)
    checkIntegrity(sql)
    assertNotEmptied(sql, dirname(path))
    migrate(sql, path)
    const dangling = casesWithDanglingRows(sql)
    emptyWal(sql)
    return { dangling, print: printOf(path) }
  } finally {
    sql.close()
  }
}
