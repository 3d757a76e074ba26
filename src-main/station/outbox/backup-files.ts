/**
 * The daily backups of a data folder: what they are called, and which are kept.
 *
 * They are called after the day, but a clock that was years ahead for an hour must not make one the newest for years:
 * which is newer than which is told by what is inside.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'

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
