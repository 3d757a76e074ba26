/**
 * What was seen under the names of watched folders, and what became of it. The newest row of a name is what is known of it.
 * Beside it: on which files a process died that read them.
 */
import { createHash } from 'node:crypto'
import { type Deaths, oneMoreDeath, type ReadingNow, type Suspicion, suspicionAfter } from '../lib/poison.ts'
import type { Store } from './database.ts'
import { holdersOf, namesBelow } from './images.ts'
import type { FileMark, PriorResult } from '../../reader/watch-messages.ts'

/**
 * - `copy`       an image that is there already; while its case was open, so that what this name and file state counts
 * - `lateCopy`   the same, when its case was closed
 * - `duplicate`  the file of an image, unchanged, or one of which nothing can be read
 * - `ignored`    existed before the first start
 * - `imported`   the same, and a person chose to import it since: it is to be read
 * - `leftAlone`  never becomes part of a case
 * - `rewritten`  other bytes lie there since, which are to be read
 * - `released`   the case of its image was discarded: it is to be read again
 */
type Became =
  | 'image'
  | 'copy'
  | 'lateCopy'
  | 'duplicate'
  | 'sidecar'
  | 'archive'
  | 'unreadable'
  | 'ignored'
  | 'imported'
  | 'leftAlone'
  | 'rewritten'
  | 'released'

/** Of an image, and of its copies; `stemKey` also of what is ignored. `facts` and `recordId` are those of the copy. */
type OfImage = {
  readonly stemKey?: string
  readonly imageId?: string
  /** Of the image itself. */
  readonly submissionId?: string
  readonly facts?: string | null
  readonly recordId?: number | null
}

/** Records what became of a file. What says nothing any more once the name has a newer row goes: a name may be rewritten daily. */
export function markSeen(
  store: Store,
  file: FileMark,
  became: Became,
  at: number,
  { stemKey = '', imageId, submissionId, facts, recordId }: OfImage = {},
): void {
  forgetDeaths(store, file)
  // Images have one row each.
  if (became !== 'image')
    store.run`
    DELETE FROM sightings WHERE folder_path = ${file.folderPath} AND relative_path = ${file.relativePath} AND became
    IN ('duplicate', 'sidecar', 'archive', 'unreadable', 'leftAlone', 'rewritten', 'released')`
  store.run`
    INSERT OR REPLACE INTO sightings (folder_path, relative_path, stem_key, size_bytes, mtime_ms, crc32, ctime_ms,
    sha256, became, submission_id, image_id, facts, record_id, at) VALUES (${file.folderPath},
    ${file.relativePath}, ${stemKey}, ${file.sizeBytes}, ${file.mtimeMs}, ${file.crc32 ?? null},
    ${file.ctimeMs ?? null}, ${file.sha256 ?? null}, ${became}, ${submissionId ?? null}, ${imageId ?? null},
    ${facts ?? null}, ${recordId ?? null}, ${at})`
}

type SeenFile = {
  readonly id: number
  readonly became: Became
  readonly isSame: 0 | 1
  readonly ctimeMs: number | null
  readonly sha256: string | null
  readonly at: number
}

/** What is known of this name; `isSame` if it was seen with this size and time. */
function newest(store: Store, file: FileMark): SeenFile | undefined {
  return store.row<SeenFile>`
    SELECT id, became, ctime_ms AS ctimeMs, sha256, at, size_bytes = ${file.sizeBytes}
    AND mtime_ms = ${file.mtimeMs} AND crc32 IS ${file.crc32 ?? null} AS isSame
    FROM sightings WHERE id = (SELECT max(id) FROM sightings
    WHERE folder_path = ${file.folderPath} AND relative_path = ${file.relativePath})`
}

function latest(store: Store, file: FileMark): SeenFile | undefined {
  const seen = newest(store, file)
  return seen?.isSame === 1 ? seen : undefined
}

const TO_BE_READ: readonly Became[] = ['imported', 'rewritten', 'released']

function known(store: Store, file: FileMark): SeenFile | undefined {
  const seen = latest(store, file)
  return seen === undefined || TO_BE_READ.includes(seen.became) ? undefined : seen
}

/** Was exactly this file, unchanged, processed before? */
export function hasSeen(store: Store, file: FileMark): boolean {
  return known(store, file) !== undefined
}

