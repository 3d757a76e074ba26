import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isJunkFile, isJunkFolder } from '../lib/export-names.ts'
import type { FileBook } from './file-tracker.ts'
import { LINK_MESSAGE, NO_ACCESS_MESSAGE, TOO_DEEP_MESSAGE, UNNAMEABLE_MESSAGE } from './notes.ts'
import { errorCode } from './watch.ts'

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
const MAX_DEPTH = 16

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

/**
 * The folders that some look came by: one that is not among them is news. Kept from one sweep to the next, so that
 * what is gone is not kept for ever.
 */
export class SeenFolders {
  #seen = new Set<string>()
  #seenInSweep = new Set<string>()

  beginSweep(): void {
    this.#seenInSweep = new Set()
  }

  /** A sweep came to its end: what it did not come by is not known any more. */
  endSweep(): void {
    this.#seen = this.#seenInSweep
    this.#seenInSweep = new Set()
  }

  /** A look came by this folder. True where it is the first one. */
  add(relativePath: string): boolean {
    const isNew = !this.#seen.has(relativePath)
    this.#seen.add(relativePath)
    this.#seenInSweep.add(relativePath)
    return isNew
  }

  has(relativePath: string): boolean {
    return this.#seen.has(relativePath)
  }

  /** Nothing is there any more under this path. */
  forget(relativePath: string): void {
    this.#seen.delete(relativePath)
    this.#seenInSweep.delete(relativePath)
  }
}

/** Where cameras write now, and some more. */
const MAX_RECENT = 32

/** The folders that changed last, by comparing their times with one another: no clock is trusted. */
export class RecentFolders {
  #folders: { readonly relativePath: string; readonly mtimeMs: number }[] = []

  add({ relativePath, mtimeMs }: { readonly relativePath: string; readonly mtimeMs: number }): void {
    this.#folders.push({ relativePath, mtimeMs })
    // Cut now and then, so that a walk through many folders holds few.
    if (this.#folders.length >= 4 * MAX_RECENT) this.#cut()
  }

  paths(): string[] {
    this.#cut()
    return this.#folders.map((folder) => folder.relativePath)
  }

  #cut(): void {
    this.#folders.sort((one, other) => other.mtimeMs - one.mtimeMs)
    this.#folders = this.#folders.slice(0, MAX_RECENT)
  }
}

/** Writes into the book what a walk came by. True for what is neither image nor sidecar nor folder. */
export function recordEntry(book: FileBook, walked: WalkedEntry, isHinted: boolean): boolean {
  const { relativePath } = walked
  switch (walked.kind) {
    case 'file':
      return book.observe(relativePath, { sizeBytes: walked.sizeBytes, mtimeMs: walked.mtimeMs }, isHinted)
    case 'passedBy':
      return book.observeSkipped(relativePath)
    case 'link':
      book.ignore(relativePath, 'ignored', LINK_MESSAGE)
      return true
    case 'unnameable':
      book.ignore(relativePath, 'unreadable', UNNAMEABLE_MESSAGE)
      return true
    case 'tooDeep':
      book.ignore(relativePath, 'ignored', TOO_DEEP_MESSAGE)
      return false
    case 'shut':
      if (!book.markInaccessible(relativePath)) book.ignore(relativePath, 'unreadable', NO_ACCESS_MESSAGE)
      return false
    case 'folder':
      return false
  }
}

/**
 * Which files does a sweep need not look at one by one?
 *
 * Every sweep lists every folder: a new name is always found by the next one, and what is gone is missed at once.
 * Looking at each of a hundred thousand old files, only to see that it is as it was, is what costs. So in a large
 * folder, files that have been dealt with are looked at in turns, except where something is going on: where the
 * folder's own time has changed (a file came, went, or was replaced), or among the folders that changed last. The time
 * of a folder is only ever a reason to look more, never one to look less: some file systems do not keep it, and none
 * changes it when a file is written over in place. Such a file is found by the turn of its folder.
 */

/** Below this, looking at every file costs next to nothing. */
export const LARGE_FROM_FILES = 5_000

