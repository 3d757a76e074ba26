/** What a person approved from review: this content and no other. A release and a retry are no approval. */
import { rowsRestOnNames } from './names-only.ts'
import { contentDigest } from './passed-store.ts'
import type { SubmissionRow } from './submission-rows.ts'
import { imageRowsOf, rowOf } from './submission-store.ts'
import type { WriteThrough } from './write-through.ts'

/** May it leave as it is: because names are not all that it rests on, or because a person approved this content? */
export function mayLeave(store: WriteThrough, id: string): boolean {
  const row = rowOf(store, id)
  if (!row) return false
  return !rowsRestOnNames(row, imageRowsOf(store, id)) || isApproved(store, row)
}

/** Does something of it rest on names alone, whether or not it was approved? */
export function restsOnNames(store: WriteThrough, id: string): boolean {
  const row = rowOf(store, id)
  return row === undefined || rowsRestOnNames(row, imageRowsOf(store, id))
}

function isApproved(store: WriteThrough, { id, approved_digest: approved }: SubmissionRow): boolean {
  return approved !== null && approved === contentDigest(store, id)
}

/** Notes that a person approved the content of now. */
export function setApproved(
  store: WriteThrough,
  id: string,
  approval: { readonly by: string | undefined; readonly at: number },
): void {
  store.sql
    .prepare('UPDATE submissions SET approved_digest = ?, approved_by = ?, approved_at = ? WHERE id = ?')
    .run(contentDigest(store, id), approval.by ?? null, approval.at, id)
}

/** What was approved no longer means the same, or it is not known what has happened to it since. */
export function forgetApproval(store: WriteThrough, id: string): void {
  store.sql
    .prepare(
      'UPDATE submissions SET approved_digest = NULL, approved_by = NULL, approved_at = NULL WHERE id = ?',
    )
    .run(id)
}
