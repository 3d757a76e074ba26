/** Compares the clock of this computer with the one of the service, by the `Date` of its answers (RFC 9110 6.6.1). */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { httpDate } from './retry-after.ts'

type Headers = Readonly<Record<string, string>>

/** One answer may be wrong by chance. */
const ANSWERS = 3
/** Less than this harms nobody. */
const APART_MS = 5 * MINUTE

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
  /** How far our clock is ahead, or behind (negative); null where it is right, or nobody knows yet. */
  differenceMs(): number | null
}

/** Creates the watch; `onChanged` hears when a difference is found or gone. */
export function createClockWatch(onChanged: () => void): ClockWatch {
  let last: readonly number[] = []
  const differenceMs = (): number | null => {
    const [first = 0] = last
    const isApart =
      last.length === ANSWERS && last.every((ms) => Math.abs(ms) > APART_MS && ms > 0 === first > 0)
    if (!isApart) return null
    return Math.min(...last.map((ms) => Math.abs(ms))) * Math.sign(first)
  }
  return {
    note: (headers, sentAt, receivedAt) => {
      const ms = clockDifference(headers, sentAt, receivedAt)
      if (ms === null) return
      const before = differenceMs()
      last = [...last, ms].slice(-ANSWERS)
      if ((before === null) !== (differenceMs() === null)) onChanged()
    },
    differenceMs,
  }
}