/**
 * The earlier result for exactly this file (`damaged`: cannot be opened), with the hash that was taken (null if never
 * read) unless the change time proves it. What a profile leaves alone stays so whatever its bytes.
 */
export function priorResult(store: Store, file: FileMark): PriorResult {
  const seen = known(store, file)
  if (seen === undefined) return 'new'
  const { became, ctimeMs, sha256 } = seen
  const as = became === 'unreadable' ? 'damaged' : 'known'
  const isProven = sha256 !== null && ctimeMs !== null && ctimeMs === file.ctimeMs
  return isProven || became === 'leftAlone' ? as : { as, sha256 }
}

/** Other bytes lie under this name, size and time: the file is new again. */
export function markRewritten(store: Store, file: FileMark, at: number): void {
  if (hasSeen(store, file)) markSeen(store, file, 'rewritten', at)
}

/** True while the bytes of exactly this file are others than those that were taken, and not read yet. */
export function isRewritten(store: Store, file: FileMark): boolean {
  return latest(store, file)?.became === 'rewritten'
}

/** The bytes of these files are those that were taken: only their change times are others. */
export function rememberSeen(store: Store, files: readonly FileMark[]): void {
  store.write(() => {
    for (const file of files) {
      forgetDeaths(store, file)
      store.run`
        UPDATE sightings SET ctime_ms = ${file.ctimeMs ?? null}, sha256 = ${file.sha256 ?? null}
        WHERE id = ${known(store, file)?.id ?? null}`
    }
  })
}

/**
 * When a person chose to import exactly this file, that was there before; null for all others. One that was written over
 * before it was read counts as ignored: its name was used for other bytes.
 */
export function importedAt(store: Store, file: FileMark): number | null {
  const seen = newest(store, file)
  if (seen?.became !== 'imported') return null
  if (seen.isSame === 1) return seen.at
  store.run`UPDATE OR REPLACE sightings SET became = 'ignored' WHERE id = ${seen.id}`
  return null
}

/** What outboxes have that few have: without it no file need be asked for. */
const rarities = new WeakMap<Store, Set<'deaths' | 'erased'>>()

function hasAny(store: Store, what: 'deaths' | 'erased'): boolean {
  const held =
    rarities.get(store) ??
    new Set(
      store.values<'deaths' | 'erased'>`
        SELECT 'deaths' WHERE EXISTS (SELECT 1 FROM reading_deaths)
        UNION SELECT 'erased' WHERE EXISTS (SELECT 1 FROM facts WHERE name = 'erasedUntil')`,
    )
  rarities.set(store, held)
  return held.has(what)
}

/** From now on files are asked for in this respect. */
export function noteFirst(store: Store, what: 'deaths' | 'erased'): void {
  rarities.get(store)?.add(what)
}

/** Of what several patients may have, such as an empty file: of these bytes under this name alone. */
export function hashWithName(sha256: string, relativePath: string): string {
  return createHash('sha256').update(`${sha256} ${relativePath}`).digest('hex')
}

/** Is this file of a patient who withdrew? Of each only the hash is left. */
export function isErased(store: Store, { sha256, relativePath }: FileMark): boolean {
  return (
    sha256 !== undefined &&
    hasAny(store, 'erased') &&
    [sha256, hashWithName(sha256, relativePath)].some(
      (hash) => typeof holdersOf(store, hash)[0]?.erasedAt === 'number',
    )
  )
}

function deathsOf(store: Store, file: FileMark): Deaths | undefined {
  if (!hasAny(store, 'deaths')) return undefined
  return store.row<Deaths>`
    SELECT deaths AS count, at, version FROM reading_deaths WHERE folder_path = ${file.folderPath}
    AND relative_path = ${file.relativePath} AND size_bytes = ${file.sizeBytes} AND mtime_ms = ${file.mtimeMs}
    AND crc32 IS ${file.crc32 ?? null}`
}

/** Has a process died while it read exactly this file, and was it not read to its end since? */
export function hasDeaths(store: Store, file: FileMark): boolean {
  return deathsOf(store, file) !== undefined
}

/** How exactly this file may be read. */
export function suspicionOf(store: Store, file: FileMark, now: ReadingNow): Suspicion {
  return suspicionAfter(deathsOf(store, file), now)
}

