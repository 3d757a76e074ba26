/**
 * Reads single values of other programs' data files: days, sexes, numbers and names. An ambiguous value counts as
 * none. Pure.
 */
import { DIABETES_CODES, type FieldName, type Fields, GENDER_CODES } from '../../../../src-shared/fields.ts'
import type { FolderReading } from '../../../../src-shared/folder-settings.ts'
import type { Message } from '../../../../src-shared/wording.ts'
import {
  type DataFileLabel,
  dayValue,
  readHistoryNumber,
  readNumber,
  readText,
  type ReadValue,
  TEXT_FIELDS,
  wrong,
} from './case-json.ts'
import { type DateOrder, readDay } from '../../cases/meaning/dates.ts'
import { mayBeOneName, nameTerms } from '../../cases/meaning/persons.ts'
import { type Statement, type Statements, termsIn, withoutAccents } from './names.ts'

const { male, female } = GENDER_CODES

type Sex = typeof male | typeof female

const SEX_TERMS: ReadonlyMap<string, Sex> = new Map([
  ...termsIn(`male man masculine hombre varon masculino mannlich maennlich mann homem homme masculin masc
    maschio`).map((term) => [term, male] as const),
  ...termsIn(`female woman feminine mujer femenino femenina hembra weiblich frau mulher feminino feminina femme
    feminin fem femmina f w`).map((term) => [term, female] as const),
])

/** Of one column; whole terms are clear on their own. */
type SexLetters = ReadonlySet<string>

/** The letter that a value adds to those of its column. */
export function sexLetterOf(value: unknown): string | null {
  const term = termOf(value)
  return term !== null && /^[mhvfw\d]$/.test(term) ? term : null
}

/**
 * The sex under this heading; null if ambiguous. M is male or mujer, H hombre, homme or hembra, V varón or vrouw:
 * single letters are read only if the column's other letters and the heading leave one meaning.
 */
function sexOf(value: unknown, plainHeading: string, letters: SexLetters): Sex | null {
  const term = termOf(value)
  if (term === null) return null
  const isSpanish = /^(sexo|sexopaciente|genero)$/.test(plainHeading)
  if (term === 'm') return sexOfM(isSpanish, letters)
  if (term === 'h') return sexOfH(letters)
  if (term === 'v') return sexOfV(isSpanish, letters)
  return SEX_TERMS.get(term) ?? null
}

function termOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return withoutAccents(String(value).trim()).toLowerCase().replace(/\.$/, '')
}

function sexOfM(isSpanish: boolean, letters: SexLetters): Sex | null {
  const [hasF, hasH, hasV] = [letters.has('f') || letters.has('w'), letters.has('h'), letters.has('v')]
  if (hasF) return hasH || hasV ? null : male
  if (hasH) return hasV ? null : female
  // M and V are mujer and varón in Spanish; in Dutch they are man and vrouw, the reverse.
  if (hasV) return isSpanish ? female : null
  // Alone under a Spanish heading it may be mujer or masculino.
  return isSpanish ? null : male
}

function sexOfH(letters: SexLetters): Sex | null {
  const [hasF, hasM, hasV] = [letters.has('f'), letters.has('m'), letters.has('v')]
  if (hasV) return hasM || hasF ? null : female
  return hasM !== hasF ? male : null
}

function sexOfV(isSpanish: boolean, letters: SexLetters): Sex | null {
  if (isSpanish) return male
  return letters.has('h') && !letters.has('m') && !letters.has('f') ? male : null
}

export type ValueRules = {
  readonly where: DataFileLabel
  readonly dateOrder: DateOrder
  /** The single letters for a sex, by plain heading. */
  readonly sexLetters: ReadonlyMap<string, SexLetters>
  /** True if the file uses the interface's own names, so that 0 and 1 are the interface's gender codes. */
  readonly speaksInterface: boolean
}

const ABSENT = { kind: 'absent' } as const
const NO_LETTERS: SexLetters = new Set()

/** A cell that only states the absence of a value. */
export function isNothing(stated: unknown): boolean {
  if (stated === null || stated === undefined) return true
  return typeof stated === 'string' && /^(-{1,3}|n\/?a|null|nan|none|)$/i.test(stated.trim())
}

/** The value of a field as the service accepts it; `plainHeading` is its name in the file. */
export function readForeignField(
  name: FieldName,
  stated: unknown,
  plainHeading: string,
  rules: ValueRules,
): ReadValue<Fields[FieldName]> {
  if (isNothing(stated)) return ABSENT
  switch (name) {
    case 'history_number':
      return readHistoryNumber(stated, rules.where)
    case 'gender':
      return readGender(stated, plainHeading, rules)
    case 'diabetes':
      return readDiabetes(stated, rules)
    case 'visit_date':
      return readDayOf(name, stated, rules)
    default:
      if (TEXT_FIELDS.includes(name)) return readText(name, stated, rules.where)
      return readNumber(name, name === 'age' ? withoutYears(stated) : withoutUnit(stated), rules.where)
  }
}

/** A day; `name` is a field or `birth_date`. */
export function readDayOf(name: string, stated: unknown, rules: ValueRules): ReadValue<string> {
  if (isNothing(stated)) return ABSENT
  return dayValue(name, readDay(stated, rules.dateOrder, name === 'birth_date' ? 'birth' : 'stated'), rules)
}

