/**
 * What an outdated outbox needs: manifests applied that know more, and its submissions marked as unconfirmed. They may
 * have been sent since, so they need evidence before they go anywhere. An alarm says so.
 */
import { randomUUID } from 'node:crypto'
import { STRAYED_IMAGE } from '../../../../src-shared/submission.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { type Message, worded, wordingOf } from '../../../../src-shared/wording.ts'
import { failureToText } from '../../json-columns.ts'
import { forgetClearance, settleAllClearances } from '../approvals.ts'
import { appendEvidence, attemptsOf, endAttempt, hasUnresolvedAttempt } from '../attempts.ts'
import { readFact, type Store, writeFact } from '../database.ts'
import { raiseAlarm } from '../oversight.ts'
import { watchReport } from '../reports.ts'
import { type Destination, isReadable, rowOf, type SubmissionRow } from '../rows.ts'
import { followNote } from '../sent-wrongly.ts'
import { submissionIdsIn, indexForSearch } from '../submissions.ts'
import { moveSubmission } from '../transitions.ts'
import {
  attemptsKnown,
  isSubmissionKnown,
  type Manifest,
  type ManifestRow,
  progressOf,
  raiseRevision,
  unsettledIds,
} from './manifests.ts'

/** Not cleared for sending, or stopped by a person: content cleared earlier needs a person's approval. */
const NEEDS_NEW_APPROVAL: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'held',
  'refused',
]

/** The service that a case may have gone to if no attempt of it says so. */
export type Service = Pick<Destination, 'baseUrl' | 'clientId'>

/** If nothing names one. */
export const NO_SERVICE: Service = { baseUrl: '', clientId: '' }

/** Adds an attempt that this outbox did not see and that may have arrived. Returns its id. */
function addUnseenAttempt(
  store: Store,
  row: SubmissionRow,
  options: { readonly service: Service; readonly number: number; readonly at: number },
): string {
  const id = randomUUID()
  store.run`
    INSERT INTO attempts (id, submission_id, number, base_url, client_id, center_id, phase, outcome,
    request_bytes, failure, started_at, ended_at)
    VALUES (${id}, ${row.id}, ${options.number}, ${options.service.baseUrl}, ${options.service.clientId},
    ${row.center_id}, 'ended', 'unknown', 0, ${failureToText(failureOf('outcomeUnknown'))},
    ${options.at}, ${options.at})`
  store.run`UPDATE submissions SET attempts = max(attempts, ${options.number}) WHERE id = ${row.id}`
  return id
}

/** An alarm about one submission, or about all. */
export function raiseRestored(
  store: Store,
  alarm: { readonly submissionId: string | null; readonly caseIds?: readonly string[]; readonly at: number },
  message: Message,
): void {
  raiseAlarm(store, { kind: 'outboxRestored', caseIds: [], ...alarm, ...message })
}

type UnconfirmedOptions = {
  /** The service currently set. */
  readonly service: Service
  readonly at: number
  /** The number of attempts known from elsewhere, and the destination of the last one. */
  readonly elsewhere?: {
    readonly attempts: number
    readonly last: Service | null
    readonly caseIds: readonly string[]
  }
}

/** Marks one submission unconfirmed. Sent and discarded ones keep their states. */
function markUnconfirmed(store: Store, id: string, options: UnconfirmedOptions): void {
  const row = rowOf(store, id)
  if (!row) return
  const { at, elsewhere } = options
  const attempts = attemptsOf(store, id)
  const patch = { failure: failureOf('outcomeUnknown'), notBefore: at, looks: 0 }
  const open = attempts.find((attempt) => attempt.outcome === null)
  if (open) {
    const { failure } = patch
    const end = {
      outcome: 'unknown',
      handedOverBytes: open.request_bytes,
      failure,
      answer: null,
      at,
    } as const
    endAttempt(store, open.id, end, 'becameUnknown', patch)
  }
  const last = attempts.at(-1)
  const service =
    elsewhere?.last ?? (last ? { baseUrl: last.base_url, clientId: last.client_id } : options.service)
  const number = Math.max(row.attempts, last?.number ?? 0, elsewhere?.attempts ?? 0) + 1
  const attemptId = addUnseenAttempt(store, row, { service, number, at })
  if (row.state === 'discarded') return
  if (NEEDS_NEW_APPROVAL.includes(row.state) || row.undo_ms !== null) forgetClearance(store, id)
  moveSubmission(store, id, 'wasRestored', patch, { at, details: { attempt: number } })
  appendEvidence(store, {
    submissionId: id,
    attemptId,
    at,
    kind: 'restored',
    caseIds: [...(elsewhere?.caseIds ?? [])],
    ...worded('outbox:restored.evidence'),
    by: null,
  })
}