/** A process died while it read these files; see `oneMoreDeath`. In one commit; returns how many they are. */
export function recordDeaths(
  store: Store,
  files: readonly FileMark[],
  now: ReadingNow,
  isProof: boolean,
): number {
  store.write(() => {
    for (const file of files) {
      const { count, at, version } = oneMoreDeath(deathsOf(store, file), now, isProof)
      store.run`
        INSERT OR REPLACE INTO reading_deaths VALUES (${file.folderPath}, ${file.relativePath}, ${file.sizeBytes},
        ${file.mtimeMs}, ${file.crc32 ?? null}, ${count}, ${at}, ${version})`
    }
    noteFirst(store, 'deaths')
  })
  return files.length
}

/** The file under this name was read to its end. */
export function forgetDeaths(store: Store, file: Pick<FileMark, 'folderPath' | 'relativePath'>): void {
  if (!hasAny(store, 'deaths')) return
  store.run`
    DELETE FROM reading_deaths WHERE folder_path = ${file.folderPath} AND relative_path = ${file.relativePath}`
}

/** A person wants the file under this name to be read once more, at once; false if none is set aside. */
export function allowReading(store: Store, folderPath: string, relativePath: string): boolean {
  return (
    store.run`
      UPDATE reading_deaths SET deaths = 1, at = 0 WHERE folder_path = ${folderPath}
      AND relative_path = ${relativePath}`.changes > 0
  )
}

const IS_NEWEST = `NOT EXISTS
  (SELECT 1 FROM sightings AS newer WHERE newer.folder_path = sightings.folder_path
   AND newer.relative_path = sightings.relative_path AND newer.id > sightings.id)`

/** Of this folder, what is still as it was before the first start, and changed at `@sinceMs` or later. */
const IGNORED = `folder_path = @folderPath AND became = 'ignored' AND mtime_ms >= @sinceMs AND ${IS_NEWEST}`

/** By its size and time, is this the file of an image that is there already, such as one of a restored case? */
export function isOfImage(store: Store, file: FileMark): boolean {
  return store.finds`
    SELECT 1 FROM images WHERE folder_path = ${file.folderPath} AND file_name = ${file.relativePath}
    AND size_bytes = ${file.sizeBytes} AND mtime_ms = ${file.mtimeMs}`
}

type IgnoredSummary = {
  readonly count: number
  readonly oldestMs: number | null
  readonly newestMs: number | null
}

/** The ignored files of a folder that were modified at `sinceMs` or later, and when; epoch milliseconds. */
export function summariseIgnored(store: Store, folderPath: string, sinceMs: number): IgnoredSummary {
  const summary = store.row<IgnoredSummary>(
    `SELECT count(*) AS count, min(mtime_ms) AS oldestMs, max(mtime_ms) AS newestMs FROM sightings
     WHERE ${IGNORED}`,
    { folderPath, sinceMs },
  )
  return summary ?? { count: 0, oldestMs: null, newestMs: null }
}

/** Releases the ignored files that were modified at `sinceMs` or later as cases; it is remembered that they were. */
export function importIgnoredSince(store: Store, folderPath: string, sinceMs: number, at: number): void {
  store.run(`UPDATE sightings SET became = 'imported', at = @at WHERE ${IGNORED}`, {
    folderPath,
    sinceMs,
    at,
  })
}

/** Forgets the files that a profile ignored, because the profile has changed. */
export function forgetIgnoredFiles(store: Store): number {
  return store.run("DELETE FROM sightings WHERE became = 'leftAlone'").changes
}

/** Lets files be read again whose names have not been used for others since. */
const RELEASE = `INSERT INTO sightings (folder_path, relative_path, size_bytes, mtime_ms, crc32, became, at)
  SELECT folder_path, relative_path, size_bytes, mtime_ms, crc32, 'released', at FROM sightings WHERE ${IS_NEWEST}`

/**
 * Copies that were skipped because this discarded submission had their images are read again; not the files of the
 * images themselves. Returns their number.
 */
export function forgetDuplicatesOf(store: Store, submissionId: string): number {
  return store.run(
    `${RELEASE} AND image_id IN (SELECT id FROM images WHERE submission_id = ?)
     AND (became IN ('copy', 'lateCopy') OR became = 'duplicate' AND NOT EXISTS (SELECT 1 FROM images
       WHERE id = image_id AND images.folder_path = sightings.folder_path AND file_name = relative_path))`,
    submissionId,
  ).changes
}

