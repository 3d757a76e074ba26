/**
 * The manifest beside the images of each submission: all that its rows say, under their column names, so that a lost
 * outbox can be rebuilt, and an older copy is recognised by what it lacks.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { referenceSchema } from '../../../../src-shared/reference.ts'
import { submissionStateSchema } from '../../../../src-shared/states.ts'
import { outcomeSchema } from '../../../../src-shared/submission.ts'
import { errorCode } from '../../lib/errors.ts'
import { flushFolder, renameWithRetry, retryWhileLocked, writeDurably } from '../../lib/files.ts'
import type { Store } from '../database.ts'

const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

const destinationShape = { base_url: z.string(), client_id: z.string(), center_id: z.string().nullable() }

const contentSchema = z.object({
  format: z.literal(1),
  /** From a counter shared by all submissions of a station. */
  revision: z.number().int().positive(),
  submission: rowSchema.and(
    z.object({
      id: z.uuid(),
      reference: referenceSchema,
      state: submissionStateSchema,
      attempts: z.number().int().min(0),
      case_id: z.string().nullable(),
      changed_at: z.number().int(),
    }),
  ),
  keys: z.array(z.object({ folder_path: z.string(), group_key: z.string() })),
  /** In the order in which they were added. */
  images: z.array(rowSchema.and(z.object({ id: z.string(), spool_name: z.string() }))),
  copies: z.array(rowSchema.and(z.object({ image_id: z.string() }))),
  /** Files of the case that cannot be used, and what was decided. */
  unusable: z.array(rowSchema.and(z.object({ id: z.string() }))),
  /** Without the service's answers and the last known case. */
  attempts: z.array(
    rowSchema.and(
      z.object({ ...destinationShape, number: z.number().int(), outcome: outcomeSchema.nullable() }),
    ),
  ),
  /** An attempt that may begin once this is on the disk. */
  announced: z
    .object({ ...destinationShape, number: z.number().int(), request_bytes: z.number(), at: z.number() })
    .nullable(),
})

export type Manifest = z.infer<typeof contentSchema>

export type ManifestRow = z.infer<typeof rowSchema>

export type AnnouncedAttempt = NonNullable<Manifest['announced']>

const fileSchema = z.object({ digest: z.string(), manifest: z.unknown() })

function digestOf(manifest: unknown): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

/** Parses the text of a manifest; null if a byte of it changed, or a newer program wrote it. */
export function readManifestText(text: string): Manifest | null {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return null
  }
  const outer = fileSchema.safeParse(file)
  if (!outer.success || digestOf(outer.data.manifest) !== outer.data.digest) return null
  const inner = contentSchema.safeParse(outer.data.manifest)
  return inner.success ? inner.data : null
}

/** How far a submission has come according to its row. */
type RowProgress = {
  readonly revision: number
  readonly state: Manifest['submission']['state']
  readonly attempts: number
}

/** More than its row: then the outbox is older. An attempt alone proves nothing, but it raised the row's revision. */
export function knowsMore(manifest: Manifest, row: RowProgress): boolean {
  if (manifest.revision > row.revision || manifest.submission.attempts > row.attempts) return true
  return manifest.submission.state === 'sent' && row.state !== 'sent'
}

/** The number of attempts in a manifest, including one that was only announced. */
export function attemptsKnown(manifest: Manifest): number {
  const numbers = manifest.attempts.map(({ number }) => number)
  return Math.max(manifest.submission.attempts, manifest.announced?.number ?? 0, ...numbers)
}

const SUFFIX = '.json'

const NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/

/** The manifests on the disk: `spool/manifests/<first two of the id>/<id>.json`. */
export function manifestsFolderIn(dataFolder: string): string {
  return join(dataFolder, 'spool', 'manifests')
}

function pathOf(folder: string, id: string): string {
  return join(folder, id.slice(0, 2), `${id}${SUFFIX}`)
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')
}

/** Writes a manifest so that it survives a power cut; throws the disk's error. */
export async function writeManifest(
  folder: string,
  manifest: Manifest,
  ready?: Promise<void>,
): Promise<void> {
  const path = pathOf(folder, manifest.submission.id)
  const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeDurably(path, `${JSON.stringify({ digest: digestOf(manifest), manifest })}\n`, ready)
  // A new folder is durable only once its parents are flushed, too.
  if (made === undefined) return
  for (let above = dirname(dirname(path)); above.length >= dirname(made).length; above = dirname(above))
    await flushFolder(above)
}

type FoundManifest =
  | { readonly kind: 'read'; readonly manifest: Manifest }
  | { readonly kind: 'missing' }
  /** A byte of it changed, or it belongs to another submission; `text` is its content. */
  | { readonly kind: 'damaged'; readonly text: string }
  /** The disk cannot read it, so its content is unknown; `code` says why. */
  | { readonly kind: 'unreadable'; readonly code: string }

/** A virus scanner holds a small file only for a moment. */
const HELD_FOR_MS = 1_000

/** Reads the manifest of a submission and reports disk errors as results. Changes nothing. */
export async function readManifest(folder: string, id: string): Promise<FoundManifest> {
  const path = pathOf(folder, id)
  let text: string
  try {
    text = await retryWhileLocked(() => readFile(path, 'utf8'), { forMs: HELD_FOR_MS })
  } catch (error) {
    if (isMissing(error)) return { kind: 'missing' }
    return { kind: 'unreadable', code: codeOrThrow(error) }
  }
  const manifest = readManifestText(text)
  return manifest?.submission.id === id ? { kind: 'read', manifest } : { kind: 'damaged', text }
}

