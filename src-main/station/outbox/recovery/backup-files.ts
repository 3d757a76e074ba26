/**
 * The daily backups of a data folder: their names, and which ones to keep.
 *
 * They are named after the day, but a clock that was years ahead for an hour must not make a backup the newest
 * for years: their content decides which is newer.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { errorCode } from '../../lib/errors.ts'
import type { SqlDatabase } from '../database.ts'

/** It may take a week to notice a mistake. */
const MAX_BACKUPS = 7

const BACKUP_NAME = /^outbox-\d{4}-\d{2}-\d{2}\.sqlite$/

export function backupsFolderIn(dataFolder: string): string {
  return join(dataFolder, 'backups')
}

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** The name of the backup of an instant: one a day, by local time. */
export function backupNameAt(at: number): string {
  const day = new Date(at)
  return `outbox-${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}.sqlite`
}

/** A backup, and the highest revision of its manifests as a measure of what it knows; -1 if it cannot be read. */
export type BackupInfo = { readonly path: string; readonly knows: number }

/** The paths of the daily backups in a folder; empty if there is none. Other files are never touched. */
export async function backupsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => BACKUP_NAME.test(name)).map((name) => join(folder, name))
}

/** Reads a backup without changing it. One of an earlier version knows less than any later one. */
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

/** The header bytes by which a database requires a WAL beside it (SQLite file format, section 1.3). */
const LOG_MARKS = [18, 19] as const

/** Opening a copy in WAL mode would create files beside it: one that is not from us is opened in memory. */
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

/** Those that know most first, then by name. */
export function newestFirst(backups: readonly BackupInfo[]): readonly BackupInfo[] {
  return backups.toSorted(
    (one, other) => other.knows - one.knows || (basename(one.path) < basename(other.path) ? 1 : -1),
  )
}

/**
 * The backups to remove once `made` exists: all but those that know most, and never `made` itself. An unreadable
 * backup is kept only while there are fewer than seven others.
 */
export function surplusBackups(backups: readonly BackupInfo[], made: string): readonly string[] {
  return newestFirst(backups)
    .slice(MAX_BACKUPS)
    .map(({ path }) => path)
    .filter((path) => path !== made)
}

/** One megabyte takes a few milliseconds; other work of the main thread runs in between. */
const PAGES_AT_A_TIME = 256

/**
 * Flushes while copying: a single flush at the end, which SQLite does on this thread, would take seconds.
 *
 * Only what SQLite holds in the cache of the copy is left to that flush, 16 MB at most (measured for 300 MB: 110
 * to 160 ms, more on a slow disk; every other step below 110 ms). better-sqlite3 opens the copy itself, so
 * neither the size of that cache nor its `synchronous` can be set.
 */
const FLUSH_EVERY_PAGES = 4_096

/**
 * Copies an open database into a new file step by step, including anything written meanwhile.
 *
 * Rejects if the disk refuses, the database is closed, or the signal aborts; the file is then unusable.
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

/** Flushes a file in parallel with writing it. */
class Flushing {
  readonly #file: FileHandle
  #current: Promise<void> | null = null
  #flushedPages = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /**
   * How many pages may be copied now; none while the disk is behind. Asked on each turn of the event loop:
   * better-sqlite3 awaits no promise here, so a timer is not possible. Other work runs in between.
   */
  pagesNext(copied: number, remaining: number): number {
    const isBehind = copied - this.#flushedPages >= FLUSH_EVERY_PAGES
    // Flush everything else before copying the last pages.
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
      // If the disk refuses this flush, SQLite's own flush fails at the end and reports it.
      .catch(() => undefined)
      .finally(() => (this.#current = null))
  }
}
