/** What looks like a patient's number, and how numbers are compared: one reader for all sources. Pure. */
import { DAY, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { isCalendarDate } from '../../../../src-shared/fields.ts'
import { remembered } from '../names/tokens.ts'
import {
  eyeTermOf,
  foldTerm,
  isCountingTerm,
  isDevice,
  isGeneralTerm,
  isIdLabel,
  isMeasure,
  isPlaceholderTerm,
  isSite,
  isSiteNumber,
} from './vocabulary.ts'
import { localDate, monthOf, plainDigits } from './dates.ts'

/** What spreadsheets write around a text so that it stays one: `="0017"`, `'0017`, `"0017"`. */
const WRAPPED = /^=?"([^"]*)"$|^'([^']*)'?$/

/**
 * The number inside the spelling of a spreadsheet (`="0017"`, `'0017`), HL7 (`0017^^^CLINIC^MR`, v2.5 chapter 2A, CX),
 * in full width, or among invisible marks. Null if more than one reading is possible: a shortened or lost digit
 * (`1.2E+05`), several values, a control character inside. Whatever it returns may still be no number, as the decimal of
 * a data frame (`17.0`), which has dropped its zeros in front.
 */
export function unwrapNumber(text: string): string | null {
  if (/^[\dA-Za-z]*$/.test(text)) return text
  // An invisible mark between two digits shows a broken line, or two cells that were joined.
  if (/\p{No}|(?<=[\p{L}\p{Nd}])\p{Cf}+(?=[\p{L}\p{Nd}])/u.test(text)) return null
  const plain = plainDigits(text)
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Zs}+/gu, ' ')
    .trim()
  const wrapped = WRAPPED.exec(plain)
  const inside = (wrapped?.[1] ?? wrapped?.[2] ?? plain).trim()
  // A second component is a check digit, which may belong to the number.
  const [, number, further] = /^([^^]*)\^\^([^~]*)$/.exec(inside) ?? [null, inside, null]
  const whole = further === null ? number : number.trim()
  const isLost = /^\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(whole) && /[.,+-]/.test(whole)
  if (isLost || /[\p{Cc}^~\\|]/u.test(whole) || areSeveral(whole)) return null
  return whole
}

/** Who assigned a number in the spelling of HL7 (`0017^^^CLINIC^MR`, the fourth component of CX); null if it says nothing. */
export function authorityIn(text: string): string | null {
  return /^(?:[^^]*\^){3}([^^&~]+)/.exec(text)?.[1]?.trim() || null
}

const BETWEEN = / ?[/+&,;] ?| (?:and|or|y|o|und|oder|et|ou|e) /iu
const MIN_DIGITS_OF_SEVERAL = 5

/** `501288/612004`, `501288 and 612004`: whole numbers of about one length. `1011/2` and `19570311+1234` are one each. */
function areSeveral(text: string): boolean {
  const [first = 0, ...others] = text.split(BETWEEN).map(digitsIn)
  const isWhole = (digits: number): boolean =>
    digits >= MIN_DIGITS_OF_SEVERAL && Math.abs(digits - first) <= 1
  return others.length > 0 && [first, ...others].every(isWhole)
}

