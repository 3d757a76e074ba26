/** Reads the days and times that files, names and data files state: the one reader of dates. Pure. */
import { DAY, MINUTE } from '../../../../src-shared/durations.ts'
import { isCalendarDate } from '../../../../src-shared/fields.ts'
import type { FolderReading } from '../../../../src-shared/folder-settings.ts'
import { foldTerm } from './vocabulary.ts'

/** Which number of `02/06/2026` comes first; `ymd`: a day or month in front of the year is not read. */
export type DateOrder = FolderReading['dateOrder']

/** The years of a date of this kind: a later one is a placeholder, an earlier one is of something else. */
const YEARS = {
  /** Any date that a source states: no patient was born earlier, and a birth is no instant. */
  stated: [1_850, 2_199],
  birth: [1_850, 2_199],
  /** Of a visit: digital retinal cameras are younger. */
  visit: [2_000, 2_099],
} as const

type Era = keyof typeof YEARS

export function isVisitYear(year: string): boolean {
  return Number(year) >= YEARS.visit[0] && Number(year) <= YEARS.visit[1]
}

/** `YYYY-MM-DD` of the calendar; null if there is no such day, or if its year is none of this kind. */
export function calendarDay(year: string, month: string, day: string, era: Era = 'stated'): string | null {
  const [first, last] = YEARS[era]
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDate(text) && Number(year) >= first && Number(year) <= last ? text : null
}

