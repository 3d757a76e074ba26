/** When to look for a submission that may have arrived, and when its absence has been proven. Pure. */
import { DAY, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Calibration } from '../outbox/service-store.ts'

/**
 * The instant of the next look, or null when a day is over; then only a start, a reconnection or a person looks again.
 *
 * Looks that were missed are not made up for: one look at a late hour says what seven would. The last interval repeats.
 */
export function nextLookAt(endedAt: number, now: number, lookSeconds: readonly number[]): number | null {
  const planned = lookSeconds.map((seconds) => Math.round(endedAt + seconds * SECOND)).find((at) => at > now)
  const at = planned ?? Math.round(now + (lookSeconds.at(-1) ?? 3_600) * SECOND)
  return at - endedAt > DAY ? null : at
}

/** Three looks over a quarter of an hour. */
const LOOKS_THAT_PROVE = 3
const SPAN_THAT_PROVES_MS = 15 * MINUTE
/** One case that stood in the list may be chance. */
const CASES_THAT_CALIBRATE = 3

/**
 * Does it prove anything that a case is not in the list?
 *
 * Only where earlier confirmed cases did stand there, every one, and the looks went on for longer than the
 * slowest of them took.
 */
export function isProvenAbsent(absentAt: readonly number[], calibration: Calibration): boolean {
  const [first] = absentAt
  const last = absentAt.at(-1)
  if (first === undefined || last === undefined || absentAt.length < LOOKS_THAT_PROVE) return false
  const isCalibrated = calibration.missed === 0 && calibration.seen >= CASES_THAT_CALIBRATE
  return isCalibrated && last - first >= Math.max(SPAN_THAT_PROVES_MS, 2 * calibration.slowestMs)
}

/** When to read back again what was not found: soon at first, then ever more rarely, at the latest after a day. */
export function nextConfirmationAt(sentAt: number, now: number): number {
  return now + Math.round(Math.min(Math.max((now - sentAt) / 2, 5 * SECOND), DAY))
}
