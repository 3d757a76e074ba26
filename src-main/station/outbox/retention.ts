/**
 * Images whose bytes are no longer kept. Their rows stay forever, so that a late export of the same image is
 * recognised.
 *
 * The removal is committed before the file is deleted, so that no row ever promises bytes that are gone. A file
 * that could not be deleted, or was not before a power cut, is recorded as a leftover.
 */
import { z } from 'zod'
import { FIELD_NAMES, type FieldName } from '../../../src-shared/fields.ts'
import { type ClinicalSettings, clinicalSettingsSchema } from '../../../src-shared/settings.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import { fieldsColumn, identityColumn, jsonColumn } from '../json-columns.ts'
import { forgetClearance } from './approvals.ts'
import { appendAudit, readFact, writeFact } from './audit.ts'
import { isReadable, quarantined } from './quarantine.ts'
import { moveSubmission } from './transitions.ts'
import type { Store } from './database.ts'

/** Not while a person must still look into it; an alarm without a submission concerns all. */
const IS_REMOVABLE = `state = 'sent' AND confirmed_at IS NOT NULL AND confirmed_at < @confirmedBefore
  AND submissions.id NOT IN (SELECT submission_id FROM quarantine)
  AND NOT EXISTS (SELECT 1 FROM alarms
    WHERE settled_at IS NULL AND (alarms.submission_id IS NULL OR alarms.submission_id = submissions.id))`

/** One step through the confirmed cases, oldest first: `after` is the position at which the last step ended. */
export function confirmedAfter(
  store: Store,
  query: { readonly after: number; readonly confirmedBefore: number; readonly limit: number },
): { readonly position: number; readonly id: string; readonly hasImages: number }[] {
  return store.rows<{ position: number; id: string; hasImages: number }>(
    `SELECT position, id, ${IS_REMOVABLE} AND EXISTS
         (SELECT 1 FROM images WHERE submission_id = submissions.id AND removed_at IS NULL) AS hasImages
       FROM submissions
       WHERE state = 'sent' AND confirmed_at IS NOT NULL AND position > @after ORDER BY position LIMIT @limit`,
    query,
  )
}

/**
 * Records the removal of a confirmed case's images and returns their number. None if the case was not confirmed
 * before that instant, or has an open alarm.
 */
