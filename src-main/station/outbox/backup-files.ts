/** The daily backups of a data folder: what they are called, and which are kept. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A week is as long as a mistake may take to be seen. */
const KEPT = 7
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

/** The names of backups among these, newest first. Other files are nobody's to remove. */
export function backupsAmong(names: readonly string[]): readonly string[] {
  return names.filter((name) => BACKUP_NAME.test(name)).toSorted((one, other) => (one < other ? 1 : -1))
}

/** The backups that may go once `made` is there. A clock that was turned back must not cost the one just made. */
export function surplusAmong(names: readonly string[], made: string): readonly string[] {
  return backupsAmong(names)
    .slice(KEPT)
    .filter((name) => name !== made)
}

/** The paths of the daily backups in a folder, newest first; none where there is no such folder. */
export async function newestBackups(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return backupsAmong(names).map((name) => join(folder, name))
}
