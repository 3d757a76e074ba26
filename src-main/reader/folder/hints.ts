/**
 * Change hints from the operating system. They only make watching faster: the sweep finds whatever chokidar misses.
 *
 * chokidar remembers every file of a watched tree, hundreds of megabytes on a large one. So each followed folder has
 * its own watcher, because `unwatch` acts on whole trees, and files unchanged for long are ignored until they change.
 */
import { existsSync, type Stats } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { DAY, SECOND } from '../../../src-shared/durations.ts'
import { errorCode } from '../../station/lib/errors.ts'
import { isInLeftFolder, isJunkFile, isJunkFolder } from '../../station/lib/files.ts'
import type { Clock } from '../../station/ports.ts'
import type { FileBook } from './file-book.ts'
import {
  inSlices,
  type KnownFolders,
  latestOf,
  readEntry,
  type SkipRules,
  type WalkedEntry,
  walkFolder,
} from './walk.ts'

export type Hints = {
  /** The path is relative. True if it was not followed before: earlier changes in it were missed and need a scan. */
  follow(relativeFolder: string): boolean
  /** True after an error: hints may be missing, so reopen them. */
  isDoubtful(): boolean
  close(): Promise<void>
}

/** These watch a whole tree through one subscription; a handle on a subfolder would prevent renaming it. */
const IS_RECURSIVE = process.platform === 'win32' || process.platform === 'darwin'

/** Followed folders besides the watched one; beyond this, the least recently active one is dropped. */
export const MAX_FOLLOWED = 128

/** Longer than the clock error of any share, and short enough to ignore years of exports. */
const OLD_MS = 2 * DAY

/** `onHint` receives the changed path, relative and with `/`, or null if the path is unknown. */
export type OpenHints = (root: string, onHint: (relativePath: string | null) => void) => Hints

export const openHints: OpenHints = (root, onHint) => {
  const rootPath = resolve(root)
  /** By path; the most recently followed or active come last. */
  const followed = new Map<string, FSWatcher>()
  let isDoubtful = false

  const report = (path: string): void => {
    const parts = relative(rootPath, path).split(sep)
    if (parts[0] !== '..' && parts[0] !== '') onHint(parts.join('/'))
  }

  const watchFolder = (folder: string): FSWatcher => {
    const watcher = watch(folder, {
      ...(IS_RECURSIVE ? {} : { depth: 0 }),
      ignoreInitial: true,
      ignorePermissionErrors: true,
      followSymlinks: false,
      atomic: false,
      ignored: (_path, stats) => isOldFile(stats),
    })
    const onEvent = (path: string): void => {
      touch(folder)
      report(path)
    }
    for (const kind of ['add', 'change', 'unlink'] as const) watcher.on(kind, onEvent)
    // A followed folder that came again needs a new watcher: its own may be attached to the deleted folder.
    watcher.on('addDir', (path) => {
      unwatch(path)
      onEvent(path)
    })
    watcher.on('unlinkDir', (path) => {
      unwatch(path)
      // A followed folder is reported by the watcher of its parent, too, which alone notices if it returns.
      // A late report of one that is there again is a hint.
      if (path !== folder || existsSync(path)) onEvent(path)
      // Files moved away together with their folder cause no events of their own.
      onHint(null)
    })
    return watcher
  }

  const touch = (path: string): void => {
    const watcher = followed.get(path)
    if (watcher === undefined) return
    followed.delete(path)
    followed.set(path, watcher)
  }

  const unwatch = (path: string): void => {
    const watcher = followed.get(path)
    followed.delete(path)
    // Closing only releases handles; a failure has no consequence.
    watcher?.close().catch(() => undefined)
  }

  const watchSubfolder = (path: string): FSWatcher => {
    const watcher = watchFolder(path)
    // Out of handles, or no access: the sweep covers this folder, and the other watchers go on.
    watcher.on('error', () => {
      if (followed.get(path) === watcher) unwatch(path)
    })
    return watcher
  }

  const rootWatcher = watchFolder(rootPath)
  // After an overflow many events are missing: a sweep finds the changes and reopens the hints.
  rootWatcher.on('error', () => {
    isDoubtful = true
    onHint(null)
  })
  // Changes between the last sweep and now caused no events.
  rootWatcher.on('ready', () => onHint(null))

  return {
    follow: (relativeFolder) => {
      const path = resolve(rootPath, relativeFolder)
      if (IS_RECURSIVE || path === rootPath) return false
      if (followed.has(path)) {
        touch(path)
        return false
      }
      followed.set(path, watchSubfolder(path))
      const [oldest] = followed.keys()
      if (followed.size > MAX_FOLLOWED && oldest !== undefined) unwatch(oldest)
      return true
    },
    isDoubtful: () => isDoubtful,
    close: async () => {
      await Promise.all([rootWatcher, ...followed.values()].map((watcher) => watcher.close()))
    },
  }
}

/** Checks all timestamps: a file copied just now may carry the modification time of its original. */
function isOldFile(stats: Stats | undefined): boolean {
  if (!stats?.isFile()) return false
  return Math.max(stats.mtimeMs, stats.ctimeMs, stats.birthtimeMs) < Date.now() - OLD_MS
}

/** A writer causes several hints at once; one scan answers them all. */
const BATCH_MS = 25

/** Beyond this many paths, a sweep is cheaper than single checks. */
const MAX_BATCH = 5_000

