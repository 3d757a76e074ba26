/** Looks at what a hint named and at what is new below it, without waiting for the next sweep. */
import type { FileBook } from './file-book.ts'
import { errorCode } from './folder-trouble.ts'
import type { HintListener } from './hinted-paths.ts'
import type { SeenFolders } from './known-folders.ts'
import { RecentFolders } from './latest-folders.ts'
import { recordEntry } from './see-walked.ts'
import { inSlices, readEntry, walkFolder, type SkipRules, type WalkedEntry } from './walk-folder.ts'

export type HintScannerOptions = {
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
