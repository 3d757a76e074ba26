/**
 * Hints from the operating system that something happened. They make watching quick; nothing relies on them.
 *
 * chokidar 6 subscribes and hears; its own record of a tree is not used, because on a large one it costs hundreds of
 * megabytes and blocks its thread for seconds. So everything but the followed folders themselves is ignored, and
 * the raw events, which come before any filter, are the hints. Should chokidar ever stop telling them, or go deaf as
 * subscriptions on network shares do, the sweep still finds every file.
 */
import { watch, type FSWatcher } from 'chokidar'
import { join, relative, resolve, sep } from 'node:path'

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

/** Folders heard at a time. Beyond it the hints are doubtful and the caller begins anew with the latest ones. */
export const MOST_FOLLOWED = 128

/** `onHint` gets the path that something happened to, relative and with `/`, or null where only that is known. */
export type OpenHints = (root: string, onHint: (relativePath: string | null) => void) => Hints

export const openHints: OpenHints = (root, onHint) => {
  const rootPath = resolve(root)
  const followed = new Set<string>([rootPath])
  /** Followed folders that went or came: what is heard of them now may be of a folder that is no more. */
  const renewed = new Set<string>()
  let isDoubtful = false

  const hear = (path: string): void => {
    const parts = relative(rootPath, path).split(sep)
    if (parts[0] !== '..' && parts[0] !== '') onHint(parts.join('/'))
  }

  const watcher: FSWatcher = watch(rootPath, {
    ...(HEARS_TREES ? {} : { depth: 0 }),
    backend: 'auto',
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ignored: (path) => !followed.has(resolve(path)),
  })
  // Without a listener an error would end the thread.
  watcher.on('error', () => {
    isDoubtful = true
    // An overflow says that much was missed: a sweep finds it, and begins to hear anew.
    onHint(null)
  })
  // What happened between the last sweep and now was not heard.
  watcher.on('ready', () => onHint(null))
  watcher.on('raw', (event, name, details) => {
    const folder = watchedPathOf(details)
    if (typeof name !== 'string' || folder === null) return onHint(null)
    const path = join(folder, name)
    if (event === 'rename' && followed.has(path)) renewed.add(path)
    hear(path)
  })
  watcher.on('unlinkDir', () => onHint(null))

  return {
    follow: (relativeFolder) => {
      if (HEARS_TREES) return false
      const path = resolve(rootPath, relativeFolder)
      const isRenewed = renewed.delete(path)
      if (followed.has(path) && !isRenewed) return false
      if (followed.size >= MOST_FOLLOWED && !isRenewed) {
        isDoubtful = true
        return false
      }
      // A new folder under an old name needs a new subscription.
      if (isRenewed) watcher.unwatch(path)
      followed.add(path)
      watcher.add(path)
      return true
    },
    isDoubtful: () => isDoubtful,
    close: () => watcher.close(),
  }
}

function watchedPathOf(details: unknown): string | null {
  const isKnown = typeof details === 'object' && details !== null && 'watchedPath' in details
  return isKnown && typeof details.watchedPath === 'string' ? details.watchedPath : null
}
