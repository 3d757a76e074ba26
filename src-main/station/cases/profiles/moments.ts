/** Dates and times of one stated format, as strict profiles have them: nothing about their order is guessed. Pure. */
import { calendarDay, clockTime } from '../meaning/dates.ts'

/** What a spelling of a date states; a folder may state only the year or the month. */
export type DayParts = {
  readonly year: string | null
  readonly month: string | null
  readonly day: string | null
}

const SEPARATORS = ['-', '.', '_', ' '] as const

/** The formats of whole dates that are recognised; the padded form comes before the one without zeros. */
const DATE_FORMATS: readonly string[] = [
  'YYYYMMDD',
  'DDMMYYYY',
  'MMDDYYYY',
  'YYMMDD',
  'DDMMYY',
  'MMDDYY',
  ...SEPARATORS.flatMap((mark) =>
    [
      'YYYY-MM-DD',
      'DD-MM-YYYY',
      'MM-DD-YYYY',
      'YY-MM-DD',
      'DD-MM-YY',
      'MM-DD-YY',
      'YYYY-M-D',
      'D-M-YYYY',
      'M-D-YYYY',
    ].map((format) => format.replaceAll('-', mark)),
  ),
]

/** The formats of folders that state a part of a date. */
const PARTIAL_FORMATS = ['YYYY', 'YYYY-MM', 'YYYY_MM', 'YYYY.MM', 'YYYYMM', 'MM-YYYY', 'MM', 'DD'] as const

const FORMATS = [...DATE_FORMATS, ...PARTIAL_FORMATS]

type DaySpelling = { readonly format: string; readonly text: string }

const SPELLINGS = new Map<string, readonly DaySpelling[]>()

const MAX_DAYS = 400

/** A day in all formats, those of whole dates first: `2026-06-02` as `DDMMYY` is `020626`. */
export function spellingsOfDay(day: string): readonly DaySpelling[] {
  const known = SPELLINGS.get(day)
  if (known) return known
  const [year = '', month = '', date = ''] = day.split('-')
  const groups: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(2),
    MM: month,
    M: String(Number(month)),
    DD: date,
    D: String(Number(date)),
  }
  const made = FORMATS.map((format) => ({
    format,
    text: format.replaceAll(/Y+|M+|D+/g, (group) => groups[group] ?? group),
  }))
  if (SPELLINGS.size >= MAX_DAYS) SPELLINGS.clear()
  SPELLINGS.set(day, made)
  return made
}

/** The formats in which this text is a whole day of a visit. */
export function dayFormatsOf(text: string): readonly string[] {
  return DATE_FORMATS.filter((format) => readDay(text, format, 'visit') !== null)
}

/** Does this format state a part of a date only? */
export function isPartial(format: string): boolean {
  return (PARTIAL_FORMATS as readonly string[]).includes(format)
}

/** Is the order of day, month and year the same in both formats? */
export function isSameOrder(one: string, other: string): boolean {
  return orderOf(one) === orderOf(other)
}

function orderOf(format: string): string {
  return format.replaceAll(/[^YMD]/g, '').replaceAll(/(.)\1+/g, '$1')
}

type Groups = Readonly<Record<string, string>>

const DATE_GROUPS: Groups = {
  YYYY: String.raw`(?<year>(?:19|20)\d\d)`,
  YY: String.raw`(?<year>\d\d)`,
  MM: '(?<month>0[1-9]|1[0-2])',
  M: '(?<month>[1-9]|1[0-2])',
  DD: String.raw`(?<day>0[1-9]|[12]\d|3[01])`,
  D: String.raw`(?<day>[1-9]|[12]\d|3[01])`,
}

const TIME_GROUPS: Groups = {
  HH: String.raw`(?<hour>[01]\d|2[0-3])`,
  H: String.raw`(?<hour>1\d|2[0-3]|0?\d)`,
  MM: String.raw`(?<minute>[0-5]\d)`,
  SS: String.raw`(?<second>[0-5]\d)`,
  mmm: String.raw`\d{3}`,
  AM: '(?<mark>[ap])m',
}

const COMPILED = { date: new Map<string, RegExp>(), time: new Map<string, RegExp>() }

function compile(format: string, kind: keyof typeof COMPILED): RegExp {
  const known = COMPILED[kind].get(format)
  if (known) return known
  const groups = kind === 'date' ? DATE_GROUPS : TIME_GROUPS
  const symbols = new RegExp(String.raw`${Object.keys(groups).join('|')}|[^\p{L}\p{N}]|\p{L}`, 'gu')
  const source = format.replaceAll(
    symbols,
    (text) => groups[text] ?? (/[\p{L} ]/u.test(text) ? text : `[\\${text}]`),
  )
  const made = new RegExp(`^${source}$`, 'i')
  COMPILED[kind].set(format, made)
  return made
}

/**
 * What a spelling states as a date of this format, or null if it is none. A visit is of 2000 or later; other dates, such
 * as those of birth, may have any year, and two digits of a year state no century.
 */
export function readDay(text: string, format: string, of: 'visit' | 'other'): DayParts | null {
  const found = compile(format, 'date').exec(text)?.groups
  if (found === undefined) return null
  const { year: stated, month = null, day = null } = found
  const year = stated?.length === 2 ? `20${stated}` : (stated ?? null)
  // A part that is not stated may be any. The last two digits of a leap year before 2000 are those of one after it.
  if (calendarDay(year ?? '2000', month ?? '01', day ?? '01', of === 'visit' ? 'visit' : 'stated') === null)
    return null
  return { year, month: month?.padStart(2, '0') ?? null, day: day?.padStart(2, '0') ?? null }
}

/** `HH:MM:SS`, or null if the spelling is no time of this format. */
export function readTime(text: string, format: string): string | null {
  const found = compile(format, 'time').exec(text)?.groups
  if (found === undefined) return null
  const { hour = '', minute = '', second = '00', mark } = found
  return clockTime(hour, minute, second, mark)
}

/** All ends of a spelling that begins at `start` and that `isRead` accepts; a format has few lengths. */
export function momentEnds(
  text: string,
  start: number,
  format: string,
  isRead: (spelling: string) => boolean,
): readonly number[] {
  const ends: number[] = []
  const last = Math.min(text.length, start + format.length + 1)
  for (let end = start + 1; end <= last; end += 1) if (isRead(text.slice(start, end))) ends.push(end)
  return ends
}
