/**
 * The one SQLite connection of a station.
 *
 * better-sqlite3 is compiled so that every WAL connection after the first starts with synchronous=NORMAL, which
 * may lose the last commits in a power cut. So durability is set on every open and read back, never assumed.
 *
 * Don't open the file otherwise while this process has a connection: closing any other descriptor would release
 * the connection's locks (POSIX).
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isSafeSqlite, NOT_OURS, openingError, StorageError } from '../lib/errors.ts'

/** "FCOB" in ASCII: distinguishes our file from any other SQLite database. */
export const APPLICATION_ID = 0x46434f42

export type SqlDatabase = Database.Database

/** Set on every open, in this order, with the value expected when read back. */
const PRAGMAS: readonly (readonly [name: string, value: string, expected: string | number])[] = [
  // Exclusive before WAL: a second process gets BUSY at once, and no shared-memory file is created.
  ['locking_mode', 'EXCLUSIVE', 'exclusive'],
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
]

/** Reads a pragma back: a setting that did not take effect would be noticed too late. */
export function expectPragma(sql: SqlDatabase, name: string, expected: string | number): void {
  const actual: unknown = sql.pragma(name, { simple: true })
  if (actual !== expected) {
    throw new StorageError(
      `The outbox could not be made durable (${name} is ${String(actual)}). Check the disk and restart.`,
    )
  }
}

/** No schema will ever have so many versions: a higher number was not written by any program. */
const BEYOND_ALL_VERSIONS = 10_000

/**
 * Reads the header of a database file that this process has not open (SQLite file format, section 1.3): the
 * magic string, the application id at offset 68, the schema version at offset 60.
 *
 * Throws a StorageError if the file is not ours or contains impossible numbers. SQLite would mistake those for a
 * read-only file (offset 18) or for one of a newer SQLite (offset 44).
 */
function refuseForeign(path: string): void {
  const head = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  const schemaVersion = head.readUInt32BE(60)
  const isOurs =
    head.toString('latin1', 0, 15) === 'SQLite format 3' &&
    head.readUInt32BE(68) === APPLICATION_ID &&
    head.readUInt8(18) <= 2 &&
    head.readUInt8(19) <= 2 &&
    head.readUInt32BE(44) <= 4 &&
    schemaVersion < BEYOND_ALL_VERSIONS
  if (!isOurs) throw new StorageError(NOT_OURS, { remedy: 'recover' })
}

/**
 * Opens or creates the database file, without reading its content.
 *
 * Throws a StorageError if another process holds it, it is not ours, or it cannot be opened.
 */
export function openDatabase(path: string): SqlDatabase {
  let sql: SqlDatabase | null = null
  try {
    if (existsSync(path) && statSync(path).size > 0) refuseForeign(path)
    sql = new Database(path, { timeout: 0 })
    if (!isSafeSqlite(sql.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''))
      throw new StorageError(
        'This program was built with a database that may damage its file, so it does not start. Nothing was changed; install Fundus Courier again.',
      )
    // Sets the application id first, before WAL, so that the file is marked as ours from its first page on. SQLite
    // reports whether a page exists, because it rolls back an interrupted creation together with the id.
    if (sql.pragma('page_count', { simple: true }) === 0) sql.pragma(`application_id = ${APPLICATION_ID}`)
    for (const [name, value] of PRAGMAS) sql.pragma(`${name} = ${value}`)
    for (const [name, , expected] of PRAGMAS) expectPragma(sql, name, expected)
    expectPragma(sql, 'application_id', APPLICATION_ID)
    return sql
  } catch (error) {
    sql?.close()
    throw openingError(error)
  }
}
