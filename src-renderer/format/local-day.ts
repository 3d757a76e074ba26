/** Days as `YYYY-MM-DD`, for comparing and counting; what people read is made by `instants.ts`. */

/** The day of an instant on this computer's calendar. */
export function localDay(at: number): string {
  const date = new Date(at)
  return calendarDay(date.getFullYear(), date.getMonth(), date.getDate())
}

/** Month and date may be beyond their ends: the 0th is the last of the month before. */
export function calendarDay(year: number, month: number, date: number): string {
  // Through UTC, so that no change of clocks is in the way.
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)
}
