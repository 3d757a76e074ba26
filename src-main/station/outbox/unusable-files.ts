/** Files of watched folders that are no images: those that a visit should have, with what a person decided; and what is noted of each. */
import { randomUUID } from 'node:crypto'
import type { UnusableDecision, UnusableWhy } from '../../../src-shared/submission.ts'
import type { Message } from '../../../src-shared/wording.ts'
import { messageOf, type StoredUnusable, wordingToText } from '../json-columns.ts'
import type { Statements, Store } from './database.ts'
import { holdingsOf } from './files.ts'
import { namesBelow } from './images.ts'
import type { ParsedInput } from '../../../src-shared/contract.ts'
import type { FileNote, LeftAsidePage } from '../../../src-shared/station-status.ts'
import { hasDeaths, hasSeen } from './seen-files.ts'
import type { FileMark } from '../../reader/watch-messages.ts'

export type UnusableRow = StoredUnusable & {
  readonly folder_path: string
  /** Null while no case is found for it. */
  readonly submission_id: string | null
  readonly size_bytes: number
  readonly mtime_ms: number
  /** Of an entry of an archive; null for a file. */
  readonly crc32: number | null
  readonly seen_at: number
  readonly replaced_by: string | null
}

type NewUnusable = Message & {
  readonly folderPath: string
  readonly relativePath: string
  readonly stemKey: string
  readonly submissionId: string | null
  readonly sizeBytes: number
  readonly mtimeMs: number
  /** Of an entry of an archive. */
  readonly crc32?: number
  readonly why: UnusableWhy
  readonly at: number
}

/** Written alike in every question: a decision that is not known waits as well. */
const IS_PENDING = "(decision IS NULL OR decision NOT IN ('exclude', 'sendAsItIs', 'replaced'))"

/** An image that has moved to another case is no new export any more. */
const ROWS = `SELECT unusable_files.*, (SELECT images.id FROM images
    WHERE images.id = replaced_by AND images.submission_id = unusable_files.submission_id) AS new_export_id
  FROM unusable_files`

/** The record of exactly this file, unchanged. */
export function unusableAt(
  store: Store,
  file: Pick<NewUnusable, 'folderPath' | 'relativePath' | 'sizeBytes' | 'mtimeMs' | 'crc32'>,
): UnusableRow | undefined {
  return store.row<UnusableRow>(
    `${ROWS} WHERE folder_path = ? AND relative_path = ? AND size_bytes = ? AND mtime_ms = ? AND crc32 IS ?`,
    file.folderPath,
    file.relativePath,
    file.sizeBytes,
    file.mtimeMs,
    file.crc32 ?? null,
  )
}

/** Records a file, in place of an earlier version of it in the same case: that is a new question. */
export function saveUnusable(store: Store, file: NewUnusable): void {
  store.write(() => {
    store.run`
      DELETE FROM unusable_files WHERE folder_path = ${file.folderPath}
      AND relative_path = ${file.relativePath} AND submission_id IS ${file.submissionId}`
    store.run`
      INSERT INTO unusable_files (id, folder_path, relative_path, stem_key, submission_id, why, eye, message,
      wording, size_bytes, mtime_ms, crc32, seen_at)
      VALUES (${randomUUID()}, ${file.folderPath}, ${file.relativePath}, ${file.stemKey},
      ${file.submissionId}, ${file.why}, 'unknown', ${file.message}, ${wordingToText(file)},
      ${file.sizeBytes}, ${file.mtimeMs}, ${file.crc32 ?? null}, ${file.at})`
    if (file.submissionId !== null) store.touch(file.submissionId)
  })
}

/** The unusable files of a case, by name. */
export function unusableOf(store: Store, submissionId: string): UnusableRow[] {
  return store.rows<UnusableRow>(`${ROWS} WHERE submission_id = ? ORDER BY relative_path`, submissionId)
}

/** Those of many cases, with the case of each. `ids` is a JSON list. */
export function unusableAmong(store: Store, ids: string): UnusableRow[] {
  return store.rows<UnusableRow>(
    `${ROWS} WHERE submission_id IN (SELECT value FROM json_each(?))
     ORDER BY relative_path`,
    ids,
  )
}

