import type { FileBook } from './file-book.ts'
import { LINK_MESSAGE, SHUT_MESSAGE, TOO_DEEP_MESSAGE, UNNAMEABLE_MESSAGE } from './note-texts.ts'
import type { Walked } from './walk-folder.ts'

/** Writes into the book what a walk came by. True for what is neither image nor sidecar nor folder. */
export function seeWalked(book: FileBook, walked: Walked, isHinted: boolean): boolean {
  const { relativePath } = walked
  switch (walked.kind) {
    case 'file':
      return book.see(relativePath, { sizeBytes: walked.sizeBytes, mtimeMs: walked.mtimeMs }, isHinted)
    case 'passedBy':
      return book.seePassedBy(relativePath)
    case 'link':
      book.leaveAlone(relativePath, 'ignored', LINK_MESSAGE)
      return true
    case 'unnameable':
      book.leaveAlone(relativePath, 'unreadable', UNNAMEABLE_MESSAGE)
      return true
    case 'tooDeep':
      book.leaveAlone(relativePath, 'ignored', TOO_DEEP_MESSAGE)
      return false
    case 'shut':
      if (!book.shut(relativePath)) book.leaveAlone(relativePath, 'unreadable', SHUT_MESSAGE)
      return false
    case 'folder':
      return false
  }
}
