/** What the intake remembers of a folder: the files seen so far, and when a visit has gone quiet. */
import type { Store } from './database.ts'

/** A file as a folder shows it: its path, and what changes with its content. */
type FileMark = {
  readonly folderPath: string
  readonly relativePath: string
  readonly sizeBytes: number
  readonly mtimeMs: number
}

/** `ignored`: existed before the first start. `leftAlone`: never becomes part of a case. */
type SeenKind = 'image' | 'sidecar' | 'archive' | 'duplicate' | 'unreadable' | 'ignored' | 'leftAlone'

/** Was exactly this file, unchanged, processed before? */
export function hasSeen(store: Store, file: FileMark): boolean {
  return (
    store.value<number>(
      'SELECT 1 FROM seen_files WHERE folder_path = ? AND relative_path = ? AND size_bytes = ? AND mtime_ms = ?',
      file.folderPath,
      file.relativePath,
      file.sizeBytes,
      file.mtimeMs,
    ) === 1
  )
}

export function markSeen(
  store: Store,
  file: FileMark,
  kind: SeenKind,
  submissionId: string | null,
  at: number,
): void {
  store.run(
    `INSERT OR REPLACE INTO seen_files (folder_path, relative_path, size_bytes, mtime_ms, kind, submission_id, at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    file.folderPath,
    file.relativePath,
    file.sizeBytes,
    file.mtimeMs,
    kind,
    submissionId,
    at,
  )
}

/** Assigns the files of moved images to their new submission. */
export function moveSeenFiles(store: Store, fromId: string, toId: string): void {
  store.run('UPDATE seen_files SET submission_id = ? WHERE submission_id = ?', toId, fromId)
}

/** Forgets the files that a profile ignored, because the profile has changed. */
export function forgetIgnoredFiles(store: Store): number {
  return store.run("DELETE FROM seen_files WHERE kind = 'leftAlone'").changes
}

/**
 * Forgets copies that were skipped because this submission had their images; it was discarded. Returns their
 * number.
 */
export function forgetDuplicatesOf(store: Store, submissionId: string): number {
  return store.run("DELETE FROM seen_files WHERE kind = 'duplicate' AND submission_id = ?", submissionId)
    .changes
}

/** Collecting submissions whose quiet time is over. */
export function quietSubmissions(store: Store, now: number): string[] {
  return store.values<string>(
    `SELECT id FROM submissions WHERE state = 'collecting' AND quiet_until <= ?
         AND id NOT IN (SELECT submission_id FROM quarantine) ORDER BY position`,
    now,
  )
}

export function setQuietUntil(store: Store, id: string, quietUntil: number): void {
  store.run('UPDATE submissions SET quiet_until = ? WHERE id = ?', quietUntil, id)
}

/** When the next quiet time ends, epoch milliseconds; null if none is running. */
export function nextQuietAt(store: Store): number | null {
  return (
    store.value<number>(`SELECT min(quiet_until) FROM submissions WHERE state = 'collecting'
           AND id NOT IN (SELECT submission_id FROM quarantine)`) ?? null
  )
}

/** How many files were ignored, and their oldest and newest modification time, epoch milliseconds. */
type IgnoredSummary = {
  readonly count: number
  readonly oldestMs: number | null
  readonly newestMs: number | null
}

/** The ignored files of a folder that were modified at `sinceMs` or later. */
export function summariseIgnored(store: Store, folderPath: string, sinceMs: number): IgnoredSummary {
  const summary = store.row<IgnoredSummary>(
    `SELECT count(*) AS count, min(mtime_ms) AS oldestMs, max(mtime_ms) AS newestMs FROM seen_files
       WHERE folder_path = ? AND kind = 'ignored' AND mtime_ms >= ?`,
    folderPath,
    sinceMs,
  )
  return summary ?? { count: 0, oldestMs: null, newestMs: null }
}

/** Releases the ignored files that were modified at `sinceMs` or later to the intake. */
export function forgetIgnoredSince(store: Store, folderPath: string, sinceMs: number): void {
  store.run(
    "DELETE FROM seen_files WHERE folder_path = ? AND kind = 'ignored' AND mtime_ms >= ?",
    folderPath,
    sinceMs,
  )
}

/** The earlier result for exactly this file, unchanged: `damaged` is an image that cannot be opened. */
export function knownAs(store: Store, file: FileMark): 'new' | 'known' | 'damaged' {
  const kind = store.value<string>(
    'SELECT kind FROM seen_files WHERE folder_path = ? AND relative_path = ? AND size_bytes = ? AND mtime_ms = ?',
    file.folderPath,
    file.relativePath,
    file.sizeBytes,
    file.mtimeMs,
  )
  if (kind === undefined) return 'new'
  return kind === 'unreadable' ? 'damaged' : 'known'
}
