/** What a person should see before cases are joined. Pure; the station has the last word. */
import type { Submission } from '../../src-shared/submission.ts'
import { MERGEABLE_STATES } from './joinable.ts'

type MergeCandidate = Pick<Submission, 'id' | 'state' | 'fields' | 'centerId' | 'addedAt'>

/** The oldest first: it keeps its reference, and the others become part of it. */
export function mergeOrder<One extends MergeCandidate>(submissions: readonly One[]): readonly One[] {
  return submissions.toSorted((one, other) => one.addedAt - other.addedAt)
}

/** Why these cannot be joined, or null. */
export function mergeObstacle(submissions: readonly MergeCandidate[]): 'onItsWay' | 'centers' | null {
  if (submissions.some(({ state }) => !MERGEABLE_STATES.includes(state))) return 'onItsWay'
  return new Set(submissions.map(({ centerId }) => centerId)).size > 1 ? 'centers' : null
}

export type MergeCaution = 'numbers' | 'names' | 'days'

/** What these say differently. What a case does not say is not another thing. */
export function mergeCautions(submissions: readonly MergeCandidate[]): readonly MergeCaution[] {
  const isSeveral = (textOf: (one: MergeCandidate) => string | undefined): boolean =>
    new Set(submissions.flatMap((one) => textOf(one)?.trim().toLowerCase() || [])).size > 1
  return [
    ...(isSeveral(({ fields }) => fields.history_number) ? (['numbers'] as const) : []),
    ...(isSeveral(({ fields }) => fields.last_name) || isSeveral(({ fields }) => fields.first_name)
      ? (['names'] as const)
      : []),
    ...(isSeveral(({ fields }) => fields.visit_date) ? (['days'] as const) : []),
  ]
}
