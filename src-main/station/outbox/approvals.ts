/**
 * Which content of a submission was cleared for sending, which a person approved, and whether it may leave.
 *
 * A person's approval from review, a release, a retry and the folder's rule all clear the content; only the first is
 * an approval.
 */
import { createHash } from 'node:crypto'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { SqlDatabase } from './database.ts'
import { rowsRestOnNames, type SubmissionRow } from './rows.ts'
import { imageRowsOf, rowOf } from './submissions.ts'
import type { WriteThrough } from './write-through.ts'

/** The only part of a connection that is used. */
type Reading = Pick<SqlDatabase, 'prepare'>

/** In these states the content is final: it was sent, or may have been. */
const SETTLED_CONTENT: readonly SubmissionState[] = ['sending', 'sent', 'unconfirmed']

/**
 * Computes a digest by id of everything that is sent: fields, images with their eyes, and why there are none.
 * Equal digests mean equal content.
 */
function digester(sql: Reading): (id: string) => string {
  const contentOf = sql.prepare<[string]>('SELECT fields, no_image_because FROM submissions WHERE id = ?')
  const imagesOf = sql.prepare<[string]>(
    `SELECT id, eye, excluded_because IS NULL AS is_taken, twin_of, sends, sha256, picture_sha256 FROM images
     WHERE submission_id = ? ORDER BY position`,
  )
  return (id) =>
    createHash('sha256')
      .update(JSON.stringify([contentOf.get(id), imagesOf.all(id)]))
      .digest('hex')
}

/**
 * Submissions that were sent, or may have been, and no longer match their digest: none, unless a byte changed on
 * the disk.
 */
export function changedSinceClearance(sql: Reading): string[] {
  const digestOf = digester(sql)
  const states = SETTLED_CONTENT.map((state) => `'${state}'`).join(', ')
  return sql
    .prepare<[], { readonly id: string; readonly digest: string }>(
      `SELECT id, passed_digest AS digest FROM submissions WHERE passed_digest IS NOT NULL AND state IN (${states})`,
    )
    .all()
    .flatMap(({ id, digest }) => (digest === digestOf(id) ? [] : [id]))
}

/** The digest of the current content; see `digester` for what it covers. */
export function contentDigest(store: WriteThrough, id: string): string {
  return digester(store.sql)(id)
}

/** Clears the current content for sending: any later change goes back to a person. Ends work on it. */
export function recordClearance(store: WriteThrough, id: string): void {
  store.sql
    .prepare(
      `UPDATE submissions SET passed_digest = ?, identity = json_remove(identity, '$.isAtWork', '$.unitChanged')
       WHERE id = ?`,
    )
    .run(contentDigest(store, id), id)
}

/** Is the current content the one that was cleared? False if none ever was. */
export function matchesClearance(store: WriteThrough, id: string): boolean {
  const cleared = store.sql
    .prepare<[string], { readonly passed_digest: string | null }>(
      'SELECT passed_digest FROM submissions WHERE id = ?',
    )
    .get(id)?.passed_digest
  return cleared !== null && cleared !== undefined && cleared === contentDigest(store, id)
}

/** Was other content sent, or perhaps sent, than the current one? */
export function isUnlikeSent(store: WriteThrough, id: string): boolean {
  const row = store.sql
    .prepare<[string], { readonly state: SubmissionState; readonly passed_digest: string | null }>(
      'SELECT state, passed_digest FROM submissions WHERE id = ?',
    )
    .get(id)
  if (row === undefined || row.passed_digest === null) return false
  return SETTLED_CONTENT.includes(row.state) && !matchesClearance(store, id)
}

/**
 * In a state with final content, the digest must match it or be absent: a person may say that a case has arrived
 * that was changed after its clearance.
 */
export function settleClearance(store: WriteThrough, id: string, state: SubmissionState): void {
  if (!SETTLED_CONTENT.includes(state) || matchesClearance(store, id)) return
  store.sql
    .prepare('UPDATE submissions SET passed_digest = NULL WHERE id = ? AND passed_digest IS NOT NULL')
    .run(id)
}

/** Does the same for all submissions, after rows were written without a transition. */
export function settleAllClearances(store: WriteThrough): void {
  const forget = store.sql.prepare('UPDATE submissions SET passed_digest = NULL WHERE id = ?')
  for (const id of changedSinceClearance(store.sql)) forget.run(id)
}

/** May it leave as it is: because it rests on more than names, or because a person approved this very content? */
export function mayLeave(store: WriteThrough, id: string): boolean {
  const row = rowOf(store, id)
  if (!row) return false
  return !rowsRestOnNames(row, imageRowsOf(store, id)) || isApproved(store, row)
}

/** Does any of it rest on names alone, approved or not? */
export function restsOnNames(store: WriteThrough, id: string): boolean {
  const row = rowOf(store, id)
  return row === undefined || rowsRestOnNames(row, imageRowsOf(store, id))
}

function isApproved(store: WriteThrough, { id, approved_digest: approved }: SubmissionRow): boolean {
  return approved !== null && approved === contentDigest(store, id)
}

/** Records that a person approved the current content from review. */
export function recordApproval(
  store: WriteThrough,
  id: string,
  approval: { readonly by: string | undefined; readonly at: number },
): void {
  store.sql
    .prepare(
      `UPDATE submissions SET approved_digest = ?, approved_by = ?, approved_at = ?,
         identity = json_remove(identity, '$.joinedByName') WHERE id = ?`,
    )
    .run(contentDigest(store, id), approval.by ?? null, approval.at, id)
}

/** Clears what let the case leave, and the approval with it: a person decides again. */
export function forgetClearance(store: WriteThrough, id: string): void {
  store.sql.prepare('UPDATE submissions SET passed_digest = NULL WHERE id = ?').run(id)
  forgetApproval(store, id)
}

/** The approved content no longer means the same, or its history since is unknown. */
export function forgetApproval(store: WriteThrough, id: string): void {
  store.sql
    .prepare(
      'UPDATE submissions SET approved_digest = NULL, approved_by = NULL, approved_at = NULL WHERE id = ?',
    )
    .run(id)
}
