/** The manifests on the disk: `spool/manifests/<first two of the id>/<id>.json`. */
import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder, writeDurably } from '../durable-file.ts'
import { manifestText, readManifestText, type Manifest } from './manifest.ts'

const SUFFIX = '.json'
const NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/
/** What a damaged one is called from then on: it is kept, and never read again. */
const SET_ASIDE_SUFFIX = '.damaged'

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
    await syncFolder(above)
}

export type FoundManifest =
  | { readonly kind: 'read'; readonly manifest: Manifest }
  | { readonly kind: 'missing' }
  /** It was set aside, and is gone from its place; `text` is what it holds. */
  | { readonly kind: 'damaged'; readonly text: string }

/** Reads the manifest of a submission; throws what the disk says, but that it is not there. */
export async function readManifest(folder: string, id: string): Promise<FoundManifest> {
  const path = pathOf(folder, id)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return { kind: 'missing' }
    throw error
  }
  const manifest = readManifestText(text)
  if (manifest?.submission.id === id) return { kind: 'read', manifest }
  await rename(path, `${path}${SET_ASIDE_SUFFIX}`)
  return { kind: 'damaged', text }
}

/** The ids of all manifests, a folder at a time, so that whoever asks about each does not keep the thread. */
export async function* manifestIds(folder: string): AsyncGenerator<readonly string[]> {
  for (const prefix of await namesIn(folder)) {
    const names = await namesIn(join(folder, prefix))
    // Other programs leave files of their own: half-written ones are ours, the rest is nobody's case.
    yield names.filter((name) => NAME.test(name)).map((name) => name.slice(0, -SUFFIX.length))
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
