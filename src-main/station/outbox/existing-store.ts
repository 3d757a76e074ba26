/** The files that lay in a folder before the first start, and what a file was found to be. */
import type { FileMark } from './intake-store.ts'
import type { WriteThrough } from './write-through.ts'

/** How many files were left aside, and between which times of change they lie; epoch milliseconds. */
export type IgnoredSummary = {
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
