import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { isAsChecked, type CheckedDatabase } from './check-database.ts'
import { casesWithDanglingRows, checkIntegrity, type Dangling } from './check-integrity.ts'
import { copyDatabase } from './copy-database.ts'
import { assertNotEmptied, wasUsed } from './earlier-use.ts'
import { migrate } from './migrate.ts'
import { openDatabase, type SqlDatabase } from './open-database.ts'
import { MISSING, openingError, StorageError } from './opening-trouble.ts'
import { bindOutbox, type Outbox } from './outbox.ts'
import { beginSession, endSession } from './restored-copy.ts'
import { markerPathIn, readMarker, writeMarker } from './station-marker.ts'
import type { StorageHooks } from './storage-faults.ts'
import { createWriteThrough } from './write-through.ts'

export type OpenOutbox = {
  readonly outbox: Outbox
  readonly stationId: string
  /** Cases of which a row points to nothing; see `check-rows.ts`. */
  readonly dangling: readonly Dangling[]
  /** Copies the database as it is at the end of copying, a little at a time; the signal ends it early with an error. */
  readonly copyTo: (path: string, signal: AbortSignal) => Promise<void>
  close(): void
}

export function databasePathIn(dataFolder: string): string {
  return join(dataFolder, 'outbox.sqlite')
}

/** An outbox in memory, for trying what would become of files. Nothing of it is kept. */
export function openDryRunOutbox(): { readonly outbox: Outbox; readonly close: () => void } {
  const sql = new Database(':memory:')
  migrate(sql, ':memory:')
  return { outbox: bindOutbox(createWriteThrough(sql, () => undefined)), close: () => void sql.close() }
}

type Connected = { readonly sql: SqlDatabase; readonly dangling: readonly Dangling[] }

/** Connects, and checks here what nobody has checked before: another process may have been faster. */
function connect(path: string, checked: CheckedDatabase | null): Connected {
  const sql = openDatabase(path)
  try {
    // Asked while this process holds the lock.
    const isKnown = checked !== null && isAsChecked(path, checked)
    if (!isKnown) checkIntegrity(sql)
    assertNotEmptied(sql, dirname(path))
    migrate(sql, path)
    return { sql, dangling: isKnown ? checked.dangling : casesWithDanglingRows(sql) }
  } catch (error) {
    sql.close()
    throw openingError(error)
  }
}

/**
 * Opens the outbox of a data folder; throws a StorageError with a sentence where that cannot be done safely.
 *
 * `checked` is what `checkOutbox` found just before; without it the whole database is read here, which blocks.
 */
export function openOutbox(
  dataFolder: string,
  onChanged: (submissionIds: readonly string[]) => void,
  hooks?: StorageHooks,
  checked: CheckedDatabase | null = null,
): OpenOutbox {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const databasePath = databasePathIn(dataFolder)
  const markerPath = markerPathIn(dataFolder)
  const marker = readMarker(markerPath)
  const isThere = existsSync(databasePath) && statSync(databasePath).size > 0
  if (!isThere && wasUsed(dataFolder)) throw new StorageError(MISSING, { remedy: 'recover' })
  const { sql, dangling } = connect(databasePath, checked)
  try {
    const store = createWriteThrough(sql, onChanged, hooks)
    const session = beginSession(store, marker)
    writeMarker(markerPath, session)
    return {
      outbox: bindOutbox(store),
      stationId: session.stationId,
      dangling,
      copyTo: (path, signal) => copyDatabase(sql, path, signal),
      close: () => {
        try {
          writeMarker(markerPath, endSession(store, session))
        } catch {
          // What cannot be written now is found by the next start, which then compares the outbox with its manifests.
        }
        sql.close()
      },
    }
  } catch (error) {
    sql.close()
    throw openingError(error)
  }
}
