/** Reads values of data files: days, sexes, numbers, texts and the names of persons. An ambiguous one counts as none. Pure. */
import { DIABETES_CODES, type FieldName, GENDER_CODES } from '../../../../src-shared/fields.ts'
import type { NameIn, Wording } from '../../../../src-shared/wording.ts'
import { type DateOrder, readDay } from '../meaning/dates.ts'
import { isIdle, isLikeNumber, unwrapNumber } from '../meaning/numbers.ts'
import { mayBeOneName, type NameOrder, nameTerms, splitName } from '../meaning/persons.ts'
import { type Meaning, type Statements, termsIn, withoutAccents } from './headings.ts'

export type Slot = FieldName | 'birth_date'

export type Value = string | number

/** What is wrong about a value, by its key among the texts. */
export type Why<Group extends 'expected' | 'why'> = {
  readonly key: NameIn<`intake:dataFile.${Group}`>
  readonly values?: Wording['values']
}

/** Null if nothing is stated, which is no mistake. `doubt`: why it is a proposal only. */
export type ReadValue =
  | { readonly value: Value; readonly doubt?: Why<'why'> }
  | { readonly expected: Why<'expected'> }
  | null

/** The single letters for a sex, of one column; whole terms are clear on their own. */
type SexLetters = ReadonlySet<string>

export type ValueRules = {
  /** True for a `case.json`, which states values as the interface does, and no others. */
  readonly isCase: boolean
  readonly dateOrder: DateOrder
  /** By plain heading. */
  readonly sexLetters: ReadonlyMap<string, SexLetters>
  /** True if the file uses the interface's own names, so that 0 and 1 are the interface's gender codes. */
  readonly speaksInterface: boolean
}

function wrong(key: Why<'expected'>['key'], values?: Wording['values']): ReadValue {
  return { expected: { key, ...(values && { values }) } }
}

/** A cell that only states the absence of a value; a `case.json` leaves it empty. */
export function isNothing(stated: unknown, isCase = false): boolean {
  if (stated === null || stated === undefined) return true
  if (typeof stated !== 'string') return false
  const text = stated.trim()
  return text === '' || (!isCase && /^(-{1,3}|n\/?a|null|nan|none)$/i.test(text))
}

const TEXTS: readonly Slot[] = [
  'first_name',
  'last_name',
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
]

/** The value of a field as the service accepts it; `heading` is its plain name in the file. Ranges are checked elsewhere. */
export function readValue(slot: Slot, stated: unknown, heading: string, rules: ValueRules): ReadValue {
  if (isNothing(stated, rules.isCase)) return null
  if (TEXTS.includes(slot)) return readText(stated)
  switch (slot) {
    case 'history_number':
      return readHistoryNumber(stated)
    case 'gender':
    case 'diabetes':
      return readCode(slot, stated, heading, rules)
    case 'visit_date':
    case 'birth_date':
      return readDayOf(slot, stated, rules)
    default:
      return readNumber(rules.isCase ? stated : withoutUnit(slot, stated))
  }
}

const MAX_LETTERS = 10_000

/** A text without control characters, at most 10,000 letters. */
function readText(stated: unknown): ReadValue {
  // A larger number has lost digits before it reaches us.
  if (typeof stated === 'number' && Number.isSafeInteger(stated)) return { value: String(stated) }
  if (typeof stated !== 'string') return wrong('text')
  // Control characters come from broken exports; line ends and tabs are text.
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const text = stated.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim()
  if (text.length > MAX_LETTERS) return wrong('length', { letters: MAX_LETTERS })
  return text === '' ? null : { value: text }
}

const MAX_NUMBER_LETTERS = 100

/** Without what programs write around it. Two or a cut one are none; what looks like another thing is a proposal. */
function readHistoryNumber(stated: unknown): ReadValue {
  const inside = typeof stated === 'string' ? unwrapNumber(stated) : stated
  const read = readText(inside)
  const number = read !== null && 'value' in read ? String(read.value) : null
  if (inside === null || (number !== null && number.length > MAX_NUMBER_LETTERS)) return wrong('wholeNumber')
  if (number === null || isLikeNumber(number) || isIdle(number)) return read
  return { value: number, doubt: { key: 'noNumber' } }
}