/** How it was noticed that this is not the outbox that was used last. */
const RESTORE_REASONS = ['backup', 'otherCopy', 'behindManifests', 'recovered'] as const

export type RestoreReason = (typeof RESTORE_REASONS)[number]

/** How many submissions became unconfirmed, and how many stay discarded until their arrival is known. */
type UnconfirmedCounts = { readonly unconfirmed: number; readonly discarded: number }

/** Marks all unconfirmed that is not sent, in one commit. Discarded cases stay so, with an attempt in doubt. */
export function markAllUnconfirmed(
  store: Store,
  why: RestoreReason,
  options: { readonly service: Service; readonly at: number },
): UnconfirmedCounts {
  return store.write(() => {
    const ids = unsettledIds(store).filter((id) => isReadable(store, id))
    for (const id of ids) markUnconfirmed(store, id, options)
    const discarded = submissionIdsIn(store, 'discarded').filter((id) => !hasUnresolvedAttempt(store, id))
    for (const id of discarded) markUnconfirmed(store, id, options)
    // Unreadable cases follow once they can be read.
    store.run('UPDATE quarantine SET is_in_doubt = 1')
    const reason = wordingOf(`outbox:restored.reason.${why}`)
    raiseRestored(store, { submissionId: null, at: options.at }, worded('outbox:restored.all', { reason }))
    writeFact(store, 'restored', '')
    return { unconfirmed: ids.length, discarded: discarded.length }
  })
}

/** Marks the submission unconfirmed whose manifest knows more than its row. */
export function markUnconfirmedBy(store: Store, manifest: Manifest, at: number): void {
  const { id } = manifest.submission
  store.write(() => {
    raiseRevision(store, id, manifest.revision)
    const row = rowOf(store, id)
    if (!row || row.state === 'sent') return
    const attempt = manifest.announced ?? manifest.attempts.at(-1)
    const last = attempt ? { baseUrl: attempt.base_url, clientId: attempt.client_id } : null
    const { case_id: caseId } = manifest.submission
    const caseIds = caseId === null ? [] : [caseId]
    markUnconfirmed(store, id, {
      service: NO_SERVICE,
      at,
      elsewhere: { attempts: attemptsKnown(manifest), last, caseIds },
    })
    const reason = wordingOf('outbox:restored.reason.behindManifests')
    raiseRestored(store, { submissionId: id, caseIds, at }, worded('outbox:restored.one', { reason }))
  })
}

/** The same if its manifest cannot be read, so that its content is unknown. False if it is sent or unconfirmed. */
export function markUnreadUnconfirmed(
  store: Store,
  id: string,
  options: { readonly service: Service; readonly at: number },
): boolean {
  return store.write(() => {
    const row = rowOf(store, id)
    if (!row || row.state === 'sent' || row.state === 'unconfirmed') return false
    if (row.state === 'discarded' && hasUnresolvedAttempt(store, id)) return false
    markUnconfirmed(store, id, options)
    if (row.state !== 'discarded')
      raiseRestored(store, { submissionId: id, at: options.at }, worded('outbox:restored.manifestUnreadable'))
    return true
  })
}

/** Why recent history is unknown; null if it is known, or if that was dealt with. */
export function whyRestored(store: Store): RestoreReason | null {
  const stored = readFact(store, 'restored')
  return RESTORE_REASONS.find((why) => why === stored) ?? null
}

