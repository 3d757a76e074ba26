import { lstatSync, opendirSync, type Dir, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isJunkFile, isJunkFolder } from './export-names.ts'
import { codeOf } from './folder-trouble.ts'

/** What a walk comes by. Paths are relative to the watched folder, with `/` between their parts. */
export type Walked =
  /** `mtimeMs` is epoch milliseconds, rounded down. */
  | {
      readonly kind: 'file'
      readonly relativePath: string
      readonly sizeBytes: number
      readonly mtimeMs: number
    }
  | { readonly kind: 'folder'; readonly relativePath: string; readonly mtimeMs: number }
  /** Seen and not looked into. `shut`: it may not or cannot be read now. */
  | { readonly kind: 'link' | 'tooDeep' | 'shut' | 'unnameable'; readonly relativePath: string }

/** Deeper than any camera nests; a bound against folders without end. */
export const MOST_FOLDERS_DEEP = 16

/** How long a walk may keep its thread before others get their turn. */
const SLICE_MS = 10

/**
 * Walks everything below `start` ('' is the whole folder), holding nothing but the folders still to come. Links
 * are not followed, junk is passed by, a folder that vanishes meanwhile is no trouble.
 *
 * Calls of the file system are the synchronous ones on purpose: they cost a tenth, and in the thread of the watcher
 * a share that hangs blocks that thread only and not the pool which the whole program uses.
 *
 * Throws the file system's error when `start` itself cannot be opened.
 */
export function* walkFolder(root: string, start = ''): Generator<Walked, void, void> {
  const waiting = [start]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const dir = openFolder(root, folder, folder === start)
    if (dir === 'shut') yield { kind: 'shut', relativePath: folder }
    if (typeof dir === 'string') continue
    try {
      for (let name = nextName(dir); name !== null; name = nextName(dir)) {
        // A listing that breaks off half-way has shown less than there is.
        if (name === 'brokenOff') {
          yield { kind: 'shut', relativePath: folder }
          break
        }
        const walked = isJunkFile(name.entry)
          ? null
          : lookAt(root, folder === '' ? name.entry : `${folder}/${name.entry}`)
        if (walked?.kind === 'folder') waiting.push(walked.relativePath)
        if (walked !== null) yield walked
      }
    } finally {
      dir.closeSync()
    }
  }
}

/** Goes through a walk in short slices, so that its thread stays free for others. Ends early when told to. */
export async function* inSlices(
  walk: Iterable<Walked>,
  isStopped: () => boolean,
): AsyncGenerator<readonly Walked[], void, void> {
  let slice: Walked[] = []
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
export function lookAt(root: string, relativePath: string): Walked | null {
  const stats = statOf(join(root, relativePath))
  if (stats === 'gone') return relativePath.includes('\ufffd') ? { kind: 'unnameable', relativePath } : null
  if (stats === 'shut') return { kind: 'shut', relativePath }
  const mtimeMs = Math.floor(stats.mtimeMs)
  if (stats.isSymbolicLink()) return { kind: 'link', relativePath }
  if (stats.isFile()) return { kind: 'file', relativePath, sizeBytes: stats.size, mtimeMs }
  if (!stats.isDirectory()) return null
  const parts = relativePath.split('/')
  if (parts.some((part) => isJunkFolder(part))) return null
  return parts.length > MOST_FOLDERS_DEEP
    ? { kind: 'tooDeep', relativePath }
    : { kind: 'folder', relativePath, mtimeMs }
}

function openFolder(root: string, folder: string, isStart: boolean): Dir | 'shut' | 'gone' {
  try {
    return opendirSync(join(root, folder), { bufferSize: 256 })
  } catch (error) {
    const code = codeOf(error)
    if (isStart || code === undefined) throw error
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'shut'
  }
}

function nextName(dir: Dir): { readonly entry: string } | 'brokenOff' | null {
  try {
    const entry = dir.readSync()
    return entry === null ? null : { entry: entry.name }
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return 'brokenOff'
  }
}

function statOf(path: string): Stats | 'gone' | 'shut' {
  try {
    return lstatSync(path)
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    // A path that no file can have is as good as gone; the rest may come back.
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code) ? 'gone' : 'shut'
  }
}
