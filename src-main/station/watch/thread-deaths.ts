/**
 * How often a watching thread has died, and what follows: how long to pause before the next start, and whether the
 * folder may be called watched. Pure; all times are monotonic milliseconds.
 */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'

export type ThreadCrashes = {
  /** When the last deaths were; no more of them than count. */
  readonly atMs: readonly number[]
  /** Before the next start. */
  readonly pauseMs: number
}

export const NO_CRASHES: ThreadCrashes = { atMs: [], pauseMs: 0 }

const FIRST_PAUSE_MS = SECOND
const LONGEST_PAUSE_MS = 30 * SECOND
/** A first sweep proves little: what ends the thread may come right behind it. */
const STABLE_AFTER_MS = MINUTE
/** One death may be an accident. So many within this time are a fault that does not pass by itself. */
const MAX_CRASHES = 3
const CRASH_WINDOW_MS = 10 * MINUTE

/** What is known when a thread that began at `startedMs` has died at `diedMs`. */
export function afterCrash(before: ThreadCrashes, startedMs: number, diedMs: number): ThreadCrashes {
  const isFirst = before.pauseMs === 0 || diedMs - startedMs >= STABLE_AFTER_MS
  return {
    atMs: [...before.atMs, diedMs].slice(-MAX_CRASHES),
    pauseMs: isFirst ? FIRST_PAUSE_MS : Math.min(before.pauseMs * 2, LONGEST_PAUSE_MS),
  }
}

/** Has it died so often of late that nobody may rely on the folder being watched, whatever a sweep shows? */
export function keepsCrashing({ atMs }: ThreadCrashes, nowMs: number): boolean {
  return atMs.filter((at) => nowMs - at < CRASH_WINDOW_MS).length >= MAX_CRASHES
}
