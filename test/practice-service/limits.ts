import type { Refusal } from './failure-answers.ts'
import type { JournalEntry } from './journal.ts'

/**
 * Limits such as PHP has (2 MB a file, 8 MB a request, 20 files), and what going over them looks like: PHP drops
 * the whole form, so that a client reads of a missing field or a missing token.
 */
export type Limits = {
  readonly requestBytes?: number
  readonly fileBytes?: number
  readonly files?: number
  readonly looksLike: '413' | 'missingField' | 'invalidToken'
}

/** The refusal of a case that is too large, or null. */
export function overLimit(limits: Limits | null, entry: JournalEntry): Refusal | null {
  if (!limits) return null
  const isOver =
    entry.bodyBytes > (limits.requestBytes ?? Infinity) ||
    entry.images.length > (limits.files ?? Infinity) ||
    entry.images.some((image) => image.sizeBytes > (limits.fileBytes ?? Infinity))
  if (!isOver) return null
  switch (limits.looksLike) {
    case '413':
      return { status: 413, message: 'The request is too large.' }
    case 'missingField':
      return {
        status: 400,
        message: 'history_number is required.',
        errors: { history_number: ['is required'] },
      }
    case 'invalidToken':
      return { status: 401, message: 'Invalid token.' }
  }
}
