/**
 * The one SQLite connection of a station.
 *
 * better-sqlite3 is compiled so that every WAL connection after the first begins with synchronous=NORMAL, which
 * may lose the last commits in a power cut. Durability is therefore set on every open and read back, never assumed.
 */
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

/**
 * Opens or creates the database file.
 *
 * Throws a StorageError where another process holds it, where it is not ours, or where it is damaged.
 */
export function openDatabase(path: string): SqlDatabase {
  const sql = new Database(path, { timeout: 0 })
  try {
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
    const applicationId: unknown = sql.pragma('application_id', { simple: true })
    const isNew = sql.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
    if (isNew && applicationId === 0) sql.pragma(`application_id = ${APPLICATION_ID}`)
    expectPragma(sql, 'application_id', APPLICATION_ID)
    expectPragma(sql, 'integrity_check', 'ok')
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
      'The outbox file is damaged or is not one of ours. It was left as it is; tell the administrator.',
      { cause: error },
    )
  }
}
