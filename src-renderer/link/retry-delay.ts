/** A station on this computer is back within seconds or not at all, so the pauses stay short. */
const FIRST_MS = 250
const LONGEST_MS = 3_000

/** Milliseconds before the next try to reach the station, after so many tries without success. */
export function delayBeforeTry(failedTries: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failedTries, 10))
}
