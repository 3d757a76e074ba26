/** What is remembered of a folder: quiet times, data files, which files are one visit. */
import type { Store } from './database.ts'
import { readableRows, type SubmissionRow } from './rows.ts'

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
    const { lastInsertRowid } = store.run`
      INSERT INTO sidecar_records (id, folder_path, relative_path, path_key, form, content, trouble,
      stated_before, at) VALUES (${replaces}, ${record.folderPath}, ${record.relativePath}, ${record.pathKey},
      ${record.form}, ${record.content}, ${record.trouble}, ${record.statedBefore}, ${record.at})
      ON CONFLICT (id) DO UPDATE SET path_key = excluded.path_key, form = excluded.form,
      content = excluded.content, trouble = excluded.trouble, stated_before = excluded.stated_before,
      withdrawn_at = NULL, at = excluded.at`
    const id = replaces ?? Number(lastInsertRowid)
    if (replaces !== null) store.run`DELETE FROM sidecar_matches WHERE record_id = ${id}`
    for (const { kind, key } of record.matches)
      store.run`
        INSERT OR IGNORE INTO sidecar_matches (folder_path, kind, match_key, record_id)
        VALUES (${record.folderPath}, ${kind}, ${key}, ${id})`
    return id
  })
}

/** What a record matched so far. */
export function matchesOfRecord(store: Store, recordId: number): SidecarMatch[] {
  return store.rows<SidecarMatch>`
    SELECT kind, match_key AS key FROM sidecar_matches WHERE record_id = ${recordId}`
}

/** The data file does not state these records any more, from now until it states them again. */
export function withdrawSidecarRecords(store: Store, ids: readonly number[], at: number): void {
  store.run`
    UPDATE sidecar_records SET withdrawn_at = ${at} WHERE withdrawn_at IS NULL
    AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
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
  if (holdingsOf(store, folderPath)?.[kind] !== 1) return []
  return store.rows<SidecarRecordRow & { match_key: string }>`
    SELECT sidecar_records.*, match_key FROM sidecar_matches
    JOIN sidecar_records ON sidecar_records.id = record_id
    WHERE sidecar_matches.folder_path = ${folderPath} AND kind = ${kind}
    AND match_key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))
    ORDER BY withdrawn_at IS NULL, sidecar_records.id`
}

/** Whether there are records of data files of each kind, files that cannot be used, and answers of persons. */
type Holdings = Readonly<Record<SidecarMatch['kind'], 0 | 1>> & {
  readonly unusable: 0 | 1
  readonly answers: 0 | 1
  /** How many of its last visits were of both eyes, and of one. */
  readonly both: number
  readonly one: number
}

const KINDS = ['directory', 'file', 'patient', 'capture'] as const satisfies readonly SidecarMatch['kind'][]

const HAS_RECORDS = KINDS.map(
  (kind) =>
    `EXISTS (SELECT 1 FROM sidecar_matches WHERE folder_path = @path AND kind = '${kind}') AS ${kind}`,
).join(', ')

/** What is known of a folder at all, in one question: most have little, and each image asks. */
export function holdingsOf(store: Store, path: string): Holdings | undefined {
  return store.row<Holdings>(
    `SELECT ${HAS_RECORDS},
       EXISTS (SELECT 1 FROM unusable_files WHERE folder_path = @path) AS unusable,
       EXISTS (SELECT 1 FROM folder_answers WHERE folder_path = @path) AS answers,
       coalesce(sum(of_both), 0) AS both, coalesce(sum(of_one), 0) AS one
     FROM folder_visits WHERE folder_path = @path`,
    { path },
  )
}

/** Does this folder have any records? */
export function hasSidecarRecords(store: Store, folderPath: string): boolean {
  const held = holdingsOf(store, folderPath)
  return KINDS.some((kind) => held?.[kind] === 1)
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