function readGender(stated: unknown, plainHeading: string, rules: ValueRules): ReadValue<0 | 1> {
  const letters = rules.sexLetters.get(plainHeading) ?? NO_LETTERS
  const code = plainHeading === 'gender' && rules.speaksInterface ? interfaceCode(stated, letters) : null
  const sex = code ?? sexOf(stated, plainHeading, letters)
  if (sex !== null) return { kind: 'value', value: sex }
  return wrong('gender', 'sex', rules.where)
}

/** Other programs use 1 for male and 2 for female (ISO/IEC 5218), so any 2 proves that these are not our codes. */
function interfaceCode(stated: unknown, letters: SexLetters): 0 | 1 | null {
  if ([...letters].some((letter) => /[2-9]/.test(letter))) return null
  const text = String(stated).trim()
  if (text === '0') return 0
  return text === '1' ? 1 : null
}

const YES_TERMS = new Set(['1', 'yes', 'y', 'true', 'si', 'sim', 'ja', 'oui'])
const NO_TERMS = new Set(['0', 'no', 'n', 'false', 'nao', 'nein', 'non'])

function readDiabetes(stated: unknown, rules: ValueRules): ReadValue<0 | 1> {
  const isPlain = typeof stated === 'string' || typeof stated === 'number' || typeof stated === 'boolean'
  const term = withoutAccents(isPlain ? String(stated).trim() : '').toLowerCase()
  if (YES_TERMS.has(term)) return { kind: 'value', value: DIABETES_CODES.yes }
  if (NO_TERMS.has(term)) return { kind: 'value', value: DIABETES_CODES.no }
  return wrong('diabetes', 'yesOrNo', rules.where)
}

/** `14 mmHg`, `90°`, `-1,25 D`: the units that the interface's fields imply. */
function withoutUnit(stated: unknown): unknown {
  return typeof stated === 'string' ? stated.trim().replace(/ {0,3}(mmhg|dpt|d|°|deg)$/i, '') : stated
}

/** `045Y` of DICOM, and as people write it. */
function withoutYears(stated: unknown): unknown {
  return typeof stated === 'string'
    ? stated.trim().replace(/ ?(y|yrs?|years?|anos|años|jahre|ans|anni)\.?$/i, '')
    : stated
}

/** Patient names in data files without separate columns for last and first name. Pure. */
export type NameOrder = FolderReading['nameOrder']

type PersonNames = Readonly<Record<'lastName' | 'firstName', string | null>> & {
  readonly trouble: Message | null
  /** Two of the names that are stated cannot be of one person. */
  readonly areTwoPeople: boolean
}

type NameRules = { readonly where: DataFileLabel; readonly nameOrder: NameOrder }

const NONE: PersonNames = { lastName: null, firstName: null, trouble: null, areTwoPeople: false }

/** The names stated other than as plain last and first names: two surnames, a full name, `name` and `nombre`. */
export function personNamesOf(statements: Statements, rules: NameRules): PersonNames {
  const textsOf = (isWanted: (meaning: Statement['meaning']) => boolean): readonly string[] =>
    statements.flatMap(({ meaning, value }) => {
      const read = isWanted(meaning) ? readText('last_name', value, rules.where) : ABSENT
      return read.kind === 'value' ? [read.value] : []
    })
  const one = (kind: Statement['meaning']['kind']): string | null =>
    textsOf((meaning) => meaning.kind === kind)[0] ?? null
  const ofField = (field: FieldName): readonly string[] =>
    textsOf((meaning) => meaning.kind === 'field' && meaning.field === field)
  const [lastNames, firstNames] = [ofField('last_name'), ofField('first_name')]
  const surnames = [one('surname1'), one('surname2')].filter((name) => name !== null)
  const lastName = surnames.length > 0 ? surnames.join(' ') : null
  const isLastMissing = lastNames.length === 0 && lastName === null
  const [full, alone, first] = [one('fullName'), one('nameAlone'), one('firstAlone')]
  const parts = [...lastNames, ...firstNames, ...surnames]
  const whole = textsOf(({ kind }) => kind === 'fullName' || kind === 'nameAlone')
  const named = [...(parts.length > 0 ? [[...parts, first ?? ''].join(' ')] : []), ...whole].map((name) =>
    nameTerms(name),
  )
  const areTwoPeople = named.some((name, at) =>
    named.slice(at + 1).some((other) => !mayBeOneName(name, other)),
  )
  const found = ((): PersonNames => {
    if (full !== null && isLastMissing) return splitName(full, rules)
    if (first !== null) {
      const isBoth = isLastMissing && /[,^]/.test(first)
      return isBoth ? splitName(first, rules) : { ...NONE, lastName: lastName ?? alone, firstName: first }
    }
    if (alone !== null && isLastMissing)
      return firstNames.length > 0 ? { ...NONE, lastName: alone } : splitName(alone, rules)
    return { ...NONE, lastName }
  })()
  return { ...found, areTwoPeople }
}

/** A comma always follows the last name. Two words are in the order of the profile; more are not split. */
function splitName(name: string, rules: NameRules): PersonNames {
  const byComma = partsOf(name, ',')
  if (byComma) return { ...NONE, lastName: byComma[0], firstName: byComma[1] }
  const two = partsOf(name, '^') ?? partsOf(name.replaceAll(/\s+/g, ' '), ' ')
  if (!two) return { ...NONE, trouble: wrong('last_name', 'names', rules.where) }
  const [lastName, firstName] = rules.nameOrder === 'lastFirst' ? two : [two[1], two[0]]
  return { ...NONE, lastName, firstName }
}

function partsOf(name: string, mark: string): readonly [string, string] | null {
  const [one, two, ...others] = name.split(mark).map((part) => part.trim())
  return one && two && others.every((other) => other === '') ? [one, two] : null
}
