/** What the outbox knows of the manifests: which are behind, and what each has to tell. */
import type { AnnouncedAttempt, Manifest, ManifestRow, RowProgress } from './manifest.ts'
import type { WriteThrough } from './write-through.ts'

type Row = Readonly<Record<string, string | number | null>>

/** Without some of the columns: those that mean something in this very database only, or are of no use elsewhere. */
function without(row: Row, ...names: readonly string[]): ManifestRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
}

/** How far a submission has come, or null where there is none. */
export function progressOf(store: WriteThrough, id: string): RowProgress | null {
  return (
    store.sql
      .prepare<[string], RowProgress>(
        `SELECT revision, state, attempts FROM submissions JOIN manifests ON submission_id = id WHERE id = ?`,
      )
      .get(id) ?? null
  )
}

/** All that there is to tell of a submission, read at one moment; null where there is none. */
export function manifestOf(
  store: WriteThrough,
  id: string,
  announced: AnnouncedAttempt | null = null,
): Manifest | null {
  const { sql } = store
  const submission = sql.prepare<[string], Row>('SELECT * FROM submissions WHERE id = ?').get(id)
  const progress = progressOf(store, id)
  if (!submission || !progress) return null
  const rows = (text: string): Row[] => sql.prepare<[string], Row>(text).all(id)
  const isOpen = announced !== null && announced.number > progress.attempts
  return {
    format: 1,
    revision: progress.revision,
    submission: without(submission, 'position', 'looks', 'not_before'),
    keys: rows(
      'SELECT folder_path, group_key FROM submission_keys WHERE submission_id = ? ORDER BY folder_path, group_key',
    ),
    images: rows('SELECT * FROM images WHERE submission_id = ? ORDER BY position').map((row) =>
      without(row, 'position', 'record_id'),
    ),
    copies: rows(
      `SELECT image_copies.* FROM image_copies JOIN images ON images.id = image_id
       WHERE submission_id = ? ORDER BY image_id, image_copies.file_name`,
    ).map((row) => without(row, 'record_id')),
    attempts: rows('SELECT * FROM attempts WHERE submission_id = ? ORDER BY number').map((row) =>
      without(row, 'baseline', 'known_position', 'answer_body'),
    ),
    announced: isOpen ? announced : null,
  } as unknown as Manifest
}

/**
 * Submissions whose manifest is behind, those that have waited for longest first, `except` these. */
export function dueManifests(store: WriteThrough, limit: number, except: readonly string[] = []): string[] {
  return store.sql
    .prepare<[string, number], string>(
      `SELECT submission_id FROM manifests WHERE revision > kept_revision
       AND submission_id NOT IN (SELECT submission_id FROM quarantine)
       AND submission_id NOT IN (SELECT value FROM json_each(?)) ORDER BY revision LIMIT ?`,
    )
    .pluck()
    .all(JSON.stringify(except), limit)
}

export type WrittenManifest = { readonly id: string; readonly revision: number }

/** Writes down which revisions are on the disk. */
export function markManifestsKept(store: WriteThrough, written: readonly WrittenManifest[]): void {
  store.write(() => {
    const mark = store.sql.prepare('UPDATE manifests SET kept_revision = ? WHERE submission_id = ?')
    for (const { id, revision } of written) mark.run(revision, id)
  })
}

/** Makes a manifest due; what is written next is newer than whatever stands on the disk, also than `revision`. */
export function raiseRevision(store: WriteThrough, id: string, revision = 0): void {
  store.sql
    .prepare(
      'UPDATE manifests SET revision = max((SELECT max(revision) FROM manifests), ?) + 1 WHERE submission_id = ?',
    )
    .run(revision, id)
}

/** Is there such a submission? */
export function isKnown(store: WriteThrough, id: string): boolean {
  return store.sql.prepare('SELECT 1 AS found FROM manifests WHERE submission_id = ?').get(id) !== undefined
}

/** The submissions that may still be sent, or whose arrival is not known. */
export function unsettledIds(store: WriteThrough): string[] {
  return store.sql
    .prepare<[], string>(
      "SELECT id FROM submissions WHERE state NOT IN ('sent', 'discarded') ORDER BY position",
    )
    .pluck()
    .all()
}

/** Every file that must lie in the spool: images, and pictures made of them, that retention has not removed. */
export function spooledFiles(store: WriteThrough): { readonly spoolName: string }[] {
  return store.sql
    .prepare<[], { spoolName: string }>(
      `SELECT spool_name AS spoolName FROM images WHERE removed_at IS NULL
       UNION SELECT picture_spool_name FROM images WHERE removed_at IS NULL AND picture_spool_name IS NOT NULL`,
    )
    .all()
}
