import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isJunkFile, isJunkFolder } from '../export-names.ts'
import { errorCode } from './folder-trouble.ts'

/** What a walk comes by. Paths are relative to the watched folder, with `/` between their parts. */
export type WalkedEntry =
  /** `mtimeMs` is epoch milliseconds, rounded down. */
  | {
      readonly kind: 'file'
      readonly relativePath: string
      readonly sizeBytes: number
      readonly mtimeMs: number
    }
  | { readonly kind: 'folder'; readonly relativePath: string; readonly mtimeMs: number }
  /** A file whose name was seen, and which was not looked at. */
  | { readonly kind: 'passedBy'; readonly relativePath: string }
  /** Seen and not looked into. `shut`: it may not or cannot be read now. */
  | { readonly kind: 'link' | 'tooDeep' | 'shut' | 'unnameable'; readonly relativePath: string }

/** Deeper than any camera nests; a bound against folders without end. */
export const MAX_DEPTH = 16

/** Which files need not be looked at, because what they were is known and will do. */
export type SkipRules = {
  /** Asked once for each folder; null is the time of `start` itself. */
  readonly canSkipIn: (relativePath: string, mtimeMs: number | null) => boolean
  /** Asked for the files in such a folder. */
  readonly canSkipFile: (relativePath: string) => boolean
}

const SKIP_NOTHING: SkipRules = { canSkipIn: () => false, canSkipFile: () => false }

/** How long a walk may keep its thread before others get their turn. */
const SLICE_MS = 10

/**
 * Walks everything below `start` ('' is the whole folder), holding nothing but one list of names and the folders still to come. Links
 * are not followed, junk is passed by, a folder that vanishes meanwhile is no trouble.
 *
 * Calls of the file system are the synchronous ones on purpose: they cost a tenth, and in the thread of the watcher
 * a share that hangs blocks that thread only and not the pool which the whole program uses.
 *
 * Throws the file system's error when `start` itself cannot be opened.
 */
export function* walkFolder(
  root: string,
  start = '',
  skip: SkipRules = SKIP_NOTHING,
): Generator<WalkedEntry, void, void> {
  const waiting: { readonly folder: string; readonly mtimeMs: number | null }[] = [
    { folder: start, mtimeMs: null },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder, mtimeMs } = next
    const maySkip = skip.canSkipIn(folder, mtimeMs)
    const names = listNames(root, folder, folder === start)
    if (names === 'shut') yield { kind: 'shut', relativePath: folder }
    if (typeof names === 'string') continue
    for (const name of names) {
      if (isJunkFile(name)) continue
      const relativePath = folder === '' ? name : `${folder}/${name}`
      if (maySkip && skip.canSkipFile(relativePath)) {
        yield { kind: 'passedBy', relativePath }
        continue
      }
      const walked = readEntry(root, relativePath)
      if (walked?.kind === 'folder') waiting.push({ folder: relativePath, mtimeMs: walked.mtimeMs })
      if (walked !== null) yield walked
    }
  }
}

/** Goes through a walk in short slices, so that its thread stays free for others. Ends early when told to. */
export async function* inSlices(
  walk: Iterable<WalkedEntry>,
  isStopped: () => boolean,
): AsyncGenerator<readonly WalkedEntry[], void, void> {
  let slice: WalkedEntry[] = []
  let endMs = performance.now() + SLICE_MS
  for (const walked of walk) {
    slice.push(walked)
    if (performance.now() < endMs) continue
    yield slice
    slice = []
    await setImmediate()
    if (isStopped()) return
    endMs = performance.now() + SLICE_MS
  }
  yield slice
}

/** One look at one path; null where there is nothing, or nothing that concerns us (a device, a junk folder). */
export function readEntry(root: string, relativePath: string): WalkedEntry | null {
  const stats = statOf(`${root}${sep}${relativePath}`)
  if (stats === 'gone') return relativePath.includes('\ufffd') ? { kind: 'unnameable', relativePath } : null
  if (stats === 'shut') return { kind: 'shut', relativePath }
  const mtimeMs = Math.floor(stats.mtimeMs)
  if (stats.isSymbolicLink()) return { kind: 'link', relativePath }
  if (stats.isFile()) return { kind: 'file', relativePath, sizeBytes: stats.size, mtimeMs }
  if (!stats.isDirectory()) return null
  const parts = relativePath.split('/')
  if (parts.some((part) => isJunkFolder(part))) return null
  return parts.length > MAX_DEPTH
    ? { kind: 'tooDeep', relativePath }
    : { kind: 'folder', relativePath, mtimeMs }
}

/** A listing that breaks off half-way shows less than there is, and counts as none. */
function listNames(root: string, folder: string, isStart: boolean): readonly string[] | 'shut' | 'gone' {
  try {
    // Names alone, and all at once: a handle and an object for each entry cost five times as much.
    return readdirSync(folder === '' ? root : `${root}${sep}${folder}`)
  } catch (error) {
    const code = errorCode(error)
    if (isStart || code === undefined) throw error
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'shut'
  }
}

function statOf(path: string): Stats | 'gone' | 'shut' {
  try {
    return lstatSync(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    // A path that no file can have is as good as gone; the rest may come back.
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code) ? 'gone' : 'shut'
  }
}
