import type { FileBook } from './file-book.ts'
import { LINK_MESSAGE, NO_ACCESS_MESSAGE, TOO_DEEP_MESSAGE, UNNAMEABLE_MESSAGE } from './note-texts.ts'
import type { WalkedEntry } from './walk-folder.ts'

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
