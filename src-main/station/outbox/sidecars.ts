/**
 * Records of the data files beside the images, and which images each record describes; also which files belong
 * to one visit.
 */
import { readableRows } from './quarantine.ts'
import type { SubmissionRow } from './rows.ts'
import type { Store } from './database.ts'

export type SidecarRecordRow = {
  readonly id: number
  readonly folder_path: string
  readonly relative_path: string
  /** The parsed record as JSON; null if it was unreadable. */
  readonly content: string | null
  /** Why it was unreadable. */
  readonly trouble: string | null
  readonly at: number
}

export type SidecarMatch = { readonly kind: 'directory' | 'file' | 'patient'; readonly key: string }

type NewSidecarRecord = {
  readonly folderPath: string
  readonly relativePath: string
  readonly content: string | null
  readonly trouble: string | null
  readonly matches: readonly SidecarMatch[]
  readonly at: number
}

/** Saves a record, in place of the one named by `replaces`; returns its id. */
export function saveSidecarRecord(store: Store, record: NewSidecarRecord, replaces: number | null): number {
  return store.write(() => {
    const id = replaces ?? insertRecord(store, record)
    if (replaces !== null) {
      store.run(
        'UPDATE sidecar_records SET content = ?, trouble = ?, at = ? WHERE id = ?',
        record.content,
        record.trouble,
        record.at,
        id,
      )
      store.run('DELETE FROM sidecar_matches WHERE record_id = ?', id)
    }
    for (const { kind, key } of record.matches)
      store.run(
        'INSERT OR IGNORE INTO sidecar_matches (folder_path, kind, match_key, record_id) VALUES (?, ?, ?, ?)',
        record.folderPath,
        kind,
        key,
        id,
      )
    return id
  })
}

function insertRecord(store: Store, record: NewSidecarRecord): number {
  const { lastInsertRowid } = store.run(
    'INSERT INTO sidecar_records (folder_path, relative_path, content, trouble, at) VALUES (?, ?, ?, ?, ?)',
    record.folderPath,
    record.relativePath,
    record.content,
    record.trouble,
    record.at,
  )
  return Number(lastInsertRowid)
}

/** What a record matched so far. */
export function matchesOfRecord(store: Store, recordId: number): SidecarMatch[] {
  return store.rows<SidecarMatch>(
    'SELECT kind, match_key AS key FROM sidecar_matches WHERE record_id = ?',
    recordId,
  )
}

/** All records of one data file so far, oldest first. */
export function recordsOfSidecar(store: Store, folderPath: string, relativePath: string): SidecarRecordRow[] {
  return store.rows<SidecarRecordRow>(
    'SELECT * FROM sidecar_records WHERE folder_path = ? AND relative_path = ? ORDER BY id',
    folderPath,
    relativePath,
  )
}

/** The records about one directory, file or patient, oldest first. */
export function recordsMatching(store: Store, folderPath: string, match: SidecarMatch): SidecarRecordRow[] {
  return store.rows<SidecarRecordRow>(
    `SELECT sidecar_records.* FROM sidecar_matches JOIN sidecar_records ON sidecar_records.id = record_id
       WHERE sidecar_matches.folder_path = ? AND kind = ? AND match_key = ? ORDER BY sidecar_records.id`,
    folderPath,
    match.kind,
    match.key,
  )
}

/** Does this folder have any records? Most have none, and each image asks. */
export function hasSidecarRecords(store: Store, folderPath: string): boolean {
  return (
    store.row<number>('SELECT 1 AS found FROM sidecar_matches WHERE folder_path = ? LIMIT 1', folderPath) !==
    undefined
  )
}

export function sidecarRecord(store: Store, id: number): SidecarRecordRow | null {
  return store.row<SidecarRecordRow>('SELECT * FROM sidecar_records WHERE id = ?', id) ?? null
}

/** From now on images of this visit join this submission while it is open. */
export function addGroupKey(store: Store, id: string, folderPath: string, groupKey: string): void {
  store.run(
    'INSERT OR IGNORE INTO submission_keys (folder_path, group_key, submission_id) VALUES (?, ?, ?)',
    folderPath,
    groupKey,
    id,
  )
}

export function removeGroupKeys(store: Store, id: string): void {
  store.run('DELETE FROM submission_keys WHERE submission_id = ?', id)
}

/** Whatever joins the one submission joins the other as well, in its own folder. */
export function copyGroupKeys(store: Store, fromId: string, toId: string): void {
  store.run(
    `INSERT OR IGNORE INTO submission_keys (folder_path, group_key, submission_id)
       SELECT folder_path, group_key, ? FROM submission_keys WHERE submission_id = ?`,
    toId,
    fromId,
  )
}

export function groupKeysOf(store: Store, id: string): string[] {
  return store.values<string>(
    'SELECT group_key FROM submission_keys WHERE submission_id = ? ORDER BY group_key',
    id,
  )
}

/** The submissions that collect one visit, newest first. */
export function submissionsOfGroup(store: Store, folderPath: string, groupKey: string): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>(
    `SELECT submissions.* FROM submission_keys JOIN submissions ON submissions.id = submission_id
       WHERE submission_keys.folder_path = ? AND group_key = ? AND state <> 'discarded' ORDER BY position DESC`,
    folderPath,
    groupKey,
  )
  return readableRows(store, 'submissions', rows)
}

/** Submissions with a key that starts with this text: all visits of one patient. */
export function submissionsOfGroupsFrom(store: Store, folderPath: string, prefix: string): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>(
    `SELECT DISTINCT submissions.* FROM submission_keys JOIN submissions ON submissions.id = submission_id
       WHERE submission_keys.folder_path = ? AND group_key >= ? AND group_key < ? AND state <> 'discarded'
       ORDER BY position`,
    folderPath,
    prefix,
    `${prefix}\u{10FFFF}`,
  )
  return readableRows(store, 'submissions', rows)
}

/** A person decided which images belong together: names and data files do not undo it. */
export function setGroupedByPerson(store: Store, id: string): void {
  store.write(() => {
    store.run("UPDATE submissions SET grouped_by = 'person' WHERE id = ?", id)
    store.touch(id)
  })
}