/** `HH:MM:SS`; null if it is no time. `half`: `a` or `p` of a twelve-hour clock. */
export function clockTime(hour: string, minute: string, second = '00', half?: string): string | null {
  const stated = Number(hour)
  if (half !== undefined && (stated < 1 || stated > 12)) return null
  const hours = half === undefined ? stated : (stated % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null
  return `${two(hours)}:${minute.padStart(2, '0')}:${second.padStart(2, '0')}`
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}

/** The day of an instant (ms since 1970) in the clinic's zone, which is that of this machine: `YYYY-MM-DD`. */
export function localDate(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The days from one day of the calendar to another; negative if that came before. */
export function daysFrom(day: string, other: string): number {
  return (Date.parse(other) - Date.parse(day)) / DAY
}

/** The whole months from one day of the calendar to a later one, as an age is counted. */
export function monthsFrom(day: string, later: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const [toYear = 0, toMonth = 0, toDate = 0] = later.split('-').map(Number)
  return (toYear - year) * 12 + toMonth - month - (toDate < date ? 1 : 0)
}

/** Minutes to add to UTC, of `Z`, `+02:00`, `-0500`, `GMT+1`; null if it is none. */
export function offsetOf(zone: string): number | null {
  const plain = zone.replace('\u2212', '-')
  if (/^(z|utc|gmt)$/i.test(plain)) return 0
  const [, sign, hours, minutes = '0'] = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(plain) ?? []
  if (sign === undefined || Number(hours) > 14) return null
  const offset = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -offset : offset
}

/** The day in the clinic's zone of a moment, by default noon, that is written with this offset from UTC, in minutes. */
export function dayInClinic(day: string, time: string | null, offset: number): string {
  return localDate(Date.parse(`${day}T${time ?? '12:00:00'}Z`) - offset * MINUTE)
}

/**
 * - `day`     one day of the calendar
 * - `instant` it states UTC or an offset, and the day in the clinic's zone is another than the one that it writes
 * - `unsure`  the order of day and month is not known
 * - `none`    no day
 */
export type DayReading =
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'instant'; readonly day: string; readonly written: string }
  | { readonly kind: 'unsure' }
  | { readonly kind: 'none' }

const NONE: DayReading = { kind: 'none' }

const ZONE = String.raw`(?<zone>Z|(?:UTC|GMT)(?:[+\-\u2212]\d{1,2}(?::?\d\d)?)?|[+\-\u2212]\d{1,2}(?::?\d\d)?)`

const TIME_BEHIND = String.raw`(?:(?:[T ,_]{1,3}(?<hour>\d{1,2})(?:[:.hH]?(?<minute>\d\d)(?:[:.mM]?(?<second>\d\d)(?:[.,]\d{1,9})?s?)?)?(?: ?(?<half>[ap])\.? ?m\.?)?)?(?: ?${ZONE})?(?: ?\([^()]{1,40}\))?)`

const MONTH = String.raw`(?<month>\p{L}{3,10})\.?`

const whole = (shape: string, behind = TIME_BEHIND): RegExp => new RegExp(`^${shape}${behind}$`, 'iu')

const YEAR_FIRST = whole(String.raw`(?<year>\d{4})(?<mark>[-./_ ]?)(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})`)

/** HL7 and DICOM write both in one run: `20260602121802.120+0200`. */
const COMPACT = whole(
  String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?<hour>[01]\d|2[0-3])(?<minute>[0-5]\d)(?<second>[0-5]\d)(?:\.\d{1,6})?`,
  `(?:${ZONE})?`,
)

const YEAR_LAST = whole(String.raw`(?<one>\d{1,2})(?<mark>[-./_ ]?)(?<two>\d{1,2})\k<mark>(?<year>\d{4})`)

/** `20 Nov 2026`, `20 de noviembre de 2026`, `Nov 20, 2026`, `2026-Nov-20`, with a day of the week in front or without. */
const NAMED = [
  String.raw`(?<day>\d{1,2})(?:\.|st|nd|rd|th)?[-/. ]{0,2}(?:de )?${MONTH}[-/, ]{0,2}(?:de )?(?<year>\d{4})`,
  String.raw`${MONTH}[-/ ]{0,2}(?<day>\d{1,2})(?:st|nd|rd|th)?[-/, ]{1,2}(?<year>\d{4})`,
  String.raw`(?<year>\d{4})[-/. ]{0,2}${MONTH}[-/. ]{0,2}(?<day>\d{1,2})`,
].map((shape) => whole(shape))

/** `Fri Nov 20 2026 09:15:00 GMT+0100` has its year in front of the time, `Fri Nov 20 09:15:00 2026` behind it. */
const WEEKDAY = /^\p{L}{2,10}\.?(?:,? )(?=\p{L}{3,10}\.? \d|\d)/u

const MAX_LETTERS = 80

/**
 * The day that a whole text states. Year first is read always, and a month by its name; day or month first only in the
 * order that a person has set, even if a number above twelve would reveal it: reading a column must not depend on its rows.
 */
export function readDay(value: unknown, order: DateOrder, era: Era = 'stated'): DayReading {
  const text = typeof value === 'string' || typeof value === 'number' ? plainDigits(String(value)).trim() : ''
  if (text.length > MAX_LETTERS) return NONE
  const groups = (YEAR_FIRST.exec(text) ?? COMPACT.exec(text))?.groups
  const first = groups && dayOf(groups, groups['month'], groups['day'], era)
  if (first) return first
  const last = YEAR_LAST.exec(text)?.groups
  if (last) {
    const readings = {
      dmy: dayOf(last, last['two'], last['one'], era),
      mdy: dayOf(last, last['one'], last['two'], era),
    }
    if (order !== 'ymd') return readings[order] ?? NONE
    return readings.dmy === null && readings.mdy === null ? NONE : { kind: 'unsure' }
  }
  for (const form of [text, text.replace(WEEKDAY, '')])
    for (const shape of NAMED) {
      const named = shape.exec(form)?.groups
      const found = named && dayOf(named, monthOf(named['month'] ?? ''), named['day'], era)
      if (found) return found
    }
  return NONE
}

/** Digits of any script and width as 0 to 9. */
export function plainDigits(text: string): string {
  return text.replaceAll(/\P{ASCII}/gu, (sign) => {
    const digit = /\p{Nd}/u.test(sign) ? digitOf(sign) : null
    return digit === null ? sign.normalize('NFKC') : String(digit)
  })
}

/** The digits of a script are ten in a row, from zero. */
function digitOf(sign: string): number {
  let zero = sign.codePointAt(0) ?? 0
  const code = zero
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code - zero
}

type Groups = Readonly<Record<string, string | undefined>>

function dayOf(
  { year = '', mark, hour, minute = '00', second, half, zone }: Groups,
  month: string | null | undefined,
  day = '',
  era: Era,
): DayReading | null {
  if (month === null || month === undefined || (mark === '' && month.length + day.length !== 4)) return null
  const written = calendarDay(year, month, day, era)
  if (written === null) return null
  const time = hour === undefined ? null : clockTime(hour, minute, second, half)
  if (hour !== undefined && time === null) return null
  if (zone === undefined) return { kind: 'day', day: written }
  const offset = offsetOf(zone)
  if (offset === null) return null
  // Programs write a day without a time as midnight of the zone that they state.
  if (era === 'birth' && time === '00:00:00') return { kind: 'day', day: written }
  const here = dayInClinic(written, time, offset)
  return here === written ? { kind: 'day', day: written } : { kind: 'instant', day: here, written }
}

/** Names and short forms of the twelve months in en, es, de, fr, pt, it: without accents, each as it begins. */
const MONTHS = [
  'jan(uary|uar|vier|v|eiro)? janner ene(ro)? genn?(aio)?',
  'feb(ruary|ruar|rero|braio|r)? fev(rier|ereiro|r)?',
  'mar(ch|s|zo|co)? maerz marz mrz',
  'apr(il|ile)? abr(il)? avr(il)?',
  'may mayo mai(o)? mag(gio)?',
  'jun(e|i|io|ho)? juin giu(gno)?',
  'jul(y|i|io|ho)? juil(let)? lug(lio)?',
  'aug(ust)? ago(sto)? aou(t)?',
  'sept?(ember|embre|iembre|embro)? set(iembre|tembre|embro|t)?',
  'oct(ober|obre|ubre)? okt(ober)? out(ubro)? ott(obre)?',
  'nov(ember|embre|iembre|embro)?',
  'dec(ember|embre)? dez(ember|embro)? dic(iembre|embre)?',
].map((names) => new RegExp(`^(?:${names.replaceAll(' ', '|')})$`))

/** The number of a month by its name in one of the six languages, as two digits; null for other words. */
export function monthOf(name: string): string | null {
  const folded = foldTerm(name)
  const at = MONTHS.findIndex((names) => names.test(folded))
  return at === -1 ? null : two(at + 1)
}

/** A date within a name. `days`: all that it may mean. */
export type DateInName = {
  readonly text: string
  /** Null if day and month may be in either order. */
  readonly value: string | null
  readonly days: readonly string[]
  readonly hasTime: boolean
}

const CLOCK = String.raw`(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:\d{3})?)?|(?:[01]?\d|2[0-3])[-.:hH][0-5]\d(?:[-.:mM][0-5]\d(?:[.,]\d{1,6})?)?)`

const CLOCK_BEHIND = String.raw`(?<time>(?:[T _-]{1,3}|T)${CLOCK}(?![\p{L}\p{N}])|(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?(?![\p{L}\p{N}]))?`

/** Among the digits of names, other years are parts of numbers. */
const YEAR_IN_NAME = String.raw`(?<year>19\d\d|20[0-4]\d)`

const FIRST_IN_NAME = new RegExp(
  String.raw`${YEAR_IN_NAME}(?<mark>[-._]?)(?<month>\d\d)\k<mark>(?<day>\d\d)${CLOCK_BEHIND}(?!\d)`,
  'uy',
)

const LAST_IN_NAME = [
  String.raw`(?<one>\d{1,2})(?<mark>[-._/])(?<two>\d{1,2})\k<mark>${YEAR_IN_NAME}${CLOCK_BEHIND}(?!\d)`,
  String.raw`(?<one>\d\d)(?<two>\d\d)${YEAR_IN_NAME}(?!\d)`,
].map((shape) => new RegExp(shape, 'uy'))

/** 20Nov2026, 20-nov-2026, 2026-Nov-20, Nov 20, 2026: a month by its name leaves no order open. */
const NAMED_IN_NAME = [
  String.raw`(?<day>\d{1,2})(?<mark>[-._ ]?)(?<month>\p{L}{3,10})\k<mark>${YEAR_IN_NAME}${CLOCK_BEHIND}(?!\d)`,
  String.raw`${YEAR_IN_NAME}(?<mark>[-._ ]?)(?<month>\p{L}{3,10})\k<mark>(?<day>\d{1,2})${CLOCK_BEHIND}(?!\d)`,
  // Without a sign behind the month it may be the number of a clinic.
  String.raw`(?<month>\p{L}{3,10})(?<mark>[-._ ])(?<day>\d{1,2})(?:\k<mark>|, ?)${YEAR_IN_NAME}${CLOCK_BEHIND}(?!\d)`,
].map((shape) => new RegExp(shape, 'uy'))

/** The date that begins at a position of a name, not inside a number or a word; null if none. Day and month are not guessed. */
export function dateInName(name: string, position: number): DateInName | null {
  const first = groupsAt(FIRST_IN_NAME, name, position)
  const value = first && calendarDay(first['year'] ?? '', first['month'] ?? '', first['day'] ?? '')
  if (first && value) return dateFound(first, value, [value])
  for (const shape of LAST_IN_NAME) {
    const found = groupsAt(shape, name, position)
    const [one, other] = [Number(found?.['one']), Number(found?.['two'])]
    if (found && Math.min(one, other) >= 1 && Math.min(one, other) <= 12 && Math.max(one, other) <= 31)
      return dateFound(found, null, eitherOrder(found))
  }
  for (const shape of NAMED_IN_NAME) {
    const found = groupsAt(shape, name, position)
    const month = found && monthOf(found['month'] ?? '')
    const day = found && month && calendarDay(found['year'] ?? '', month, found['day'] ?? '')
    if (found && day) return dateFound(found, day, [day])
  }
  return null
}

function groupsAt(shape: RegExp, name: string, position: number): Groups | null {
  shape.lastIndex = position
  const match = shape.exec(name)
  return match ? { ...match.groups, text: match[0] } : null
}

function dateFound({ text = '', time }: Groups, value: string | null, days: readonly string[]): DateInName {
  return { text, value, days, hasTime: time !== undefined }
}

/** The days of a year that a day and a month, in either order, may mean. */
function eitherOrder({ year = '', one = '', two: other = '' }: Groups): readonly string[] {
  const days = [calendarDay(year, one, other), calendarDay(year, other, one)]
  return [...new Set(days.filter((day) => day !== null))]
}
