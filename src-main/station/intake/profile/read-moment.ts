/** Dates and times as a profile lets them be written. Nothing is guessed: an order other than the profile's is none. Pure. */
import { isCalendarDate } from '../../../../src-shared/fields.ts'
import type { MomentPart } from '../../../../src-shared/pattern-format.ts'
import type { PatternPart } from '../../../../src-shared/profile-pattern.ts'
import type { Profile } from '../../../../src-shared/profile.ts'

export type DateOrder = Profile['dateOrder']

/** `date` as YYYY-MM-DD, `time` as HH:MM:SS, each null where the part does not hold it. */
export type Moment = { readonly date: string | null; readonly time: string | null }

/** What looks like a date or a time up to `end`; without a moment where it is none in this order. */
export type MomentFound = { readonly end: number; readonly moment: Moment | null }

type Groups = Readonly<Record<string, string | undefined>>

/** Retinal cameras wrote files in no earlier year; a date before it is somebody's birthday. */
const FIRST_VISIT_YEAR = 2_000

const DATE_SHAPES = [/\d{8}(?!\d)/y, /\d{6}(?!\d)/y, /\d{1,4}([-._ ])\d{1,2}\1\d{1,4}(?!\d)/y]
/** A mark that follows belongs to the time: left out, it would move it by twelve hours. */
const TWELVE_HOURS = String.raw`(?:[ _.-]?(?<mark>[ap])\.?m\.?(?![\p{L}\p{N}]))?`
const TIME_SHAPES = [
  String.raw`(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?:\d{3})?(?!\d)`,
  String.raw`(?<hour>\d{1,2})[-.:h](?<minute>\d\d)[-.:m](?<second>\d\d)(?:s|[.,]\d{1,6})?(?!\d)`,
].map((shape) => new RegExp(shape + TWELVE_HOURS, 'iuy'))
const COMPACT = /(\d{8})(\d{6})(?:\d{3})?(?!\d)/y
const BETWEEN = /[T _.-]{1,3}/iy

/** Dates and times that can begin at a position, the longest first. */
export function momentsAt(
  { name, format }: PatternPart & { readonly name: MomentPart },
  text: string,
  start: number,
  order: DateOrder,
): readonly MomentFound[] {
  if (format === null) return BUILT_IN[name](text, start, order)
  const match = execAt(new RegExp(format.source, 'iuy'), text, start)
  if (match === null) return []
  const groups = match.groups ?? {}
  const date = groups['year'] === undefined ? null : dateOf(groups)
  const time = groups['hour'] === undefined ? null : timeOf(groups)
  const isReadable = (name === 'time' || date !== null) && (name === 'date' || time !== null)
  return [{ end: start + match[0].length, moment: isReadable ? { date, time } : null }]
}

const BUILT_IN: Readonly<
  Record<MomentPart, (text: string, start: number, order: DateOrder) => readonly MomentFound[]>
> = { date: datesAt, time: timesAt, dateTime: dateTimesAt }

function datesAt(text: string, start: number, order: DateOrder): readonly MomentFound[] {
  const spellings = DATE_SHAPES.flatMap((shape) => execAt(shape, text, start)?.[0] ?? [])
  return spellings.map((spelling) => {
    const date = readDate(spelling, order)
    return { end: start + spelling.length, moment: date === null ? null : { date, time: null } }
  })
}

function timesAt(text: string, start: number): readonly MomentFound[] {
  return TIME_SHAPES.flatMap((shape): MomentFound[] => {
    const match = execAt(shape, text, start)
    if (match === null) return []
    const time = timeOf(match.groups ?? {})
    return [{ end: start + match[0].length, moment: time === null ? null : { date: null, time } }]
  })
}

function dateTimesAt(text: string, start: number, order: DateOrder): readonly MomentFound[] {
  const compact = execAt(COMPACT, text, start)
  if (compact) {
    const date = readDate(compact[1] ?? '', order)
    const time = timesAt(compact[2] ?? '', 0)[0]?.moment?.time ?? null
    return [{ end: start + compact[0].length, moment: bothOf(date, time) }]
  }
  return datesAt(text, start, order).flatMap((day) => {
    const between = execAt(BETWEEN, text, day.end)?.[0]
    if (between === undefined) return []
    return timesAt(text, day.end + between.length).map(({ end, moment }) => ({
      end,
      moment: bothOf(day.moment?.date ?? null, moment?.time ?? null),
    }))
  })
}

function bothOf(date: string | null, time: string | null): Moment | null {
  return date === null || time === null ? null : { date, time }
}

/** Years of two digits only where a format says which digits they are: 14-02-25 could be read as 2014. */
function readDate(spelling: string, order: DateOrder): string | null {
  const shapes = order === 'ymd' ? YEAR_FIRST : [...YEAR_FIRST, ...YEAR_LAST[order]]
  for (const shape of shapes) {
    const groups = shape.exec(spelling)?.groups
    const date = groups ? dateOf(groups) : null
    if (date !== null) return date
  }
  return null
}

/** Eight digits are never a date in both ways: 20… as the year of one is no month of the other. */
const YEAR_FIRST = [
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
  /^(?<year>\d{4})(?<gap>[-._ ])(?<month>\d{1,2})\k<gap>(?<day>\d{1,2})$/,
]
const YEAR_LAST = {
  dmy: [
    /^(?<day>\d\d)(?<month>\d\d)(?<year>\d{4})$/,
    /^(?<day>\d{1,2})(?<gap>[-._ ])(?<month>\d{1,2})\k<gap>(?<year>\d{4})$/,
  ],
  mdy: [
    /^(?<month>\d\d)(?<day>\d\d)(?<year>\d{4})$/,
    /^(?<month>\d{1,2})(?<gap>[-._ ])(?<day>\d{1,2})\k<gap>(?<year>\d{4})$/,
  ],
} as const

function dateOf({ year = '', month = '', day = '' }: Groups): string | null {
  const whole = year.length === 2 ? `20${year}` : year
  const date = `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDate(date) && Number(whole) >= FIRST_VISIT_YEAR && Number(whole) < 2_100 ? date : null
}

function timeOf({ hour = '', minute = '', second = '00', mark }: Groups): string | null {
  const half = mark?.charAt(0).toLowerCase()
  const stated = Number(hour)
  if (half !== undefined && (stated < 1 || stated > 12)) return null
  const hours = half === undefined ? stated : (stated % 12) + (half === 'p' ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null
  return `${String(hours).padStart(2, '0')}:${minute}:${second}`
}

function execAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(text)
}