/** Changes between subscribing to a folder and the first event are missed, so it is rescanned after these delays. */
const RESCAN_DELAYS_MS = [150, 600, 2_000]

/** Reopening hints causes a sweep; a folder that only produces errors must not be swept endlessly. */
const MIN_REOPEN_MS = 15 * SECOND

type HintListenerOptions = {
  readonly root: string
  readonly clock: Clock
  readonly openHints: OpenHints
  readonly book: FileBook
  readonly folders: KnownFolders
  /** Runs a scan, unless the folder may not be read now. */
  readonly runScan: (scan: () => Promise<void>) => void
  /** Asked if a path is gone: files of an unreachable folder must not be forgotten. */
  readonly canReachFolder: () => boolean
  readonly onUnclear: () => void
}

/**
 * Listens through errors, vanished folders and replaced disks. Checks the paths that hints name, in batches, and scans
 * new folders below them without waiting for the next sweep.
 */
export class HintListener {
  readonly #options: HintListenerOptions
  #hints: Hints | null = null
  #identity: string | null = null
  #openedMs = -Infinity
  #batch = new Set<string>()
  #cancelBatch: (() => void) | null = null
  #isClosed = false
  /** Scans a folder and only new folders in it: one new folder must not cause a walk of thousands of old ones. */
  readonly #skipKnown: SkipRules = {
    canSkipIn: () => true,
    canSkipFile: (path) => this.#options.folders.has(path),
  }

  constructor(options: HintListenerOptions) {
    this.#options = options
  }

  /** Reopens the hints if the identity of the folder changed, or if hints may be missing. */
  listenTo(identity: string): void {
    const { clock, root, openHints } = this.#options
    const isTimeForNew = clock.monotonicMs() - this.#openedMs >= MIN_REOPEN_MS
    const canStay = this.#hints && !(isTimeForNew && this.#hints.isDoubtful())
    if (this.#isClosed || (canStay && this.#identity === identity)) return
    this.#identity = identity
    this.stopListening()
    this.#openedMs = clock.monotonicMs()
    this.#hints = openHints(root, (path) => this.#onHint(path))
  }

  stopListening(): void {
    const hints = this.#hints
    this.#hints = null
    // Closing only releases handles; one on an unreachable folder may fail without consequences.
    hints?.close().catch(() => this.#options.onUnclear())
  }

  /** Follows these folders. The latest comes first in the list and is followed last, so it stays longest. */
  follow(latest: readonly string[]): void {
    for (const folder of latest.toReversed()) this.#follow(folder)
  }

  /** Checks one path that a hint or a schedule named; forgets it if it is gone. */
  check(relativePath: string): WalkedEntry | null {
    const { root, book, folders, canReachFolder } = this.#options
    const walked = readEntry(root, relativePath)
    if (walked === null && canReachFolder()) {
      book.forget([relativePath])
      folders.forget(relativePath)
    }
    return walked
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelBatch?.()
    await this.#hints?.close()
  }

  #onHint(path: string | null): void {
    if (this.#isClosed) return
    const { clock, onUnclear, runScan } = this.#options
    if (path === null || this.#batch.size >= MAX_BATCH) return onUnclear()
    const names = path.split('/')
    const isJunk = names.some((name) => isJunkFile(name) || isJunkFolder(name))
    if (isJunk || isInLeftFolder(names.slice(0, -1))) return
    this.#batch.add(path)
    this.#cancelBatch ??= clock.after(BATCH_MS, () => {
      const paths = [...this.#batch]
      this.#batch = new Set()
      this.#cancelBatch = null
      runScan(() => this.#scan(paths))
    })
  }

  async #scan(paths: readonly string[]): Promise<void> {
    const { book, folders } = this.#options
    for (const relativePath of paths) {
      const walked = this.check(relativePath)
      if (walked !== null) book.record(walked, 'reported')
      if (walked?.kind === 'folder') {
        const isNew = folders.addHinted(relativePath)
        const isNewlyFollowed = this.#follow(relativePath)
        await this.#scanBelow(relativePath, isNew || isNewlyFollowed ? undefined : this.#skipKnown)
      }
      if (this.#isClosed) return
    }
  }

  /** True if the folder was not followed before. Changes just before that may have been missed: it is scanned again. */
  #follow(folder: string): boolean {
    if (this.#isClosed || this.#hints?.follow(folder) !== true) return false
    const { clock, runScan } = this.#options
    for (const delayMs of RESCAN_DELAYS_MS)
      clock.after(delayMs, () => {
        if (!this.#isClosed) runScan(() => this.#scanBelow(folder, this.#skipKnown))
      })
    return true
  }

  async #scanBelow(folder: string, skip?: SkipRules): Promise<void> {
    const { root, book, folders } = this.#options
    const found = new Map<string, number>()
    try {
      for await (const slice of inSlices(walkFolder(root, folder, skip), () => this.#isClosed)) {
        for (const walked of slice) {
          if (walked.kind === 'passedBy') continue
          if (walked.kind === 'folder') {
            folders.addHinted(walked.relativePath)
            found.set(walked.relativePath, walked.mtimeMs)
          }
          book.record(walked, 'scanned')
        }
      }
    } catch (error) {
      // Gone again or not readable: the next sweep decides which.
      if (errorCode(error) === undefined) throw error
    }
    this.follow(latestOf(found))
  }
}
