/** The manifests on the disk: `spool/manifests/<first two of the id>/<id>.json`. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flushFolder, writeDurably } from '../durable-file.ts'
import { renameWithRetry, retryWhileLocked } from '../stubborn-files.ts'
import { manifestText, readManifestText, type Manifest } from './manifest.ts'
import { codeOf } from './opening-trouble.ts'

const SUFFIX = '.json'
const NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/

export function manifestsFolderIn(dataFolder: string): string {
  return join(dataFolder, 'spool', 'manifests')
}

function pathOf(folder: string, id: string): string {
  return join(folder, id.slice(0, 2), `${id}${SUFFIX}`)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** Writes a manifest so that it outlives a power cut; throws what the disk says. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = pathOf(folder, manifest.submission.id)
  const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeDurably(path, manifestText(manifest))
  // A folder that is new is safe only when those above it are flushed, too.
  if (made === undefined) return
  for (let above = dirname(dirname(path)); above.length >= dirname(made).length; above = dirname(above))
    await flushFolder(above)
}

export type FoundManifest =
  | { readonly kind: 'read'; readonly manifest: Manifest }
  | { readonly kind: 'missing' }
  /** A byte of it is not as it was written, or it is of another submission; `text` is what it holds. */
  | { readonly kind: 'damaged'; readonly text: string }
  /** The disk does not give it, so that what it knows is not known; `code` says why. */
  | { readonly kind: 'unreadable'; readonly code: string }

/** A scanner looks at a small file for a moment. */
const HELD_FOR_MS = 1_000

/** Reads the manifest of a submission; what the disk says is an answer, too. Nothing is changed. */
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

/** Keeps one that is of no use under another name, and never reads it again; throws what the disk says. */
export async function setAsideManifest(
  folder: string,
  id: string,
  because: 'damaged' | 'unreadable',
): Promise<void> {
  await renameWithRetry(pathOf(folder, id), `${pathOf(folder, id)}.${because}`, { forMs: HELD_FOR_MS })
}

/** The manifests of one folder; `unreadable` where the disk does not even give their names. */
export type FoundIds =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'unreadable'; readonly code: string }

/** The ids of all manifests, a folder at a time, so that whoever asks about each does not keep the thread. */
export async function* manifestIds(folder: string): AsyncGenerator<FoundIds> {
  const prefixes = await namesIn(folder)
  if (prefixes.kind === 'unreadable') {
    yield prefixes
    return
  }
  for (const prefix of prefixes.ids) {
    const found = await namesIn(join(folder, prefix))
    if (found.kind === 'unreadable') yield found
    // Other programs leave files of their own: half-written ones are ours, the rest is nobody's case.
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

/** The code of the system; what has none is a defect, and thrown on. */
function codeOrThrow(error: unknown): string {
  const code = codeOf(error)
  if (code === '') throw error
  return code
}
