/**
 * Cases whose patient withdrew before anything was sent: what the outbox holds of them is erased in one commit. Of their
 * files the hashes stay, as rows of images without anything else, so that neither a sweep nor a recovery brings them back.
 */
import { randomUUID } from 'node:crypto'
import { HISTORY_NUMBER } from '../json-columns.ts'
import { appendAudit, readFact, type Store, writeFact } from './database.ts'
import type { SidecarMatch } from './files.ts'
import { addLeftover } from './images.ts'
import { hashWithName, noteFirst } from './seen-files.ts'
import { indexForSearch, NO_IDENTITY } from './submissions.ts'

/** The text of a column that needs one. */
const ERASED = 'erased'

type Withdrawal = {
  readonly folderPath: string | null
  readonly number: string | null
  /** Under what the records of data files about this case are found: its number, and the names of its images. */
  readonly keys: readonly SidecarMatch[]
  readonly by: string | undefined
  readonly at: number
}

/** Erases a discarded case, and returns how many of its files will not come back. Their bytes are leftovers from now on. */
export function eraseCase(store: Store, id: string, withdrawal: Withdrawal): number {
  return store.write(() => {
    const documents = eraseRecords(store, id, withdrawal)
    const images = eraseFiles(store, id, documents, withdrawal.at)
    eraseTexts(store, id, withdrawal.at)
    const { at, by } = withdrawal
    appendAudit(store, { at, submissionId: id, what: 'withdrawn', by, details: { images } })
    const revision = store.value<number>`SELECT revision FROM manifests WHERE submission_id = ${id}`
    writeFact(store, 'erasedUntil', String(revision ?? 0))
    noteFirst(store, 'erased')
    store.touch(id)
    return images
  })
}

/** What was known before this revision of manifests may name a patient who has withdrawn since. */
export function erasedUntil(store: Store): number {
  return Number(readFact(store, 'erasedUntil') ?? 0)
}

/** Empties the log beside the outbox, which holds what was written before. Throws the disk's error. */
export function emptyLog(store: Store): void {
  store.rows('PRAGMA wal_checkpoint(TRUNCATE)')
}

type FileName = {
  readonly folder: string
  readonly path: string
  /** Its content names the patient: it is of no other, whatever its name. */
  readonly isNamed?: 0 | 1
}

/**
 * Records about this case, and what its number taught; not if another case on this station has the number. Returns the
 * names of the data files that have no others.
 */
function eraseRecords(
  store: Store,
  id: string,
  { folderPath, number, keys }: Withdrawal,
): readonly FileName[] {
  const others = `SELECT 1 FROM submissions WHERE ${HISTORY_NUMBER} = ? COLLATE NOCASE AND id <> ?`
  const isShared = store.finds(others, number, id)
  const own = keys.filter(({ kind }) => kind !== 'patient' || !isShared)
  const about = store.values<number>`
    SELECT record_id FROM sidecar_matches JOIN json_each(${JSON.stringify(own)}) ON kind = value ->> 'kind'
    AND match_key = value ->> 'key' WHERE folder_path = ${folderPath}
    UNION SELECT record_id FROM images WHERE submission_id = ${id} AND record_id IS NOT NULL
    EXCEPT SELECT record_id FROM images WHERE submission_id <> ${id} AND folder_path = ${folderPath}
      AND record_id IS NOT NULL`
  const erased = JSON.stringify(about)
  const documents = store.rows<FileName>`
    SELECT folder_path AS folder, relative_path AS path,
    coalesce(instr(lower(content), lower(${number})) > 0, 0) AS isNamed FROM sidecar_records
    WHERE id IN (SELECT value FROM json_each(${erased})) AND form <> 'table'`
  store.run`DELETE FROM sidecar_matches WHERE record_id IN (SELECT value FROM json_each(${erased}))`
  store.run`
    UPDATE sidecar_records SET relative_path = '', path_key = '', content = NULL, stated_before = NULL, trouble = NULL
    WHERE id IN (SELECT value FROM json_each(${erased}))`
  store.run`DELETE FROM folder_mentions WHERE folder_path = ${folderPath} AND submission_id = ${id}`
  if (number === null || isShared) return documents
  store.run`DELETE FROM folder_terms WHERE folder_path = ${folderPath} AND number = ${number}`
  store.run`
    DELETE FROM folder_answers WHERE folder_path = ${folderPath} AND kind <> 'noPatientNumber'
    AND (one = ${number} OR other = ${number})`
  return documents
}

