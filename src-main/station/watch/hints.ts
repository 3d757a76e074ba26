/**
 * Hints from the operating system that something happened. They make watching quick; nothing relies on them: what chokidar
 * does not say, or cannot hear as on many network shares, the sweep still finds.
 *
 * chokidar remembers every file of a tree that it watches, which on a large one costs hundreds of megabytes. So each
 * followed folder has a watcher of its own, without those below it, and files that nobody has touched for long are
 * ignored until somebody does. (One watcher for them all cannot let go of a folder and keep those below it: `unwatch` is
 * for whole trees.)
 */
import type { Stats } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { DAY, SECOND } from '../../../src-shared/durations.ts'
import { isJunkFile, isJunkFolder } from '../lib/export-names.ts'
import type { Clock } from '../ports.ts'
import type { FileBook } from './file-tracker.ts'
import {
  inSlices,
  readEntry,
  RecentFolders,
  recordEntry,
  type SeenFolders,
  type SkipRules,
  type WalkedEntry,
  walkFolder,
} from './walk.ts'
import { errorCode } from './watch.ts'

export type Hints = {
  /**
   * Hears of what happens in this folder, too; a path relative to the watched one. True where it was not heard
   * before: what happened until now has to be looked for.
   */
  follow(relativeFolder: string): boolean
  /** An error came, so hints may be missing: open new ones. */
  isDoubtful(): boolean
  close(): Promise<void>
}

/** Windows and macOS hear a whole tree through one subscription; a handle in a subfolder would keep it from being renamed. */
const IS_RECURSIVE = process.platform === 'win32' || process.platform === 'darwin'

/** Folders heard at a time, besides the watched one. Beyond it the one in which nothing happened for longest is let go. */
export const MAX_FOLLOWED = 128

/** Longer than the clock of any share is wrong, and short enough that the exports of years are ignored. */
const OLD_MS = 2 * DAY

/** `onHint` gets the path that something happened to, relative and with `/`, or null where only that is known. */
export type OpenHints = (root: string, onHint: (relativePath: string | null) => void) => Hints

