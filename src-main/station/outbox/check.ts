/**
 * Checks the database of a data folder before it is opened, and migrates it. Blocks: run it in a worker thread.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isForLackOfSpace, openingError } from '../lib/errors.ts'
import { casesWithDanglingRows, checkIntegrity, type Dangling } from './check-rows.ts'
import { openDatabase, type SqlDatabase } from './database.ts'
import { migrate } from './migrations/migrate.ts'
import { assertNotEmptied } from './restored-copy.ts'

/** Identifies the file that was checked. */
type FilePrint = { readonly size: number; readonly mtimeNs: string; readonly inode: string }

/** A database that passed the check. */
export type CheckedDatabase = {
  /** The caller that opens it must find this very file, and no WAL beside it. */
  readonly print: FilePrint
  /** Cases with broken references. They are quarantined; the others go on. */
  readonly dangling: readonly Dangling[]
}

/** For this connection only: checking looks up every entry of every index. */
const CACHE_KIBIBYTES = 64_000

/**
 * Checks a database that no process has open; null if there is none yet.
 *
 * Throws a StorageError with a sentence if it is held by another process, not ours, damaged, emptied, or too
 * new.
 */
export function checkDatabase(path: string): CheckedDatabase | null {
  try {
    if (!existsSync(path) || statSync(path).size === 0) return null
    return checkOpened(path)
  } catch (error) {
    throw openingError(error)
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

/** Is this the very file that was checked, with nothing written since? */
export function isAsChecked(path: string, { print }: CheckedDatabase): boolean {
  const now = printOf(path)
  return (
    !hasWal(path) && print.size === now.size && print.mtimeNs === now.mtimeNs && print.inode === now.inode
  )
}

/** Reads only the file's metadata and never opens it. */
function printOf(path: string): FilePrint {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true })
  return { size: Number(size), mtimeNs: String(mtimeNs), inode: String(ino) }
}

/** Writes after the last checkpoint are not in the database file yet. */
function hasWal(path: string): boolean {
  const wal = `${path}-wal`
  return existsSync(wal) && statSync(wal).size > 0
}

/** Then closing writes nothing, and the print is taken while no one else can write. */
function emptyWal(sql: SqlDatabase): void {
  try {
    sql.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // A full disk keeps the WAL, which is intact: the next open finds it and checks for itself.
    if (!isForLackOfSpace(error)) throw error
  }
}
