/** What is remembered of a folder: files seen, quiet times, data files, which files are one visit. */
import type { FileMark, PriorResult } from '../watch/watch.ts'
import type { Store } from './database.ts'
import { readableRows, type SubmissionRow } from './rows.ts'

/** `ignored`: existed before the first start. `leftAlone`: never becomes part of a case. */
type SeenKind = 'image' | 'sidecar' | 'archive' | 'duplicate' | 'unreadable' | 'ignored' | 'leftAlone'

export function markSeen(
  store: Store,
  file: FileMark,
  kind: SeenKind,
  submissionId: string | null,
  at: number,
): void {
  store.run`
    INSERT OR REPLACE INTO seen_files (folder_path, relative_path, size_bytes, mtime_ms, crc32, ctime_ms, sha256,
    kind, submission_id, at) VALUES (${file.folderPath}, ${file.relativePath}, ${file.sizeBytes},
    ${file.mtimeMs}, ${file.crc32 ?? null}, ${file.ctimeMs ?? null}, ${file.sha256 ?? null}, ${kind},
    ${submissionId}, ${at})`
}

/** Other bytes lie under this name, size and time: the file is new again. */
export function markRewritten(store: Store, file: FileMark, at: number): void {
  store.run`
    UPDATE seen_files SET rewritten_at = ${at} WHERE folder_path = ${file.folderPath}
    AND relative_path = ${file.relativePath} AND size_bytes = ${file.sizeBytes} AND mtime_ms = ${file.mtimeMs}`
}

/** True while the bytes of exactly this file are others than those that were taken, and not read yet. */
export function isRewritten(store: Store, file: FileMark): boolean {
  return store.finds`
    SELECT 1 FROM seen_files WHERE folder_path = ${file.folderPath}
    AND relative_path = ${file.relativePath} AND size_bytes = ${file.sizeBytes}
    AND mtime_ms = ${file.mtimeMs} AND rewritten_at IS NOT NULL`
}

/** The bytes of these files are those that were taken: only their change times are others. */
export function rememberSeen(store: Store, files: readonly FileMark[]): void {
  store.write(() => {
    for (const file of files)
      store.run`
        UPDATE seen_files SET ctime_ms = ${file.ctimeMs ?? null}, sha256 = ${file.sha256 ?? null}
        WHERE folder_path = ${file.folderPath} AND relative_path = ${file.relativePath}
        AND size_bytes = ${file.sizeBytes} AND mtime_ms = ${file.mtimeMs} AND rewritten_at IS NULL`
  })
}

/** Assigns the files of moved images to their new submission. */
export function moveSeenFiles(store: Store, fromId: string, toId: string): void {
  store.run`UPDATE seen_files SET submission_id = ${toId} WHERE submission_id = ${fromId}`
}

/** Forgets the files that a profile ignored, because the profile has changed. */
export function forgetIgnoredFiles(store: Store): number {
  return store.run("DELETE FROM seen_files WHERE kind = 'leftAlone'").changes
}

/** Forgets copies that were skipped because this discarded submission had their images. Returns their number. */
export function forgetDuplicatesOf(store: Store, submissionId: string): number {
  return store.run`DELETE FROM seen_files WHERE kind = 'duplicate' AND submission_id = ${submissionId}`
    .changes
}

/** Collecting submissions whose quiet time is over. */
export function quietSubmissions(store: Store, now: number): string[] {
  return store.values<string>`
    SELECT id FROM submissions WHERE state = 'collecting' AND quiet_until <= ${now}
    AND id NOT IN (SELECT submission_id FROM quarantine) ORDER BY position`
}

export function setQuietUntil(store: Store, id: string, quietUntil: number): void {
  store.run`UPDATE submissions SET quiet_until = ${quietUntil} WHERE id = ${id}`
}

/** When the next quiet time ends, epoch milliseconds; null if none is running. */
export function nextQuietAt(store: Store): number | null {
  return store.value<number>(`SELECT min(quiet_until) FROM submissions WHERE state = 'collecting'
         AND id NOT IN (SELECT submission_id FROM quarantine)`)
}