/** Letters and plain digits in groups, with one sign between two groups. */
const GROUPS = /^[\p{L}\d]+(?:(?: ?[-–./_'’+] ?| )[\p{L}\d]+)*$/u

/** The standard allows as many letters for a Patient ID (DICOM PS3.5 table 6.2-1, LO). */
const MAX_LENGTH = 64

/** So many letters are a word, and no prefix of a clinic. */
const MIN_TERM = 4
const MAX_TERM = 8

/** A word needs so many digits beside it: `Room 5` and `Unit 12` are none. */
const MIN_DIGITS_OF_TERM = 3

const MIN_DIGITS_OF_NUMBER = 2

/**
 * True if a text looks like the number of a patient: it has digits, only signs that clinics' numbers have, and no word
 * that means something else. Every other text is no identity, whatever source states it: a person is asked.
 */
export const isLikeNumber = remembered((text): boolean => {
  const id = text.trim()
  if (
    id.length > MAX_LENGTH ||
    !GROUPS.test(id) ||
    isTwoNumbers(id) ||
    isIdle(id) ||
    unwrapNumber(id) === null
  )
    return false
  const digits = digitsIn(id)
  // 0x0, 01, 0000001: zeros in front count nothing, unless letters say whose number it is.
  const significant = id.replaceAll(/\D/g, '').replace(/^0+/, '')
  if (significant.length < (/^\p{L}/u.test(id) ? 1 : MIN_DIGITS_OF_NUMBER)) return false
  // 1234, 777 and 99, alone: in longer numbers they are parts.
  if (/^9+$/.test(id) || (/^\d{3,}$/.test(id) && isPattern(id)) || AMOUNT.test(id)) return false
  if (
    digits < MIN_DIGITS_OF_NUMBER ||
    isMeasure(id) ||
    isDate(id) ||
    UID.test(id) ||
    DECIMAL.test(id) ||
    AGE.test(id)
  )
    return false
  const terms = foldTerm(id).match(/\p{L}{3,}/gu) ?? []
  const isSentence = terms.filter(({ length }) => length >= MIN_TERM).length > 1
  return !isSentence && !terms.some((term) => isOtherTerm(term, id))
})

/** 479075/620659, H-00101 H-00155: two of one shape, of which only one can be the patient's. 2026/0417 is one. */
function isTwoNumbers(id: string): boolean {
  const [one = '', other = '', ...more] = id.split(/ ?\/ ?| /)
  if (other === '' || more.length > 0 || shapeOf(one) !== shapeOf(other)) return false
  return digitsIn(one) >= (/\p{L}/u.test(one) ? 3 : 5)
}

const UID = /^[0-2](?:\.\d+){4,}$/
/** 045Y, 018M: an age as DICOM writes it (PS3.5 table 6.2-1, AS). */
const AGE = /^\d{3}[dwmy]$/i
/** 12MP, 80 dB: few digits in front of letters count in a unit; the letters of a clinic are in front. */
const AMOUNT = /^\d{1,3} ?\p{L}{2,}$/u
const DECIMAL = /^\d+\.\d{1,2}$/

/** A word that is neither a label of ids nor the prefix of a clinic or a camera: `clinic_4711025`, `eyer-58002677`. */
function isOtherTerm(term: string, id: string): boolean {
  if (isIdLabel(term)) return false
  const isCounting = isCountingTerm(term)
  if (isCounting && !isSite(term) && !IS_NUMBER_LABEL.test(term)) return true
  if (!isCounting && (isSite(term) || isDevice(term)) && PREFIXED.test(id)) return false
  if (NO_ONE.test(term)) return true
  if (term.length < MIN_TERM) return false
  return (
    term.length > MAX_TERM ||
    digitsIn(id) < MIN_DIGITS_OF_TERM ||
    isGeneralTerm(term) ||
    isPlaceholderTerm(term) ||
    eyeTermOf(term) !== null
  )
}

/** Short words for someone without a number: whatever is counted behind them, it is no patient's. */
const NO_ONE = /^(?:unk|tmp|xxx|nil|doe)$/

/** So many digits are no number of a model or a branch. */
const PREFIXED = /^\p{L}+\d{0,2}[-_.]?\d{5,}$/u

const IS_NUMBER_LABEL = /^(?:nr|no|num|number|n)$/

/** A day with its separators, or with its month by name: no clinic writes its numbers so. */
function isDate(id: string): boolean {
  const month = /^(?:\d{1,2}[ .-]?)?(\p{L}+)[ .-]?(?:\d{1,2}[ .-])?(?:(?:19|20)\d\d|\d\d)$/u.exec(
    foldTerm(id),
  )?.[1]
  if (month !== undefined && monthOf(month) !== null) return true
  const [, one = '', middle = '', other = ''] = /^(\d{4}|\d\d)[-./](\d\d)[-./](\d\d|\d{4})$/.exec(id) ?? []
  if (one.length === 4) return isCalendarDate(`${one}-${middle}-${other}`)
  return isCalendarDate(`${other}-${middle}-${one}`) || isCalendarDate(`${other}-${one}-${middle}`)
}

/** From so many digits on, a repeated digit and a run are typed by those who have no number, with whatever around them. */
const MIN_PATTERN_DIGITS = 6

/**
 * True for what is written if no number is known: a word for it, zeros, a repeated digit or pair, a run, with or without
 * a prefix; and the number of a device or a place.
 */
export function isIdle(id: string): boolean {
  const plain = foldTerm(id).replaceAll(/[^\p{L}\p{N}]/gu, '')
  if (plain === '' || isPlaceholderTerm(plain.replace(/\d{1,3}$/, '')) || isSiteNumber(plain)) return true
  const digits = /^\p{L}*(\d+)$/u.exec(plain)?.[1]
  if (digits === undefined) return false
  if (/^0+$/.test(digits)) return true
  return digits.length >= MIN_PATTERN_DIGITS && (/^(\d{1,3})\1+$/.test(digits) || isPattern(digits))
}

/** One digit repeated, or a run up or down: 777, 1234, 8901. */
function isPattern(digits: string): boolean {
  const steps = new Set(
    Array.from(digits.slice(1)).map((digit, index) => (Number(digit) - Number(digits[index]) + 10) % 10),
  )
  const [step] = steps
  return steps.size === 1 && (step === 0 || step === 1 || step === 9)
}

export function digitsIn(text: string): number {
  return text.replaceAll(/\D/g, '').length
}

/** Ids are compared without case, and with every other character. */
export function foldId(id: string): string {
  if (/^[\x20-\x7e]*$/.test(id)) return id.trim().toLowerCase()
  return id.normalize('NFC').trim().toLowerCase().replaceAll('’', "'")
}

export function isSameId(one: string, other: string): boolean {
  return foldId(one) === foldId(other)
}

/** Letters and digits alone: `105-10-0001-2` and `105100001 2` are spellings of one id. */
export const bareId = remembered((id) => foldId(id).replaceAll(/[^\p{L}\p{N}]/gu, ''))

/**
 * An id with one sign for whatever separates its digits: `12-345` for `12 345` and `12_345`. Beside a letter a separator
 * parts nothing that is not parted without it: `H-00017` is `H00017`.
 */
export function spellingOfId(id: string): string {
  return foldId(id)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$|(?<=\p{L})-|-(?=\p{L})/gu, '')
}

/**
 * Two stated ids: `other` if they differ, or if their separators are at other places (`12-345`, `123-45`); `unsure` if
 * only one of them has separators (`12-345`, `12345`).
 */
export function compareIds(one: string, other: string): 'same' | 'unsure' | 'other' {
  if (bareId(one) !== bareId(other)) return 'other'
  const spellings = [spellingOfId(one), spellingOfId(other)]
  if (spellings[0] === spellings[1]) return 'same'
  return spellings.every((spelling) => spelling.includes('-')) ? 'other' : 'unsure'
}

/** `H-00017` has the shape `A-99999`: letters become one letter, digits one digit. */
export function shapeOf(id: string): string {
  return foldId(id).replaceAll(/\p{L}/gu, 'A').replaceAll(/\d/g, '9')
}

/** True if the ids differ by one digit lost, doubled, changed, or two exchanged, or only by leading zeros. */
export function isNearlySame(one: string, other: string): boolean {
  const [a, b] = [bareId(one), bareId(other)].toSorted((x, y) => x.length - y.length)
  if (a === undefined || b === undefined || a === b || a.length < MIN_NEAR) return false
  if (a.replace(/^0+/, '') === b.replace(/^0+/, '')) return true
  if (b.length - a.length > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const rest = a.length - start - end
  if (b.length > a.length) return rest === 0
  return rest <= 1 || (rest === 2 && a[start] === b[start + 1] && a[start + 1] === b[start])
}

const MIN_NEAR = 4

/** HHMMSS, with fractions of the second, or a digit that counts the images of one second. */
const CLOCK = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)\d{0,3}$/

/**
 * True if these digits are the time at which a picture was taken: HHMMSS with or without fractions, seconds or
 * milliseconds since 1970. `instants` are ms since 1970: of the camera, and of the file. For a count of the day's seconds
 * or milliseconds see `isCountOfDay`: a number that is as long hits one image of a visit by chance.
 */
export function isTimeOf(digits: string, instants: readonly number[]): boolean {
  if (!/^\d{4,17}$/.test(digits)) return false
  const clock = msOfClock(digits)
  return instants.some((instant) => {
    if (isNear(Number(digits), instant) || isNear(Number(digits) * 1_000, instant)) return true
    return clock !== null && isNear(clock, msOfDay(instant))
  })
}

/** Seconds or milliseconds of the day, to the very second: so few digits hit by chance. */
export function isCountOfDay(digits: string, instants: readonly number[]): boolean {
  const counts = [Number(digits), Number(digits) * 1_000]
  return instants.some((instant) => counts.some((ms) => Math.abs(ms - msOfDay(instant)) <= SECOND))
}

/**
 * True if a stated number is the day of its image, the moment at which it was taken, or a birth date: what cameras fill in
 * and people write who have no number. `days` and `births`: `YYYY-MM-DD`, stated beside it. A running number behind a day
 * is none, nor is one behind a birth date, as nations count their people; a day with the very moment is one, whatever stands
 * in front of it.
 */
export function isDayOrTimeOf(
  id: string,
  instants: readonly number[],
  days: readonly string[],
  births: readonly string[] = [],
): boolean {
  const digits = bareId(id)
  const near = instants.flatMap((instant) => [-1, 0, 1].map((days) => localDate(instant + days * DAY)))
  if (!/^\d{4,17}$/.test(digits)) {
    const moment = /^\p{L}+(\d{12,17})$/u.exec(digits)?.[1] ?? ''
    return near.some((date) => restBehind(moment, date).some((clock) => isTimeOf(clock, instants)))
  }
  // A camera may take the beginning of the visit for the number.
  if (isTimeOf(digits, instants) || isClockBefore(digits, instants) || isCountOfDay(digits, instants))
    return true
  // A day has six or eight digits, a time behind it four or six to nine: of these lengths there is none.
  if ([4, 5, 7, 9, 11].includes(digits.length)) return false
  if (births.some((date) => restBehind(digits, date).includes(''))) return true
  return [...near, ...days].some((date) =>
    restBehind(digits, date).some(
      (clock) =>
        clock === '' || CLOCK.test(clock) || (clock.length === 4 && isTimeOf(`${clock}00`, instants)),
    ),
  )
}

/** What these digits have behind a date, in each order of day, month and year that they begin with. */
function restBehind(digits: string, date: string): readonly string[] {
  const [year = '', month = '', day = ''] = date.split('-')
  const orders = [year + month + day, day + month + year, month + day + year]
  return [...orders, ...orders.map((order) => order.replace(year, year.slice(2)))].flatMap((order) =>
    digits.startsWith(order) ? [digits.slice(order.length)] : [],
  )
}

const LONGEST_VISIT = 30 * MINUTE

function isClockBefore(digits: string, instants: readonly number[]): boolean {
  const clock = msOfClock(digits) ?? Infinity
  return instants.some((instant) => {
    const before = msOfDay(instant) - clock
    return before >= 0 && before <= LONGEST_VISIT
  })
}

/** The time that these digits spell, in milliseconds since midnight; null if it is none. */
function msOfClock(digits: string): number | null {
  const [, hours, minutes, seconds] = CLOCK.exec(digits) ?? []
  return hours === undefined ? null : ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
}

function isNear(reading: number, expected: number): boolean {
  return Math.abs(reading - expected) <= 2 * MINUTE
}

/** Milliseconds since local midnight. */
function msOfDay(instant: number): number {
  return instant - new Date(instant).setHours(0, 0, 0, 0)
}
