/** Days and times for the eye. Only for showing: what is sent keeps the interface's own form. */
import { DAY, HOUR, MINUTE, SECOND } from '../../src-shared/durations.ts'

/** The words are English, so the dates are, too; day before month, as most clinics that use this write them. */
const LOCALE = 'en-GB'

const DAY_FORMAT = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' })
const CALENDAR_DAY = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const TIME_FORMAT = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })
const CLOCK_FORMAT = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' })
const EXACT_FORMAT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' })

/** `2026-11-20` as `20 Nov 2026`; a text that is no date is shown as it is. */
export function formatCalendarDay(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) ? text : CALENDAR_DAY.format(at)
}

/** `10:42` today, `20 Nov 2026, 10:42` on other days. */
export function formatInstant(at: number, now: number = Date.now()): string {
  const time = TIME_FORMAT.format(at)
  return DAY_FORMAT.format(at) === DAY_FORMAT.format(now) ? time : `${DAY_FORMAT.format(at)}, ${time}`
}

/** `20 Nov 2026`: the day of an instant on this computer's calendar. */
export function formatDay(at: number): string {
  return DAY_FORMAT.format(at)
}

const SHORT_DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })

/** For narrow columns: `10:42` today, `20 Nov` on other days; the whole belongs into a title. */
export function formatShortly(at: number, now: number = Date.now()): string {
  return DAY_FORMAT.format(at) === DAY_FORMAT.format(now) ? TIME_FORMAT.format(at) : SHORT_DAY.format(at)
}

/** To the second, for titles and timelines. */
export function formatExactly(at: number): string {
  return EXACT_FORMAT.format(at)
}

/** `10:42:05`, for what began just now. */
export function formatClock(at: number): string {
  return CLOCK_FORMAT.format(at)
}

/** What is left, for a countdown: `12 s`, `3 min 05 s`, `2 h 10 min`, `3 days`; never below zero. */
export function formatCountdown(leftMs: number): string {
  const left = Math.max(0, leftMs)
  if (left < MINUTE) return `${Math.ceil(left / SECOND)} s`
  if (left < HOUR) {
    const seconds = Math.ceil(left / SECOND)
    return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
  }
  if (left < 2 * DAY) return `${Math.floor(left / HOUR)} h ${Math.floor((left % HOUR) / MINUTE)} min`
  return `${Math.floor(left / DAY)} days`
}

/** How long ago, roughly: `just now`, `4 min ago`, `3 h ago`, `2 days ago`. */
export function formatAge(ageMs: number): string {
  if (ageMs < MINUTE) return 'just now'
  if (ageMs < HOUR) return `${Math.floor(ageMs / MINUTE)} min ago`
  if (ageMs < 2 * DAY) return `${Math.floor(ageMs / HOUR)} h ago`
  return `${Math.floor(ageMs / DAY)} days ago`
}