type IgnoredSummary = {
  readonly count: number
  readonly oldestMs: number | null
  readonly newestMs: number | null
}

/** The ignored files of a folder that were modified at `sinceMs` or later, and when; epoch milliseconds. */
export function summariseIgnored(store: Store, folderPath: string, sinceMs: number): IgnoredSummary {
  const summary = store.row<IgnoredSummary>`
    SELECT count(*) AS count, min(mtime_ms) AS oldestMs, max(mtime_ms) AS newestMs FROM seen_files
    WHERE folder_path = ${folderPath} AND kind = 'ignored' AND mtime_ms >= ${sinceMs}
    AND imported_at IS NULL`
  return summary ?? { count: 0, oldestMs: null, newestMs: null }
}

/** Releases the ignored files that were modified at `sinceMs` or later as cases; it is remembered that they were. */
export function importIgnoredSince(store: Store, folderPath: string, sinceMs: number, at: number): void {
  store.run`
    UPDATE seen_files SET imported_at = ${at} WHERE folder_path = ${folderPath} AND kind = 'ignored'
    AND mtime_ms >= ${sinceMs}`
}

/**
 * What was there before the first start. `importedAt`: when a person chose to import exactly this file, unchanged since;
 * null for all others. `isOverIgnored`: another file of this name, however it was written, was there and ignored.
 */
export function formerly(
  store: Store,
  file: FileMark,
): { readonly importedAt: number | null; readonly isOverIgnored: boolean } {
  const found = store.row<{ importedAt: number | null; isOverIgnored: 0 | 1 }>`
    SELECT (SELECT imported_at FROM seen_files WHERE folder_path = ${file.folderPath}
      AND relative_path = ${file.relativePath} AND size_bytes = ${file.sizeBytes}
      AND mtime_ms = ${file.mtimeMs} AND rewritten_at IS NULL) AS importedAt,
    EXISTS (SELECT 1 FROM seen_files INDEXED BY seen_files_ignored WHERE folder_path = ${file.folderPath}
      AND lower(relative_path) IN
        (SELECT lower(value) FROM json_each(${JSON.stringify(formsOf(file.relativePath))}))
      AND kind = 'ignored' AND (size_bytes <> ${file.sizeBytes} OR mtime_ms <> ${file.mtimeMs}
      OR rewritten_at IS NOT NULL)) AS isOverIgnored`
  return { importedAt: found?.importedAt ?? null, isOverIgnored: found?.isOverIgnored === 1 }
}

type SeenRow = { readonly kind: SeenKind; readonly ctimeMs: number | null; readonly sha256: string | null }

/** What is remembered of a file of this name, size and time. */
function seen(store: Store, file: FileMark): SeenRow | undefined {
  return store.row<SeenRow>`
    SELECT kind, ctime_ms AS ctimeMs, sha256 FROM seen_files WHERE folder_path = ${file.folderPath}
    AND relative_path = ${file.relativePath} AND size_bytes = ${file.sizeBytes}
    AND mtime_ms = ${file.mtimeMs} AND crc32 IS ${file.crc32 ?? null} AND imported_at IS NULL
    AND rewritten_at IS NULL`
}

/**
 * The earlier result for exactly this file (`damaged`: cannot be opened), with the hash that was taken (null if never
 * read) unless the change time proves it. What a profile leaves alone stays so whatever its bytes.
 */
export function priorResult(store: Store, file: FileMark): PriorResult {
  const row = seen(store, file)
  if (row === undefined) return 'new'
  const as = row.kind === 'unreadable' ? 'damaged' : 'known'
  const isProven = row.sha256 !== null && row.ctimeMs !== null && row.ctimeMs === file.ctimeMs
  return isProven || row.kind === 'leftAlone' ? as : { as, sha256: row.sha256 }
}

/** A path as cameras and systems may write it. The database ignores the case of ASCII letters alone. */
function formsOf(path: string): readonly string[] {
  const written = [path, path.toLowerCase(), path.toUpperCase()]
  return [...new Set(written.flatMap((one) => [one.normalize('NFC'), one.normalize('NFD')]))]
}

