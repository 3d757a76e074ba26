/** What the intake remembers of a folder: the files it has seen, and when a visit has gone quiet. */
import type { WriteThrough } from './write-through.ts'

/** A file as a folder shows it: its place and what may change. */
type FileMark = {
  readonly folderPath: string
  readonly relativePath: string
  readonly sizeBytes: number
  readonly mtimeMs: number
}

/** `ignored` lay there before the first start; `leftAlone` is nothing that becomes part of a case. */
type SeenKind = 'image' | 'sidecar' | 'archive' | 'duplicate' | 'unreadable' | 'ignored' | 'leftAlone'

/** Has exactly this file, unchanged, been dealt with before? */
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

/** The files of a submission whose images went to another are remembered with that one. */
export function moveSeenFiles(store: WriteThrough, fromId: string, toId: string): void {
  store.sql.prepare('UPDATE seen_files SET submission_id = ? WHERE submission_id = ?').run(toId, fromId)
}

/** What a profile left alone is looked at anew: the profile has changed. */
export function forgetIgnoredFiles(store: WriteThrough): number {
  return store.sql.prepare("DELETE FROM seen_files WHERE kind = 'leftAlone'").run().changes
}

/** Copies that were passed by because this submission held them may be taken once it is discarded; answers how many. */
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

/** When the next quiet time ends, or null. */
export function nextQuietAt(store: WriteThrough): number | null {
  return (
    store.sql
      .prepare<[], number>(`SELECT min(quiet_until) FROM submissions WHERE state = 'collecting'
           AND id NOT IN (SELECT submission_id FROM quarantine)`)
      .pluck()
      .get() ?? null
  )
}

// The files that lay in a folder before the first start, and what a file was found to be.

/** How many files were left aside, and between which times of change they lie; epoch milliseconds. */
type IgnoredSummary = {
  readonly count: number
  readonly oldestMs: number | null
  readonly newestMs: number | null
}

/** The files left aside in a folder that were last changed at `sinceMs` or later. */
export function summariseIgnored(store: WriteThrough, folderPath: string, sinceMs: number): IgnoredSummary {
  const summary = store.sql
    .prepare<[string, number], IgnoredSummary>(
      `SELECT count(*) AS count, min(mtime_ms) AS oldestMs, max(mtime_ms) AS newestMs FROM seen_files
       WHERE folder_path = ? AND kind = 'ignored' AND mtime_ms >= ?`,
    )
    .get(folderPath, sinceMs)
  return summary ?? { count: 0, oldestMs: null, newestMs: null }
}

/** Lets those of them that were last changed at `sinceMs` or later be taken after all. */
export function forgetIgnoredSince(store: WriteThrough, folderPath: string, sinceMs: number): void {
  store.sql
    .prepare("DELETE FROM seen_files WHERE folder_path = ? AND kind = 'ignored' AND mtime_ms >= ?")
    .run(folderPath, sinceMs)
}

/** What exactly this file, unchanged, was found to be before: `damaged` is an image that cannot be opened. */
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
