/** Dates and times as names of exports spell them. */
import { isCalendarDate } from '../../../src-shared/fields.ts'

export type NameDate =
  /** Year first, so that nothing is guessed: `YYYY-MM-DD`. */
  | { readonly kind: 'date'; readonly date: string; readonly hasTime: boolean; readonly length: number }
  /** A date all the same, but day and month could be either, or the year is one of births. `text` is as it is spelled. */
  | { readonly kind: 'otherDate'; readonly text: string; readonly length: number }

const CLOCK = String.raw`(?:([01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?|([01]\d|2[0-3])[-.:hH][0-5]\d(?:[-.:mM][0-5]\d(?:[.,]\d{1,6})?)?)`
const TIME_BEHIND = String.raw`(?<time>[T _-]{0,3}${CLOCK})?`
const YEAR_FIRST = new RegExp(
  String.raw`(?<year>\d{4})(?<mark>[-._]?)(?<month>\d\d)\k<mark>(?<day>\d\d)${TIME_BEHIND}(?!\d)`,
  'y',
)
const YEAR_LAST = new RegExp(
  String.raw`(?<one>\d{1,2})(?<mark>[-._/])(?<two>\d{1,2})\k<mark>(?:19|20)\d\d${TIME_BEHIND}(?!\d)`,
  'y',
)
const YEAR_LAST_COMPACT = /(?<one>\d\d)(?<two>\d\d)20\d\d(?!\d)/y

/** Retinal cameras wrote files in no earlier year; a date before it is somebody's birthday. */
const FIRST_VISIT_YEAR = 2_000

/** The date that begins at a position of a name, or null. The position must not lie inside a number or a word. */
export function dateAt(name: string, position: number): NameDate | null {
  return yearFirstAt(name, position) ?? yearLastAt(name, position)
}

function yearFirstAt(name: string, position: number): NameDate | null {
  YEAR_FIRST.lastIndex = position
  const match = YEAR_FIRST.exec(name)
  const { year, month, day, time } = match?.groups ?? {}
  if (!match || year === undefined) return null
  const date = `${year}-${month}-${day}`
  if (!isCalendarDate(date) || Number(year) < 1_900 || Number(year) > 2_099) return null
  const length = match[0].length
  if (Number(year) < FIRST_VISIT_YEAR) return { kind: 'otherDate', text: match[0], length }
  return { kind: 'date', date, hasTime: time !== undefined, length }
}

function yearLastAt(name: string, position: number): NameDate | null {
  for (const pattern of [YEAR_LAST, YEAR_LAST_COMPACT]) {
    pattern.lastIndex = position
    const match = pattern.exec(name)
    if (match && isDayAndMonth(Number(match.groups?.one), Number(match.groups?.two))) {
      return { kind: 'otherDate', text: match[0], length: match[0].length }
    }
  }
  return null
}

/** In either order. */
function isDayAndMonth(one: number, two: number): boolean {
  return Math.min(one, two) >= 1 && Math.min(one, two) <= 12 && Math.max(one, two) <= 31
}

/** Could these digits be a time of day: HHMMSS, with milliseconds or without? */
export function isClock(digits: string): boolean {
  return /^([01]\d|2[0-3])[0-5]\d[0-5]\d(\d{3})?$/.test(digits)
}