/** Was exactly this file, unchanged, processed before? */
export function hasSeen(store: Store, file: FileMark): boolean {
  return seen(store, file) !== undefined
}

export type SidecarRecordRow = {
  readonly id: number
  readonly folder_path: string
  readonly relative_path: string
  readonly form: SidecarForm
  /** The parsed record as JSON; null if it was unreadable. */
  readonly content: string | null
  /** Why it was unreadable. */
  readonly trouble: string | null
  /** What the data file stated before of patient, day and eyes and this does not state, as JSON; null if nothing. */
  readonly stated_before: string | null
  /** Since when the data file does not state it any more; null if it does. */
  readonly withdrawn_at: number | null
  readonly at: number
}

/**
 * - `case`      the record of a folder
 * - `table`     a row of a table or of a long list: it speaks of the files that it names
 * - `document`  it is of the images of its own stem, and of those that it names
 */
export type SidecarForm = 'case' | 'table' | 'document'

/** `capture`: all records of one exposure, by what they state of it. */
export type SidecarMatch = {
  readonly kind: 'directory' | 'file' | 'patient' | 'capture'
  readonly key: string
}

type NewSidecarRecord = {
  readonly folderPath: string
  readonly relativePath: string
  /** The path, folded. */
  readonly pathKey: string
  readonly form: SidecarForm
  readonly content: string | null
  readonly trouble: string | null
  readonly statedBefore: string | null
  readonly matches: readonly SidecarMatch[]
  readonly at: number
}

/** Saves a record, in place of the one named by `replaces`; returns its id. */
export function saveSidecarRecord(store: Store, record: NewSidecarRecord, replaces: number | null): number {
  return store.write(() => {
    const id = replaces ?? insertRecord(store, record)
    if (replaces !== null) {
      store.run`
        UPDATE sidecar_records SET form = ${record.form}, content = ${record.content}, trouble = ${record.trouble},
        stated_before = ${record.statedBefore}, withdrawn_at = NULL, path_key = ${record.pathKey},
        at = ${record.at} WHERE id = ${id}`
      store.run`DELETE FROM sidecar_matches WHERE record_id = ${id}`
    }
    for (const { kind, key } of record.matches)
      store.run`
        INSERT OR IGNORE INTO sidecar_matches (folder_path, kind, match_key, record_id)
        VALUES (${record.folderPath}, ${kind}, ${key}, ${id})`
    return id
  })
}

function insertRecord(store: Store, record: NewSidecarRecord): number {
  const { lastInsertRowid } = store.run`
    INSERT INTO sidecar_records (folder_path, relative_path, path_key, form, content, trouble, stated_before, at)
    VALUES (${record.folderPath}, ${record.relativePath}, ${record.pathKey}, ${record.form}, ${record.content},
    ${record.trouble}, ${record.statedBefore}, ${record.at})`
  return Number(lastInsertRowid)
}

/** What a record matched so far. */
export function matchesOfRecord(store: Store, recordId: number): SidecarMatch[] {
  return store.rows<SidecarMatch>`
    SELECT kind, match_key AS key FROM sidecar_matches WHERE record_id = ${recordId}`
}

/** The data file does not state these records any more, from now until it states them again. */
export function withdrawSidecarRecords(store: Store, ids: readonly number[], at: number): void {
  store.write(() => {
    for (const id of ids)
      store.run`UPDATE sidecar_records SET withdrawn_at = ${at} WHERE id = ${id} AND withdrawn_at IS NULL`
  })
}

/** The records of one data file, oldest first; `pathKey` is its folded path. A page: those after the id `after`. */
export function recordsOfSidecar(
  store: Store,
  folderPath: string,
  pathKey: string,
  { after = 0, limit = -1 }: { readonly after?: number; readonly limit?: number } = {},
): SidecarRecordRow[] {
  return store.rows<SidecarRecordRow>`
    SELECT * FROM sidecar_records WHERE folder_path = ${folderPath} AND path_key = ${pathKey}
    AND id > ${after} ORDER BY id LIMIT ${limit}`
}

