/** Which submission gathers which visit, and what a person has joined or parted. */
import { readableRows } from './quarantine-store.ts'
import type { SubmissionRow } from './submission-rows.ts'
import type { WriteThrough } from './write-through.ts'

/** From now on images of this visit join this submission, while it is open. */
export function addGroupKey(store: WriteThrough, id: string, folderPath: string, groupKey: string): void {
  store.sql
    .prepare('INSERT OR IGNORE INTO submission_keys (folder_path, group_key, submission_id) VALUES (?, ?, ?)')
    .run(folderPath, groupKey, id)
}

export function removeGroupKeys(store: WriteThrough, id: string): void {
  store.sql.prepare('DELETE FROM submission_keys WHERE submission_id = ?').run(id)
}

/** Whatever joins the one joins the other as well, in the folder that it is of. */
export function copyGroupKeys(store: WriteThrough, fromId: string, toId: string): void {
  store.sql
    .prepare(
      `INSERT OR IGNORE INTO submission_keys (folder_path, group_key, submission_id)
       SELECT folder_path, group_key, ? FROM submission_keys WHERE submission_id = ?`,
    )
    .run(toId, fromId)
}

export function groupKeysOf(store: WriteThrough, id: string): string[] {
  return store.sql
    .prepare<[string], string>(
      'SELECT group_key FROM submission_keys WHERE submission_id = ? ORDER BY group_key',
    )
    .pluck()
    .all(id)
}

/** The submissions that gather one visit, newest first. */
export function submissionsOfGroup(
  store: WriteThrough,
  folderPath: string,
  groupKey: string,
): SubmissionRow[] {
  const rows = store.sql
    .prepare<[string, string], SubmissionRow>(
      `SELECT submissions.* FROM submission_keys JOIN submissions ON submissions.id = submission_id
       WHERE submission_keys.folder_path = ? AND group_key = ? AND state <> 'discarded' ORDER BY position DESC`,
    )
    .all(folderPath, groupKey)
  return readableRows(store, 'submissions', rows)
}

/** Submissions whose key begins with this text: all visits of one patient. */
export function submissionsOfGroupsFrom(
  store: WriteThrough,
  folderPath: string,
  prefix: string,
): SubmissionRow[] {
  const rows = store.sql
    .prepare<[string, string, string], SubmissionRow>(
      `SELECT DISTINCT submissions.* FROM submission_keys JOIN submissions ON submissions.id = submission_id
       WHERE submission_keys.folder_path = ? AND group_key >= ? AND group_key < ? AND state <> 'discarded'
       ORDER BY position`,
    )
    .all(folderPath, prefix, `${prefix}\u{10FFFF}`)
  return readableRows(store, 'submissions', rows)
}

/** A person's word on which images belong together: names and data files do not undo it. */
export function setGroupedByPerson(store: WriteThrough, id: string): void {
  store.write(() => {
    store.sql.prepare("UPDATE submissions SET grouped_by = 'person' WHERE id = ?").run(id)
    store.touch(id)
  })
}