export const openHints: OpenHints = (root, onHint) => {
  const rootPath = resolve(root)
  /** By path; the ones followed or heard last come last. */
  const followed = new Map<string, FSWatcher>()
  /** Followed folders that came anew: what is heard of them may be of a folder that is no more. */
  const renewed = new Set<string>()
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
    watcher.on('add', onEvent)
    watcher.on('change', onEvent)
    watcher.on('unlink', onEvent)
    watcher.on('addDir', (path) => {
      onEvent(path)
      if (followed.has(path)) renewed.add(path)
    })
    watcher.on('unlinkDir', (path) => {
      onEvent(path)
      unwatch(path)
      // What was in it is gone as well, which is told of no file that was moved away with it.
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
    renewed.delete(path)
    // Closing only gives handles back; nothing follows from one that refuses.
    watcher?.close().catch(() => undefined)
  }

  const watchSubfolder = (path: string): FSWatcher => {
    const watcher = watchFolder(path)
    // Out of handles, or shut: the sweep looks into this folder, and the others are heard as before.
    watcher.on('error', () => unwatch(path))
    return watcher
  }

  const rootWatcher = watchFolder(rootPath)
  // Without a listener an error would end the thread.
  rootWatcher.on('error', () => {
    isDoubtful = true
    // An overflow says that much was missed: a sweep finds it, and begins to hear anew.
    onHint(null)
  })
  // What happened between the last sweep and now was not heard.
  rootWatcher.on('ready', () => onHint(null))

  return {
    follow: (relativeFolder) => {
      const path = resolve(rootPath, relativeFolder)
      if (IS_RECURSIVE || path === rootPath) return false
      if (followed.has(path) && !renewed.has(path)) {
        touch(path)
        return false
      }
      // A new folder under an old name needs a new subscription.
      unwatch(path)
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

/** By every time it has: one that was copied here just now may bear the time of its original. */
function isOldFile(stats: Stats | undefined): boolean {
  if (!stats?.isFile()) return false
  return Math.max(stats.mtimeMs, stats.ctimeMs, stats.birthtimeMs) < Date.now() - OLD_MS
}

/** Writers cause several hints at once; one look answers them all. */
const BATCH_MS = 25

/** More than anybody can look at one by one: a sweep is cheaper. */
const MAX_BATCH = 5_000

/** Between asking to hear a folder and hearing it, something may have happened there; so it is looked at again. */
const RESCAN_DELAYS_MS = [150, 600, 2_000]

/** The folders that stay heard when hearing begins anew. */
const MAX_RESUBSCRIBED = 32

/** Beginning anew brings a sweep, and a folder that gives nothing but errors must not be swept for ever. */
const MIN_REOPEN_MS = 15 * SECOND

type HintListenerOptions = {
  readonly root: string
  readonly clock: Clock
  readonly openHints: OpenHints
  /** Something happened to these paths, or may have. */
  readonly onPaths: (paths: readonly string[]) => void
  /** This folder has been followed for a little while only: what happened in it just before may not have been heard. */
  readonly onFollowed: (folder: string) => void
  /** Something happened, and nobody knows where. */
  readonly onUnclear: () => void
}

/** Gathers hints, and keeps hearing through errors, vanished folders and replaced disks. */
export class HintListener {
  readonly #options: HintListenerOptions
  #hints: Hints | null = null
  #identity: string | null = null
  #openedMs = -Infinity
  #batch = new Set<string>()
  /** The folders followed last, oldest first. */
  #followed: string[] = []
  #cancelBatch: (() => void) | null = null
  #isClosed = false

  constructor(options: HintListenerOptions) {
    this.#options = options
  }

  /** Listens to the folder that has this identity; begins anew where it is another one, or hints may be missing. */
  listenTo(identity: string): void {
    const isTimeForNew = this.#options.clock.monotonicMs() - this.#openedMs >= MIN_REOPEN_MS
    const canStay = this.#hints && !(isTimeForNew && this.#hints.isDoubtful())
    if (canStay && this.#identity === identity) return
    this.#identity = identity
    this.#reopen()
  }

  stopListening(): void {
    const hints = this.#hints
    this.#hints = null
    // Closing only gives handles back; a handle of a folder that is away may refuse, and nothing follows from that.
    hints?.close().catch(() => this.#options.onUnclear())
  }

  /** Hears of what happens in this folder, too. True where it was not heard before. */
  follow(folder: string): boolean {
    if (!this.#hints || this.#isClosed) return false
    this.#followed = [
      ...this.#followed.filter((other) => other !== folder).slice(1 - MAX_RESUBSCRIBED),
      folder,
    ]
    if (!this.#hints.follow(folder)) return false
    for (const delayMs of RESCAN_DELAYS_MS) {
      this.#options.clock.after(delayMs, () => {
        if (!this.#isClosed) this.#options.onFollowed(folder)
      })
    }
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelBatch?.()
    await this.#hints?.close()
  }

  #reopen(): void {
    this.stopListening()
    if (this.#isClosed) return
    this.#openedMs = this.#options.clock.monotonicMs()
    const hints = this.#options.openHints(this.#options.root, (path) => this.#onHint(path))
    this.#hints = hints
    for (const folder of this.#followed) hints.follow(folder)
  }

  #onHint(path: string | null): void {
    if (this.#isClosed) return
    if (path === null || this.#batch.size >= MAX_BATCH) {
      this.#options.onUnclear()
      return
    }
    if (path.split('/').some((name) => isJunkFile(name) || isJunkFolder(name))) return
    this.#batch.add(path)
    this.#cancelBatch ??= this.#options.clock.after(BATCH_MS, () => {
      const paths = [...this.#batch]
      this.#batch = new Set()
      this.#cancelBatch = null
      this.#options.onPaths(paths)
    })
  }
}

/** Looks at what a hint named and at what is new below it, without waiting for the next sweep. */
type HintScannerOptions = {
  /** The watched folder; every path here is relative to it. */
  readonly root: string
  readonly book: FileBook
  readonly folders: SeenFolders
  readonly listener: Pick<HintListener, 'follow'>
  readonly isClosed: () => boolean
  /** Asked where a path is gone: what is missing in a folder that is away is not forgotten. */
  readonly canReachFolder: () => boolean
}

export class HintScanner {
  readonly #options: HintScannerOptions
  /** Looks into a folder and into what is new in it: thousands of old folders are not walked for one that came. */
  readonly #skipKnown: SkipRules = {
    canSkipIn: () => true,
    canSkipFile: (path) => this.#options.folders.has(path),
  }

  constructor(options: HintScannerOptions) {
    this.#options = options
  }

  /** Looks at these paths, and into those that are folders. */
  async scan(paths: readonly string[]): Promise<void> {
    const { book, folders, listener, isClosed } = this.#options
    for (const relativePath of paths) {
      const walked = this.check(relativePath)
      if (walked !== null) recordEntry(book, walked, true)
      if (walked?.kind === 'folder') {
        const isNew = folders.add(relativePath)
        const isNewlyHeard = listener.follow(relativePath)
        await this.#scanBelow(relativePath, isNew || isNewlyHeard ? undefined : this.#skipKnown)
      }
      if (isClosed()) return
    }
  }

  /** A folder that is heard since just now is no news itself; what came into it meanwhile is. */
  async scanForNew(folder: string): Promise<void> {
    await this.#scanBelow(folder, this.#skipKnown)
  }

  /** Hears these folders, of which the latest comes first and is to be kept for longest. */
  follow(latest: readonly string[]): void {
    for (const folder of latest.toReversed()) this.#options.listener.follow(folder)
  }

  /** One look at one path that a hint or an earlier look named; what is gone is forgotten. */
  check(relativePath: string): WalkedEntry | null {
    const { root, book, folders, canReachFolder } = this.#options
    const walked = readEntry(root, relativePath)
    if (walked === null && canReachFolder()) {
      book.forget(relativePath)
      folders.forget(relativePath)
    }
    return walked
  }

  /** Everything below may be new, unless it is passed by. */
  async #scanBelow(folder: string, skip?: SkipRules): Promise<void> {
    const { root, book, folders, isClosed } = this.#options
    const latest = new RecentFolders()
    try {
      for await (const slice of inSlices(walkFolder(root, folder, skip), isClosed)) {
        for (const walked of slice) {
          if (walked.kind === 'passedBy') continue
          if (walked.kind === 'folder') {
            folders.add(walked.relativePath)
            latest.add(walked)
          }
          recordEntry(book, walked, true)
        }
      }
    } catch (error) {
      // Gone again, or shut: the next sweep says which.
      if (errorCode(error) === undefined) throw error
    }
    this.follow(latest.paths())
  }
}
