/**
 * The closed set of forms that numbers, days and times have in strict profiles: ids with their check digits and letters, and
 * moments of one stated format. Nothing is guessed, such as the order of a day and a month. Pure.
 */
import type { IdFormat } from '../../../../src-shared/confirmed-profile.ts'
import { calendarDay, clockTime } from '../meaning/dates.ts'
import { shapeOf } from '../meaning/numbers.ts'
import { remembered } from '../names/tokens.ts'

const LETTER = /\p{L}/u

/** Fewer ids of a form do not show which of its letters are always the same. */
const MIN_IDS_FOR_LETTERS = 3

/** The formats of these ids as they are spelled, the most frequent first. */
function formatsOf(ids: readonly string[]): readonly IdFormat[] {
  const different = [...new Set(ids.map((id) => id.normalize('NFC').toLowerCase()))]
  const byShape = Map.groupBy(different, shapeOf)
  const prefix = commonPrefix(different)
  return [...byShape]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(([shape, alike]) => ({ shape: withSameLetters(shape, alike, prefix), check: commonCheck(alike) }))
}

function commonPrefix(ids: readonly string[]): string {
  const [first = ''] = ids
  if (ids.length < MIN_IDS_FOR_LETTERS) return ''
  const letters = /^\p{L}*/u.exec(first)?.[0] ?? ''
  return ids.every((id) => id.startsWith(letters)) ? letters : ''
}

function withSameLetters(shape: string, ids: readonly string[], prefix: string): string {
  const spelled = ids.map((id) => Array.from(id))
  const isEnough = ids.length >= MIN_IDS_FOR_LETTERS
  return Array.from(shape, (symbol, index) => {
    const letter = spelled[0]?.[index]
    if (symbol !== 'A' || letter === undefined) return symbol
    if (index < prefix.length) return letter
    return isEnough && spelled.every((other) => other[index] === letter) ? letter : symbol
  }).join('')
}

/** A form of number in this many approved visits is no slip. */
const MIN_VISITS_OF_FORM = 3

/** The formats of the ids of approved visits; of a form that too few of them have, only if none has enough. */
export function formatsOfVisits(
  ids: readonly { readonly id: string; readonly caseId: string }[],
): readonly IdFormat[] {
  const visitsOf = Map.groupBy(ids, ({ id }) => shapeOf(id.normalize('NFC').toLowerCase()))
  const frequent = [...visitsOf.values()].filter(
    (alike) => new Set(alike.map(({ caseId }) => caseId)).size >= MIN_VISITS_OF_FORM,
  )
  return formatsOf((frequent.length > 0 ? frequent.flat() : ids).map(({ id }) => id))
}

const idPattern = remembered((shape) => {
  const source = Array.from(shape, (symbol) => {
    if (symbol === '9') return String.raw`\d`
    if (symbol === 'A') return String.raw`\p{L}`
    return LETTER.test(symbol) ? symbol : `\\u{${symbol.codePointAt(0)?.toString(16) ?? ''}}`
  })
  return new RegExp(source.join(''), 'iuy')
})

/** The ends of the ids of these formats that begin at a position. */
export function idEnds(formats: readonly IdFormat[], text: string, start: number): readonly number[] {
  const ends = formats.flatMap((format) => {
    const pattern = idPattern(format.shape)
    pattern.lastIndex = start
    const found = pattern.exec(text)?.[0]
    if (found === undefined || (format.check !== null && !carriesCheck(format.check, found))) return []
    return [start + found.length]
  })
  return [...new Set(ends)]
}

type Check = NonNullable<IdFormat['check']>

/** The letters of Spanish DNI and NIE by the remainder of division by 23 (Real Decreto 1553/2005). */
const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

