/**
 * Hints from the operating system that something happened. They make watching quick; nothing relies on them: what chokidar
 * does not say, or cannot hear as on many network shares, the sweep still finds.
 *
 * chokidar remembers every file of a tree that it watches, which on a large one costs hundreds of megabytes. So each
 * followed folder has a watcher of its own, without those below it, and files that nobody has touched for long are
 * ignored until somebody does. (One watcher for them all cannot let go of a folder and keep those below it: `unwatch` is
 * for whole trees.)
 */
import { watch, type FSWatcher } from 'chokidar'
import type { Stats } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { DAY } from '../../../src-shared/durations.ts'

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