/** Upserts a row, limited to the columns that this database has. */
function upsertRow(
  store: Store,
  table: 'submissions' | 'images' | 'sightings' | 'unusable_files' | 'attempts',
  row: ManifestRow,
  key = '(id)',
): void {
  const has = new Set(
    store.rows<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.map(({ name }) => name),
  )
  const columns = Object.keys(row).filter((name) => has.has(name))
  const changes = columns.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`)
  const values = columns.map((name) => `@${name}`)
  store.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})
       ON CONFLICT ${key} DO UPDATE SET ${changes.join(', ')}`,
    Object.fromEntries(columns.map((name) => [name, row[name] ?? null])),
  )
}

/** Upserts the attempts of a manifest. One without an end may have arrived: no process is left to end it. */
function applyAttempts(store: Store, { submission, attempts, announced }: Manifest, at: number): void {
  store.run`
    UPDATE attempts SET phase = 'ended', outcome = 'unknown', ended_at = ${at}
    WHERE submission_id = ${submission.id} AND outcome IS NULL`
  const exists = (number: number): boolean =>
    store.finds`SELECT 1 FROM attempts WHERE submission_id = ${submission.id} AND number = ${number}`
  for (const attempt of attempts) {
    const end = attempt.outcome === null ? { phase: 'ended', outcome: 'unknown', ended_at: at } : {}
    if (!exists(attempt.number)) upsertRow(store, 'attempts', { ...attempt, ...end })
    else if (attempt.outcome !== null)
      store.run`
        UPDATE attempts SET outcome = ${attempt.outcome}, failure = ${attempt['failure'] ?? null},
        ended_at = ${attempt['ended_at'] ?? at}, resolution = ${attempt['resolution'] ?? null},
        found_at = ${attempt['found_at'] ?? null} WHERE submission_id = ${submission.id}
        AND number = ${attempt.number}`
  }
  if (announced === null || exists(announced.number)) return
  upsertRow(store, 'attempts', {
    id: `${submission.id}-${announced.number}`,
    submission_id: submission.id,
    number: announced.number,
    base_url: announced.base_url,
    client_id: announced.client_id,
    center_id: announced.center_id,
    phase: 'ended',
    outcome: 'unknown',
    request_bytes: announced.request_bytes,
    started_at: announced.at,
    ended_at: at,
  })
  store.run`
    UPDATE submissions SET attempts = max(attempts, ${announced.number}) WHERE id = ${submission.id}`
}

export type AppliedManifests = {
  /** Submissions that the outbox did not have. */
  readonly added: number
  /** Submissions of which it knew less. */
  readonly changed: number
}

/** Applies manifests that know more, in one commit. Of the states only `sending` changes: it may have arrived. */
export function applyManifests(store: Store, manifests: readonly Manifest[], at: number): AppliedManifests {
  return store.write(() => {
    const count = { added: 0, changed: 0 }
    const newer = manifests.filter((manifest) => {
      const row = progressOf(store, manifest.submission.id)
      return row === null || manifest.revision > row.revision
    })
    for (const manifest of newer) {
      count[isSubmissionKnown(store, manifest.submission.id) ? 'changed' : 'added'] += 1
      const { submission } = manifest
      const state = submission.state === 'sending' ? 'unconfirmed' : submission.state
      // The case that it follows may not exist yet.
      upsertRow(store, 'submissions', { ...submission, state, addendum_to: null })
      raiseRevision(store, manifest.submission.id, manifest.revision)
    }
    applyImages(store, newer, at)
    for (const manifest of newer) applyRest(store, manifest, at)
    settleAllClearances(store)
    return count
  })
}

type ImageOwner = {
  readonly submissionId: string
  readonly revision: number
  readonly row: Manifest['images'][number]
}

/** If several manifests name one image, the latest is right: those that lost it were written before. */
function imageOwners(manifests: readonly Manifest[]): Map<string, ImageOwner> {
  const owners = new Map<string, ImageOwner>()
  for (const { submission, revision, images } of manifests) {
    for (const row of images) {
      const other = owners.get(row.id)
      if (other === undefined || other.revision < revision)
        owners.set(row.id, { submissionId: submission.id, revision, row })
    }
  }
  return owners
}

