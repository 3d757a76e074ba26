/** Formats dates and times for display. Sent values use the interface's own formats. */
import { DAY, HOUR, MINUTE, SECOND } from '../../src-shared/durations.ts'
import { languageNow, t } from '../i18n/i18n.ts'
import { type Language } from '../../src-shared/texts/texts.ts'

/** In English the day precedes the month, as most clinics with this program write it. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es' }

function formatsIn(language: Language) {
  const formOf = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(LOCALES[language], options)
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
  return {
    day: formOf(day),
    calendarDay: formOf({ ...day, timeZone: 'UTC' }),
    time: formOf({ hour: '2-digit', minute: '2-digit' }),
    moment: formOf({ ...day, hour: '2-digit', minute: '2-digit' }),
    clock: formOf({ timeStyle: 'medium' }),
    exact: formOf({ dateStyle: 'medium', timeStyle: 'medium' }),
  }
}

/** Formatters are expensive to create. */
const formatCache = new Map<Language, ReturnType<typeof formatsIn>>()

function formats() {
  const language = languageNow()
  const all = formatCache.get(language) ?? formatsIn(language)
  formatCache.set(language, all)
  return all
}

/** `2026-11-20` as `20 Nov 2026`; a text that is not a date is returned unchanged. */
export function formatCalendarDay(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) ? text : formats().calendarDay.format(at)
}

/** `10:42` today, `20 Nov 2026, 10:42` on other days. */
export function formatInstant(at: number, now: number = Date.now()): string {
  const time = formats().time.format(at)
  return formats().day.format(at) === formats().day.format(now)
    ? time
    : `${formats().day.format(at)}, ${time}`
}

/** `10:42 – 10:43` today, `20 Nov 2026, 10:42 – 10:43` on other days; one instant if they are of one minute. */
export function formatSpan(from: number, to: number, now: number = Date.now()): string {
  const isToday = localDay(from) === localDay(now)
  return (isToday ? formats().time : formats().moment).formatRange(from, to)
}

export function formatDay(at: number): string {
  return formats().day.format(at)
}

/** To the second, for titles and timelines. */
export function formatExactly(at: number): string {
  return formats().exact.format(at)
}

/** `10:42:05`, for recent instants. */
export function formatClock(at: number): string {
  return formats().clock.format(at)
}

/** The remaining time of a countdown: `12 s`, `3 min 05 s`, `2 h 10 min`, `3 days`; never negative. */
export function formatCountdown(leftMs: number): string {
  const left = Math.max(0, leftMs)
  if (left < MINUTE) return `${Math.ceil(left / SECOND)} s`
  if (left < HOUR) {
    const seconds = Math.ceil(left / SECOND)
    return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
  }
  if (left < 2 * DAY) return `${Math.floor(left / HOUR)} h ${Math.floor((left % HOUR) / MINUTE)} min`
  return t('part:daysLeft', { count: Math.floor(left / DAY) })
}

/** A rough age: `just now`, `4 min ago`, `3 h ago`, `2 days ago`. */
export function formatAge(ageMs: number): string {
  if (ageMs < MINUTE) return t('part:ago.now')
  if (ageMs < HOUR) return t('part:ago.minutes', { count: Math.floor(ageMs / MINUTE) })
  if (ageMs < 2 * DAY) return t('part:ago.hours', { count: Math.floor(ageMs / HOUR) })
  return t('part:ago.days', { count: Math.floor(ageMs / DAY) })
}

/** The local date of an instant as `YYYY-MM-DD`, for comparing and counting. */
export function localDay(at: number): string {
  const date = new Date(at)
  return isoDay(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()))
}

/** The date so many days before another, both as `YYYY-MM-DD`. */
export function daysBefore(day: string, days: number): string {
  // Through UTC, so that daylight saving time does not matter.
  return isoDay(Date.parse(day) - days * DAY)
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
