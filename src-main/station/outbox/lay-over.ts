/** Lays manifests over an outbox that knows less: rows are built anew, or brought to what the manifest says. */
import { raiseAlarm } from './alarm-store.ts'
import { applyAttempts } from './lay-attempts.ts'
import type { Manifest, ManifestRow } from './manifest.ts'
import { isKnown, progressOf, raiseRevision } from './manifest-store.ts'
import { settleAllPassed } from './passed-store.ts'
import { upsertRow } from './put-row.ts'
import { watchReport } from './report-store.ts'
import { rowOf, writeWords } from './submission-store.ts'
import type { WriteThrough } from './write-through.ts'

export type AppliedManifests = {
  /** Submissions that the outbox did not know. */
  readonly added: number
  /** Submissions that it knew less of. */
  readonly changed: number
}

type Image = Manifest['images'][number]
type ImageOwner = { readonly submissionId: string; readonly revision: number; readonly row: Image }

/**
 * Lays over all manifests that know more than the outbox does, in one commit.
 *
 * What was under way when a manifest was written may have arrived, and is unconfirmed. The others stand as they were:
 * whoever calls this puts them in doubt.
 */
export function layOver(store: WriteThrough, manifests: readonly Manifest[], at: number): AppliedManifests {
  return store.write(() => {
    const count = { added: 0, changed: 0 }
    const newer = manifests.filter((manifest) => {
      const row = progressOf(store, manifest.submission.id)
      return row === null || manifest.revision > row.revision
    })
    for (const manifest of newer) {
      count[isKnown(store, manifest.submission.id) ? 'changed' : 'added'] += 1
      upsertRow(store, 'submissions', ['id'], submissionRow(manifest))
      raiseRevision(store, manifest.submission.id, manifest.revision)
    }
    applyImages(store, newer, at)
    for (const manifest of newer) applyRest(store, manifest, at)
    settleAllPassed(store)
    return count
  })
}

function submissionRow({ submission }: Manifest): ManifestRow {
  const state = submission.state === 'sending' ? 'unconfirmed' : submission.state
  // Whom it follows may not be there yet.
  return { ...submission, state, addendum_to: null }
}

/** Of several manifests that name one image, the latest is right; those that lost it were written before. */
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

function applyImages(store: WriteThrough, newer: readonly Manifest[], at: number): void {
  const { sql } = store
  const owners = imageOwners(newer)
  const applied = new Set(newer.map(({ submission }) => submission.id))
  for (const id of applied) {
    const existing = sql
      .prepare<[string], { id: string }>('SELECT id FROM images WHERE submission_id = ?')
      .all(id)
    const strays = existing.filter((image) => !owners.has(image.id))
    for (const image of strays) excludeStray(store, image.id)
    if (strays.length > 0) raiseStrayAlarm(store, id, at)
  }
  const ownerOf = sql.prepare<[string], { id: string; revision: number }>(
    `SELECT images.submission_id AS id, revision FROM images
     JOIN manifests ON manifests.submission_id = images.submission_id WHERE images.id = ?`,
  )
  for (const { submissionId, revision, row } of owners.values()) {
    const owner = ownerOf.get(row.id)
    if (owner !== undefined && !applied.has(owner.id) && owner.revision > revision) continue
    upsertRow(store, 'images', ['id'], { ...row, submission_id: submissionId, twin_of: null })
  }
  for (const { row } of owners.values()) {
    if (row['twin_of'] === null || row['twin_of'] === undefined) continue
    sql
      .prepare('UPDATE images SET twin_of = (SELECT id FROM images WHERE id = ?) WHERE id = ?')
      .run(row['twin_of'], row.id)
  }
}

const STRAY = 'Belonged to another case when the outbox was lost; look where it belongs.'

/**
 * An image that its case had given to another one, whose manifest does not tell of it: that one was not written any
 * more. It stays where it is known, and is not sent from there.
 */
function excludeStray(store: WriteThrough, id: string): void {
  store.sql.prepare('UPDATE images SET excluded_because = ? WHERE id = ?').run(STRAY, id)
}

function raiseStrayAlarm(store: WriteThrough, submissionId: string, at: number): void {
  raiseAlarm(store, {
    kind: 'outboxRestored',
    submissionId,
    caseIds: [],
    message:
      'Images of this case had been moved to another case when the outbox was lost, and it is not known to which. They are kept here and are not sent. Look where they belong.',
    at,
  })
}

function applyRest(store: WriteThrough, manifest: Manifest, at: number): void {
  const { sql } = store
  const { id } = manifest.submission
  sql
    .prepare('UPDATE submissions SET addendum_to = (SELECT id FROM submissions WHERE id = ?) WHERE id = ?')
    .run(manifest.submission['addendum_to'] ?? null, id)
  sql.prepare('DELETE FROM submission_keys WHERE submission_id = ?').run(id)
  for (const key of manifest.keys)
    sql
      .prepare('INSERT INTO submission_keys (folder_path, group_key, submission_id) VALUES (?, ?, ?)')
      .run(key.folder_path, key.group_key, id)
  for (const copy of manifest.copies) {
    const isThere = sql.prepare('SELECT 1 AS found FROM images WHERE id = ?').get(copy.image_id) !== undefined
    if (isThere) upsertRow(store, 'image_copies', ['image_id', 'folder_path', 'file_name'], copy)
  }
  applyAttempts(store, manifest, at)
  writeWords(store, id)
  watchRestoredReport(store, manifest, at)
  store.touch(id)
}

/** Reports that came since are asked for again, at the service that has the case. */
function watchRestoredReport(store: WriteThrough, manifest: Manifest, at: number): void {
  const row = rowOf(store, manifest.submission.id)
  const last = manifest.attempts.at(-1)
  if (row?.state !== 'sent' || row.case_id === null || !last) return
  const destination = { baseUrl: last.base_url, clientId: last.client_id, centerId: last.center_id }
  watchReport(store, { submissionId: row.id, caseId: row.case_id, destination, at })
  store.sql.prepare('UPDATE report_watches SET next_check_at = ? WHERE submission_id = ?').run(at, row.id)
}
