/** Walks through a watched folder, and remembers its folders: which of them are new, and what a sweep may skip. */
import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { errorCode } from '../../station/lib/errors.ts'
import { isFolderOfDeleted, isInLeftFolder, isJunkFile, isJunkFolder } from '../../station/lib/files.ts'
import type { FileStamp, ListedFile } from '../messages.ts'

/** Size and times of a file when it was observed. The change time is as exact as the file system states it. */
export type SeenStamp = FileStamp & { readonly ctimeMs: number }

/** An entry found by a walk. Paths are relative to the watched folder, with `/` between their parts. */
export type WalkedEntry =
  /** Epoch milliseconds; `mtimeMs` is rounded down. */
  | (SeenStamp & { readonly kind: 'file'; readonly relativePath: string })
  | { readonly kind: 'folder'; readonly relativePath: string; readonly mtimeMs: number }
  /** A file of which only the name was read. */
  | { readonly kind: 'passedBy'; readonly relativePath: string }
  /** It cannot be read now. */
  | { readonly kind: 'shut'; readonly relativePath: string }
  /** Found but not opened. `deleted`: a folder for deleted files. */
  | { readonly kind: 'link' | 'tooDeep' | 'unnameable' | 'deleted'; readonly relativePath: string }

/** Deeper than any camera nests; bounds recursive folders. */
const MAX_DEPTH = 16

/** Decides which files need no `stat`, because their earlier result suffices. */
export type SkipRules = {
  /** Called once for each folder; null is `start` itself. */
  readonly canSkipIn: (relativePath: string, mtimeMs: number | null) => boolean
  readonly canSkipFile: (relativePath: string) => boolean
}

const SKIP_NOTHING: SkipRules = { canSkipIn: () => false, canSkipFile: () => false }

/** How long a walk may occupy its thread before it yields. */
const SLICE_MS = 10

/**
 * Walks all below `start` ('' is the whole folder) with one list of names in memory; no links, no junk. Synchronous on
 * purpose: a tenth of the cost, and a hanging share blocks only the watcher's thread. Throws if `start` cannot be
 * opened.
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

/** Runs a walk in short slices and yields the thread in between. Ends early once `isStopped` is true. */
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

/** Every file in a folder, in short slices. Throws if it cannot be opened: an unreachable share is not empty. */
export async function* listFiles(folderPath: string): AsyncGenerator<ListedFile, void, void> {
  for await (const slice of inSlices(walkFolder(folderPath), () => false)) {
    for (const walked of slice) {
      if (walked.kind !== 'file') continue
      const { relativePath, sizeBytes, mtimeMs, ctimeMs } = walked
      yield { folderPath, relativePath, sizeBytes, mtimeMs, ctimeMs }
    }
  }
}

/** Reads one path; null if nothing is there, or nothing relevant (a device, a junk folder). */
export function readEntry(root: string, relativePath: string): WalkedEntry | null {
  const stats = statOf(`${root}${sep}${relativePath}`)
  if (stats === 'gone') return relativePath.includes('\ufffd') ? { kind: 'unnameable', relativePath } : null
  if (stats === 'shut') return { kind: 'shut', relativePath }
  const mtimeMs = Math.floor(stats.mtimeMs)
  if (stats.isSymbolicLink()) return { kind: 'link', relativePath }
  if (stats.isFile())
    return { kind: 'file', relativePath, sizeBytes: stats.size, mtimeMs, ctimeMs: stats.ctimeMs }
  if (!stats.isDirectory()) return null
  const parts = relativePath.split('/')
  const name = parts.at(-1) ?? ''
  if (isInLeftFolder(parts.slice(0, -1)) || isJunkFolder(name)) return null
  if (isFolderOfDeleted(name)) return { kind: 'deleted', relativePath }
  return parts.length > MAX_DEPTH
    ? { kind: 'tooDeep', relativePath }
    : { kind: 'folder', relativePath, mtimeMs }
}

/** A listing that fails half-way is incomplete and counts as none. */
function listNames(root: string, folder: string, isStart: boolean): readonly string[] | 'shut' | 'gone' {
  try {
    // Names only, and all at once: a handle and an object for each entry cost five times as much.
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
    // A path that no file can have counts as gone; other errors may be temporary.
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code) ? 'gone' : 'shut'
  }
}

/** Detects whether a path still leads to the same folder. An unmounted share leaves an empty folder behind. */
export class FolderLocation {
  readonly #path: string
  #last: { readonly identity: string; readonly fileCount: number } | null = null

  constructor(path: string) {
    this.#path = path
  }

  get fileCount(): number {
    return this.#last?.fileCount ?? 0
  }

