/**
 * The images of submissions, and the removal of their bytes after the retention time: committed before
 * the file is deleted. Rows stay forever, so that a late export is recognised.
 */
import { randomUUID } from 'node:crypto'
import type { Answer } from '../json-columns.ts'
import { appendAudit, type Store } from './database.ts'
import { type ImageRow, readableRows, type SubmissionRow } from './rows.ts'
import type { ImageType } from '../../../src-shared/image-files.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { Source } from '../../../src-shared/submission.ts'

/** A spooled file: the camera's own bytes, or a picture made from them. */
export type SpooledBytes = {
  readonly spoolName: string
  readonly contentType: ImageType
  readonly sizeBytes: number
  readonly sha256: string
}

export type NewImage = SpooledBytes & {
  readonly submissionId: string
  readonly folderPath: string | null
  readonly fileName: string
  readonly eye: Eye
  readonly eyeSource: Source | null
  /** Who chose the eye; null or undefined if the program did. */
  readonly eyeAnswer?: Answer | null
  readonly at: number
  /** When a person chose to import it; null for all others. */
  readonly importedAt?: number | null
  readonly mtimeMs?: number
  /** Folder and stem of the name, normalised: the same for a DICOM file and the JPEG beside it. */
  readonly stemKey?: string
  readonly facts?: string | null
  readonly sopUid?: string | null
  /** Warnings about the image as JSON. */
  readonly oddities?: string
  /** Of its picture, reduced; null if nothing was decoded. */
  readonly grey?: string | null
  readonly picture?: SpooledBytes | null
  readonly sends?: ImageRow['sends']
  readonly recordId?: number | null
}

export function addImage(store: Store, image: NewImage): string {
  const id = randomUUID()
  const { picture } = image
  store.run`
      INSERT INTO images (id, submission_id, folder_path, file_name, stem_key, eye, eye_source, eye_settled,
      size_bytes, sha256, spool_name, content_type, mtime_ms, facts, oddities, sop_uid, picture_spool_name,
      picture_content_type, picture_size_bytes, picture_sha256, sends, record_id, imported_at, added_at, grey)
      VALUES (${id}, ${image.submissionId}, ${image.folderPath}, ${image.fileName}, ${image.stemKey ?? ''},
      ${image.eye}, ${image.eyeSource}, ${image.eyeAnswer ? JSON.stringify(image.eyeAnswer) : null},
      ${image.sizeBytes}, ${image.sha256}, ${image.spoolName}, ${image.contentType}, ${image.mtimeMs ?? 0},
      ${image.facts ?? null}, ${image.oddities ?? '[]'}, ${image.sopUid ?? null}, ${picture?.spoolName ?? null},
      ${picture?.contentType ?? null}, ${picture?.sizeBytes ?? null}, ${picture?.sha256 ?? null},
      ${image.sends ?? 'original'}, ${image.recordId ?? null}, ${image.importedAt ?? null}, ${image.at},
      ${image.grey ?? null})`
  store.touch(image.submissionId)
  return id
}

export type Holder = {
  readonly imageId: string
  readonly submissionId: string
  readonly reference: string
  readonly state: SubmissionState
  /** When all of it but its hash was erased, because its patient withdrew. */
  readonly erasedAt: number | null
}

/**
 * All who have this very image under any name, the first one first: the same bytes, or a picture of the same pixels. An
 * image whose case is unknown counts, an unreadable case, a discarded one that may have arrived, and last an erased one.
 * `pictureSha256`: of the picture made from it.
 */
export function holdersOf(store: Store, sha256: string, pictureSha256: string | null = null): Holder[] {
  return store.rows<Holder>(
    `SELECT images.id AS imageId, coalesce(submissions.id, images.submission_id) AS submissionId,
       coalesce(reference, '') AS reference, coalesce(state, 'held') AS state,
       CASE state WHEN 'discarded' THEN erased_at END AS erasedAt
     FROM images LEFT JOIN submissions ON submissions.id = submission_id
     WHERE (sha256 = @sha256 OR spool_name = @spoolName OR picture_sha256 = @pictureSha256)
       AND (state IS NULL OR state <> 'discarded' OR erased_at IS NOT NULL OR EXISTS
         (SELECT 1 FROM attempts WHERE attempts.submission_id = submissions.id AND (outcome = 'unknown' OR found_at IS NOT NULL)))
     ORDER BY erasedAt IS NOT NULL, sha256 = @sha256 DESC, spool_name = @spoolName DESC, images.position`,
    // The spool name contains the hash as well, so a flipped character is in one of the two.
    { sha256, spoolName: `${sha256.slice(0, 2)}/${sha256}`, pictureSha256 },
  )
}

