import type { Image } from '../../src-shared/submission.ts'
import { formatDay } from '../format/instants.ts'
import { PART_WORDS } from '../words/part-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'

/** What the button around an image is called: it holds all words that stand in it. */
export function openLabel({ removedAt }: Pick<Image, 'removedAt'>, name: string): string {
  const words = SUBMISSION_WORDS.images
  return removedAt === null
    ? words.open(name)
    : words.openRemoved(name, PART_WORDS.removed(formatDay(removedAt)))
}
