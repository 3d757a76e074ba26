/** When looks found nothing, by a clock that nobody sets; a restart begins anew. */
import type { Clock } from '../ports.ts'

export type MissingCounts = {
  /** Notes a look of an attempt that found nothing just now, and answers with all of them, oldest first. */
  note(attemptId: string): readonly number[]
}

export function createMissingCounts(clock: Pick<Clock, 'monotonicMs'>): MissingCounts {
  const at = new Map<string, number[]>()
  return {
    note: (attemptId) => {
      const noted = [...(at.get(attemptId) ?? []), clock.monotonicMs()]
      at.set(attemptId, noted)
      return noted
    },
  }
}