/** Does a file of other pixels than these images state this DICOM name as well? Then it names neither. */
export function isSharedUid(store: Store, sopUid: string, imageIds: readonly string[]): boolean {
  const ids = JSON.stringify(imageIds)
  return store.finds`
    SELECT 1 FROM images AS other WHERE sop_uid = ${sopUid}
    AND id NOT IN (SELECT value FROM json_each(${ids})) AND NOT EXISTS
    (SELECT 1 FROM images AS own WHERE own.id IN (SELECT value FROM json_each(${ids}))
    AND (own.sha256 = other.sha256 OR own.picture_sha256 = other.picture_sha256))`
}

/** The references of other submissions with one of its images, such as a restored case. */
export function twinsOf(store: Store, submissionId: string): string[] {
  return store.values<string>`
    SELECT DISTINCT reference FROM images JOIN submissions ON submissions.id = submission_id
    WHERE submission_id <> ${submissionId} AND state <> 'discarded' AND excluded_because IS NULL
    AND (sha256 IN (SELECT sha256 FROM images WHERE submission_id = ${submissionId}
    AND excluded_because IS NULL)
    OR picture_sha256 IN (SELECT picture_sha256 FROM images WHERE submission_id = ${submissionId}
    AND picture_sha256 IS NOT NULL AND excluded_because IS NULL))`
}

type EyeFinding = {
  readonly eye: Eye
  readonly source: Source | null
  readonly statements: readonly string[] | null
  /** Who chose it, and what stated it then. */
  readonly answer?: Answer | null
}

/** Sets an eye and its source; `statements` if they disagree. Nothing of what was settled before holds for it. */
export function setEye(
  store: Store,
  imageId: string,
  { eye, source, statements, answer = null }: EyeFinding,
): void {
  store.run`
    UPDATE images SET eye = ${eye}, eye_source = ${source},
    eye_statements = ${statements && JSON.stringify(statements)}, eye_settled = ${answer && JSON.stringify(answer)}
    WHERE id = ${imageId}`
}

/** Saves the eyes of images with all that was decided about them. */
export function saveEyes(store: Store, images: readonly ImageRow[]): void {
  if (images.length === 0) return
  store.run`
    UPDATE images SET eye = value ->> 'eye', eye_source = value ->> 'eye_source',
    eye_statements = value ->> 'eye_statements', eye_settled = value ->> 'eye_settled'
    FROM json_each(${JSON.stringify(images)}) WHERE images.id = value ->> 'id'`
}

export function setExcluded(store: Store, imageId: string, because: string | null): void {
  store.run`UPDATE images SET excluded_because = ${because} WHERE id = ${imageId}`
}

/** Sets which image this file duplicates; null if none. */
export function setTwinOf(store: Store, imageId: string, twinOf: string | null): void {
  store.run`UPDATE images SET twin_of = ${twinOf} WHERE id = ${imageId}`
}

/** Binds images to the record that governs their folder. */
export function setRecord(store: Store, imageIds: readonly string[], recordId: number): void {
  store.run`
    UPDATE images SET record_id = ${recordId}
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(imageIds)}))`
}

/** Moves images to another submission, together with the memory of their source files. */
export function moveImages(store: Store, imageIds: readonly string[], toId: string): void {
  store.write(() => {
    for (const imageId of imageIds) {
      const row = imageById(store, imageId)
      if (!row || row.submission_id === toId) continue
      store.run`UPDATE images SET submission_id = ${toId} WHERE id = ${imageId}`
      store.run`
        UPDATE sightings SET submission_id = ${toId} WHERE image_id = ${imageId} AND became = 'image'`
      store.touch(row.submission_id)
      store.touch(toId)
    }
  })
}

export function imageById(store: Store, id: string): ImageRow | undefined {
  return imagesAmong(store, [id])[0]
}

