/**
 * The marker outside the database tells a lost database from a first run: a database that is gone or empty beside a
 * marker is trouble, and is never taken for a new station. It also bears the generation of the outbox used last.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { flushFolderSync } from '../durable-file.ts'
import { retryWhileLockedSync } from '../stubborn-files.ts'
import { StorageError } from './opening-trouble.ts'

export type StationMarker = {
  readonly stationId: string
  /** Null in a marker of an earlier version. */
  readonly generation: string | null
}

const markerSchema = z.object({ stationId: z.string(), generation: z.string().nullable().default(null) })

export function markerPathIn(dataFolder: string): string {
  return join(dataFolder, 'station.json')
}

/** Reads the marker, null where there is none; throws a StorageError where it cannot be understood. */
export function readMarker(path: string): StationMarker | null {
  if (!existsSync(path)) return null
  try {
    return markerSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new StorageError('The station file in the data folder cannot be read. Nothing was sent.', {
      cause: error,
      remedy: 'recover',
    })
  }
}

/** Writes the marker whole or not at all, so that it outlives a power cut. */
export function writeMarker(path: string, marker: StationMarker): void {
  const temporary = `${path}.new`
  writeFileSync(temporary, `${JSON.stringify(marker)}\n`, { mode: 0o600, flush: true })
  retryWhileLockedSync(() => renameSync(temporary, path))
  flushFolderSync(dirname(path))
}
