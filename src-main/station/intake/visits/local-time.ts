/** Instants on this workstation's calendar. Pure but for its time zone. */

function two(part: number): string {
  return String(part).padStart(2, '0')
}

/** The day of an instant, `YYYY-MM-DD`. */
export function localDate(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** An instant as a clock on the wall shows it, `YYYY-MM-DDTHH:MM:SS`. */
export function localTime(at: number): string {
  const date = new Date(at)
  return `${localDate(at)}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Minutes between two times on one wall clock; where one cannot be read they are apart for ever. */
export function minutesBetween(one: string, other: string): number {
  const minutes = Math.abs(Date.parse(`${one}Z`) - Date.parse(`${other}Z`)) / 60_000
  return Number.isNaN(minutes) ? Infinity : minutes
}
