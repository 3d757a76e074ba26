/** When to try again. Full jitter, so that many stations do not come back in step after an outage. */
import { MINUTE } from '../../../src-shared/durations.ts'

export const MAX_RETRY_DELAY_MS = 15 * MINUTE

/**
 * A pause before the next try: anything up to `base × 2^failures`, at most a quarter of an hour.
 *
 * `failures` counts from 0; `random` is in [0, 1).
 */
export function retryDelayMs(failures: number, baseMs: number, random: number): number {
  const ceiling = Math.min(baseMs * 2 ** Math.min(failures, 30), MAX_RETRY_DELAY_MS)
  return Math.round(ceiling * random)
}

/** How far two stops may lie apart and still be the same place: what the system's buffers hold differs a little. */
const SAME_OFFSET_BYTES = 512 * 1024
/** Of a small request everything lies near; there the places must agree to a tenth. */
const SAME_OFFSET_SHARE = 0.1

/**
 * Did the last three tries stop at the same place of the body? Then it is no weather: something on the way
 * refuses this size.
 */
export function stopsAtSameOffset(handedOverBytes: readonly number[]): boolean {
  const last = handedOverBytes.slice(-3)
  if (last.length < 3 || last.some((bytes) => bytes === 0)) return false
  const farthest = Math.max(...last)
  return farthest - Math.min(...last) <= Math.min(SAME_OFFSET_BYTES, farthest * SAME_OFFSET_SHARE)
}
