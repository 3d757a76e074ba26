import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { flushFileSync } from '../durable-file.ts'
import { findUnreadable, type RowFindings } from './check-rows.ts'
import { isSound } from './check-integrity.ts'
import { APPLICATION_ID } from './open-database.ts'
import type { FactName } from './fact-store.ts'
import { openingError, StorageError } from './opening-trouble.ts'

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
 * `at` is when it was taken, ISO 8601. Throws a StorageError where it cannot be relied on. Blocks: for a worker thread.
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
      if (mode !== 'delete' || !isOurs || !isSound(copy, 'integrity_check'))
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
