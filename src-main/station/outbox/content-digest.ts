/** What of a submission is sent, in one short text: two that are the same stand for the same content. */
import { createHash } from 'node:crypto'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { SqlDatabase } from './open-database.ts'

/** Nothing else of a connection is used. */
type Reading = Pick<SqlDatabase, 'prepare'>

/** Nobody changes a submission in these: it was sent, or may have been, as it stands there. */
export const SETTLED_CONTENT: readonly SubmissionState[] = ['sending', 'sent', 'unconfirmed']

/** Answers by id with one text for everything that is sent: fields, images with their eyes, and why there are none. */
export function digester(sql: Reading): (id: string) => string {
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
