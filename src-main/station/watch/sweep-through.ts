import type { FileBook } from './file-book.ts'
import type { KnownFolders } from './known-folders.ts'
import { LatestFolders } from './latest-folders.ts'
import { seeWalked } from './see-walked.ts'
import type { SweepRota } from './sweep-rota.ts'
import { inSlices, walkFolder } from './walk-folder.ts'

/** What a full look came by. */
export type FullLook = {
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
export async function sweepThrough(options: {
  readonly root: string
  readonly book: FileBook
  readonly folders: KnownFolders
  readonly rota: SweepRota
  readonly isStopped: () => boolean
  readonly afterSlice: () => void
}): Promise<FullLook | null> {
  const { root, book, folders, rota, isStopped, afterSlice } = options
  let fileCount = 0
  let otherCount = 0
  const unseen: string[] = []
  const latest = new LatestFolders()
  const walk = walkFolder(root, '', {
    inFolder: (folder, mtimeMs) => rota.passesBy(folder, mtimeMs),
    file: (relativePath) => book.isAtRest(relativePath),
  })
  for await (const slice of inSlices(walk, isStopped)) {
    for (const walked of slice) {
      if (walked.kind === 'folder') {
        folders.see(walked.relativePath)
        latest.add(walked)
      }
      if (walked.kind === 'shut') unseen.push(walked.relativePath)
      if (walked.relativePath === '') return null
      if (walked.kind === 'file' || walked.kind === 'passedBy') fileCount += 1
      if (seeWalked(book, walked, false)) otherCount += 1
    }
    afterSlice()
  }
  return { fileCount, otherCount, unseen, latest: latest.paths() }
}