  /** Device and inode: another disk or share under the path has others. Throws if the path is not a folder. */
  identity(): string {
    const stats = statSync(this.#path)
    if (!stats.isDirectory()) throw Object.assign(new Error('Not a folder.'), { code: 'ENOTDIR' })
    return `${stats.dev}:${stats.ino}`
  }

  recordSweep(identity: string, fileCount: number): void {
    this.#last = { identity, fileCount }
  }

  /** True if the folder is a different one and the files of the last sweep are gone. */
  isSuddenlyEmpty(identity: string, fileCount: number): boolean {
    return fileCount === 0 && this.fileCount > 0 && this.#last?.identity !== identity
  }

  /** True if only the empty mount point of a folder with files is left. Nothing may be written into it. */
  isEmptyMountPoint(): boolean {
    try {
      if (this.fileCount === 0 || this.identity() === this.#last?.identity) return false
      return walkFolder(this.#path).next().done === true
    } catch (error) {
      if (errorCode(error) === undefined) throw error
      return true
    }
  }
}

/** Where cameras write now, with some reserve. */
const MAX_LATEST = 32

/** The most recently changed of these folders, found by comparing their times with one another: no clock is trusted. */
export function latestOf(times: ReadonlyMap<string, number>): readonly string[] {
  const byTime = [...times].toSorted(([, one], [, other]) => other - one)
  return byTime.slice(0, MAX_LATEST).map(([relativePath]) => relativePath)
}

/** Below this, checking every file costs next to nothing. */
export const LARGE_FROM_FILES = 5_000

/** Every file is checked at least once in this many sweeps. */
export const ROUNDS = 10

/** The time of a folder of which only a hint is known. */
const NOT_SWEPT = -Infinity

/**
 * The folders below the watched one, with their modification times. They decide which files a sweep may skip: it lists
 * every folder, but in a large tree it checks acknowledged files (`stat`) in turns, and always in folders with a new
 * time or recent changes. A folder's time is only a reason to check more: a file overwritten in place does not change
 * it, and is found in its turn.
 */
export class KnownFolders {
  #round = 0
  #isLarge = false
  /** As the last whole sweep found them, and as the current one does. */
  #times = new Map<string, number>()
  #timesInSweep = new Map<string, number>()
  #latest: readonly string[] = []

  get isLarge(): boolean {
    return this.#isLarge
  }

  /** The most recently changed ones, the latest first. */
  get latest(): readonly string[] {
    return this.#latest
  }

  /** Begins a sweep; `fileCount` is the count of the sweep before. */
  beginSweep(fileCount: number): void {
    this.#round += 1
    this.#isLarge = fileCount >= LARGE_FROM_FILES
    this.#timesInSweep = new Map()
  }

  /** The sweep was whole: folders that it did not see are forgotten. */
  endSweep(): void {
    this.#times = this.#timesInSweep
    this.#latest = latestOf(this.#times)
  }

  /** Records a folder that a sweep found. */
  addSwept(relativePath: string, mtimeMs: number): void {
    this.#timesInSweep.set(relativePath, mtimeMs)
  }

  /** Records a folder that a hint led to. True if it is new. */
  addHinted(relativePath: string): boolean {
    const isNew = !this.has(relativePath)
    for (const times of [this.#times, this.#timesInSweep])
      if (!times.has(relativePath)) times.set(relativePath, NOT_SWEPT)
    return isNew
  }

  has(relativePath: string): boolean {
    return this.#times.has(relativePath) || this.#timesInSweep.has(relativePath)
  }

  forget(relativePath: string): void {
    this.#times.delete(relativePath)
    this.#timesInSweep.delete(relativePath)
  }

  /** `mtimeMs` is null for the watched folder, whose time changes with every lease and which always has hints. */
  canSkip(folder: string, mtimeMs: number | null): boolean {
    if (!this.#isLarge) return false
    const isAsBefore = mtimeMs === null || this.#times.get(folder) === mtimeMs
    return isAsBefore && !this.#latest.includes(folder) && roundOf(folder) !== this.#round % ROUNDS
  }
}

/** A large folder is swept so seldom that sweeping takes at most this share of one processor. */
const MAX_CPU_SHARE = 0.01
const MAX_STRETCH = 5

/** The pause after a sweep that took `spentMs` of processor time; `sweepMs` is the configured interval. */
export function pauseAfterSweepMs(sweepMs: number, spentMs: number): number {
  return Math.max(sweepMs, Math.min(spentMs / MAX_CPU_SHARE, MAX_STRETCH * sweepMs))
}

function roundOf(folder: string): number {
  let sum = 0
  for (let index = 0; index < folder.length; index += 1) sum = (sum * 31 + folder.charCodeAt(index)) % 65_521
  return sum % ROUNDS
}