/** Renames an unusable manifest, so that it is never read again; throws the disk's error. */
export async function setAsideManifest(
  folder: string,
  id: string,
  because: 'damaged' | 'unreadable',
): Promise<void> {
  await renameWithRetry(pathOf(folder, id), `${pathOf(folder, id)}.${because}`, { forMs: HELD_FOR_MS })
}

/** The manifests of one folder; `unreadable` if the disk cannot even list them. */
type FoundIds =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'unreadable'; readonly code: string }

/** The ids of all manifests, one folder at a time, so that the caller can yield the thread. */
export async function* manifestIds(folder: string): AsyncGenerator<FoundIds> {
  const prefixes = await namesIn(folder)
  if (prefixes.kind === 'unreadable') {
    yield prefixes
    return
  }
  for (const prefix of prefixes.ids) {
    const found = await namesIn(join(folder, prefix))
    if (found.kind === 'unreadable') yield found
    // Other programs leave files, too: temporary ones are ours, and the rest belongs to no case.
    else
      yield {
        kind: 'ids',
        ids: found.ids.filter((name) => NAME.test(name)).map((name) => name.slice(0, -SUFFIX.length)),
      }
  }
}

async function namesIn(folder: string): Promise<FoundIds> {
  try {
    return { kind: 'ids', ids: (await readdir(folder)).toSorted() }
  } catch (error) {
    return isMissing(error) ? { kind: 'ids', ids: [] } : { kind: 'unreadable', code: codeOrThrow(error) }
  }
}

/** The system's error code; rethrows anything without one, because it is a defect. */
function codeOrThrow(error: unknown): string {
  const code = errorCode(error)
  if (code === undefined) throw error
  return code
}

/** Drops columns that are meaningful in this database only, or of no use elsewhere. */
function without(row: ManifestRow, ...names: readonly string[]): ManifestRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
}

/** How far a submission has come; null if there is none. */
export function progressOf(store: Store, id: string): RowProgress | null {
  return (
    store.row<RowProgress>`
      SELECT revision, state, attempts FROM submissions JOIN manifests ON submission_id = id
      WHERE id = ${id}` ?? null
  )
}

/** Everything known about a submission, read at one moment; null if there is none. */
export function manifestOf(
  store: Store,
  id: string,
  announced: AnnouncedAttempt | null = null,
): Manifest | null {
  const submission = store.row<ManifestRow>`SELECT * FROM submissions WHERE id = ${id}`
  const progress = progressOf(store, id)
  if (!submission || !progress) return null
  const rows = (text: string): ManifestRow[] => store.rows<ManifestRow>(text, id)
  const isOpen = announced !== null && announced.number > progress.attempts
  return {
    format: 1,
    revision: progress.revision,
    submission: without(submission, 'position', 'looks', 'not_before', 'planned_at'),
    keys: rows(
      'SELECT folder_path, group_key FROM submission_keys WHERE submission_id = ? ORDER BY folder_path, group_key',
    ),
    images: rows('SELECT * FROM images WHERE submission_id = ? ORDER BY position').map((row) =>
      without(row, 'position', 'record_id'),
    ),
    copies: rows(
      `SELECT sightings.* FROM images JOIN sightings ON image_id = images.id AND became = 'copy'
       WHERE images.submission_id = ? ORDER BY image_id, relative_path`,
    ).map((row) => without(row, 'id', 'record_id')),
    unusable: rows('SELECT * FROM unusable_files WHERE submission_id = ? ORDER BY relative_path, id'),
    attempts: rows('SELECT * FROM attempts WHERE submission_id = ? ORDER BY number').map((row) =>
      without(row, 'known_position', 'answer_body'),
    ),
    announced: isOpen ? announced : null,
  } as unknown as Manifest
}

/** Submissions with an outdated manifest, those that have waited longest first, without `except`. */
export function dueManifests(store: Store, limit: number, except: readonly string[] = []): string[] {
  return store.values<string>`
    SELECT submission_id FROM manifests WHERE revision > kept_revision
    AND submission_id NOT IN (SELECT submission_id FROM quarantine)
    AND submission_id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)})) ORDER BY revision
    LIMIT ${limit}`
}

export type WrittenManifest = { readonly id: string; readonly revision: number }

/** Records which revisions are on the disk. */
export function markManifestsWritten(store: Store, written: readonly WrittenManifest[]): void {
  store.write(() => {
    for (const { id, revision } of written)
      store.run`UPDATE manifests SET kept_revision = ${revision} WHERE submission_id = ${id}`
  })
}

/** Makes a manifest due. The next one written is newer than any on the disk, and than `revision`. */
export function raiseRevision(store: Store, id: string, revision = 0): void {
  store.run`
    UPDATE manifests SET revision = max((SELECT max(revision) FROM manifests), ${revision}) + 1
    WHERE submission_id = ${id}`
}

export function isSubmissionKnown(store: Store, id: string): boolean {
  return store.finds`SELECT 1 FROM manifests WHERE submission_id = ${id}`
}

/** The submissions that may still be sent, or whose arrival is unknown. */
export function unsettledIds(store: Store): string[] {
  return store.values<string>(
    "SELECT id FROM submissions WHERE state NOT IN ('sent', 'discarded') ORDER BY position",
  )
}

/** Every file that must exist in the spool: images and derived pictures that retention has not removed. */
export function spooledFiles(store: Store): string[] {
  return store.values<string>(`SELECT spool_name FROM images WHERE removed_at IS NULL
    UNION SELECT picture_spool_name FROM images WHERE removed_at IS NULL AND picture_spool_name IS NOT NULL`)
}