/** The files of this folder and these stems, also those that a person has decided on. */
export function unusableOfStems(
  store: Store,
  folderPath: string,
  stemKeys: readonly string[],
): (UnusableRow & { readonly stem_key: string })[] {
  if (holdingsOf(store, folderPath)?.unusable !== 1) return []
  return store.rows<UnusableRow & { stem_key: string }>(
    `${ROWS} WHERE folder_path = ? AND stem_key IN (SELECT value FROM json_each(?)) ORDER BY seen_at`,
    folderPath,
    JSON.stringify(stemKeys),
  )
}

/** The awaited files seen since then that have no case, or one without any image. */
export function homelessUnusable(store: Store, folderPath: string, since: number): UnusableRow[] {
  if (holdingsOf(store, folderPath)?.unusable !== 1) return []
  return store.rows<UnusableRow>(
    `${ROWS} WHERE folder_path = ? AND seen_at >= ? AND ${IS_PENDING} AND NOT EXISTS
      (SELECT 1 FROM images WHERE images.submission_id = unusable_files.submission_id) ORDER BY seen_at`,
    folderPath,
    since,
  )
}

/** Does the case wait for a new export, or for the answer whether an image is one? */
export function isAwaitingFile(sql: Statements, submissionId: string): boolean {
  return sql.finds(
    `SELECT 1 FROM unusable_files WHERE submission_id = ? AND ${IS_PENDING} LIMIT 1`,
    submissionId,
  )
}

/** Those of these images that are in their cases because they are, or may be, new exports of files there. */
export function newExportsAmong(store: Store, imageIds: readonly string[]): string[] {
  return store.values<string>`
    SELECT replaced_by FROM unusable_files JOIN images ON images.id = replaced_by
    AND images.submission_id = unusable_files.submission_id
    WHERE replaced_by IN (SELECT value FROM json_each(${JSON.stringify(imageIds)}))`
}

/** What of a file changes later; the image in `replaced_by` came under its name, and null takes that question back. */
type UnusableChange = Partial<
  Pick<UnusableRow, 'submission_id' | 'why' | 'eye' | 'message' | 'wording' | 'because' | 'replaced_by'>
> & {
  readonly decision?: UnusableDecision
  readonly made_by?: string | null
  readonly made_at?: number
}

/** Writes what is known or decided of a file now; its case is notified if anything of it changed. */
export function changeUnusable(store: Store, file: UnusableRow, change: UnusableChange): void {
  const names = Object.keys(change)
  const { changes } = store.run(
    `UPDATE unusable_files SET ${names.map((name) => `${name} = @${name}`).join(', ')}
     WHERE id = @id AND NOT (${names.map((name) => `${name} IS @${name}`).join(' AND ')})`,
    { ...change, id: file.id },
  )
  const owner = change.submission_id ?? file.submission_id
  if (changes > 0 && owner !== null) store.touch(owner)
}

/** The files of a case whose images have all gone to another go with them. */
export function moveUnusable(store: Store, fromId: string, toId: string): void {
  const { changes } = store.run`
    UPDATE unusable_files SET submission_id = ${toId} WHERE submission_id = ${fromId}`
  if (changes === 0) return
  store.touch(fromId)
  store.touch(toId)
}

type ImageNear = { readonly submission_id: string; readonly file_name: string; readonly mtime_ms: number }

/** The images in this directory or below whose files are of about this time, in cases that are not discarded. */
export function imagesNear(
  store: Store,
  folderPath: string,
  directory: string,
  times: readonly [first: number, last: number],
): ImageNear[] {
  return store.rows<ImageNear>(
    `SELECT submission_id, file_name, mtime_ms FROM images JOIN submissions ON submissions.id = submission_id
     WHERE images.folder_path = ? AND file_name >= ? AND file_name < ? AND mtime_ms BETWEEN ? AND ?
     AND state <> 'discarded' ORDER BY images.position`,
    folderPath,
    ...namesBelow(directory),
    ...times,
  )
}

/** By the name of the file inside its folder: its note, or null if it has none any more. */
export type NoteChanges = ReadonlyMap<string, FileNote | null>

