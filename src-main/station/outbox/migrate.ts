import { existsSync, renameSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { migration0001 } from './migration-0001.ts'
import { migration0002 } from './migration-0002.ts'
import { StorageError, type SqlDatabase } from './open-database.ts'

/** Forward only; a migration that was released is never changed. */
const MIGRATIONS: readonly string[] = [migration0001, migration0002]

function versionOf(sql: SqlDatabase): number {
  return Number(sql.pragma('user_version', { simple: true }))
}

/** A copy is a backup only once it has been opened and checked. */
function backUp(sql: SqlDatabase, path: string): void {
  const temporary = `${path}.new`
  rmSync(temporary, { force: true })
  sql.prepare('VACUUM INTO ?').run(temporary)
  const copy = new Database(temporary, { readonly: true })
  const verdict: unknown = copy.pragma('integrity_check', { simple: true })
  copy.close()
  if (verdict !== 'ok')
    throw new StorageError(
      'A backup of the outbox could not be verified, so it was not changed. Check the disk.',
    )
  renameSync(temporary, path)
}

/**
 * Brings the schema to this program's version, with a verified backup beside the database before each step.
 *
 * Throws a StorageError where the database was written by a newer program.
 */
export function migrate(sql: SqlDatabase, path: string): void {
  const version = versionOf(sql)
  if (version > MIGRATIONS.length) {
    throw new StorageError(
      'This data folder was written by a newer Fundus Courier. Install that version again; nothing was changed.',
    )
  }
  for (const [index, statements] of MIGRATIONS.entries()) {
    if (index < version) continue
    if (index > 0 && existsSync(path)) backUp(sql, `${path}.before-${index + 1}`)
    sql
      .transaction(() => {
        sql.exec(statements)
        sql.pragma(`user_version = ${index + 1}`)
      })
      .immediate()
  }
}
