/** Which other submissions a person should compare with this one before deciding. Pure. */
import type { SubmissionDetails } from '../../src-shared/submission.ts'

export type EarlierCases = {
  readonly why: 'sameImage' | 'sentBefore'
  readonly references: readonly string[]
}

/** More than these side by side nobody compares; the first are the ones that are named. */
const MAX_SHOWN = 3

/** An image that another case holds weighs more than a case of the same patient and day; null where there is neither. */
export function earlierCasesOf({
  reasons,
  oddities,
}: Pick<SubmissionDetails, 'reasons' | 'oddities'>): EarlierCases | null {
  const sameImage = named(reasons.filter(({ kind }) => kind === 'looksLikeDuplicate'))
  if (sameImage.length > 0) return { why: 'sameImage', references: sameImage }
  const sentBefore = named(oddities.filter(({ kind }) => kind === 'sentBefore'))
  return sentBefore.length > 0 ? { why: 'sentBefore', references: sentBefore } : null
}

function named(items: readonly { readonly references?: readonly string[] | undefined }[]): string[] {
  return [...new Set(items.flatMap(({ references = [] }) => references))].slice(0, MAX_SHOWN)
}
