/** Looks at what a hint named and at what is new below it, without waiting for the next sweep. */
import type { FileBook } from './file-book.ts'
import { codeOf } from './folder-trouble.ts'
import type { HintedPaths } from './hinted-paths.ts'
import type { KnownFolders } from './known-folders.ts'
import { LatestFolders } from './latest-folders.ts'
import { seeWalked } from './see-walked.ts'
import { inSlices, lookAt, walkFolder, type PassBy, type Walked } from './walk-folder.ts'

export type HintedLooksOptions = {
  /** The watched folder; every path here is relative to it. */
  readonly root: string
  readonly book: FileBook
  readonly folders: KnownFolders
  readonly hinted: Pick<HintedPaths, 'follow'>
  readonly isClosed: () => boolean
  /** Asked where a path is gone: what is missing in a folder that is away is not forgotten. */
  readonly canReachFolder: () => boolean
}

export class HintedLooks {
  readonly #options: HintedLooksOptions
  /** Looks into a folder and into what is new in it: thousands of old folders are not walked for one that came. */
  readonly #passKnown: PassBy = { inFolder: () => true, file: (path) => this.#options.folders.has(path) }

  constructor(options: HintedLooksOptions) {
    this.#options = options
  }

  /** Looks at these paths, and into those that are folders. */
  async at(paths: readonly string[]): Promise<void> {
    const { book, folders, hinted, isClosed } = this.#options
    for (const relativePath of paths) {
      const walked = this.lookAt(relativePath)
      if (walked !== null) seeWalked(book, walked, true)
      if (walked?.kind === 'folder') {
        const isNew = folders.see(relativePath)
        const isNewlyHeard = hinted.follow(relativePath)
        await this.#lookBelow(relativePath, isNew || isNewlyHeard ? undefined : this.#passKnown)
      }
      if (isClosed()) return
    }
  }

  /** A folder that is heard since just now is no news itself; what came into it meanwhile is. */
  async forNews(folder: string): Promise<void> {
    await this.#lookBelow(folder, this.#passKnown)
  }

  /** Hears these folders, of which the latest comes first and is to be kept for longest. */
  follow(latest: readonly string[]): void {
    for (const folder of latest.toReversed()) this.#options.hinted.follow(folder)
  }

  /** One look at one path that a hint or an earlier look named; what is gone is forgotten. */
  lookAt(relativePath: string): Walked | null {
    const { root, book, folders, canReachFolder } = this.#options
    const walked = lookAt(root, relativePath)
    if (walked === null && canReachFolder()) {
      book.forget(relativePath)
      folders.forget(relativePath)
    }
    return walked
  }

  /** Everything below may be new, unless it is passed by. */
  async #lookBelow(folder: string, passBy?: PassBy): Promise<void> {
    const { root, book, folders, isClosed } = this.#options
    const latest = new LatestFolders()
    try {
      for await (const slice of inSlices(walkFolder(root, folder, passBy), isClosed)) {
        for (const walked of slice) {
          if (walked.kind === 'passedBy') continue
          if (walked.kind === 'folder') {
            folders.see(walked.relativePath)
            latest.add(walked)
          }
          seeWalked(book, walked, true)
        }
      }
    } catch (error) {
      // Gone again, or shut: the next sweep says which.
      if (codeOf(error) === undefined) throw error
    }
    this.follow(latest.paths())
  }
}
