/** What the intake remembers of a folder: the files seen so far, and when a visit has gone quiet. */
import type { WriteThrough } from './write-through.ts'

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
export function hasSeen(store: WriteThrough, file: FileMark): boolean {
  return (
    store.sql
      .prepare<[string, string, number, number], number>(
        'SELECT 1 FROM seen_files WHERE folder_path = ? AND relative_path = ? AND size_bytes = ? AND mtime_ms = ?',
      )
      .pluck()
      .get(file.folderPath, file.relativePath, file.sizeBytes, file.mtimeMs) === 1
  )
}

export function markSeen(
  store: WriteThrough,
  file: FileMark,
  kind: SeenKind,
  submissionId: string | null,
  at: number,
): void {
  store.sql
    .prepare(
      `INSERT OR REPLACE INTO seen_files (folder_path, relative_path, size_bytes, mtime_ms, kind, submission_id, at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(file.folderPath, file.relativePath, file.sizeBytes, file.mtimeMs, kind, submissionId, at)
}

/** Assigns the files of moved images to their new submission. */
export function moveSeenFiles(store: WriteThrough, fromId: string, toId: string): void {
  store.sql.prepare('UPDATE seen_files SET submission_id = ? WHERE submission_id = ?').run(toId, fromId)
}

/** Forgets the files that a profile ignored, because the profile has changed. */
export function forgetIgnoredFiles(store: WriteThrough): number {
  return store.sql.prepare("DELETE FROM seen_files WHERE kind = 'leftAlone'").run().changes
}

/**
 * Forgets copies that were skipped because this submission had their images; it was discarded. Returns their
 * number.
 */
export function forgetDuplicatesOf(store: WriteThrough, submissionId: string): number {
  return store.sql
    .prepare("DELETE FROM seen_files WHERE kind = 'duplicate' AND submission_id = ?")
    .run(submissionId).changes
}

/** Collecting submissions whose quiet time is over. */
export function quietSubmissions(store: WriteThrough, now: number): string[] {
  return store.sql
    .prepare<[number], string>(
      `SELECT id FROM submissions WHERE state = 'collecting' AND quiet_until <= ?
         AND id NOT IN (SELECT submission_id FROM quarantine) ORDER BY position`,
    )
    .pluck()
    .all(now)
}

export function setQuietUntil(store: WriteThrough, id: string, quietUntil: number): void {
  store.sql.prepare('UPDATE submissions SET quiet_until = ? WHERE id = ?').run(quietUntil, id)
}

/** When the next quiet time ends, epoch milliseconds; null if none is running. */
export function nextQuietAt(store: WriteThrough): number | null {
  return (
    store.sql
      .prepare<[], number>(`SELECT min(quiet_until) FROM submissions WHERE state = 'collecting'
           AND id NOT IN (SELECT submission_id FROM quarantine)`)
      .pluck()
      .get() ?? null
  )
}

/** How many files were ignored, and their oldest and newest modification time, epoch milliseconds. */
type IgnoredSummary = {
  readonly count: number
  readonly oldestMs: number | null
  readonly newestMs: number | null
}

/** The ignored files of a folder that were modified at `sinceMs` or later. */
export function summariseIgnored(store: WriteThrough, folderPath: string, sinceMs: number): IgnoredSummary {
  const summary = store.sql
    .prepare<[string, number], IgnoredSummary>(
      `SELECT count(*) AS count, min(mtime_ms) AS oldestMs, max(mtime_ms) AS newestMs FROM seen_files
       WHERE folder_path = ? AND kind = 'ignored' AND mtime_ms >= ?`,
    )
    .get(folderPath, sinceMs)
  return summary ?? { count: 0, oldestMs: null, newestMs: null }
}

/** Releases the ignored files that were modified at `sinceMs` or later to the intake. */
export function forgetIgnoredSince(store: WriteThrough, folderPath: string, sinceMs: number): void {
  store.sql
    .prepare("DELETE FROM seen_files WHERE folder_path = ? AND kind = 'ignored' AND mtime_ms >= ?")
    .run(folderPath, sinceMs)
}

/** The earlier result for exactly this file, unchanged: `damaged` is an image that cannot be opened. */
export function knownAs(store: WriteThrough, file: FileMark): 'new' | 'known' | 'damaged' {
  const kind = store.sql
    .prepare<[string, string, number, number], string>(
      'SELECT kind FROM seen_files WHERE folder_path = ? AND relative_path = ? AND size_bytes = ? AND mtime_ms = ?',
    )
    .pluck()
    .get(file.folderPath, file.relativePath, file.sizeBytes, file.mtimeMs)
  if (kind === undefined) return 'new'
  return kind === 'unreadable' ? 'damaged' : 'known'
}
