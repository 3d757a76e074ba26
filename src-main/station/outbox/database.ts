/**
 * The one SQLite connection of a station.
 *
 * better-sqlite3 is compiled so that every WAL connection after the first begins with synchronous=NORMAL, which
 * may lose the last commits in a power cut. Durability is therefore set on every open and read back, never assumed.
 *
 * Nobody opens the file otherwise while a connection of this process is open: closing any other descriptor of it
 * would give up the connection's locks (POSIX).
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isSafeSqlite, NOT_OURS, openingError, StorageError } from '../lib/errors.ts'

/** "FCOB" in ASCII: tells our file from any other SQLite database. */
export const APPLICATION_ID = 0x46434f42

export type SqlDatabase = Database.Database

/** What every open of the database sets, in this order, and what reading it back must answer. */
const PRAGMAS: readonly (readonly [name: string, value: string, expected: string | number])[] = [
  // Exclusive before WAL: a second process gets BUSY at once, and no shared-memory file is made.
  ['locking_mode', 'EXCLUSIVE', 'exclusive'],
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
]

/** Reads a pragma back: what was set and did not stay would be found when it is too late. */
export function expectPragma(sql: SqlDatabase, name: string, expected: string | number): void {
  const actual: unknown = sql.pragma(name, { simple: true })
  if (actual !== expected) {
    throw new StorageError(
      `The outbox could not be made durable (${name} is ${String(actual)}). Check the disk and restart.`,
    )
  }
}

/** More versions of the schema than there will ever be: a number above it was not written by any program. */
const BEYOND_ALL_VERSIONS = 10_000

/**
 * Reads the head of a database file that no connection of this process has open (SQLite file format, section 1.3): its
 * magic words, at offset 68 whose it is, at offset 60 the version of its schema.
 *
 * Throws a StorageError where it is not ours, or has numbers that nobody writes. SQLite would take those for a file that
 * may not be written (offset 18), or for one of a newer SQLite (offset 44).
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
 * Opens or creates the database file; its content is not looked at.
 *
 * Throws a StorageError where another process holds it, where it is not ours, or where it cannot be opened.
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
    // The mark first, and before WAL: from its first page on the file says whose it is. SQLite is asked whether there
    // is a page: it takes back a beginning that was cut off, and the mark with it.
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
