/**
 * How often a watching thread has died, and what follows: how long to pause before the next start, and whether the
 * folder may be called watched. Pure; all times are monotonic milliseconds.
 */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'

export type ThreadDeaths = {
  /** When the last deaths were; no more of them than count. */
  readonly atMs: readonly number[]
  /** Before the next start. */
  readonly pauseMs: number
}

export const NO_DEATHS: ThreadDeaths = { atMs: [], pauseMs: 0 }

const FIRST_PAUSE_MS = SECOND
const LONGEST_PAUSE_MS = 30 * SECOND
/** A first sweep proves little: what ends the thread may come right behind it. */
const LIVED_WELL_MS = MINUTE
/** One death may be an accident. So many within this time are a fault that does not pass by itself. */
const MOST_DEATHS = 3
const WITHIN_MS = 10 * MINUTE

/** What is known when a thread that began at `startedMs` has died at `diedMs`. */
export function afterDeath(before: ThreadDeaths, startedMs: number, diedMs: number): ThreadDeaths {
  const isFirst = before.pauseMs === 0 || diedMs - startedMs >= LIVED_WELL_MS
  return {
    atMs: [...before.atMs, diedMs].slice(-MOST_DEATHS),
    pauseMs: isFirst ? FIRST_PAUSE_MS : Math.min(before.pauseMs * 2, LONGEST_PAUSE_MS),
  }
}

/** Has it died so often of late that nobody may rely on the folder being watched, whatever a sweep shows? */
export function keepsDying({ atMs }: ThreadDeaths, nowMs: number): boolean {
  return atMs.filter((at) => nowMs - at < WITHIN_MS).length >= MOST_DEATHS
}