/** Those of these images that exist and can be read, in this order. */
export function imagesAmong(store: Store, ids: readonly string[]): ImageRow[] {
  const rows = store.rows<ImageRow>`
    SELECT * FROM images WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
    AND submission_id NOT IN (SELECT submission_id FROM quarantine)`
  const found = new Map(readableRows(store, 'images', rows).map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Images of one folder and stem under any name: a DICOM file and its companions. No discarded cases. */
export function imagesOfStem(store: Store, folderPath: string, stemKey: string): ImageRow[] {
  return imagesOfStems(store, folderPath, [stemKey])
}

/** The same for several stems; `ofStem` is the one, and an image that has copies may be of two. */
export function imagesOfStems(
  store: Store,
  folderPath: string,
  stemKeys: readonly string[],
): (ImageRow & { readonly ofStem: string })[] {
  const stems = JSON.stringify(stemKeys)
  const rows = store.rows<ImageRow & { ofStem: string }>`
    SELECT images.*, named.stem_key AS ofStem FROM (
      SELECT id, stem_key FROM images WHERE folder_path = ${folderPath}
      AND stem_key IN (SELECT value FROM json_each(${stems}))
      UNION SELECT image_id, stem_key FROM sightings WHERE folder_path = ${folderPath} AND became = 'copy'
      AND stem_key IN (SELECT value FROM json_each(${stems}))) AS named
    JOIN images ON images.id = named.id JOIN submissions ON submissions.id = images.submission_id
    WHERE state <> 'discarded' AND submission_id NOT IN (SELECT submission_id FROM quarantine)
    ORDER BY images.position`
  return readableRows(store, 'images', rows)
}

/** The bounds of all names in this directory or below. */
export function namesBelow(directory: string): readonly [first: string, end: string] {
  const prefix = directory === '' ? '' : `${directory}/`
  return [prefix, `${prefix}\u{10FFFF}`]
}

/** The names of the images in this directory or below, of a visit: so many, at most. */
export function imageNamesBelow(
  store: Store,
  folderPath: string,
  directory: string,
  limit: number,
): string[] {
  return store.values<string>(
    'SELECT file_name FROM images WHERE folder_path = ? AND file_name >= ? AND file_name < ? LIMIT ?',
    folderPath,
    ...namesBelow(directory),
    limit,
  )
}

/** Submissions with an image from this directory or below. */
export function submissionsInFolder(store: Store, folderPath: string, directory: string): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>(
    `SELECT DISTINCT submissions.* FROM submissions JOIN images ON images.submission_id = submissions.id
       WHERE images.folder_path = ? AND images.file_name >= ? AND images.file_name < ?
       AND submissions.id NOT IN (SELECT submission_id FROM quarantine) ORDER BY submissions.position`,
    folderPath,
    ...namesBelow(directory),
  )
  return readableRows(store, 'submissions', rows)
}

/** More numbers say nothing more: two patients are enough. */
const SOME_NUMBERS = 8

/** A folder of one visit holds fewer images; of larger ones, so many show whose they are. */
const MANY_IMAGES = 1_000

/** Some of the patient numbers, each once, under which images of this directory came, or which persons entered for them. */
export function numbersInFolder(store: Store, folderPath: string, directory: string): string[] {
  const [first, end] = namesBelow(directory)
  return store.values<string>(
    `WITH cases AS MATERIALIZED (SELECT DISTINCT submission_id FROM (SELECT submission_id FROM images
       WHERE folder_path = @folderPath AND file_name >= @first AND file_name < @end LIMIT ${MANY_IMAGES}))
     SELECT * FROM (SELECT DISTINCT group_key ->> 1 FROM submission_keys
       WHERE submission_id IN (SELECT submission_id FROM cases)
       AND group_key >= '["patient",' AND group_key < '["patient"-' LIMIT ${SOME_NUMBERS})
     UNION ALL SELECT * FROM (SELECT DISTINCT fields ->> 'history_number' FROM submissions
       WHERE id IN (SELECT submission_id FROM cases) AND json_valid(fields)
       AND CASE WHEN json_valid(sources) THEN sources ->> 'history_number' END = 'person'
       AND fields ->> 'history_number' IS NOT NULL LIMIT ${SOME_NUMBERS})`,
    { folderPath, first, end },
  )
}

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

/** Records the removal of a case's images and returns their number: none unless it was confirmed before that instant. */
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
    for (const { spool_name, picture_spool_name } of removed)
      for (const name of [spool_name, picture_spool_name]) if (name !== null) addLeftover(store, name)
    const details = { count: removed.length }
    appendAudit(store, { at: options.at, submissionId, what: 'imagesRemoved', details })
    store.touch(submissionId)
    return removed.length
  })
}

/** Records a spooled file that may be obsolete: it is deleted once nothing needs it. */
export function addLeftover(store: Store, spoolName: string): void {
  store.run`INSERT OR IGNORE INTO spool_leftovers (spool_name) VALUES (${spoolName})`
}

/** Leftovers by name, after `after`. */
export function leftoversAfter(store: Store, after: string, limit: number): string[] {
  return store.values<string>`
    SELECT spool_name FROM spool_leftovers WHERE spool_name > ${after} ORDER BY spool_name LIMIT ${limit}`
}

export function forgetLeftover(store: Store, spoolName: string): void {
  store.run`DELETE FROM spool_leftovers WHERE spool_name = ${spoolName}`
}

/** Is or was this file the original of an image? */
export function isOriginalOfImage(store: Store, spoolName: string): boolean {
  return store.finds`SELECT 1 FROM images WHERE spool_name = ${spoolName}`
}

/** Does any image, of any case, still need this file? */
export function isSpoolFileNeeded(store: Store, spoolName: string): boolean {
  return (
    store.value<number>`
      SELECT EXISTS (SELECT 1 FROM images WHERE removed_at IS NULL AND spool_name = ${spoolName})
      OR EXISTS (SELECT 1 FROM images WHERE removed_at IS NULL AND picture_spool_name = ${spoolName})` === 1
  )
}
