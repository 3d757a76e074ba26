/** What a submission was when it was passed for sending: by a person's approval, or by the folder's rule. */
import { createHash } from 'node:crypto'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { SqlDatabase } from './database.ts'
import { rowsRestOnNames, type SubmissionRow } from './rows.ts'
import { imageRowsOf, rowOf } from './submissions.ts'
import type { WriteThrough } from './write-through.ts'

// What of a submission is sent, in one short text: two that are the same stand for the same content.

/** Nothing else of a connection is used. */
type Reading = Pick<SqlDatabase, 'prepare'>

/** Nobody changes a submission in these: it was sent, or may have been, as it stands there. */
const SETTLED_CONTENT: readonly SubmissionState[] = ['sending', 'sent', 'unconfirmed']

/** Answers by id with one text for everything that is sent: fields, images with their eyes, and why there are none. */
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

/** Submissions that were sent, or may have been, and do not read as they did: none, unless a byte has changed on the disk. */
export function changedSinceApproval(sql: Reading): string[] {
  const digestOf = digester(sql)
  const states = SETTLED_CONTENT.map((state) => `'${state}'`).join(', ')
  return sql
    .prepare<[], { readonly id: string; readonly digest: string }>(
      `SELECT id, passed_digest AS digest FROM submissions WHERE passed_digest IS NOT NULL AND state IN (${states})`,
    )
    .all()
    .flatMap(({ id, digest }) => (digest === digestOf(id) ? [] : [id]))
}

/** What stands now, in one short text that is compared with another one; see `digester` for what is in it. */
export function contentDigest(store: WriteThrough, id: string): string {
  return digester(store.sql)(id)
}

/** From now on this is what was passed: a change of it goes back to whoever passes. The work on it is done. */
export function recordApproval(store: WriteThrough, id: string): void {
  store.sql
    .prepare(
      `UPDATE submissions SET passed_digest = ?, identity = json_remove(identity, '$.isAtWork', '$.unitChanged')
       WHERE id = ?`,
    )
    .run(contentDigest(store, id), id)
}

/** Is a submission still what was passed? One that never was is not. */
export function matchesApproval(store: WriteThrough, id: string): boolean {
  const approved = store.sql
    .prepare<[string], { readonly passed_digest: string | null }>(
      'SELECT passed_digest FROM submissions WHERE id = ?',
    )
    .get(id)?.passed_digest
  return approved !== null && approved !== undefined && approved === contentDigest(store, id)
}

/** Was it sent, or perhaps sent, as something else than what is there now? */
export function isUnlikeSent(store: WriteThrough, id: string): boolean {
  const row = store.sql
    .prepare<[string], { readonly state: SubmissionState; readonly passed_digest: string | null }>(
      'SELECT state, passed_digest FROM submissions WHERE id = ?',
    )
    .get(id)
  if (row === undefined || row.passed_digest === null) return false
  return SETTLED_CONTENT.includes(row.state) && !matchesApproval(store, id)
}

/**
 * In a state in which nothing changes, a digest stands for what is there, or there is none: a person may say that a
 * case has arrived which was changed since it was passed.
 */
export function settleApproval(store: WriteThrough, id: string, state: SubmissionState): void {
  if (!SETTLED_CONTENT.includes(state) || matchesApproval(store, id)) return
  store.sql
    .prepare('UPDATE submissions SET passed_digest = NULL WHERE id = ? AND passed_digest IS NOT NULL')
    .run(id)
}

/** The same for all of them, after rows were laid that no move has settled. */
export function settleAllApprovals(store: WriteThrough): void {
  const forget = store.sql.prepare('UPDATE submissions SET passed_digest = NULL WHERE id = ?')
  for (const id of changedSinceApproval(store.sql)) forget.run(id)
}

// What a person approved from review: this content and no other. A release and a retry are no approval.

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
