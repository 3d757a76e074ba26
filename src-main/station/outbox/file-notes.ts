/** What a person reads of files of watched folders that are no part of a case: all of them, known across restarts. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import type { FileNote, LeftAsidePage } from '../../../src-shared/station-status.ts'
import { messageOf, wordingToText } from '../json-columns.ts'
import type { Store } from './database.ts'
import { hasSeen } from './seen-files.ts'
import type { FileMark } from '../watch/watch.ts'

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
 * A new version of a file has come: what was noted of the former one is over. If exactly this was dealt with before a
 * restart, what was noted then is `kept`.
 */
export function forgetNotes(store: Store, file: FileMark): 'none' | 'forgotten' | 'kept' {
  const { folderPath, relativePath } = file
  const isNoted = store.finds`
    SELECT 1 FROM file_notes WHERE folder_path = ${folderPath} AND file_name = ${relativePath}`
  if (!isNoted) return 'none'
  if (hasSeen(store, file)) return 'kept'
  store.run`DELETE FROM file_notes WHERE folder_path = ${folderPath} AND file_name = ${relativePath}`
  return 'forgotten'
}

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
