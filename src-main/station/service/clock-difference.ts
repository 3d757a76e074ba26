/** Compares the clock of this computer with the one of the service, by the `Date` of its answers (RFC 9110 6.6.1). */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Clock } from '../ports.ts'
import type { ClockReading } from './client.ts'
import { httpDate } from './failure-text.ts'

type Headers = Readonly<Record<string, string>>

/** One answer may be wrong by chance. */
const SAMPLES = 3
/** Less than this harms nobody. */
const MAX_DIFFERENCE_MS = 5 * MINUTE

/**
 * How far our clock is ahead of the answer's, at the least, in milliseconds; negative where it is behind. Null where the
 * answer does not say, or comes from a store on the way. The service wrote its date, cut to whole seconds, at some
 * instant between the two of ours.
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

/** Creates the watch; `onChanged` hears when a difference is found or gone. */
export function createClockWatch(
  clock: Pick<Clock, 'now' | 'monotonicMs'>,
  onChanged: () => void,
): ClockWatch {
  let last: readonly number[] = []
  /** Answers in a row that agreed, since the clock was last set. */
  let agreed = 0
  /** What lay between both kinds of time at the last answer: it changes where the clock is set, or the machine slept. */
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