/** Writes these in one commit; true if anything changed. A note that says what the earlier one said keeps its time. */
export function saveNotes(store: Store, folderPath: string, changes: NoteChanges): boolean {
  return store.write(() => {
    let hasChanged = false
    for (const [fileName, note] of changes) {
      const held = store.row<{ kind: string; message: string }>`
        SELECT kind, message FROM file_notes WHERE folder_path = ${folderPath} AND file_name = ${fileName}`
      if (held?.kind === note?.kind && held?.message === note?.message) continue
      // All that is known of it after a restart; the message of its opening may state more.
      if (held?.kind === note?.kind && note?.wording?.key === 'intake:image.damaged') continue
      hasChanged = true
      if (held)
        store.run`DELETE FROM file_notes WHERE folder_path = ${folderPath} AND file_name = ${fileName}`
      if (note)
        store.run`
          INSERT INTO file_notes (folder_path, file_name, search_key, kind, message, wording, at)
          VALUES (${folderPath}, ${fileName}, ${folded(fileName)}, ${note.kind}, ${note.message},
          ${wordingToText(note)}, ${note.at})`
    }
    return hasChanged
  })
}

/**
 * A new version of a file has come: what was noted of the former one is over. If exactly this was dealt with or set aside
 * before, what was noted then is `kept`.
 */
export function forgetNotes(store: Store, file: FileMark): 'none' | 'forgotten' | 'kept' {
  const { folderPath, relativePath } = file
  const isNoted = store.finds`
    SELECT 1 FROM file_notes WHERE folder_path = ${folderPath} AND file_name = ${relativePath}`
  if (!isNoted) return 'none'
  if (hasSeen(store, file) || hasDeaths(store, file)) return 'kept'
  store.run`DELETE FROM file_notes WHERE folder_path = ${folderPath} AND file_name = ${relativePath}`
  return 'forgotten'
}

/** Has any file of a folder a note? */
export function hasNotes(store: Store, folderPath: string): boolean {
  return store.finds`SELECT 1 FROM file_notes WHERE folder_path = ${folderPath} LIMIT 1`
}

/** The names of all files of a folder that have a note. */
export function notedFiles(store: Store, folderPath: string): string[] {
  return store.values<string>`SELECT file_name FROM file_notes WHERE folder_path = ${folderPath}`
}

/** How many files of a folder have a note of each kind. */
export function countNotes(store: Store, folderPath: string): Partial<Record<FileNote['kind'], number>> {
  const counts = store.rows<{ kind: FileNote['kind']; count: number }>`
    SELECT kind, count(*) AS count FROM file_notes WHERE folder_path = ${folderPath} GROUP BY kind`
  return Object.fromEntries(counts.map(({ kind, count }) => [kind, count]))
}

type NoteRow = Omit<FileNote, 'wording'> & { readonly wording: string | null }

const COLUMNS = 'file_name AS fileName, kind, message, wording, at'

function noteFromRow<Row extends NoteRow>({ wording, ...note }: Row) {
  return { ...note, ...messageOf({ message: note.message, wording }) }
}

/** The newest notes of a folder. */
export function newestNotes(store: Store, folderPath: string, limit: number): FileNote[] {
  return store
    .rows<NoteRow>(
      `SELECT ${COLUMNS} FROM file_notes WHERE folder_path = ? ORDER BY position DESC LIMIT ?`,
      folderPath,
      limit,
    )
    .map(noteFromRow)
}

/** A page of the files of these folders whose names contain `search`, newest first, after the one with the id `after`. */
export function listNotes(
  store: Store,
  folderPaths: readonly string[],
  { search = '', after, limit }: ParsedInput<'folders.leftAside'>,
): LeftAsidePage {
  const asked = 'folder_path IN (SELECT value FROM json_each(?)) AND instr(search_key, ?) > 0'
  const values = [JSON.stringify(folderPaths), folded(search)]
  const rows = store.rows<NoteRow & { readonly id: number; readonly folderPath: string }>(
    `SELECT position AS id, folder_path AS folderPath, ${COLUMNS} FROM file_notes
     WHERE ${asked} AND position < ? ORDER BY position DESC LIMIT ?`,
    ...values,
    after ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  )
  const total = store.value<number>(`SELECT count(*) FROM file_notes WHERE ${asked}`, ...values) ?? 0
  const items = rows.slice(0, limit).map(noteFromRow)
  return { items, total, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** Letter case and Unicode form make no other name for one who searches. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
