/** Dates and times of DICOM, PS3.5 table 6.2-1 (DA, TM, DT), and the spellings with marks of its forerunner ACR-NEMA. */
import { isCalendarDate } from '../../../../src-shared/fields.ts'

/** `20260602`, `2026.06.02` or `2026-06-02` as `YYYY-MM-DD`; null for what is no day of the calendar. */
export function dateOf(text: string): string | null {
  const match = /^(\d{4})([.-]?)(\d\d)\2(\d\d)$/.exec(text)
  const date = match ? `${match[1]}-${match[3]}-${match[4]}` : ''
  return isCalendarDate(date) ? date : null
}

/** `121802`, `121802.120`, `12:18:02` or `1218` as `HH:MM:SS`; null for what is no time, and where minutes are missing. */
export function timeOf(text: string): string | null {
  const match = /^([01]\d|2[0-3])(:?)([0-5]\d)(?:\2([0-5]\d)(?:\.\d{0,6})?)?$/.exec(text)
  return match ? `${match[1]}:${match[3]}:${match[4] ?? '00'}` : null
}

/**
 * A moment by the clock of the camera: `20260602121802.120+0200` as `2026-06-02T12:18:02`. The offset behind it says
 * what zone that clock showed, so the clock is as it stands. Null for what is no day with a time.
 */
export function momentOf(text: string): string | null {
  const match = /^(\d{8})(\d{4,6}(?:\.\d{0,6})?)([+-]\d{4})?$/.exec(text)
  const [date, time] = match ? [dateOf(match[1] ?? ''), timeOf(match[2] ?? '')] : [null, null]
  return date !== null && time !== null ? `${date}T${time}` : null
}

/** `045Y`, `018M`, `006W`, `010D` as whole years; null for what is no age. */
export function yearsOf(text: string): number | null {
  const match = /^(\d{1,3})([DWMY])$/i.exec(text)
  if (!match) return null
  const count = Number(match[1])
  const perYear = { D: 365.25, W: 52.18, M: 12, Y: 1 }[match[2]?.toUpperCase() as 'D' | 'W' | 'M' | 'Y']
  return Math.floor(count / perYear)
}
