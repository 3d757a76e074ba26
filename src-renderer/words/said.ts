/**
 * What the station says, in the language of the screens. The station speaks English, and what it said stays in the
 * outbox as it was said; so each sentence is translated where it is shown, by its English.
 */
import { SentenceBook, type Sentences } from '../../src-shared/sentence-book.ts'

/** Screens draw the same sentences again and again. */
const MOST_KEPT = 1_000

let book: SentenceBook | null = null
const kept = new Map<string, string>()

/** From now on the station's sentences are shown by this book; as they are where there is none. */
export function sayBy(sentences: Sentences | null): void {
  book = sentences === null ? null : new SentenceBook(sentences)
  kept.clear()
}

/** A message of the station in the language of the screens; what of it nobody has translated stays English. */
export function said(message: string): string {
  if (book === null) return message
  const before = kept.get(message)
  if (before !== undefined) return before
  const text = book.translate(message)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(message, text)
  return text
}