function applyImages(store: Store, newer: readonly Manifest[], at: number): void {
  const owners = imageOwners(newer)
  const applied = new Set(newer.map(({ submission }) => submission.id))
  for (const id of applied) {
    const existing = store.rows<{ id: string }>`SELECT id FROM images WHERE submission_id = ${id}`
    const strays = existing.filter((image) => !owners.has(image.id))
    for (const image of strays) excludeStray(store, image.id)
    if (strays.length > 0)
      raiseRestored(store, { submissionId: id, at }, worded('outbox:restored.straysExcluded'))
  }
  for (const { submissionId, revision, row } of owners.values()) {
    const owner = store.row<{ id: string; revision: number }>`
      SELECT images.submission_id AS id, revision FROM images JOIN manifests
      ON manifests.submission_id = images.submission_id WHERE images.id = ${row.id}`
    if (owner !== undefined && !applied.has(owner.id) && owner.revision > revision) continue
    upsertRow(store, 'images', { ...row, submission_id: submissionId, twin_of: null })
  }
  for (const { row } of owners.values()) {
    if (row['twin_of'] === null || row['twin_of'] === undefined) continue
    store.run`
      UPDATE images SET twin_of = (SELECT id FROM images WHERE id = ${row['twin_of']})
      WHERE id = ${row.id}`
  }
}

/** An image that another case has, but without a newer manifest: it stays, and is not sent from here. */
function excludeStray(store: Store, id: string): void {
  store.run`UPDATE images SET excluded_because = ${STRAYED_IMAGE} WHERE id = ${id}`
}

/** A copy that is there stays what it is: neither the newest of its name, nor without the record that governs it. */
const KEY_OF_COPIES = "(image_id, folder_path, relative_path) WHERE became = 'copy'"

function applyRest(store: Store, manifest: Manifest, at: number): void {
  const { id } = manifest.submission
  store.run`
    UPDATE submissions SET addendum_to = (SELECT id FROM submissions
    WHERE id = ${manifest.submission['addendum_to'] ?? null}) WHERE id = ${id}`
  store.run`DELETE FROM submission_keys WHERE submission_id = ${id}`
  for (const key of manifest.keys)
    store.run`
      INSERT INTO submission_keys (folder_path, group_key, submission_id)
      VALUES (${key.folder_path}, ${key.group_key}, ${id})`
  for (const copy of manifest.copies)
    if (store.finds`SELECT 1 FROM images WHERE id = ${copy.image_id}`)
      upsertRow(store, 'sightings', copy, KEY_OF_COPIES)
  applyUnusable(store, manifest)
  applyAttempts(store, manifest, at)
  indexForSearch(store, id)
  watchRestoredReport(store, manifest, at)
  followNote(store, id, { by: null, at })
  store.touch(id)
}

/** The files that the case waits for: without them it might go as if it were whole. */
function applyUnusable(store: Store, { submission, unusable }: Manifest): void {
  store.run`DELETE FROM unusable_files WHERE submission_id = ${submission.id}`
  for (const row of unusable) {
    store.run`
      DELETE FROM unusable_files WHERE folder_path = ${row['folder_path'] ?? null}
      AND relative_path = ${row['relative_path'] ?? null} AND size_bytes = ${row['size_bytes'] ?? null}
      AND mtime_ms = ${row['mtime_ms'] ?? null} AND crc32 IS ${row['crc32'] ?? null}`
    upsertRow(store, 'unusable_files', row)
  }
}

/** Requests reports that arrived since once more, from the service that has the case. */
function watchRestoredReport(store: Store, manifest: Manifest, at: number): void {
  const row = rowOf(store, manifest.submission.id)
  const last = manifest.attempts.at(-1)
  if (row?.state !== 'sent' || row.case_id === null || !last) return
  const destination = { baseUrl: last.base_url, clientId: last.client_id, centerId: last.center_id }
  watchReport(store, { submissionId: row.id, caseId: row.case_id, destination, at })
  store.run`UPDATE report_watches SET next_check_at = ${at} WHERE submission_id = ${row.id}`
}
