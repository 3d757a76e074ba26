/**
 * Images whose bytes are not kept any longer. The rows stay for ever: a late export of the same image is known by them.
 *
 * That an image is removed is committed first and its file is deleted after that, so that no row ever promises bytes
 * that are gone. What could not be deleted, or was not before a power cut, is remembered as a leftover of the spool.
 */
import { appendAudit } from './audit-store.ts'
import type { WriteThrough } from './write-through.ts'

/** Never while somebody still has to look into it; an alarm of no submission is about all. */
const IS_REMOVABLE = `state = 'sent' AND confirmed_at IS NOT NULL AND confirmed_at < @confirmedBefore
  AND submissions.id NOT IN (SELECT submission_id FROM quarantine)
  AND NOT EXISTS (SELECT 1 FROM alarms
    WHERE settled_at IS NULL AND (alarms.submission_id IS NULL OR alarms.submission_id = submissions.id))`

/** One step through the confirmed cases, oldest first: `after` is the position where the last step ended. */
export function confirmedAfter(
  store: WriteThrough,
  query: { readonly after: number; readonly confirmedBefore: number; readonly limit: number },
): { readonly position: number; readonly id: string; readonly hasImages: number }[] {
  return store.sql
    .prepare<[typeof query], { position: number; id: string; hasImages: number }>(
      `SELECT position, id, ${IS_REMOVABLE} AND EXISTS
         (SELECT 1 FROM images WHERE submission_id = submissions.id AND removed_at IS NULL) AS hasImages
       FROM submissions
       WHERE state = 'sent' AND confirmed_at IS NOT NULL AND position > @after ORDER BY position LIMIT @limit`,
    )
    .all(query)
}

/**
 * Says that the images of a confirmed case are removed; answers how many. None where the case is not confirmed before
 * that instant, or an alarm of it is open.
 */
export function removeImagesOf(
  store: WriteThrough,
  submissionId: string,
  options: { readonly confirmedBefore: number; readonly at: number },
): number {
  return store.write(() => {
    const removed = store.sql
      .prepare<
        [{ submissionId: string; confirmedBefore: number; at: number }],
        { spool_name: string; picture_spool_name: string | null }
      >(
        `UPDATE images SET removed_at = @at
         WHERE submission_id = @submissionId AND removed_at IS NULL
           AND EXISTS (SELECT 1 FROM submissions WHERE id = @submissionId AND ${IS_REMOVABLE})
         RETURNING spool_name, picture_spool_name`,
      )
      .all({ submissionId, ...options })
    if (removed.length === 0) return 0
    for (const { spool_name, picture_spool_name } of removed) {
      addLeftover(store, spool_name)
      if (picture_spool_name !== null) addLeftover(store, picture_spool_name)
    }
    appendAudit(store, {
      at: options.at,
      submissionId,
      what: 'imagesRemoved',
      by: null,
      details: { count: removed.length },
    })
    store.touch(submissionId)
    return removed.length
  })
}

/** A file in the spool that may be of no use: it is deleted once nothing needs it. */
export function addLeftover(store: WriteThrough, spoolName: string): void {
  store.sql.prepare('INSERT OR IGNORE INTO spool_leftovers (spool_name) VALUES (?)').run(spoolName)
}

/** Leftovers in the order of their names, behind `after`. */
export function leftoversAfter(store: WriteThrough, after: string, limit: number): string[] {
  return store.sql
    .prepare<[string, number], string>(
      'SELECT spool_name FROM spool_leftovers WHERE spool_name > ? ORDER BY spool_name LIMIT ?',
    )
    .pluck()
    .all(after, limit)
}

export function forgetLeftover(store: WriteThrough, spoolName: string): void {
  store.sql.prepare('DELETE FROM spool_leftovers WHERE spool_name = ?').run(spoolName)
}

/** Does any image that is not removed, of whatever case, need this file? */
export function isSpoolFileNeeded(store: WriteThrough, spoolName: string): boolean {
  return (
    store.sql
      .prepare<[string, string], number>(
        `SELECT EXISTS (SELECT 1 FROM images WHERE removed_at IS NULL AND spool_name = ?)
           OR EXISTS (SELECT 1 FROM images WHERE removed_at IS NULL AND picture_spool_name = ?)`,
      )
      .pluck()
      .get(spoolName, spoolName) === 1
  )
}