/** `-1,25` equals `-1.25`; `1,234.5` is ambiguous. */
function readNumber(stated: unknown): ReadValue {
  if (typeof stated === 'number' && Number.isFinite(stated)) return { value: stated }
  const text = typeof stated === 'string' ? stated.trim().replace('\u2212', '-') : ''
  if (!/^[+-]?(\d{1,6}([.,]\d{1,6})?|[.,]\d{1,6})$/.test(text)) return wrong('number')
  return { value: Number(text.replace(',', '.')) }
}

/** `14 mmHg`, `90°`, `-1,25 D`: the units that the interface's fields imply; `045Y` of DICOM, and as people write it. */
function withoutUnit(slot: Slot, stated: unknown): unknown {
  const unit =
    slot === 'age' ? / ?(y|yrs?|years?|anos|años|jahre|ans|anni)\.?$/i : / {0,3}(mmhg|dpt|d|°|deg)$/i
  return typeof stated === 'string' ? stated.trim().replace(unit, '') : stated
}

const DAY_EXPECTED = { ymd: 'dayOrder', dmy: 'dayFirst', mdy: 'monthFirst' } as const

/** A day that another zone may have moved is a proposal; a birth in a `case.json` is none. */
function readDayOf(slot: 'visit_date' | 'birth_date', stated: unknown, rules: ValueRules): ReadValue {
  const isBirth = slot === 'birth_date'
  const read = readDay(stated, rules.dateOrder, isBirth ? 'birth' : 'stated')
  if (read.kind === 'day') return { value: read.day }
  if (read.kind === 'instant' && !(isBirth && rules.isCase)) {
    const { day, written } = read
    return { value: day, doubt: { key: 'instant', values: { day, written } } }
  }
  return wrong(rules.isCase ? 'day' : DAY_EXPECTED[rules.dateOrder])
}

/** What a `case.json` may state for a code. */
const OF_CASE = { gender: /^(?:[01mf]|male|female)$/i, diabetes: /^(?:[01]|yes|no|true|false)$/i }

function readCode(
  slot: 'gender' | 'diabetes',
  stated: unknown,
  heading: string,
  rules: ValueRules,
): ReadValue {
  const { isCase } = rules
  const isPlain = typeof stated === 'string' || typeof stated === 'number' || typeof stated === 'boolean'
  const text = isPlain ? String(stated).trim() : ''
  const isKnown = !isCase || OF_CASE[slot].test(text)
  const code = isKnown ? (slot === 'gender' ? genderOf(text, heading, rules) : diabetesOf(text)) : null
  if (code !== null) return { value: code }
  return wrong(isCase ? slot : slot === 'gender' ? 'sex' : 'yesOrNo')
}

const YES = new Set(['1', 'yes', 'y', 'true', 'si', 'sim', 'ja', 'oui'])
const NO = new Set(['0', 'no', 'n', 'false', 'nao', 'nein', 'non'])

function diabetesOf(text: string): 0 | 1 | null {
  const term = withoutAccents(text).toLowerCase()
  if (YES.has(term)) return DIABETES_CODES.yes
  return NO.has(term) ? DIABETES_CODES.no : null
}

const NO_LETTERS: SexLetters = new Set()

function genderOf(text: string, heading: string, rules: ValueRules): 0 | 1 | null {
  const letters = rules.sexLetters.get(heading) ?? NO_LETTERS
  // Other programs use 1 for male and 2 for female (ISO/IEC 5218): any 2 proves that these are not the interface's codes.
  const areCodes =
    heading === 'gender' && rules.speaksInterface && ![...letters].some((letter) => /[2-9]/.test(letter))
  if (areCodes && (text === '0' || text === '1')) return text === '0' ? 0 : 1
  return sexOf(termOf(text), /^(sexo|sexopaciente|genero)$/.test(heading), letters)
}

const { male, female } = GENDER_CODES

type Sex = typeof male | typeof female

const SEX_TERMS: ReadonlyMap<string, Sex> = new Map([
  ...termsIn(`male man masculine hombre varon masculino mannlich maennlich mann homem homme masculin masc
    maschio`).map((term) => [term, male] as const),
  ...termsIn(`female woman feminine mujer femenino femenina hembra weiblich frau mulher feminino feminina femme
    feminin fem femmina f w`).map((term) => [term, female] as const),
])