export function removeImagesOf(
  store: Store,
  submissionId: string,
  options: { readonly confirmedBefore: number; readonly at: number },
): number {
  return store.write(() => {
    const removed = store.rows<{ spool_name: string; picture_spool_name: string | null }>(
      `UPDATE images SET removed_at = @at
         WHERE submission_id = @submissionId AND removed_at IS NULL
           AND EXISTS (SELECT 1 FROM submissions WHERE id = @submissionId AND ${IS_REMOVABLE})
         RETURNING spool_name, picture_spool_name`,
      { submissionId, ...options },
    )
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
export function addLeftover(store: Store, spoolName: string): void {
  store.run('INSERT OR IGNORE INTO spool_leftovers (spool_name) VALUES (?)', spoolName)
}

/** Leftovers by name, after `after`. */
export function leftoversAfter(store: Store, after: string, limit: number): string[] {
  return store.values<string>(
    'SELECT spool_name FROM spool_leftovers WHERE spool_name > ? ORDER BY spool_name LIMIT ?',
    after,
    limit,
  )
}

export function forgetLeftover(store: Store, spoolName: string): void {
  store.run('DELETE FROM spool_leftovers WHERE spool_name = ?', spoolName)
}

/** Does any image, of any case, still need this file? */
export function isSpoolFileNeeded(store: Store, spoolName: string): boolean {
  return (
    store.value<number>(
      `SELECT EXISTS (SELECT 1 FROM images WHERE removed_at IS NULL AND spool_name = ?)
           OR EXISTS (SELECT 1 FROM images WHERE removed_at IS NULL AND picture_spool_name = ?)`,
      spoolName,
      spoolName,
    ) === 1
  )
}

/** The fields of each unit: if a unit changes in the settings, their stored numbers mean something else. */
const FIELDS_BY_UNIT: Readonly<Record<keyof ClinicalSettings, readonly FieldName[]>> = {
  vaUnit: ['od_va', 'os_va'],
  prismBase: ['od_prism_base', 'os_prism_base'],
}

/** From these it would go automatically, or with a single click in a list. */
const BACK_TO_REVIEW: readonly SubmissionState[] = ['waiting', 'refused']

const unitsFact = jsonColumn<ClinicalSettings>(clinicalSettingsSchema)

/** Field names by submission: a unit of theirs changed while the case could not be read. */
const missedFact = jsonColumn<Readonly<Record<string, readonly FieldName[]>>>(
  z.record(z.string(), z.array(z.enum(FIELD_NAMES))),
)

/**
 * Stores the units of the settings. If they changed, every unsent case with such a value loses its clearance and
 * returns to a person. Returns the ids of these cases. One commit, so that a station stopped in between repeats
 * this when it opens.
 */
export function applyUnits(store: Store, units: ClinicalSettings, at: number): string[] {
  return store.write(() => {
    const now = JSON.stringify({ vaUnit: units.vaUnit, prismBase: units.prismBase })
    const lastUnits = readFact(store, 'clinicalUnits')
    if (lastUnits === now) return []
    writeFact(store, 'clinicalUnits', now)
    if (lastUnits === null) return []
    const before = unitsFact.canRead(lastUnits) ? unitsFact.read(lastUnits) : null
    const names = (['vaUnit', 'prismBase'] as const).flatMap((unit) =>
      before?.[unit] === units[unit] ? [] : FIELDS_BY_UNIT[unit],
    )
    const changed = unsentWith(store, names).filter((one) => isReadable(store, one.id))
    for (const one of changed) markChanged(store, one, names, at)
    noteMissed(store, names)
    return changed.map(({ id }) => id)
  })
}

/** Unreadable cases are marked once they can be read. */
function noteMissed(store: Store, names: readonly FieldName[]): void {
  const missed = missedFact.readOr(readFact(store, 'unitsMissed') ?? '{}', {})
  const now = quarantined(store).map(
    ({ id }) => [id, [...new Set([...(missed[id] ?? []), ...names])]] as const,
  )
  writeFact(store, 'unitsMissed', JSON.stringify({ ...missed, ...Object.fromEntries(now) }))
}

/** Does the same for a case that could not be read when a unit changed. */
export function applyMissedUnits(store: Store, id: string, at: number): void {
  store.write(() => {
    const stored = readFact(store, 'unitsMissed')
    if (stored === null) return
    // If the fact itself cannot be read, any unit may have changed.
    const { [id]: names, ...others } = missedFact.readOr(stored, {
      [id]: Object.values(FIELDS_BY_UNIT).flat(),
    })
    if (names === undefined) return
    writeFact(store, 'unitsMissed', JSON.stringify(others))
    const found = unsentWith(store, names).find((one) => one.id === id)
    if (found !== undefined) markChanged(store, found, names, at)
  })
}

type Unsent = {
  readonly id: string
  readonly state: SubmissionState
  readonly fields: string
  readonly identity: string
}

/** Unsent cases that have a value in one of these fields. */
function unsentWith(store: Store, names: readonly FieldName[]): Unsent[] {
  return store.rows<Unsent>(
    `SELECT id, state, fields, identity FROM submissions WHERE state <> 'sent'
         AND id NOT IN (SELECT submission_id FROM quarantine) AND EXISTS
         (SELECT 1 FROM json_each (iif(json_valid(fields), fields, '{}')) WHERE key IN (SELECT value FROM json_each (?)))`,
    JSON.stringify(names),
  )
}

function markChanged(
  store: Store,
  { id, state, fields, identity }: Unsent,
  names: readonly FieldName[],
  at: number,
): void {
  const own = Object.keys(fieldsColumn.read(fields))
  const stored = identityColumn.read(identity)
  const unitChanged = [
    ...new Set([...(stored.unitChanged ?? []), ...names.filter((name) => own.includes(name))]),
  ]
  store.run(
    'UPDATE submissions SET identity = ? WHERE id = ?',
    JSON.stringify({ ...stored, unitChanged }),
    id,
  )
  forgetClearance(store, id)
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
