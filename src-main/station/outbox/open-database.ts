/**
 * The one SQLite connection of a station.
 *
 * better-sqlite3 is compiled so that every WAL connection after the first begins with synchronous=NORMAL, which
 * may lose the last commits in a power cut. Durability is therefore set on every open and read back, never assumed.
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'

/** "FCOB" in ASCII: tells our file from any other SQLite database. */
const APPLICATION_ID = 0x46434f42

export type SqlDatabase = Database.Database

/** The database cannot be used; the message says what that means and what to do. */
export class StorageError extends Error {
  override name = 'StorageError' as const
}

function expectPragma(sql: SqlDatabase, name: string, expected: string | number): void {
  const actual: unknown = sql.pragma(name, { simple: true })
  if (actual !== expected) {
    throw new StorageError(
      `The outbox could not be made durable (${name} is ${String(actual)}). Check the disk and restart.`,
    )
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/** The head of a database file (SQLite file format, section 1.3): its magic words and, at offset 68, whose it is. */
function refuseForeign(path: string): void {
  const head = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  if (head.toString('latin1', 0, 15) === 'SQLite format 3' && head.readUInt32BE(68) === APPLICATION_ID) return
  throw new StorageError(
    'The outbox file is damaged or is not one of ours. It was left as it is; tell the administrator.',
  )
}

/**
 * Opens or creates the database file.
 *
 * Throws a StorageError where another process holds it, where it is not ours, or where it is damaged.
 */
export function openDatabase(path: string): SqlDatabase {
  const isNew = !existsSync(path) || statSync(path).size === 0
  if (!isNew) refuseForeign(path)
  const sql = new Database(path, { timeout: 0 })
  try {
    // The mark first, and before WAL: from its first page on the file says whose it is.
    if (isNew) sql.pragma(`application_id = ${APPLICATION_ID}`)
    // Exclusive before WAL: a second process gets BUSY at once, and no shared-memory file is made.
    sql.pragma('locking_mode = EXCLUSIVE')
    sql.pragma('journal_mode = WAL')
    sql.pragma('synchronous = FULL')
    sql.pragma('foreign_keys = ON')
    sql.pragma('trusted_schema = OFF')
    expectPragma(sql, 'locking_mode', 'exclusive')
    expectPragma(sql, 'journal_mode', 'wal')
    expectPragma(sql, 'synchronous', 2)
    expectPragma(sql, 'foreign_keys', 1)
    if (sql.pragma('integrity_check', { simple: true }) !== 'ok') {
      throw new StorageError(
        'The outbox file is damaged. It was left as it is; restore the data folder from a backup, or tell the administrator.',
      )
    }
    return sql
  } catch (error) {
    sql.close()
    if (isBusy(error)) {
      throw new StorageError(
        'Another Fundus Courier already works with this data folder. Use that one, or stop it first.',
        { cause: error },
      )
    }
    if (error instanceof StorageError) throw error
    throw new StorageError(
      'The outbox file is damaged or cannot be used. It was left as it is; tell the administrator.',
      { cause: error },
    )
  }
}
