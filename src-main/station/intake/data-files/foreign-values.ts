/** Reads single values of data files that other programs wrote. A value that could mean two things is none. Pure. */
import { DIABETES_CODES, type FieldName, type Fields } from '../../../../src-shared/fields.ts'
import { readNumber, readText, wrong, type DataFileLabel, type ReadValue } from '../sidecar-values.ts'
import { dayExpected, dayOf, type DateOrder } from './data-dates.ts'
import { sexOf, type SexLetters } from './sex-words.ts'

/** What is the same for all values of one file. */
export type ValueRules = {
  /** The file as a sentence calls it. */
  readonly where: DataFileLabel
  readonly dateOrder: DateOrder
  /** The single letters for a sex, by the plain heading that they stand under. */
  readonly sexLetters: ReadonlyMap<string, SexLetters>
  /** The file writes the interface's own names, so 0 and 1 are the interface's codes for a gender. */
  readonly speaksInterface: boolean
}

const ABSENT = { kind: 'absent' } as const
const NO_LETTERS: SexLetters = new Set()

/** A cell that only says that there is nothing. */
export function isNothing(stated: unknown): boolean {
  if (stated === null || stated === undefined) return true
  return typeof stated === 'string' && /^(-{1,3}|n\/?a|null|nan|none|)$/i.test(stated.trim())
}

/** The value of a field as the service takes it; `plainHeading` is what the file calls it. */
export function readForeignField(
  name: FieldName,
  stated: unknown,
  plainHeading: string,
  rules: ValueRules,
): ReadValue<Fields[FieldName]> {
  if (isNothing(stated)) return ABSENT
  switch (name) {
    case 'history_number':
      return readHistoryNumber(stated, rules)
    case 'gender':
      return readGender(stated, plainHeading, rules)
    case 'diabetes':
      return readDiabetes(stated, rules)
    case 'visit_date':
      return readDay(name, stated, rules)
    case 'first_name':
    case 'last_name':
    case 'visit_reason':
    case 'ophthalmic_antecedents':
    case 'other_relevant_info':
    case 'retinologist_notes':
      return readText(name, stated, rules.where)
    default:
      return readNumber(name, withoutUnit(stated), rules.where)
  }
}

/** A day; `name` is a field or `birth_date`. */
export function readDay(name: string, stated: unknown, rules: ValueRules): ReadValue<string> {
  if (isNothing(stated)) return ABSENT
  const day = dayOf(stated, rules.dateOrder)
  return day ? { kind: 'value', value: day } : wrong(name, dayExpected(rules.dateOrder), rules.where)
}

/** Spreadsheets shorten long numbers to `1.23E+11`: the digits are gone. Line ends belong to no number. */
function readHistoryNumber(stated: unknown, rules: ValueRules): ReadValue<string> {
  const read = readText('history_number', stated, rules.where)
  if (read.kind !== 'value') return read
  const isShortened = /^\d(?:[.,]\d+)?E\+?\d+$/i.test(read.value) && /[.,+]/.test(read.value)
  if (isShortened || /[\n\r\t]/.test(read.value) || read.value.length > 100)
    return wrong(
      'history_number',
      'the whole number, on one line and not shortened by a spreadsheet',
      rules.where,
    )
  return read
}

function readGender(stated: unknown, plainHeading: string, rules: ValueRules): ReadValue<0 | 1> {
  const letters = rules.sexLetters.get(plainHeading) ?? NO_LETTERS
  const code = plainHeading === 'gender' && rules.speaksInterface ? interfaceCode(stated, letters) : null
  const sex = code ?? sexOf(stated, plainHeading, letters)
  if (sex !== null) return { kind: 'value', value: sex }
  return wrong('gender', '"male" or "female" (a letter alone may mean either)', rules.where)
}

/** Other programs count 1 for male and 2 for female (ISO/IEC 5218), so a 2 anywhere says that these are not our codes. */
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
  const word = (isPlain ? String(stated) : '')
    .trim()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
  if (YES_TERMS.has(word)) return { kind: 'value', value: DIABETES_CODES.yes }
  if (NO_TERMS.has(word)) return { kind: 'value', value: DIABETES_CODES.no }
  return wrong('diabetes', '"yes" or "no"', rules.where)
}

/** `14 mmHg`, `90°`, `-1,25 D`: the units that the interface's fields have anyway. */
function withoutUnit(stated: unknown): unknown {
  return typeof stated === 'string' ? stated.trim().replace(/ {0,3}(mmhg|dpt|d|°|deg)$/i, '') : stated
}
