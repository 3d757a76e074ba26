/**
 * Notices that time has passed without us: the machine slept, the process stood still, somebody set the clock. The
 * system's own word of a sleep is a hint that may not come (Linux, virtual machines; Signal-Desktop 6258), so the
 * station looks itself, in every host.
 */
import { SECOND } from '../../src-shared/durations.ts'
import type { Clock } from './ports.ts'

/** Often enough that after a sleep a case goes on before anybody wonders, seldom enough to cost nothing. */
export const CHECK_EVERY_MS = 15 * SECOND
/** Less is a busy machine, or a clock that is being adjusted. */
const TOLERANCE_MS = 30 * SECOND

export type Instants = { readonly wallMs: number; readonly monotonicMs: number }

/**
 * What happened between two looks. A monotonic clock stands still in a sleep on Linux and macOS, and goes on in it on
 * Windows, so both clocks are asked.
 */
export function gapBetween(before: Instants, now: Instants): 'none' | 'stoodStill' | 'clockSetBack' {
  const wall = now.wallMs - before.wallMs
  const monotonic = now.monotonicMs - before.monotonicMs
  if (Math.max(wall, monotonic) > CHECK_EVERY_MS + TOLERANCE_MS) return 'stoodStill'
  return wall < -TOLERANCE_MS ? 'clockSetBack' : 'none'
}

/** Calls `onGap` after each gap; the answer ends it. */
export function startSleepDetector(
  clock: Clock,
  onGap: (gap: 'stoodStill' | 'clockSetBack') => void,
): () => void {
  const read = (): Instants => ({ wallMs: clock.now(), monotonicMs: clock.monotonicMs() })
  let before = read()
  let cancel: (() => void) | null = null
  const check = (): void => {
    const now = read()
    const gap = gapBetween(before, now)
    before = now
    cancel = clock.after(CHECK_EVERY_MS, check)
    if (gap !== 'none') onGap(gap)
  }
  cancel = clock.after(CHECK_EVERY_MS, check)
  return () => cancel?.()
}
