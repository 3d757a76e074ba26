/**
 * Images whose bytes are not kept any longer. The rows stay for ever: a late export of the same image is known by them.
 *
 * That an image is removed is committed first and its file is deleted after that, so that no row ever promises bytes
 * that are gone. What could not be deleted, or was not before a power cut, is remembered as a leftover of the spool.
 */
import type { FieldName } from '../../../src-shared/fields.ts'
import type { ClinicalSettings } from '../../../src-shared/settings.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import { fieldsColumn, identityColumn } from '../json-columns.ts'
import { forgetApproval } from './approvals.ts'
import { appendAudit, readFact, writeFact } from './audit.ts'
import { isReadable } from './quarantine.ts'
import { moveSubmission } from './transitions.ts'
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

// Values whose unit was changed in the settings after they were written: the same number means something else now.

const FIELDS_BY_UNIT: Readonly<Record<keyof ClinicalSettings, readonly FieldName[]>> = {
  vaUnit: ['od_va', 'os_va'],
  prismBase: ['od_prism_base', 'os_prism_base'],
}

/** What would go by itself, or at one touch of a list. */
const BACK_TO_REVIEW: readonly SubmissionState[] = ['waiting', 'refused']

/**
 * Takes the units of the settings. Where they are others than before, every case that was not sent and has such a value
 * is no longer what was passed: it comes back to a person. Answers with their ids. One commit, so that a station that
 * was stopped between the settings and this does it when it opens.
 */
export function takeUnits(store: WriteThrough, units: ClinicalSettings, at: number): string[] {
  return store.write(() => {
    const now = JSON.stringify({ vaUnit: units.vaUnit, prismBase: units.prismBase })
    const lastUnits = readFact(store, 'clinicalUnits')
    if (lastUnits === now) return []
    writeFact(store, 'clinicalUnits', now)
    if (lastUnits === null) return []
    const before = JSON.parse(lastUnits) as ClinicalSettings
    const names = (['vaUnit', 'prismBase'] as const).flatMap((unit) =>
      before[unit] === units[unit] ? [] : FIELDS_BY_UNIT[unit],
    )
    return markChanged(store, names, at)
  })
}

type Unsent = {
  readonly id: string
  readonly state: SubmissionState
  readonly fields: string
  readonly identity: string
}

function markChanged(store: WriteThrough, names: readonly FieldName[], at: number): string[] {
  const holding = store.sql
    .prepare<[string], Unsent>(
      `SELECT id, state, fields, identity FROM submissions WHERE state <> 'sent'
         AND id NOT IN (SELECT submission_id FROM quarantine) AND EXISTS
         (SELECT 1 FROM json_each (iif(json_valid(fields), fields, '{}')) WHERE key IN (SELECT value FROM json_each (?)))`,
    )
    .all(JSON.stringify(names))
  const readable = holding.filter(({ id }) => isReadable(store, id))
  for (const { id, state, fields, identity } of readable) {
    const own = Object.keys(fieldsColumn.read(fields))
    const stored = identityColumn.read(identity)
    const unitChanged = [
      ...new Set([...(stored.unitChanged ?? []), ...names.filter((name) => own.includes(name))]),
    ]
    store.sql
      .prepare('UPDATE submissions SET passed_digest = NULL, identity = ? WHERE id = ?')
      .run(JSON.stringify({ ...stored, unitChanged }), id)
    forgetApproval(store, id)
    if (BACK_TO_REVIEW.includes(state))
      moveSubmission(
        store,
        id,
        'gatheredForReview',
        { failure: null, notBefore: null },
        { at, details: { why: 'unitChanged', fields: unitChanged } },
      )
    store.touch(id)
  }
  return readable.map(({ id }) => id)
}
