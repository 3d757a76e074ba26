/**
 * Hints from the operating system that something happened. They make watching quick; nothing relies on them.
 *
 * chokidar 6 subscribes and hears; its own record of a tree is not used, because on a large one it costs hundreds of
 * megabytes and blocks its thread for seconds. So each followed folder has a watcher of its own, which ignores everything
 * but that folder itself, and the raw events, which come before any filter, are the hints. (One watcher for them all
 * cannot let go of a folder and keep those below it: `unwatch` is for whole trees.) Should chokidar ever stop telling them, or go deaf as
 * subscriptions on network shares do, the sweep still finds every file.
 */
import { watch, type FSWatcher } from 'chokidar'
import { existsSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'

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
const HEARS_TREES = process.platform === 'win32' || process.platform === 'darwin'

/** Folders heard at a time, besides the watched one. Beyond it the one in which nothing happened for longest is let go. */
export const MOST_FOLLOWED = 128

/** `onHint` gets the path that something happened to, relative and with `/`, or null where only that is known. */
export type OpenHints = (root: string, onHint: (relativePath: string | null) => void) => Hints

export const openHints: OpenHints = (root, onHint) => {
  const rootPath = resolve(root)
  /** By path; the ones followed or heard last come last. */
  const followed = new Map<string, FSWatcher>()
  /** Followed folders that went or came: what is heard of them now may be of a folder that is no more. */
  const renewed = new Set<string>()
  let isDoubtful = false

  /** A followed folder came or went. */
  const renew = (path: string): void => {
    if (!followed.has(path)) return
    renewed.add(path)
    if (existsSync(path)) return
    letGo(path)
    // What was in it is gone as well, which is told of no file that was moved away with it.
    onHint(null)
  }

  const hear = (path: string): void => {
    const parts = relative(rootPath, path).split(sep)
    if (parts[0] !== '..' && parts[0] !== '') onHint(parts.join('/'))
  }

  const listen = (folder: string): FSWatcher => {
    const watcher = watch(folder, {
      ...(HEARS_TREES ? {} : { depth: 0 }),
      backend: 'auto',
      ignoreInitial: true,
      followSymlinks: false,
      atomic: false,
      ignored: (path) => resolve(path) !== folder,
    })
    watcher.on('raw', (event, name, details) => {
      touch(folder)
      const watchedPath = watchedPathOf(details)
      if (typeof name !== 'string' || watchedPath === null) return onHint(null)
      const path = join(watchedPath, name)
      hear(path)
      if (event !== 'rename') return
      renew(path)
      // A folder that goes tells its own name, as if it were in itself.
      if (name === basename(watchedPath)) renew(watchedPath)
    })
    return watcher
  }

  const touch = (path: string): void => {
    const watcher = followed.get(path)
    if (watcher === undefined) return
    followed.delete(path)
    followed.set(path, watcher)
  }

  const letGo = (path: string): void => {
    const watcher = followed.get(path)
    followed.delete(path)
    renewed.delete(path)
    // Closing only gives handles back; nothing follows from one that refuses.
    watcher?.close().catch(() => undefined)
  }

  const listenBelow = (path: string): FSWatcher => {
    const watcher = listen(path)
    // Out of handles, or shut: the sweep looks into this folder, and the others are heard as before.
    watcher.on('error', () => letGo(path))
    return watcher
  }

  const rootWatcher = listen(rootPath)
  // Without a listener an error would end the thread.
  rootWatcher.on('error', () => {
    isDoubtful = true
    // An overflow says that much was missed: a sweep finds it, and begins to hear anew.
    onHint(null)
  })
  // What happened between the last sweep and now was not heard.
  rootWatcher.on('ready', () => onHint(null))
  rootWatcher.on('unlinkDir', () => onHint(null))

  return {
    follow: (relativeFolder) => {
      const path = resolve(rootPath, relativeFolder)
      if (HEARS_TREES || path === rootPath) return false
      if (followed.has(path) && !renewed.has(path)) {
        touch(path)
        return false
      }
      // A new folder under an old name needs a new subscription.
      letGo(path)
      followed.set(path, listenBelow(path))
      const [oldest] = followed.keys()
      if (followed.size > MOST_FOLLOWED && oldest !== undefined) letGo(oldest)
      return true
    },
    isDoubtful: () => isDoubtful,
    close: async () => {
      await Promise.all([rootWatcher, ...followed.values()].map((watcher) => watcher.close()))
    },
  }
}

function watchedPathOf(details: unknown): string | null {
  const isKnown = typeof details === 'object' && details !== null && 'watchedPath' in details
  return isKnown && typeof details.watchedPath === 'string' ? details.watchedPath : null
}
