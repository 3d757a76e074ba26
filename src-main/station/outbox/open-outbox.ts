import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { migrate } from './migrate.ts'
import { openDatabase, StorageError } from './open-database.ts'
import { bindOutbox, type Outbox } from './outbox.ts'
import type { StorageCare } from './storage-faults.ts'
import { createWriteThrough } from './write-through.ts'

export type OpenOutbox = { readonly outbox: Outbox; readonly stationId: string; close(): void }

/**
 * The marker outside the database tells a lost database from a first run: a database that is gone or empty beside
 * a marker is trouble, and is never taken for a new station.
 */
function readMarker(path: string): string | null {
  if (!existsSync(path)) return null
  const unreadable = new StorageError(
    'The station file in the data folder cannot be read. Restore it from a backup.',
  )
  let marker: { stationId?: unknown }
  try {
    marker = JSON.parse(readFileSync(path, 'utf8')) as { stationId?: unknown }
  } catch (error) {
    unreadable.cause = error
    throw unreadable
  }
  if (typeof marker.stationId !== 'string') throw unreadable
  return marker.stationId
}

/** An outbox in memory, for trying what would become of files. Nothing of it is kept. */
export function openTrialOutbox(): { readonly outbox: Outbox; readonly close: () => void } {
  const sql = new Database(':memory:')
  migrate(sql, ':memory:')
  return { outbox: bindOutbox(createWriteThrough(sql, () => undefined)), close: () => void sql.close() }
}

/** Opens the outbox of a data folder; throws a StorageError with a sentence where that cannot be done safely. */
export function openOutbox(
  dataFolder: string,
  onChanged: (submissionIds: readonly string[]) => void,
  care?: StorageCare,
): OpenOutbox {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const databasePath = join(dataFolder, 'outbox.sqlite')
  const markerPath = join(dataFolder, 'station.json')
  const knownStation = readMarker(markerPath)
  const isThere = existsSync(databasePath) && statSync(databasePath).size > 0
  if (knownStation !== null && !isThere) {
    throw new StorageError(
      'The outbox of this station is missing, although the station was used before. Nothing was sent. Restore the data folder from a backup, or ask the administrator.',
    )
  }
  const sql = openDatabase(databasePath)
  try {
    migrate(sql, databasePath)
    const stationId = knownStation ?? randomUUID()
    if (knownStation === null)
      writeFileSync(markerPath, `${JSON.stringify({ stationId })}\n`, { mode: 0o600, flush: true })
    return {
      outbox: bindOutbox(createWriteThrough(sql, onChanged, care)),
      stationId,
      close: () => sql.close(),
    }
  } catch (error) {
    sql.close()
    throw error
  }
}
