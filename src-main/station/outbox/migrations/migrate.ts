import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { worded, wordingOf } from '../../../../src-shared/wording.ts'
import { isForLackOfSpace } from '../../lib/errors.ts'
import { openingError, StorageError } from '../../lib/storage-error.ts'
import { flushFileSync, flushFolderSync, retryWhileLockedSync } from '../../lib/files.ts'
import type { FactName } from '../audit.ts'
import { findUnreadable, isIntact, type RowFindings } from '../check-rows.ts'
import { APPLICATION_ID, expectPragma, type SqlDatabase } from '../database.ts'
import { migration0001 } from './0001.ts'
import { migration0002, migration0003, migration0004, migration0005, migration0006 } from './since-0.1.ts'

const BACKUP_OF = 'backupOf' satisfies FactName

const NOTHING: RowFindings = { unreadable: [], changedIds: [] }

/** A copy of an earlier version is made before a migration: its rows are read when the station works with them. */
function rowFindings(copy: Database.Database): RowFindings {
  const isOfToday = copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'quarantine'").pluck().get() === 1
  return isOfToday ? findUnreadable(copy) : NOTHING
}

/**
 * Makes a copy of the database a backup: marked inside itself as one, checked as a whole, durable, and one single file.
 *
 * Answers with the cases in it that cannot be read: they are the trouble of those cases, and the backup is one all the same.
 *
 * `at` is when it was taken, ISO 8601. Throws a StorageError if the copy is not reliable. Blocks: for a worker thread.
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

/** Forward only; a migration that was released is never changed. */
export const MIGRATIONS: readonly string[] = [
  migration0001,
  migration0002,
  migration0003,
  migration0004,
  migration0005,
  migration0006,
]

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

/**
 * Brings the schema to this program's version, with a verified backup beside the database before each step of one that
 * was in use. `migrations` is all of them, the first one making version 1.
 *
 * Throws a StorageError if a newer program wrote the database, or if a step fails; the version before that step is
 * then untouched.
 */
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
        })
        .immediate()
    } catch (error) {
      throw refusalFor(error, 'start:migration.failed')
    }
  }
  expectPragma(sql, 'user_version', migrations.length)
}
