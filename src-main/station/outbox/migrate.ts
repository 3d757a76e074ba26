import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { flushFolderSync } from '../durable-file.ts'
import { finishCopy } from './finish-copy.ts'
import { migration0001 } from './migration-0001.ts'
import { migration0002 } from './migration-0002.ts'
import { migration0003 } from './migration-0003.ts'
import { migration0004 } from './migration-0004.ts'
import { migration0005 } from './migration-0005.ts'
import { expectPragma, type SqlDatabase } from './open-database.ts'
import { StorageError } from './opening-trouble.ts'
import { isForLackOfSpace } from '../full-disk.ts'
import { retryWhileLockedSync } from '../stubborn-files.ts'

/** Forward only; a migration that was released is never changed. */
export const MIGRATIONS: readonly string[] = [
  migration0001,
  migration0002,
  migration0003,
  migration0004,
  migration0005,
]

/** Of a database that this program has opened. */
export const SCHEMA_VERSION = MIGRATIONS.length

function versionOf(sql: SqlDatabase): number {
  return Number(sql.pragma('user_version', { simple: true }))
}

function refusalFor(error: unknown, done: string): StorageError {
  const why = isForLackOfSpace(error)
    ? 'There is no space left on the disk. Free some space and start again.'
    : 'Check the disk of the data folder and start again; if it happens again, install the version before and tell the administrator.'
  return new StorageError(`${done} All cases are as they were, and the outbox was not changed. ${why}`, {
    cause: error,
  })
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
    throw refusalFor(
      error,
      'The backup that is made before the outbox is brought to this version could not be made.',
    )
  }
}

/**
 * Brings the schema to this program's version, with a verified backup beside the database before each step of one that
 * was in use. `migrations` is all of them, the first one making version 1.
 *
 * Throws a StorageError where the database was written by a newer program, or where a step fails; the version before
 * that step is then untouched.
 */
export function migrate(sql: SqlDatabase, path: string, migrations: readonly string[] = MIGRATIONS): void {
  const version = versionOf(sql)
  if (version > migrations.length) {
    throw new StorageError(
      'This data folder was written by a newer Fundus Courier. Install that version again; nothing was changed.',
    )
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
      throw refusalFor(error, 'The outbox could not be brought to this version.')
    }
  }
  expectPragma(sql, 'user_version', migrations.length)
}
