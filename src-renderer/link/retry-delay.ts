/** A station on this computer is back within seconds or not at all, so the pauses stay short. */
const INITIAL_DELAY_MS = 250
const MAX_DELAY_MS = 3_000

/** Milliseconds before the next try to reach the station, after so many tries without success. */
export function retryDelayMs(failedTries: number): number {
  return Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** Math.min(failedTries, 10))
}