/** The records about one directory, file or patient, oldest first; those that are stated still, last. */
export function recordsMatching(
  store: Store,
  folderPath: string,
  { kind, key }: SidecarMatch,
): SidecarRecordRow[] {
  return recordsMatchingAny(store, folderPath, kind, [key])
}

/** The same for several of a kind; a record that matches two is there for each. */
export function recordsMatchingAny(
  store: Store,
  folderPath: string,
  kind: SidecarMatch['kind'],
  keys: readonly string[],
): (SidecarRecordRow & { readonly match_key: string })[] {
  return store.rows<SidecarRecordRow & { match_key: string }>`
    SELECT sidecar_records.*, match_key FROM sidecar_matches
    JOIN sidecar_records ON sidecar_records.id = record_id
    WHERE sidecar_matches.folder_path = ${folderPath} AND kind = ${kind}
    AND match_key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))
    ORDER BY withdrawn_at IS NULL, sidecar_records.id`
}

/** Does this folder have any records? Most have none, and each image asks. */
export function hasSidecarRecords(store: Store, folderPath: string): boolean {
  return (
    store.row<number>`SELECT 1 AS found FROM sidecar_matches WHERE folder_path = ${folderPath} LIMIT 1` !==
    undefined
  )
}

export function sidecarRecord(store: Store, id: number): SidecarRecordRow | null {
  return store.row<SidecarRecordRow>`SELECT * FROM sidecar_records WHERE id = ${id}` ?? null
}

/** From now on images of this visit join this submission while it is open. */
export function addGroupKey(store: Store, id: string, folderPath: string, groupKey: string): void {
  store.run`
    INSERT OR IGNORE INTO submission_keys (folder_path, group_key, submission_id)
    VALUES (${folderPath}, ${groupKey}, ${id})`
}

export function removeGroupKeys(store: Store, id: string): void {
  store.run`DELETE FROM submission_keys WHERE submission_id = ${id}`
}

/** Whatever joins the one submission joins the other as well, in its own folder. */
export function copyGroupKeys(store: Store, fromId: string, toId: string): void {
  store.run`
    INSERT OR IGNORE INTO submission_keys (folder_path, group_key, submission_id)
    SELECT folder_path, group_key, ${toId} FROM submission_keys WHERE submission_id = ${fromId}`
}

export function groupKeysOf(store: Store, id: string): string[] {
  return store.values<string>`
    SELECT group_key FROM submission_keys WHERE submission_id = ${id} ORDER BY group_key`
}

/** The submissions that collect one visit, newest first. */
export function submissionsOfGroup(store: Store, folderPath: string, groupKey: string): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>`
    SELECT submissions.* FROM submission_keys JOIN submissions ON submissions.id = submission_id
    WHERE submission_keys.folder_path = ${folderPath} AND group_key = ${groupKey} AND state <> 'discarded'
    AND submissions.id NOT IN (SELECT submission_id FROM quarantine) ORDER BY position DESC`
  return readableRows(store, 'submissions', rows)
}

/** Submissions with a key that starts with this text: all visits of one patient. */
export function submissionsOfGroupsFrom(store: Store, folderPath: string, prefix: string): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>(
    `SELECT DISTINCT submissions.* FROM submission_keys JOIN submissions ON submissions.id = submission_id
       WHERE submission_keys.folder_path = ? AND group_key >= ? AND group_key < ? AND state <> 'discarded'
       AND submissions.id NOT IN (SELECT submission_id FROM quarantine) ORDER BY position`,
    folderPath,
    prefix,
    `${prefix}\u{10FFFF}`,
  )
  return readableRows(store, 'submissions', rows)
}

/** A person decided which images belong together: names and data files do not undo it. */
export function setGroupedByPerson(store: Store, id: string): void {
  store.write(() => {
    store.run`UPDATE submissions SET grouped_by = 'person' WHERE id = ${id}`
    store.touch(id)
  })
}
