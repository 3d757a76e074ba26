/** Days as data files write them. */
import { isCalendarDate } from '../../../../src-shared/fields.ts'

export type DateOrder = 'ymd' | 'dmy' | 'mdy'

/** A time behind the day is left out, without turning it into another zone's day. */
const TIME_BEHIND = String.raw`(?:[T ,]+\d[\d:.,]{0,20}(?: ?[ap]\.? ?m\.?)?(?: ?(?:Z|[+\-][\d:]{2,6}))?)?`
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-./]?)(\d{1,2})\2(\d{1,2})${TIME_BEHIND}$`, 'i')
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-./]?)(\d{1,2})\2(\d{4})${TIME_BEHIND}$`, 'i')

/**
 * The day as `YYYY-MM-DD`, or null. Year first is read whatever the order; year last only in the order that a person
 * set, also where a number above twelve would give it away: a column is not read by the luck of its rows.
 */
export function dayOf(value: unknown, order: DateOrder): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (text.length > 60) return null
  const first = YEAR_FIRST.exec(text)
  const yearFirst = first && date(first[1], first[3], first[4], first[2] === '')
  if (yearFirst) return yearFirst
  const last = order === 'ymd' ? null : YEAR_LAST.exec(text)
  if (!last) return null
  const [day, month] = order === 'dmy' ? [last[1], last[3]] : [last[3], last[1]]
  return date(last[4], month, day, last[2] === '')
}

/** Nobody whose eyes are photographed was born before; a year beyond is a filler. */
const [FIRST_YEAR, LAST_YEAR] = [1_850, 2_199]

function date(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  isCompact: boolean,
): string | null {
  if (year === undefined || month === undefined || day === undefined) return null
  if (isCompact && (month.length !== 2 || day.length !== 2)) return null
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return null
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDate(text) ? text : null
}

/** What a sentence says is expected. */
export function dayExpected(order: DateOrder): string {
  if (order === 'dmy') return 'a day as YYYY-MM-DD or DD.MM.YYYY'
  if (order === 'mdy') return 'a day as YYYY-MM-DD or MM/DD/YYYY'
  return 'a day as YYYY-MM-DD (where the day or the month stands first, set the order of dates in the profile)'
}
