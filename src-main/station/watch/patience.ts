import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { Incompleteness } from '../intake/inspect-file.ts'

/** Cameras keep a file open while the photographer looks at the next image; half a minute is a long look. */
const MIN_PATIENCE_MS = 30 * SECOND
/** A clinic that sets a long settle time has a slow export, which may pause for longer, too. */
const PATIENCE_IN_SETTLE_TIMES = 10
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 10 * MINUTE

/** How long an incomplete file may stay as it is before it is called more than late. */
export function patienceMs(settleMs: number): number {
  return Math.max(MIN_PATIENCE_MS, PATIENCE_IN_SETTLE_TIMES * settleMs)
}

/** What an incomplete file is called after `waitedMs` without a change. */
export function noteKindOf(
  why: Incompleteness,
  waitedMs: number,
  settleMs: number,
): Extract<FileNote['kind'], 'arriving' | 'truncated' | 'unreadable'> {
  if (waitedMs < patienceMs(settleMs)) return 'arriving'
  return why === 'empty' || why === 'truncated' ? 'truncated' : 'unreadable'
}

/**
 * How long until an unchanged incomplete file is opened again. Some shares change the time of a file only when it
 * is closed, so an unchanged look proves nothing. Each pause is half of the time waited so far: a file that is
 * broken for good costs less and less.
 */
export function pauseBeforeReopeningMs(waitedMs: number, settleMs: number): number {
  const shortest = Math.max(settleMs, MIN_PAUSE_MS)
  return Math.min(Math.max(waitedMs / 2, shortest), Math.max(MAX_PAUSE_MS, shortest))
}
