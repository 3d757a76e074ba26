/** What a submission was when it was passed for sending: by a person's approval, or by the folder's rule. */
import { createHash } from 'node:crypto'
import type { WriteThrough } from './write-through.ts'

/** One text for everything that is sent: fields, images with their eyes, and why there are none. */
export function contentDigest(store: WriteThrough, id: string): string {
  const content = store.sql
    .prepare<[string]>('SELECT fields, no_image_because FROM submissions WHERE id = ?')
    .get(id)
  const images = store.sql
    .prepare<[string]>(
      `SELECT id, eye, excluded_because IS NULL AS is_taken, twin_of, sends, sha256, picture_sha256 FROM images
       WHERE submission_id = ? ORDER BY position`,
    )
    .all(id)
  return createHash('sha256')
    .update(JSON.stringify([content, images]))
    .digest('hex')
}

/** From now on this is what was passed: a change of it goes back to whoever passes. The work on it is done. */
export function setPassed(store: WriteThrough, id: string): void {
  store.sql
    .prepare(
      `UPDATE submissions SET passed_digest = ?, identity = json_remove(identity, '$.isAtWork', '$.unitChanged')
       WHERE id = ?`,
    )
    .run(contentDigest(store, id), id)
}

/** Is a submission still what was passed? One that never was is not. */
export function isAsPassed(store: WriteThrough, id: string): boolean {
  const passed = store.sql
    .prepare<[string], { readonly passed_digest: string | null }>(
      'SELECT passed_digest FROM submissions WHERE id = ?',
    )
    .get(id)?.passed_digest
  return passed !== null && passed !== undefined && passed === contentDigest(store, id)
}
