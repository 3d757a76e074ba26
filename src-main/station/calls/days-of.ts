/** The last days on the calendar of this computer. A day is 23 or 25 hours long where clocks change on it. */

export type DayStart = { readonly day: string; readonly since: number }

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/**
 * So many days up to and with the one of `now`, the oldest first, and behind them the one after it: each ends where the
 * next begins.
 */
export function dayStarts(now: number, days: number): DayStart[] {
  const today = new Date(now)
  return Array.from({ length: days + 1 }, (_nothing, index) => {
    // Midnight by the calendar and not by adding hours; where there is none, the first instant of the day.
    const start = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1 + index)
    return {
      day: `${start.getFullYear()}-${twoDigits(start.getMonth() + 1)}-${twoDigits(start.getDate())}`,
      since: start.getTime(),
    }
  })
}
