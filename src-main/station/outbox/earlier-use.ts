/** Was a data folder used before? A database that knows nothing is a beginning in a new folder, and a loss in a used one. */
import { existsSync } from 'node:fs'
import { manifestsFolderIn } from './manifest-files.ts'
import type { SqlDatabase } from './open-database.ts'
import { DAMAGED, StorageError } from './opening-trouble.ts'
import { markerPathIn } from './station-marker.ts'

/** Manifests tell of an earlier use, too: a folder that lost its outbox and its marker is no new one. */
export function wasUsed(dataFolder: string): boolean {
  return existsSync(markerPathIn(dataFolder)) || existsSync(manifestsFolderIn(dataFolder))
}

/**
 * Throws a StorageError where an opened database of a used folder holds no table yet. After a hard end all content may
 * lie in the WAL; if that is lost, what is left passes every check and would be taken for a new station's.
 */
export function assertNotEmptied(sql: SqlDatabase, dataFolder: string): void {
  const isEmpty = sql.pragma('user_version', { simple: true }) === 0
  if (isEmpty && wasUsed(dataFolder)) throw new StorageError(DAMAGED, { remedy: 'recover' })
}
