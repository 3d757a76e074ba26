/** When looks found nothing, by a clock that nobody sets; a restart begins anew. */
import type { Clock } from '../ports.ts'

export type Absences = {
  /** Notes a look of an attempt that found nothing just now, and answers with all of them, oldest first. */
  note(attemptId: string): readonly number[]
}

export function createAbsences(clock: Pick<Clock, 'monotonicMs'>): Absences {
  const at = new Map<string, number[]>()
  return {
    note: (attemptId) => {
      const noted = [...(at.get(attemptId) ?? []), clock.monotonicMs()]
      at.set(attemptId, noted)
      return noted
    },
  }
}