/** The letter that a value adds to those of its column. */
export function sexLetterOf(value: unknown): string | null {
  const term = typeof value === 'string' || typeof value === 'number' ? termOf(String(value)) : ''
  return /^[mhvfw\d]$/.test(term) ? term : null
}

function termOf(text: string): string {
  return withoutAccents(text.trim()).toLowerCase().replace(/\.$/, '')
}

/**
 * The sex that a term means; null if ambiguous. M is male or mujer, H hombre, homme or hembra, V varón or vrouw: single
 * letters are read only if the column's other letters and the heading leave one meaning.
 */
function sexOf(term: string, isSpanish: boolean, letters: SexLetters): Sex | null {
  const [hasF, hasW] = [letters.has('f'), letters.has('w')]
  const [hasM, hasH, hasV] = [letters.has('m'), letters.has('h'), letters.has('v')]
  switch (term) {
    case 'm':
      if (hasF || hasW) return hasH || hasV ? null : male
      if (hasH) return hasV ? null : female
      // M and V are mujer and varón in Spanish; in Dutch they are man and vrouw, the reverse.
      if (hasV) return isSpanish ? female : null
      // Alone under a Spanish heading it may be mujer or masculino.
      return isSpanish ? null : male
    case 'h':
      if (hasV) return hasM || hasF ? null : female
      return hasM !== hasF ? male : null
    case 'v':
      return isSpanish || (hasH && !hasM && !hasF) ? male : null
    default:
      return SEX_TERMS.get(term) ?? null
  }
}

export const NAMES = ['last_name', 'first_name'] as const

/** `isUnclear`: the end of the last name. `areTwoPeople`: two of the names that are stated cannot be of one person. */
type PersonNames = Readonly<Record<(typeof NAMES)[number], string | null>> & {
  readonly isUnclear?: true
  readonly areTwoPeople?: boolean
}

/** The names stated other than as plain last and first names: two surnames, a full name, `name` and `nombre`. */
export function personNamesOf(statements: Statements, order: NameOrder): PersonNames {
  const all = (...wanted: readonly Meaning[]): readonly string[] =>
    statements.flatMap(({ meaning, value }) => {
      const read = wanted.includes(meaning) ? readText(value) : null
      return read !== null && 'value' in read ? [String(read.value)] : []
    })
  const [lastNames, firstNames] = [all('last_name'), all('first_name')]
  const surnames = [...all('surname1').slice(0, 1), ...all('surname2').slice(0, 1)]
  const [[full], [alone = null], [first]] = [all('fullName'), all('nameAlone'), all('firstAlone')]
  const parts = [...lastNames, ...firstNames, ...surnames]
  const inParts = parts.length > 0 ? [[...parts, first ?? ''].join(' ')] : []
  const named = [...inParts, ...all('fullName', 'nameAlone')].map((name) => nameTerms(name))
  const areTwoPeople = named.some((name, at) =>
    named.slice(at + 1).some((other) => !mayBeOneName(name, other)),
  )
  const surname = surnames.length > 0 ? surnames.join(' ') : null
  const isLastMissing = lastNames.length === 0 && surname === null
  const found = ((): PersonNames => {
    if (full !== undefined && isLastMissing) return bothNames(full, order)
    if (first !== undefined && isLastMissing && /[,^]/.test(first)) return bothNames(first, order)
    if (first !== undefined) return { last_name: surname ?? alone, first_name: first }
    if (alone === null || !isLastMissing) return { last_name: surname, first_name: null }
    return firstNames.length > 0 ? { last_name: alone, first_name: null } : bothNames(alone, order)
  })()
  return { ...found, areTwoPeople }
}

/** Both names, or neither: the end of the last name is not clear. */
function bothNames(name: string, order: NameOrder): PersonNames {
  const { lastName = null, firstName = null } = splitName(name, order) ?? {}
  return lastName === null || firstName === null
    ? { last_name: null, first_name: null, isUnclear: true }
    : { last_name: lastName, first_name: firstName }
}
