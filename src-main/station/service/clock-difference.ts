/** Compares this computer's clock with the service's, by the `Date` of its answers (RFC 9110 6.6.1). */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Clock } from '../ports.ts'
import type { ClockReading } from './client.ts'
import { httpDate } from './failure-text.ts'

type Headers = Readonly<Record<string, string>>

/** A single answer may be wrong by chance. */
const SAMPLES = 3
/** A smaller difference does no harm. */
const MAX_DIFFERENCE_MS = 5 * MINUTE

/**
 * The least possible difference of our clock from the answer's, in milliseconds; negative if ours is behind.
 * Null if the answer has no date or comes from a cache. The service truncated its date to whole seconds, at some
 * instant between `sentAt` and `receivedAt`.
 */
export function clockDifference(headers: Headers, sentAt: number, receivedAt: number): number | null {
  const date = httpDate(headers['date'])
  if (date === null || headers['age'] !== undefined) return null
  const least = sentAt - (date + SECOND)
  const most = receivedAt - date
  if (least > 0) return least
  return most < 0 ? most : 0
}

export type ClockWatch = {
  note(headers: Headers, sentAt: number, receivedAt: number): void
  reading(): ClockReading
}

/** Creates the watch. `onChanged` is called when a difference appears or disappears. */
export function createClockWatch(
  clock: Pick<Clock, 'now' | 'monotonicMs'>,
  onChanged: () => void,
): ClockWatch {
  let last: readonly number[] = []
  /** Consecutive answers that agreed since the clock was last set. */
  let agreed = 0
  /** Wall time minus monotonic time at the last answer; it changes if the clock is set or the machine sleeps. */
  let offsetMs = 0
  const differenceMs = (): number | null => {
    const [first = 0] = last
    const isDifferent =
      last.length === SAMPLES && last.every((ms) => Math.abs(ms) > MAX_DIFFERENCE_MS && ms > 0 === first > 0)
    if (!isDifferent) return null
    return Math.min(...last.map((ms) => Math.abs(ms))) * Math.sign(first)
  }
  const offsetNow = (): number => clock.now() - clock.monotonicMs()
  const wasSet = (): boolean => Math.abs(offsetNow() - offsetMs) > MAX_DIFFERENCE_MS
  return {
    note: (headers, sentAt, receivedAt) => {
      const ms = clockDifference(headers, sentAt, receivedAt)
      if (ms === null) return
      const before = differenceMs()
      last = [...last, ms].slice(-SAMPLES)
      if (wasSet()) agreed = 0
      agreed = Math.abs(ms) <= MAX_DIFFERENCE_MS ? agreed + 1 : 0
      offsetMs = offsetNow()
      if ((before === null) !== (differenceMs() === null)) onChanged()
    },
    reading: () => {
      const ms = differenceMs()
      if (ms !== null) return { kind: 'wrong', differenceMs: ms }
      return { kind: agreed >= SAMPLES && !wasSet() ? 'right' : 'unknown' }
    },
  }
}
