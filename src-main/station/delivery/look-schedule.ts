/** When to look for a submission that may have arrived, and when its absence has been proven. Pure. */
import { DAY, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Calibration } from '../outbox/service-store.ts'

/**
 * The instant of the next look, or null when a day is over; then only a start, a reconnection or a person looks again.
 *
 * Looks that were missed are not made up for: one look at a late hour says what seven would. The last interval repeats.
 * `looks` were made before this one: a clock that is set ahead by days must not end them after two, and where it is set
 * back, the plan goes on by their number.
 */
export function nextLookupAt(
  endedAt: number,
  now: number,
  lookSeconds: readonly number[],
  lookups: number = Infinity,
): number | null {
  const last = lookSeconds.at(-1) ?? 3_600
  if (now < endedAt) return Math.round(now + (lookSeconds[lookups + 1] ?? last) * SECOND)
  const planned = lookSeconds.map((seconds) => Math.round(endedAt + seconds * SECOND)).find((at) => at > now)
  const at = planned ?? Math.round(now + last * SECOND)
  const isDayOver = at - endedAt > DAY
  return isDayOver && lookups >= Math.min(lookSeconds.length, MIN_LOOKUPS) ? null : at
}

/** So many looks are made, however late the clock says that it is. */
const MIN_LOOKUPS = 8

/** The longest interval of the plan, milliseconds. */
export function maxLookupIntervalMs(lookSeconds: readonly number[]): number {
  return Math.max(...lookSeconds, 0) * SECOND
}

/** Three looks over a quarter of an hour. */
const LOOKUPS_FOR_PROOF = 3
const PROOF_SPAN_MS = 15 * MINUTE
/** One case that stood in the list may be chance. */
const CASES_FOR_CALIBRATION = 3

/**
 * Does it prove anything that a case is not in the list?
 *
 * Only where earlier confirmed cases did stand there, every one, and the looks went on for longer than the
 * slowest of them took.
 */
export function isProvenAbsent(absentAt: readonly number[], calibration: Calibration): boolean {
  const [first] = absentAt
  const last = absentAt.at(-1)
  if (first === undefined || last === undefined || absentAt.length < LOOKUPS_FOR_PROOF) return false
  const isCalibrated = calibration.missed === 0 && calibration.seen >= CASES_FOR_CALIBRATION
  return isCalibrated && last - first >= Math.max(PROOF_SPAN_MS, 2 * calibration.slowestMs)
}

/** When to read back again what was not found: soon at first, then ever more rarely, at the latest after a day. */
export function nextConfirmationAt(sentAt: number, now: number): number {
  return now + Math.round(Math.min(Math.max((now - sentAt) / 2, 5 * SECOND), DAY))
}
