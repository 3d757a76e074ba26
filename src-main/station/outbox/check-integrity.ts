/** What SQLite itself can say of an outbox. What its rows mean is parsed when they are read, one case at a time. */
import type { SqlDatabase } from './open-database.ts'
import { codeOf, DAMAGED, StorageError } from './opening-trouble.ts'

/** One row holds what its table does not allow. That is the trouble of its case, and never of the file. */
const OF_ONE_ROW =
  /^(?:NULL value in |CHECK constraint failed in |(?:non-)?(?:TEXT|INTEGER|INT|REAL|NUMERIC|BLOB) value in )/

/** More lines than rows of one case: what is said of pages is not to be cut off by them. */
const MOST_LINES = 10_000

/** Is what SQLite finds at most the trouble of single rows? `integrity_check` compares indexes with tables, too. */
export function isSound(sql: Pick<SqlDatabase, 'pragma'>, check: 'quick_check' | 'integrity_check'): boolean {
  try {
    const found = sql.pragma(`${check}(${MOST_LINES})`) as readonly Readonly<Record<string, string>>[]
    return found
      .flatMap((line) => Object.values(line))
      .every((line) => line === 'ok' || OF_ONE_ROW.test(line))
  } catch (error) {
    // Under an index of version 2 lies a text that is no JSON any more: the trouble of its case, too.
    if (check === 'quick_check' || codeOf(error) !== 'SQLITE_ERROR') throw error
    return isSound(sql, 'quick_check')
  }
}

/** Throws a StorageError if the file is damaged. About a second and a half for a hundred thousand cases. */
export function checkIntegrity(sql: SqlDatabase): void {
  if (!isSound(sql, 'quick_check')) throw new StorageError(DAMAGED, { remedy: 'recover' })
}

type Found = { readonly table: string; readonly rowid: number | null; readonly parent: string }

/** A case of which a row points to nothing, and from which table to which. */
export type Dangling = { readonly id: string; readonly column: string }

/** The case that a row speaks of, if what it points to is not there. Other tables only describe. */
const CASE_OF: Readonly<Record<string, string>> = {
  submissions: 'SELECT id FROM submissions WHERE rowid = ?',
  images: `SELECT coalesce(
      (SELECT id FROM submissions WHERE id = images.submission_id),
      (SELECT submission_id FROM seen_files AS seen WHERE kind = 'image'
         AND seen.folder_path = images.folder_path AND seen.relative_path = images.file_name)) FROM images WHERE rowid = ?`,
  attempts: `SELECT coalesce(
      (SELECT id FROM submissions WHERE id = attempts.submission_id),
      (SELECT submission_id FROM evidence WHERE attempt_id = attempts.id)) FROM attempts WHERE rowid = ?`,
}

/**
 * The cases of which a row points to nothing: an image, say, whose case cannot be told any more. Reads the indexes of
 * all foreign keys.
 */
export function casesWithDanglingRows(sql: SqlDatabase): Dangling[] {
  const found = sql.pragma('foreign_key_check') as readonly Found[]
  const cases = new Map<string, string>()
  for (const { table, rowid, parent } of found) {
    const question = CASE_OF[table]
    if (question === undefined || rowid === null) continue
    const id = sql.prepare<[number], string | null>(question).pluck().get(rowid)
    if (typeof id === 'string') cases.set(id, `${table}: ${parent}`)
  }
  // A case whose own id has changed is the only one without a manifest.
  const lost = sql.prepare<[], string>(
    'SELECT id FROM submissions WHERE NOT EXISTS (SELECT 1 FROM manifests WHERE submission_id = id)',
  )
  for (const id of lost.pluck().all()) cases.set(id, 'submissions.id')
  return [...cases].map(([id, column]) => ({ id, column }))
}
