import type { FileBook } from './file-book.ts'
import type { SeenFolders } from './known-folders.ts'
import { RecentFolders } from './latest-folders.ts'
import { recordEntry } from './see-walked.ts'
import type { SweepSchedule } from './sweep-rota.ts'
import { inSlices, walkFolder } from './walk-folder.ts'

/** What a full look came by. */
export type SweepResult = {
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