/** Another file that is an image; its name and content count as statements, too. */
export type ImageCopy = {
  readonly image_id: string
  readonly file_name: string
  readonly stem_key: string
  readonly facts: string | null
  readonly record_id: number | null
}

const COPIES = `SELECT image_id, relative_path AS file_name, stem_key, facts, record_id FROM sightings
  WHERE became = 'copy'`

export function copiesOf(store: Store, imageId: string): ImageCopy[] {
  return copiesAmong(store, [imageId])
}

/** The copies of all these images, by name. */
export function copiesAmong(store: Store, imageIds: readonly string[]): ImageCopy[] {
  return store.rows<ImageCopy>(
    `${COPIES} AND image_id IN (SELECT value FROM json_each(?)) ORDER BY relative_path`,
    JSON.stringify(imageIds),
  )
}

/** Copies in this directory or below; it is folded, as the keys of stems are. */
export function copiesBelow(store: Store, folderPath: string, directory: string): ImageCopy[] {
  return store.rows<ImageCopy>(
    `${COPIES} AND folder_path = ? AND stem_key >= ? AND stem_key < ?`,
    folderPath,
    ...namesBelow(directory),
  )
}

/** Binds a copy to the record that governs its folder. */
export function setRecordOfCopy(store: Store, copy: ImageCopy, recordId: number): void {
  store.run`
    UPDATE sightings SET record_id = ${recordId} WHERE became = 'copy' AND image_id = ${copy.image_id}
    AND relative_path = ${copy.file_name}`
}

export type NameUsed = {
  readonly id: string
  readonly name: string
  readonly stem_key: string
  readonly size_bytes?: number
  readonly mtime_ms?: number
}

/** Every name of these stems that the folder has used, whatever became of the image; an empty `id`: of no image. */
export function namesUsed(store: Store, folderPath: string, stemKeys: readonly string[]): NameUsed[] {
  const stems = JSON.stringify(stemKeys)
  return store.rows<NameUsed>`
    SELECT id, file_name AS name, stem_key, size_bytes, mtime_ms FROM images WHERE folder_path = ${folderPath}
    AND stem_key IN (SELECT value FROM json_each(${stems}))
    UNION SELECT coalesce(image_id, ''), relative_path, stem_key, size_bytes, mtime_ms FROM sightings
    WHERE folder_path = ${folderPath} AND became IN ('copy', 'lateCopy', 'ignored')
    AND stem_key IN (SELECT value FROM json_each(${stems}))`
}

/** A name that a copy of an image had after its case was closed. */
type LateCopy = { readonly imageId: string; readonly name: string }

const LATE_COPIES = `SELECT image_id AS imageId, relative_path AS name FROM sightings
  WHERE became = 'lateCopy' AND folder_path = ?`

/** The images that had names of this stem when their cases were closed already. */
export function lateCopiesOfStem(store: Store, folderPath: string, stemKey: string): LateCopy[] {
  return store.rows<LateCopy>(`${LATE_COPIES} AND stem_key = ?`, folderPath, stemKey)
}

/** The same for all names in this directory or below; `directory` is folded. */
export function lateCopiesBelow(store: Store, folderPath: string, directory: string): LateCopy[] {
  return store.rows<LateCopy>(
    `${LATE_COPIES} AND stem_key >= ? AND stem_key < ?`,
    folderPath,
    ...namesBelow(directory),
  )
}

/**
 * Forgets a late copy of this name, and the archive that it came in, so that the file is read again. A copy of an open case
 * under this name is read again, too, and stays: the case still counts what it states.
 */
export function forgetCopy(store: Store, folderPath: string, name: string): void {
  store.run(
    `${RELEASE} AND folder_path = ? AND relative_path = ? AND became IN ('copy', 'lateCopy', 'duplicate')`,
    folderPath,
    name,
  )
  const parts = name.split('/')
  const names = JSON.stringify([name, ...parts.map((_, at) => parts.slice(0, at).join('/'))])
  store.run`
    DELETE FROM sightings INDEXED BY sightings_by_name WHERE folder_path = ${folderPath}
    AND relative_path IN (SELECT value FROM json_each(${names})) AND became IN ('lateCopy', 'archive')`
}
