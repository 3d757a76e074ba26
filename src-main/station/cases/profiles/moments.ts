/** Dates and times of one stated format, as strict profiles have them: nothing about their order is guessed. Pure. */
import { calendarDay, clockTime } from '../meaning/dates.ts'
import { remembered } from '../names/tokens.ts'

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
const PARTIAL_FORMATS = ['YYYY', 'YYYY-MM', 'YYYY_MM', 'YYYY.MM', 'YYYYMM', 'MM-YYYY', 'MM', 'DD']

/** A day in all formats, those of whole dates first: `2026-06-02` as `DDMMYY` is `020626`. */
export const spellingsOfDay = remembered((day) => {
  const [year = '', month = '', date = ''] = day.split('-')
  const groups: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(2),
    MM: month,
    M: String(Number(month)),
    DD: date,
    D: String(Number(date)),
  }
  return [...DATE_FORMATS, ...PARTIAL_FORMATS].map((format) => ({
    format,
    text: format.replaceAll(/Y+|M+|D+/g, (group) => groups[group] ?? group),
  }))
})

/** The formats in which this text is a whole day of a visit. */
export function dayFormatsOf(text: string): readonly string[] {
  return DATE_FORMATS.filter((format) => readDay(text, format, 'visit') !== null)
}

/** Does this format state a part of a date only? */
export function isPartial(format: string): boolean {
  return PARTIAL_FORMATS.includes(format)
}

/** Is the order of day, month and year the same in both formats? */
export function isSameOrder(one: string, other: string): boolean {
  return orderOf(one) === orderOf(other)
}

function orderOf(format: string): string {
  return format.replaceAll(/[^YMD]/g, '').replaceAll(/(.)\1+/g, '$1')
}

/** The longer first. Whether they are a day or a time is checked once they are read. */
const GROUPS: Readonly<Record<string, string>> = {
  YYYY: String.raw`(?<YYYY>(?:19|20)\d\d)`,
  YY: String.raw`(?<YY>\d\d)`,
  MM: String.raw`(?<MM>\d\d)`,
  M: String.raw`(?<M>[1-9]\d?)`,
  DD: String.raw`(?<DD>\d\d)`,
  D: String.raw`(?<D>[1-9]\d?)`,
  HH: String.raw`(?<HH>\d\d)`,
  H: String.raw`(?<H>\d\d?)`,
  SS: String.raw`(?<SS>\d\d)`,
  mmm: String.raw`\d{3}`,
  AM: '(?<AM>[ap])m',
}

const SYMBOLS = new RegExp(`${Object.keys(GROUPS).join('|')}|[-._: ]`, 'g')

const patternOf = remembered(
  (format) => new RegExp(`^${format.replaceAll(SYMBOLS, (text) => GROUPS[text] ?? `[${text}]`)}$`, 'i'),
)

/**
 * What a spelling states as a date of this format, or null if it is none. A visit is of 2000 or later; other dates, such
 * as those of birth, may have any year, and two digits of a year state no century.
 */
export function readDay(text: string, format: string, of: 'visit' | 'other'): DayParts | null {
  const found = patternOf(format).exec(text)?.groups
  if (found === undefined) return null
  const { YYYY, YY, MM, M, DD, D } = found
  const year = YYYY ?? (YY === undefined ? null : `20${YY}`)
  const [month, day] = [MM ?? M?.padStart(2, '0') ?? null, DD ?? D?.padStart(2, '0') ?? null]
  // A part that is not stated may be any. The last two digits of a leap year before 2000 are those of one after it.
  const era = of === 'visit' ? 'visit' : 'stated'
  return calendarDay(year ?? '2000', month ?? '01', day ?? '01', era) === null ? null : { year, month, day }
}

/** `HH:MM:SS`, or null if the spelling is no time of this format. */
export function readTime(text: string, format: string): string | null {
  const { HH, H = HH, MM, SS, AM } = patternOf(format).exec(text)?.groups ?? {}
  return H === undefined || MM === undefined ? null : clockTime(H, MM, SS, AM)
}
