/** The closed set of forms that the patients' numbers of a folder have, and their check digits and letters. Pure. */
import type { IdFormat } from '../../../../src-shared/confirmed-profile.ts'
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

/** The letters with which all ids begin. */
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

const patternOf = remembered((shape) => {
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
    const pattern = patternOf(format.shape)
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