/** Every file is looked at at least once in so many sweeps. */
export const ROUNDS = 10

export class SweepSchedule {
  #round = 0
  #isLarge = false
  #active: ReadonlySet<string> = new Set()
  #times = new Map<string, number>()
  #timesBefore = new Map<string, number>()

  /** A sweep begins; `fileCount` is how many files the one before came by, `lively` are the folders that changed last. */
  begin(fileCount: number, active: readonly string[]): void {
    this.#round += 1
    this.#isLarge = fileCount >= LARGE_FROM_FILES
    this.#active = new Set(active)
    this.#timesBefore = this.#times
    this.#times = new Map()
  }

  /** Are there so many files that looking at them is spared? */
  get isLarge(): boolean {
    return this.#isLarge
  }

  /**
   * May files at rest in this folder be passed by in this sweep? `mtimeMs` is the time of the folder, null for the
   * watched folder itself: its time changes with every lease, and it is heard first of all.
   */
  canSkipFolder(folder: string, mtimeMs: number | null): boolean {
    if (!this.#isLarge) return false
    if (mtimeMs !== null) this.#times.set(folder, mtimeMs)
    const isAsBefore = mtimeMs === null || this.#timesBefore.get(folder) === mtimeMs
    return isAsBefore && !this.#active.has(folder) && roundOf(folder) !== this.#round % ROUNDS
  }
}

/** A large folder is swept no more often than so that sweeping takes this share of one processor. */
const MAX_CPU_SHARE = 0.01

/** But never more seldom than this many times the interval that was set. */
const MAX_STRETCH = 5

/** How long until the next sweep, where `sweepMs` is set and the last one took `spentMs` of a processor's time. */
export function pauseAfterSweepMs(sweepMs: number, spentMs: number): number {
  return Math.max(sweepMs, Math.min(spentMs / MAX_CPU_SHARE, MAX_STRETCH * sweepMs))
}

function roundOf(folder: string): number {
  let sum = 0
  for (let index = 0; index < folder.length; index += 1) sum = (sum * 31 + folder.charCodeAt(index)) % 65_521
  return sum % ROUNDS
}

/** What a full look came by. */
type SweepResult = {
  /** Files of all sorts, and how many of them are neither images nor sidecars. */
  readonly fileCount: number
  readonly otherCount: number
  /** Folders that could not be looked into. */
  readonly unseen: readonly string[]
  /** The folders that changed last, the latest first. */
  readonly latest: readonly string[]
}

/**
 * Looks through a whole folder and writes what is there into the book and among the known folders. `afterSlice` is called between short slices of
 * work, after which others get their turn. Null where the listing of the folder itself broke off. Throws the file
 * system's error where the folder cannot be opened.
 */
export async function sweepFolder(options: {
  readonly root: string
  readonly book: FileBook
  readonly folders: SeenFolders
  readonly schedule: SweepSchedule
  readonly isStopped: () => boolean
  readonly afterSlice: () => void
}): Promise<SweepResult | null> {
  const { root, book, folders, schedule, isStopped, afterSlice } = options
  let fileCount = 0
  let otherCount = 0
  const unseen: string[] = []
  const latest = new RecentFolders()
  const walk = walkFolder(root, '', {
    canSkipIn: (folder, mtimeMs) => schedule.canSkipFolder(folder, mtimeMs),
    canSkipFile: (relativePath) => book.canSkip(relativePath),
  })
  for await (const slice of inSlices(walk, isStopped)) {
    for (const walked of slice) {
      if (walked.kind === 'folder') {
        folders.add(walked.relativePath)
        latest.add(walked)
      }
      if (walked.kind === 'shut') unseen.push(walked.relativePath)
      if (walked.relativePath === '') return null
      if (walked.kind === 'file' || walked.kind === 'passedBy') fileCount += 1
      if (recordEntry(book, walked, false)) otherCount += 1
    }
    afterSlice()
  }
  return { fileCount, otherCount, unseen, latest: latest.paths() }
}