const CHECKS: Readonly<Record<Check, (characters: string) => boolean>> = {
  /** ISO/IEC 7812-1, also the Swedish personal number. */
  luhn: (id) => /^\d{6,}$/.test(id) && weigh(id, (fromEnd) => 1 + (fromEnd % 2), crossSum) % 10 === 0,
  /** The NHS number: weights from the length down to 2, the check digit completes a multiple of 11. */
  mod11: (id) => /^\d{7,}$/.test(id) && weigh(id, (fromEnd) => fromEnd + 1) % 11 === 0,
  letter23: (id) => {
    const [, first = '', digits = '', letter = ''] = /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(id) ?? []
    if (letter === '' || first.length + digits.length !== 8) return false
    const prefix = first === '' ? '' : String('XYZ'.indexOf(first))
    return DNI_LETTERS[Number(prefix + digits) % 23] === letter
  },
  /** Fødselsnummer: two check digits, each modulo 11; the weights from the end. */
  norwegian: (id) =>
    /^\d{11}$/.test(id) &&
    [
      [0, 1, 2, 5, 4, 9, 8, 1, 6, 7, 3],
      [1, 2, 3, 4, 5, 6, 7, 2, 3, 4, 5],
    ].every((weights) => weigh(id, (fromEnd) => weights[fromEnd] ?? 0) % 11 === 0),
  /** Brazilian CPF: two check digits modulo 11, of which 10 is written 0. */
  cpf: (id) =>
    /^\d{11}$/.test(id) &&
    [9, 10].every((count) => {
      const sum = weigh(id.slice(0, count), (fromEnd) => fromEnd + 2)
      return ((sum * 10) % 11) % 10 === Number(id[count])
    }),
  /** Chilean RUT: weights 2 to 7 from the right, 10 is written K. */
  rut: (id) => {
    const [, digits = '', stated = ''] = /^(\d{6,8})([\dK])$/.exec(id) ?? []
    if (digits === '') return false
    return '0123456789K'[(11 - (weigh(digits, (fromEnd) => (fromEnd % 6) + 2) % 11)) % 11] === stated
  },
}

/** The sum of all digits, each with the weight of its position, counted from the end. */
function weigh(
  id: string,
  weightAt: (fromEnd: number) => number,
  reduced = (product: number): number => product,
): number {
  const products = Array.from(id, (digit, at) => Number(digit) * weightAt(id.length - 1 - at))
  return products.reduce((sum, product) => sum + reduced(product), 0)
}

function crossSum(product: number): number {
  return product > 9 ? product - 9 : product
}

/** Does an id as it is spelled carry this check? Separators are skipped. */
function carriesCheck(check: Check, id: string): boolean {
  return CHECKS[check](id.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
}

/** Fewer ids could fit by chance. */
const MIN_IDS = 8

/**
 * The check that all of these ids carry, if there are at least eight different ones; else null. Never for Danish CPR
 * numbers: many given since 2007 have no valid check digit (cpr.dk).
 */
function commonCheck(ids: readonly string[]): Check | null {
  const different = [...new Set(ids)]
  if (different.length < MIN_IDS || different.every(isLikeCpr)) return null
  const fitting = Object.keys(CHECKS) as Check[]
  return fitting.find((check) => different.every((id) => carriesCheck(check, id))) ?? null
}

/** Day, month and year of birth, and four digits. */
function isLikeCpr(id: string): boolean {
  return /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d\d[- ]?\d{4}$/.test(id)
}

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

const momentPattern = remembered(
  (format) => new RegExp(`^${format.replaceAll(SYMBOLS, (text) => GROUPS[text] ?? `[${text}]`)}$`, 'i'),
)

/**
 * What a spelling states as a date of this format, or null if it is none. A visit is of 2000 or later; other dates, such
 * as those of birth, may have any year, and two digits of a year state no century.
 */
export function readDay(text: string, format: string, of: 'visit' | 'other'): DayParts | null {
  const found = momentPattern(format).exec(text)?.groups
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
  const { HH, H = HH, MM, SS, AM } = momentPattern(format).exec(text)?.groups ?? {}
  return H === undefined || MM === undefined ? null : clockTime(H, MM, SS, AM)
}