/**
 * Leaves of each image, of each copy, of each data file and of each file that could not be used, its hash alone; of what
 * another patient may have, too, such as an empty file, only together with its name.
 */
function eraseFiles(store: Store, id: string, documents: readonly FileName[], at: number): number {
  type Stored = { readonly id: string; readonly spool: string; readonly picture: string | null }
  const images = store.rows<Stored>`
    SELECT id, spool_name AS spool, picture_spool_name AS picture FROM images WHERE submission_id = ${id}`
  const unusable = store.rows<FileName>`
    SELECT folder_path AS folder, relative_path AS path FROM unusable_files WHERE submission_id = ${id}`
  const names = JSON.stringify([...documents, ...unusable])
  type Seen = FileName & { readonly id: number; readonly sha256: string | null }
  const seen = store.rows<Seen>`
    SELECT id, folder_path AS folder, relative_path AS path, sha256, 1 AS isNamed FROM sightings
    WHERE image_id IN (SELECT id FROM images WHERE submission_id = ${id})
    UNION SELECT sightings.id, folder_path, relative_path, sha256, coalesce(value ->> 'isNamed', 0)
      FROM json_each(${names}) JOIN sightings
      ON folder_path = value ->> 'folder' AND relative_path = value ->> 'path'`
  const own = new Set(store.values<string>`SELECT sha256 FROM images WHERE submission_id = ${id}`)
  const others = new Set(
    seen.flatMap(({ sha256, path, isNamed }) => {
      if (sha256 === null || own.has(sha256)) return []
      return isNamed === 1 ? [sha256] : [hashWithName(sha256, path)]
    }),
  )
  for (const { spool, picture } of images)
    for (const name of [spool, picture]) if (name !== null) addLeftover(store, name)
  store.run`
    DELETE FROM file_notes WHERE (folder_path, file_name) IN
    (SELECT value ->> 'folder', value ->> 'path' FROM json_each(${JSON.stringify([...seen, ...unusable])}))`
  store.run`
    DELETE FROM sightings WHERE id IN
    (SELECT value ->> 'id' FROM json_each(${JSON.stringify(seen)}))`
  store.run`DELETE FROM unusable_files WHERE submission_id = ${id}`
  store.run`
    UPDATE images SET folder_path = NULL, file_name = ${ERASED}, stem_key = '', eye = 'unknown', eye_source = NULL,
    eye_statements = NULL, eye_settled = NULL, size_bytes = 0, spool_name = ${ERASED}, mtime_ms = 0, facts = NULL,
    oddities = '[]', sop_uid = NULL, grey = NULL, picture_spool_name = NULL, picture_content_type = NULL,
    picture_size_bytes = NULL, picture_sha256 = NULL, sends = 'original', twin_of = NULL, record_id = NULL,
    excluded_because = NULL, imported_at = NULL, removed_at = ${at} WHERE submission_id = ${id}`
  for (const sha256 of others)
    store.run`
      INSERT INTO images (id, submission_id, file_name, eye, size_bytes, sha256, spool_name, content_type, added_at,
      removed_at) VALUES (${randomUUID()}, ${id}, ${ERASED}, 'unknown', 0, ${sha256}, ${ERASED}, 'image/jpeg',
      ${at}, ${at})`
  return images.length + others.size
}

function eraseTexts(store: Store, id: string, at: number): void {
  store.run`DELETE FROM submission_keys WHERE submission_id = ${id}`
  store.run`DELETE FROM evidence WHERE submission_id = ${id}`
  store.run`
    UPDATE attempts SET failure = NULL, answer_status = NULL, answer_body = NULL, answer_size_bytes = NULL
    WHERE submission_id = ${id}`
  store.run`
    UPDATE submissions SET fields = '{}', sources = '{}', identity = ${JSON.stringify(NO_IDENTITY)}, reasons = '[]',
    oddities = '[]', verdict = NULL, no_image_because = '{}', passed_digest = NULL, passed_at = NULL,
    approved_digest = NULL, approved_verdict = NULL, approved_via = NULL, approved_by = NULL, approved_at = NULL,
    failure = NULL, quiet_until = NULL, not_before = NULL, planned_at = NULL, changed_at = ${at}, erased_at = ${at}
    WHERE id = ${id}`
  indexForSearch(store, id)
}
