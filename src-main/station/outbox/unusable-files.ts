/** Files that a visit should have and that cannot be used: the case of each, and what a person decided on it. */
import { randomUUID } from 'node:crypto'
import type { UnusableDecision, UnusableWhy } from '../../../src-shared/submission.ts'
import type { Message } from '../../../src-shared/wording.ts'
import { wordingToText } from '../json-columns.ts'
import type { Statements, Store } from './database.ts'
import { holdingsOf } from './files.ts'
import { namesBelow } from './images.ts'

export type UnusableRow = {
  readonly id: string
  readonly folder_path: string
  readonly relative_path: string
  /** Null while no case is found for it. */
  readonly submission_id: string | null
  readonly why: string
  readonly eye: string
  readonly message: string
  readonly wording: string | null
  readonly size_bytes: number
  readonly mtime_ms: number
  /** Of an entry of an archive; null for a file. */
  readonly crc32: number | null
  readonly seen_at: number
  /** Null or `wait`: the case waits for a new export. */
  readonly decision: string | null
  readonly because: string | null
  readonly replaced_by: string | null
  /** The image in `replaced_by`, as long as it is in this case. */
  readonly new_export_id: string | null
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
  if (holdingsOf(store, folderPath).unusable === 0) return []
  return store.rows<UnusableRow & { stem_key: string }>(
    `${ROWS} WHERE folder_path = ? AND stem_key IN (SELECT value FROM json_each(?)) ORDER BY seen_at`,
    folderPath,
    JSON.stringify(stemKeys),
  )
}

/** The awaited files seen since then that have no case, or one without any image. */
export function homelessUnusable(store: Store, folderPath: string, since: number): UnusableRow[] {
  if (holdingsOf(store, folderPath).unusable === 0) return []
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
