/** Which cases were known before an attempt, by what was read once for a whole list. Pure. */
import { textsColumn } from '../json-columns.ts'
import type { AttemptRow } from '../outbox/submission-rows.ts'

/** The positions at which the ids of one address, client and center became known. */
export type KnownPositions = ReadonlyMap<string, number>

/** Was an id known before the attempt? The cases are those of the very place that the attempt went to. */
export function wasKnownBefore(
  attempt: Pick<AttemptRow, 'baseline' | 'known_position'>,
  known: KnownPositions,
): (caseId: string) => boolean {
  // Attempts of the first version have the ids in them: up to many thousands, so they are read once.
  const baseline = attempt.baseline === '[]' ? null : new Set(textsColumn.read(attempt.baseline))
  return (caseId) =>
    baseline?.has(caseId) === true || (known.get(caseId) ?? Infinity) <= attempt.known_position
}
