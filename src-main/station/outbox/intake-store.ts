/** What the intake remembers: files it has seen, sidecars, and the images of submissions. */
import { randomUUID } from 'node:crypto'
import type { Eye } from '../../../src-shared/eye.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { Image, Source } from '../../../src-shared/submission.ts'
import type { ImageRow, SubmissionRow } from './submission-rows.ts'
import type { WriteThrough } from './write-through.ts'

/** A file as a folder shows it: its place and what may change. */
export type FileMark = {
  readonly folderPath: string
  readonly relativePath: string
  readonly sizeBytes: number
  readonly mtimeMs: number
}

export type SeenKind = 'image' | 'sidecar' | 'duplicate' | 'unreadable' | 'ignored'

/** Has exactly this file, unchanged, been dealt with before? */
export function hasSeen(store: WriteThrough, file: FileMark): boolean {
  return (
    store.sql
      .prepare<[string, string, number, number], number>(
        'SELECT 1 FROM seen_files WHERE folder_path = ? AND relative_path = ? AND size_bytes = ? AND mtime_ms = ?',
      )
      .pluck()
      .get(file.folderPath, file.relativePath, file.sizeBytes, file.mtimeMs) === 1
  )
}

export function markSeen(
  store: WriteThrough,
  file: FileMark,
  kind: SeenKind,
  submissionId: string | null,
  at: number,
): void {
  store.sql
    .prepare(
      `INSERT OR REPLACE INTO seen_files (folder_path, relative_path, size_bytes, mtime_ms, kind, submission_id, at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(file.folderPath, file.relativePath, file.sizeBytes, file.mtimeMs, kind, submissionId, at)
}

/** Files that lay there before the first start and were not taken: all of them, to be counted or to be taken after all. */
export function countIgnored(store: WriteThrough, folderPath: string): number {
  return (
    store.sql
      .prepare<[string], number>("SELECT count(*) FROM seen_files WHERE folder_path = ? AND kind = 'ignored'")
      .pluck()
      .get(folderPath) ?? 0
  )
}

export function forgetIgnored(store: WriteThrough, folderPath: string): void {
  store.sql.prepare("DELETE FROM seen_files WHERE folder_path = ? AND kind = 'ignored'").run(folderPath)
}

export type SidecarRow = {
  readonly directory: string
  readonly relative_path: string
  readonly content: string | null
  readonly trouble: string | null
}

export function keepSidecar(
  store: WriteThrough,
  sidecar: {
    folderPath: string
    directory: string
    relativePath: string
    content: string | null
    trouble: string | null
    at: number
  },
): void {
  store.sql
    .prepare(
      'INSERT OR REPLACE INTO sidecars (folder_path, directory, relative_path, content, trouble, at) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(
      sidecar.folderPath,
      sidecar.directory,
      sidecar.relativePath,
      sidecar.content,
      sidecar.trouble,
      sidecar.at,
    )
}

export function sidecarIn(store: WriteThrough, folderPath: string, directory: string): SidecarRow | null {
  return (
    store.sql
      .prepare<[string, string], SidecarRow>('SELECT * FROM sidecars WHERE folder_path = ? AND directory = ?')
      .get(folderPath, directory) ?? null
  )
}

/** The submissions of one group, newest first. */
export function submissionsOfGroup(
  store: WriteThrough,
  folderPath: string,
  groupKey: string,
): SubmissionRow[] {
  return store.sql
    .prepare<[string, string], SubmissionRow>(
      "SELECT * FROM submissions WHERE folder_path = ? AND group_key = ? AND state <> 'discarded' ORDER BY position DESC",
    )
    .all(folderPath, groupKey)
}

/** Submissions that hold an image out of this directory or one below it. */
export function submissionsUnder(
  store: WriteThrough,
  folderPath: string,
  directory: string,
): SubmissionRow[] {
  const prefix = directory === '' ? '' : `${directory}/`
  return store.sql
    .prepare<[string, number, string], SubmissionRow>(
      `SELECT DISTINCT submissions.* FROM submissions JOIN images ON images.submission_id = submissions.id
       WHERE images.folder_path = ? AND substr(images.file_name, 1, ?) = ? ORDER BY submissions.position`,
    )
    .all(folderPath, prefix.length, prefix)
}

type Holder = { readonly submissionId: string; readonly reference: string; readonly state: SubmissionState }

/**
 * The submission that holds these bytes already, whatever their name was. A discarded one holds them still where
 * nobody knows whether it arrived.
 */
export function holderOf(store: WriteThrough, sha256: string): Holder | null {
  return (
    store.sql
      .prepare<[string], Holder>(
        `SELECT submissions.id AS submissionId, reference, state FROM images JOIN submissions ON submissions.id = submission_id
         WHERE sha256 = ? AND (state <> 'discarded' OR EXISTS
           (SELECT 1 FROM attempts WHERE attempts.submission_id = submissions.id AND outcome = 'unknown')) LIMIT 1`,
      )
      .get(sha256) ?? null
  )
}

/** The references of other submissions that hold an image of this one: of a case that was restored, say. */
export function twinsOf(store: WriteThrough, submissionId: string): string[] {
  return store.sql
    .prepare<[string, string], string>(
      `SELECT DISTINCT reference FROM images JOIN submissions ON submissions.id = submission_id
       WHERE submission_id <> ? AND state <> 'discarded' AND excluded_because IS NULL
         AND sha256 IN (SELECT sha256 FROM images WHERE submission_id = ? AND excluded_because IS NULL)`,
    )
    .pluck()
    .all(submissionId, submissionId)
}

/** Copies that were passed by because this submission held them may be taken once it is discarded; answers how many. */
export function forgetDuplicatesOf(store: WriteThrough, submissionId: string): number {
  return store.sql
    .prepare("DELETE FROM seen_files WHERE kind = 'duplicate' AND submission_id = ?")
    .run(submissionId).changes
}

export type NewImage = {
  readonly submissionId: string
  readonly folderPath: string | null
  readonly fileName: string
  readonly eye: Eye
  readonly eyeSource: Source | null
  readonly sizeBytes: number
  readonly sha256: string
  readonly spoolName: string
  readonly contentType: Image['contentType']
  readonly at: number
}

export function addImage(store: WriteThrough, image: NewImage): string {
  const id = randomUUID()
  store.write(() => {
    store.sql
      .prepare(
        `INSERT INTO images (id, submission_id, folder_path, file_name, eye, eye_source, size_bytes, sha256, spool_name, content_type, added_at)
         VALUES (@id, @submissionId, @folderPath, @fileName, @eye, @eyeSource, @sizeBytes, @sha256, @spoolName, @contentType, @at)`,
      )
      .run({ id, ...image })
    store.touch(image.submissionId)
  })
  return id
}

/** What the names and the sidecar say about an eye; `statements` where they disagree. */
export function setEye(
  store: WriteThrough,
  imageId: string,
  finding: {
    readonly eye: Eye
    readonly source: Source | null
    readonly statements: readonly string[] | null
  },
): void {
  store.sql
    .prepare('UPDATE images SET eye = ?, eye_source = ?, eye_statements = ? WHERE id = ?')
    .run(
      finding.eye,
      finding.source,
      finding.statements === null ? null : JSON.stringify(finding.statements),
      imageId,
    )
}

export function setExcluded(store: WriteThrough, imageId: string, because: string | null): void {
  store.sql.prepare('UPDATE images SET excluded_because = ? WHERE id = ?').run(because, imageId)
}

/** Moves all images of one submission to another, where two turned out to be one visit. */
export function moveImages(store: WriteThrough, fromId: string, toId: string): void {
  store.write(() => {
    store.sql.prepare('UPDATE images SET submission_id = ? WHERE submission_id = ?').run(toId, fromId)
    store.sql.prepare('UPDATE seen_files SET submission_id = ? WHERE submission_id = ?').run(toId, fromId)
    store.touch(fromId)
    store.touch(toId)
  })
}

export function imageById(store: WriteThrough, id: string): ImageRow | undefined {
  return store.sql.prepare<[string], ImageRow>('SELECT * FROM images WHERE id = ?').get(id)
}

/** Collecting submissions whose quiet time is over. */
export function quietSubmissions(store: WriteThrough, now: number): string[] {
  return store.sql
    .prepare<[number], string>(
      "SELECT id FROM submissions WHERE state = 'collecting' AND quiet_until <= ? ORDER BY position",
    )
    .pluck()
    .all(now)
}

/** Binds a submission to another group, where a sidecar turned its directory into one visit. */
export function setGroupKey(store: WriteThrough, id: string, groupKey: string): void {
  store.sql.prepare('UPDATE submissions SET group_key = ? WHERE id = ?').run(groupKey, id)
}

export function setQuietUntil(store: WriteThrough, id: string, quietUntil: number): void {
  store.sql.prepare('UPDATE submissions SET quiet_until = ? WHERE id = ?').run(quietUntil, id)
}

/** When the next quiet time ends, or null. */
export function nextQuietAt(store: WriteThrough): number | null {
  return (
    store.sql
      .prepare<[], number>("SELECT min(quiet_until) FROM submissions WHERE state = 'collecting'")
      .pluck()
      .get() ?? null
  )
}
