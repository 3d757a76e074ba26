/**
 * Images whose bytes are no longer kept. Their rows stay forever, so that a late export of the same image is
 * recognised.
 *
 * The removal is committed before the file is deleted, so that no row ever promises bytes that are gone. A file
 * that could not be deleted, or was not before a power cut, is recorded as a leftover.
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

/** Not while a person must still look into it; an alarm without a submission concerns all. */
const IS_REMOVABLE = `state = 'sent' AND confirmed_at IS NOT NULL AND confirmed_at < @confirmedBefore
  AND submissions.id NOT IN (SELECT submission_id FROM quarantine)
  AND NOT EXISTS (SELECT 1 FROM alarms
    WHERE settled_at IS NULL AND (alarms.submission_id IS NULL OR alarms.submission_id = submissions.id))`

/** One step through the confirmed cases, oldest first: `after` is the position at which the last step ended. */
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
 * Records the removal of a confirmed case's images and returns their number. None if the case was not confirmed
 * before that instant, or has an open alarm.
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

/** Records a spooled file that may be obsolete: it is deleted once nothing needs it. */
export function addLeftover(store: WriteThrough, spoolName: string): void {
  store.sql.prepare('INSERT OR IGNORE INTO spool_leftovers (spool_name) VALUES (?)').run(spoolName)
}

/** Leftovers by name, after `after`. */
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

/** Does any image, of any case, still need this file? */
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

/** The fields of each unit: if a unit changes in the settings, their stored numbers mean something else. */
const FIELDS_BY_UNIT: Readonly<Record<keyof ClinicalSettings, readonly FieldName[]>> = {
  vaUnit: ['od_va', 'os_va'],
  prismBase: ['od_prism_base', 'os_prism_base'],
}

/** From these it would go automatically, or with a single click in a list. */
const BACK_TO_REVIEW: readonly SubmissionState[] = ['waiting', 'refused']

/**
 * Stores the units of the settings. If they changed, every unsent case with such a value loses its clearance and
 * returns to a person. Returns the ids of these cases. One commit, so that a station stopped in between repeats
 * this when it opens.
 */
export function applyUnits(store: WriteThrough, units: ClinicalSettings, at: number): string[] {
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
