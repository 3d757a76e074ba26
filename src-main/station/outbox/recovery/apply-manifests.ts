/** Applies manifests to an outbox that knows less: rebuilds missing rows and updates outdated ones. */
import { STRAYED_IMAGE } from '../../../../src-shared/submission.ts'
import { worded } from '../../../../src-shared/wording.ts'
import type { Store } from '../database.ts'
import { raiseAlarm } from '../oversight.ts'
import { watchReport } from '../reports.ts'
import { rowOf } from '../rows.ts'
import { indexForSearch } from '../submissions.ts'
import { settleAllClearances } from '../transitions.ts'
import { isKnown, type Manifest, type ManifestRow, progressOf, raiseRevision } from './manifests.ts'

/** Upserts a row, limited to the columns that this database has. */
function upsertRow(
  store: Store,
  table: 'submissions' | 'images' | 'image_copies' | 'attempts',
  key: readonly string[],
  row: ManifestRow,
): void {
  const has = new Set(
    store.rows<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.map(({ name }) => name),
  )
  const columns = Object.keys(row).filter((name) => has.has(name))
  const changes = columns.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`)
  const values = columns.map((name) => `@${name}`)
  store.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})
       ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`,
    Object.fromEntries(columns.map((name) => [name, row[name] ?? null])),
  )
}

/**
 * Upserts the attempts of a manifest. One without a known end, or only announced, may have arrived: no process
 * is left to end it.
 */
function applyAttempts(store: Store, { submission, attempts, announced }: Manifest, at: number): void {
  store.run`
    UPDATE attempts SET phase = 'ended', outcome = 'unknown', ended_at = ${at}
    WHERE submission_id = ${submission.id} AND outcome IS NULL`
  const exists = (number: number): boolean =>
    store.row`
      SELECT 1 AS found FROM attempts WHERE submission_id = ${submission.id} AND number = ${number}` !==
    undefined
  for (const attempt of attempts) {
    const end = attempt.outcome === null ? { phase: 'ended', outcome: 'unknown', ended_at: at } : {}
    if (!exists(attempt.number)) upsertRow(store, 'attempts', ['id'], { ...attempt, ...end, baseline: '[]' })
    else if (attempt.outcome !== null)
      store.run`
        UPDATE attempts SET outcome = ${attempt.outcome}, failure = ${attempt['failure'] ?? null},
        ended_at = ${attempt['ended_at'] ?? at}, resolution = ${attempt['resolution'] ?? null},
        found_at = ${attempt['found_at'] ?? null} WHERE submission_id = ${submission.id}
        AND number = ${attempt.number}`
  }
  if (announced === null || exists(announced.number)) return
  upsertRow(store, 'attempts', ['id'], {
    id: `${submission.id}-${announced.number}`,
    submission_id: submission.id,
    number: announced.number,
    base_url: announced.base_url,
    client_id: announced.client_id,
    center_id: announced.center_id,
    phase: 'ended',
    outcome: 'unknown',
    request_bytes: announced.request_bytes,
    baseline: '[]',
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

type Image = Manifest['images'][number]

type ImageOwner = { readonly submissionId: string; readonly revision: number; readonly row: Image }

/**
 * Applies all manifests that know more than the outbox, in one commit.
 *
 * A case that was under way when its manifest was written may have arrived, and becomes unconfirmed. The others
 * keep their states: the caller marks them unconfirmed.
 */
export function applyManifests(store: Store, manifests: readonly Manifest[], at: number): AppliedManifests {
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
    settleAllClearances(store)
    return count
  })
}

function submissionRow({ submission }: Manifest): ManifestRow {
  const state = submission.state === 'sending' ? 'unconfirmed' : submission.state
  // The case that it follows may not exist yet.
  return { ...submission, state, addendum_to: null }
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
    if (strays.length > 0) raiseStrayAlarm(store, id, at)
  }
  for (const { submissionId, revision, row } of owners.values()) {
    const owner = store.row<{ id: string; revision: number }>`
      SELECT images.submission_id AS id, revision FROM images JOIN manifests
      ON manifests.submission_id = images.submission_id WHERE images.id = ${row.id}`
    if (owner !== undefined && !applied.has(owner.id) && owner.revision > revision) continue
    upsertRow(store, 'images', ['id'], { ...row, submission_id: submissionId, twin_of: null })
  }
  for (const { row } of owners.values()) {
    if (row['twin_of'] === null || row['twin_of'] === undefined) continue
    store.run`
      UPDATE images SET twin_of = (SELECT id FROM images WHERE id = ${row['twin_of']})
      WHERE id = ${row.id}`
  }
}

/**
 * An image that its case had passed to another one, whose manifest was not written any more. It stays with
 * the case that has it, but is not sent from there.
 */
function excludeStray(store: Store, id: string): void {
  store.run`UPDATE images SET excluded_because = ${STRAYED_IMAGE} WHERE id = ${id}`
}

function raiseStrayAlarm(store: Store, submissionId: string, at: number): void {
  raiseAlarm(store, {
    kind: 'outboxRestored',
    submissionId,
    caseIds: [],
    ...worded('outbox:restored.straysExcluded'),
    at,
  })
}

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
  for (const copy of manifest.copies) {
    const isThere = store.row`SELECT 1 AS found FROM images WHERE id = ${copy.image_id}` !== undefined
    if (isThere) upsertRow(store, 'image_copies', ['image_id', 'folder_path', 'file_name'], copy)
  }
  applyAttempts(store, manifest, at)
  indexForSearch(store, id)
  watchRestoredReport(store, manifest, at)
  store.touch(id)
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
