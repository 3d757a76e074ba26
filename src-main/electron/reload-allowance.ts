import { MINUTE } from '../../src-shared/durations.ts'
import type { Clock } from '../station/ports.ts'

/** Three in five minutes: a passing fault is over by then, and a lasting one is not hidden by flicker. */
const ALLOWED_RELOADS = 3
const WITHIN_MS = 5 * MINUTE

/** Says whether one more reload is allowed now, and counts it where it is. */
export function createReloadAllowance(clock: Pick<Clock, 'monotonicMs'>): () => boolean {
  let reloadedAt: number[] = []
  return () => {
    const now = clock.monotonicMs()
    reloadedAt = reloadedAt.filter((at) => now - at < WITHIN_MS)
    if (reloadedAt.length >= ALLOWED_RELOADS) return false
    reloadedAt.push(now)
    return true
  }
}
