/**
 * The daily backups of a data folder: what they are called, and which are kept.
 *
 * They are called after the day, but a clock that was years ahead for an hour must not make one the newest for years:
 * which is newer than which is told by what is inside.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import type { SqlDatabase } from '../database.ts'

/** A week is as long as a mistake may take to be seen. */
const MAX_BACKUPS = 7

const BACKUP_NAME = /^outbox-\d{4}-\d{2}-\d{2}\.sqlite$/

export function backupsFolderIn(dataFolder: string): string {
  return join(dataFolder, 'backups')
}

const two = (part: number): string => String(part).padStart(2, '0')

/** What the backup of an instant is called: one a day, by the calendar of this computer. */
export function backupNameAt(at: number): string {
  const day = new Date(at)
  return `outbox-${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}.sqlite`
}

/** A backup, and how much it knows: the highest revision of its manifests; -1 where it cannot be read. */
export type BackupInfo = { readonly path: string; readonly knows: number }

/** The paths of the daily backups in a folder; none where there is no such folder. Other files are nobody's to remove. */
export async function backupsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => BACKUP_NAME.test(name)).map((name) => join(folder, name))
}

/** Looks into a backup, and changes nothing. One of an earlier version knows less than any later one. */
export function inspectBackup(path: string): BackupInfo {
  try {
    const sql = openToRead(path)
    try {
      const isEarlier = Number(sql.pragma('user_version', { simple: true })) < 2
      const text = isEarlier ? 'SELECT 0' : 'SELECT coalesce(max(revision), 0) FROM manifests'
      return { path, knows: sql.prepare<[], number>(text).pluck().get() ?? 0 }
    } finally {
      sql.close()
    }
  } catch {
    return { path, knows: -1 }
  }
}

/** At these places of the head a database says that it has a log of writes beside it (SQLite file format, section 1.3). */
const LOG_MARKS = [18, 19] as const

/** Opening a copy with a log would make files beside it, so such a one, which is none of ours, is opened in memory. */
function openToRead(path: string): Database.Database {
  const head = Buffer.alloc(LOG_MARKS[1] + 1)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  if (head[LOG_MARKS[0]] !== 2) return new Database(path, { readonly: true, timeout: 0 })
  const bytes = readFileSync(path)
  for (const at of LOG_MARKS) bytes[at] = 1
  return new Database(bytes)
}

/** Those that know most first; of those that know the same, by their names. */
export function newestFirst(backups: readonly BackupInfo[]): readonly BackupInfo[] {
  return backups.toSorted(
    (one, other) => other.knows - one.knows || (basename(one.path) < basename(other.path) ? 1 : -1),
  )
}

/**
 * The backups that may go once `made` is there: all but those that know most, and never the one just made. One that
 * cannot be read now counts among those kept for as long as there are no seven others.
 */
export function surplusBackups(backups: readonly BackupInfo[], made: string): readonly string[] {
  return newestFirst(backups)
    .slice(MAX_BACKUPS)
    .map(({ path }) => path)
    .filter((path) => path !== made)
}

/** A megabyte takes a few milliseconds; whatever waits for the main thread goes between two. */
const PAGES_AT_A_TIME = 256

/**
 * Flushed as it comes: one flush of everything at the end, which SQLite makes on this thread, would take seconds.
 *
 * What is left to that flush is what SQLite holds back in the cache of the copy, 16 MB at most: the last step writes it
 * and flushes it at once (measured for 300 MB: 110 to 160 ms, on a slow disk more; every other step below 110 ms). Neither
 * the size of that cache nor `synchronous` of the copy can be set through better-sqlite3, which opens it itself.
 */
const FLUSH_EVERY_PAGES = 4_096

/**
 * Copies an open database into a new file, a little at a time, with whatever is written to it meanwhile.
 *
 * Rejects where the disk refuses, the database is closed, or the signal ends it; the file then is of no use.
 */
export async function copyDatabase(sql: SqlDatabase, path: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const file = await open(path, 'wx', 0o600)
  const flushed = new Flushing(file)
  try {
    await sql.backup(path, {
      progress: ({ totalPages, remainingPages }) => {
        signal.throwIfAborted()
        return flushed.pagesNext(totalPages - remainingPages, remainingPages)
      },
    })
  } finally {
    await flushed.rest()
    await file.close()
  }
}

/** Flushes a file that is being written, beside the writing. */
class Flushing {
  readonly #file: FileHandle
  #current: Promise<void> | null = null
  #flushedPages = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /**
   * How many pages may be copied now; none while the disk is behind. It is asked again at each turn of the event loop:
   * better-sqlite3 waits for no promise here, so a timer cannot stand in between. Others have their turns meanwhile.
   */
  pagesNext(copied: number, remaining: number): number {
    const isBehind = copied - this.#flushedPages >= FLUSH_EVERY_PAGES
    // All but the last pages are flushed before the last ones are copied.
    const isNearlyDone = remaining <= PAGES_AT_A_TIME && copied > this.#flushedPages
    if (this.#current === null && (isBehind || isNearlyDone)) {
      this.#flush(copied)
      if (isNearlyDone) return 0
    }
    return this.#current !== null && (isBehind || remaining <= PAGES_AT_A_TIME) ? 0 : PAGES_AT_A_TIME
  }

  async rest(): Promise<void> {
    await this.#current
  }

  #flush(copied: number): void {
    this.#flushedPages = copied
    this.#current = this.#file
      .datasync()
      // What the disk refuses here it refuses SQLite at the end, which then says so.
      .catch(() => undefined)
      .finally(() => (this.#current = null))
  }
}
