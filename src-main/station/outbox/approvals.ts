/**
 * Which content of a submission was cleared for sending, which a person approved, and whether it may leave.
 *
 * A person's approval from review, a release, a retry and the folder's rule all clear the content; only the first is
 * an approval.
 */
import { createHash } from 'node:crypto'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { Statements, Store } from './database.ts'
import { rowsRestOnNames, type SubmissionRow } from './rows.ts'
import { imageRowsOf, rowOf } from './submissions.ts'

/** In these states the content is final: it was sent, or may have been. */
const SETTLED_CONTENT: readonly SubmissionState[] = ['sending', 'sent', 'unconfirmed']

/**
 * The digest of everything that is sent: fields, images with their eyes, and why there are none. Equal digests mean
 * equal content.
 */
export function contentDigest(sql: Statements, id: string): string {
  const content = sql.row`SELECT fields, no_image_because FROM submissions WHERE id = ${id}`
  const images = sql.rows`
    SELECT id, eye, excluded_because IS NULL AS is_taken, twin_of, sends, sha256, picture_sha256
    FROM images WHERE submission_id = ${id} ORDER BY position`
  return createHash('sha256')
    .update(JSON.stringify([content, images]))
    .digest('hex')
}

/**
 * Submissions that were sent, or may have been, and no longer match their digest: none, unless a byte changed on
 * the disk.
 */
export function changedSinceClearance(sql: Statements): string[] {
  return sql.rows<{ readonly id: string; readonly digest: string }>`
    SELECT id, passed_digest AS digest FROM submissions WHERE passed_digest IS NOT NULL
    AND state IN (SELECT value FROM json_each (${JSON.stringify(SETTLED_CONTENT)}))`.flatMap(
    ({ id, digest }) => (digest === contentDigest(sql, id) ? [] : [id]),
  )
}

/** Clears the current content for sending: any later change goes back to a person. The notes of edits in progress and of changed units go. */
export function recordClearance(store: Store, id: string): void {
  store.run`
    UPDATE submissions SET passed_digest = ${contentDigest(store, id)},
    identity = json_remove(identity, '$.isAtWork', '$.unitChanged') WHERE id = ${id}`
}

/** Is the current content the one that was cleared? False if none ever was. */
export function matchesClearance(store: Store, id: string): boolean {
  const cleared = store.row<{ readonly passed_digest: string | null }>`
    SELECT passed_digest FROM submissions WHERE id = ${id}`?.passed_digest
  return cleared !== null && cleared !== undefined && cleared === contentDigest(store, id)
}

/** Was other content sent, or perhaps sent, than the current one? */
export function isUnlikeSent(store: Store, id: string): boolean {
  const row = store.row<{ readonly state: SubmissionState; readonly passed_digest: string | null }>`
    SELECT state, passed_digest FROM submissions WHERE id = ${id}`
  if (row === undefined || row.passed_digest === null) return false
  return SETTLED_CONTENT.includes(row.state) && !matchesClearance(store, id)
}

/**
 * In a state with final content, the digest must match it or be absent: a person may say that a case has arrived
 * that was changed after its clearance.
 */
export function settleClearance(store: Store, id: string, state: SubmissionState): void {
  if (!SETTLED_CONTENT.includes(state) || matchesClearance(store, id)) return
  store.run`UPDATE submissions SET passed_digest = NULL WHERE id = ${id} AND passed_digest IS NOT NULL`
}

/** Does the same for all submissions, after rows were written without a transition. */
export function settleAllClearances(store: Store): void {
  for (const id of changedSinceClearance(store))
    store.run`UPDATE submissions SET passed_digest = NULL WHERE id = ${id}`
}

/** May it leave as it is: because it rests on more than names, or because a person approved this very content? */
export function mayLeave(store: Store, id: string): boolean {
  const row = rowOf(store, id)
  if (!row) return false
  return !rowsRestOnNames(row, imageRowsOf(store, id)) || isApproved(store, row)
}

/** Does any of it rest on names alone, approved or not? */
export function restsOnNames(store: Store, id: string): boolean {
  const row = rowOf(store, id)
  return row === undefined || rowsRestOnNames(row, imageRowsOf(store, id))
}

function isApproved(store: Store, { id, approved_digest: approved }: SubmissionRow): boolean {
  return approved !== null && approved === contentDigest(store, id)
}

/** Records that a person approved the current content from review. */
export function recordApproval(
  store: Store,
  id: string,
  approval: { readonly by: string | undefined; readonly at: number },
): void {
  store.run`
    UPDATE submissions SET approved_digest = ${contentDigest(store, id)},
    approved_by = ${approval.by ?? null}, approved_at = ${approval.at},
    identity = json_remove(identity, '$.joinedAfterEntry') WHERE id = ${id}`
}

/** Clears what let the case leave, and the approval with it: a person decides again. */
export function forgetClearance(store: Store, id: string): void {
  store.run`UPDATE submissions SET passed_digest = NULL WHERE id = ${id}`
  forgetApproval(store, id)
}

/** The approved content no longer means the same, or its history since is unknown. */
export function forgetApproval(store: Store, id: string): void {
  store.run`
    UPDATE submissions SET approved_digest = NULL, approved_by = NULL, approved_at = NULL WHERE id = ${id}`
}
