/**
 * Opens the database file, and brings its schema to this program's version. Durability is set on every open and read
 * back: commits do not wait for the disk, and `flush.ts` makes them durable together.
 *
 * Closing any other descriptor of the file in this process would release the connection's locks (POSIX).
 */
import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { worded, wordingOf } from '../../../../src-shared/wording.ts'
import { isForLackOfSpace, isSafeSqlite } from '../../lib/errors.ts'
import { openingError, StorageError } from '../../lib/storage-faults.ts'
import { flushFileSync, flushFolderSync, retryWhileLockedSync } from '../../lib/files.ts'
import { findUnreadable, isIntact, type RowFindings, schemaDigest } from '../check-rows.ts'
import type { FactName, SqlDatabase } from '../database.ts'
import { CASES } from './0001-cases.ts'
import { SERVICE } from './0001-service.ts'

/** "FCO1" in ASCII: distinguishes our file from any other SQLite database. */
export const APPLICATION_ID = 0x46434f31

/** "FCOB": an outbox of a preview build, whose schema no version reads. */
const PREVIEW_ID = 0x46434f42

/** Set on every open, in this order, with the value expected when read back. */
const PRAGMAS: readonly (readonly [name: string, value: string, expected: string | number])[] = [
  // Exclusive before WAL: a second process gets BUSY at once, and no shared-memory file is created.
  ['locking_mode', 'EXCLUSIVE', 'exclusive'],
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'NORMAL', 1],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  // Sub-journals and sorts hold patient data: they stay out of the system's folder for temporary files.
  ['temp_store', 'MEMORY', 2],
  // What is deleted is overwritten: a patient may withdraw.
  ['secure_delete', 'ON', 1],
]

/** Reads a pragma back: a setting that did not take effect would be noticed too late. */
function expectPragma(sql: SqlDatabase, name: string, expected: string | number): void {
  const actual: unknown = sql.pragma(name, { simple: true })
  if (actual !== expected) {
    throw new StorageError(worded('start:notDurable', { name, value: String(actual) }))
  }
}

/** No schema will ever have so many versions: a higher number was not written by any program. */
const BEYOND_ALL_VERSIONS = 10_000

/**
 * Reads the header of a file that this process has not open (SQLite file format, section 1.3). Throws a StorageError if
 * it is not ours (offset 68), or has impossible numbers, which SQLite would mistake for a read-only file (offset 18) or
 * one of a newer SQLite (offset 44).
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
  if (head.readUInt32BE(68) === PREVIEW_ID) throw new StorageError(worded('start:previewOutbox'))
  const isOurs =
    head.toString('latin1', 0, 15) === 'SQLite format 3' &&
    head.readUInt32BE(68) === APPLICATION_ID &&
    head.readUInt8(18) <= 2 &&
    head.readUInt8(19) <= 2 &&
    head.readUInt32BE(44) <= 4 &&
    schemaVersion < BEYOND_ALL_VERSIONS
  if (!isOurs) throw new StorageError(worded('start:notOurs'), { remedy: 'recover' })
}

/** Opens or creates the database file without reading its content; throws a StorageError with a sentence. */
export function openDatabase(path: string): SqlDatabase {
  let sql: SqlDatabase | null = null
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    else if (statSync(path).size > 0) refuseForeign(path)
    sql = new Database(path, { timeout: 0 })
    if (!isSafeSqlite(sql.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''))
      throw new StorageError(worded('start:unsafeDatabase'))
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

const BACKUP_OF = 'backupOf' satisfies FactName

const NOTHING: RowFindings = { unreadable: [], changedIds: [] }

/** A copy of an earlier version is made before a migration: its rows are read when the station works with them. */
function rowFindings(copy: Database.Database): RowFindings {
  return versionOf(copy) === SCHEMA_VERSION ? findUnreadable(copy) : NOTHING
}

/**
 * Makes a copy of the database a backup: marked as one, checked, durable, a single file. Answers with its unreadable
 * cases. `at` is ISO 8601. Throws a StorageError if the copy is not reliable. Blocks: for a worker thread.
 */
export function finishCopy(path: string, at: string): RowFindings {
  try {
    if (statSync(path).size === 0) throw new StorageError('The backup of the outbox is empty.')
    const copy = new Database(path, { timeout: 0 })
    let findings: RowFindings = NOTHING
    try {
      // A copy of a database with a WAL expects one; a backup is to be moved about, so it must need none.
      const mode: unknown = copy.pragma('journal_mode = DELETE', { simple: true })
      const isOurs = copy.pragma('application_id', { simple: true }) === APPLICATION_ID
      copy.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(BACKUP_OF, at)
      if (mode !== 'delete' || !isOurs || !isIntact(copy, 'integrity_check'))
        throw new StorageError('The backup of the outbox could not be verified.')
      findings = rowFindings(copy)
    } finally {
      copy.close()
    }
    flushFileSync(path)
    return findings
  } catch (error) {
    throw openingError(error)
  }
}

/** Forward only. No version was released yet: until then the first one is edited; a released one never changes. */
export const MIGRATIONS: readonly string[] = [CASES + SERVICE]

/** Of a database that this program has opened. */
export const SCHEMA_VERSION = MIGRATIONS.length

function versionOf(sql: SqlDatabase): number {
  return Number(sql.pragma('user_version', { simple: true }))
}

function refusalFor(
  error: unknown,
  key: 'start:migration.notBackedUp' | 'start:migration.failed',
): StorageError {
  const why = wordingOf(isForLackOfSpace(error) ? 'start:migration.full' : 'start:migration.checkDisk')
  return new StorageError(worded(key, { why }), { cause: error })
}

/** A copy is a backup only once it has been opened and checked. */
function backUp(sql: SqlDatabase, path: string): void {
  const temporary = `${path}.new`
  const clear = (): void => {
    for (const rest of ['', '-journal', '-wal']) rmSync(`${temporary}${rest}`, { force: true })
  }
  clear()
  try {
    sql.prepare('VACUUM INTO ?').run(temporary)
    finishCopy(temporary, new Date().toISOString())
    retryWhileLockedSync(() => renameSync(temporary, path))
    flushFolderSync(dirname(path))
  } catch (error) {
    // What SQLite leaves of it takes the space that is missing.
    clear()
    throw refusalFor(error, 'start:migration.notBackedUp')
  }
}

/** Updates the schema, each step after a verified backup. A StorageError if it is newer, or a step fails. */
export function migrate(sql: SqlDatabase, path: string, migrations: readonly string[] = MIGRATIONS): void {
  const version = versionOf(sql)
  if (version > migrations.length) {
    throw new StorageError(worded('start:newerProgram'))
  }
  for (const [index, statements] of migrations.entries()) {
    if (index < version) continue
    if (version > 0 && existsSync(path)) backUp(sql, `${path}.before-${index + 1}`)
    try {
      sql
        .transaction(() => {
          sql.exec(statements)
          sql.pragma(`user_version = ${index + 1}`)
          if (sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'facts'").get() !== undefined)
            sql
              .prepare<[FactName, string]>('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)')
              .run('schema', schemaDigest(sql))
        })
        .immediate()
    } catch (error) {
      throw refusalFor(error, 'start:migration.failed')
    }
  }
  expectPragma(sql, 'user_version', migrations.length)
}

/** Opens the database file at this program's version; throws what either step throws. */
export function openMigrated(path: string): SqlDatabase {
  const sql = openDatabase(path)
  try {
    migrate(sql, path)
    return sql
  } catch (error) {
    sql.close()
    throw error
  }
}
