import { DAY } from '../../../src-shared/durations.ts'

/** A report may be changed after it was given; so long it is asked for again, once a day. */
const RECHECK_FOR_MS = 30 * DAY

/** No question is planned further ahead than this. */
export function maxReportIntervalMs(checkMs: number): number {
  return Math.max(DAY, checkMs)
}

/**
 * When to ask again for the report of a case that was sent at `sentAt`.
 *
 * Before there is one: after a tenth of the time that has passed, never sooner than the setting and never later
 * than a day, without an end. After the first version: once a day for thirty days, then never (null).
 */
export function planNextCheck(options: {
  readonly sentAt: number
  readonly firstVersionAt: number | null
  readonly now: number
  readonly checkMs: number
}): number | null {
  const { sentAt, firstVersionAt, now, checkMs } = options
  if (firstVersionAt === null)
    return Math.ceil(now + Math.min(Math.max(checkMs, (now - sentAt) / 10), maxReportIntervalMs(checkMs)))
  return now - firstVersionAt < RECHECK_FOR_MS ? now + DAY : null
}
