/** Reads single values of a sidecar as people and programs write them. A value that could mean two things is none. */
import { eyeTermOf } from './name-words.ts'
import {
  DIABETES_CODES,
  GENDER_CODES,
  isCalendarDate,
  type FieldName,
  type Fields,
} from '../../../src-shared/fields.ts'
import type { Eye } from '../../../src-shared/eye.ts'

/** `absent`: nothing is stated, which is no mistake. `wrong`: the sentence says what is expected. */
export type ReadValue<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'absent' }
  | { readonly kind: 'wrong'; readonly message: string }

const ABSENT = { kind: 'absent' } as const

function valueOf<Value>(value: Value): ReadValue<Value> {
  return { kind: 'value', value }
}

/** The data file as a sentence calls it. */
export type DataFileLabel =
  | 'case.json'
  | 'the CSV file'
  | 'the XML file'
  | 'the JSON file'
  | 'the patient list'

/** Nothing usable: the sentence names the field and what is expected, never the value. */
export function wrong(
  name: string,
  expected: string,
  where: DataFileLabel = 'case.json',
): Extract<ReadValue<never>, { kind: 'wrong' }> {
  return { kind: 'wrong', message: `${name} in ${where} was not taken: ${expected} is expected.` }
}

const MAX_LETTERS = 10_000
const TEXT_FIELDS: readonly FieldName[] = [
  'history_number',
  'first_name',
  'last_name',
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
]

/** The value of a field as the service takes it. Whether a number is possible is decided elsewhere, for all sources alike. */
export function readField(name: FieldName, stated: unknown): ReadValue<Fields[FieldName]> {
  if (stated === null || (typeof stated === 'string' && stated.trim() === '')) return ABSENT
  if (TEXT_FIELDS.includes(name)) return readText(name, stated)
  if (name === 'gender') return readCode(name, stated, GENDER_TERMS, '0 or "male", 1 or "female"')
  if (name === 'diabetes') return readCode(name, stated, DIABETES_TERMS, '0 or "no", 1 or "yes"')
  if (name === 'visit_date') return readDate(name, stated)
  return readNumber(name, stated)
}

/** A text without control characters, at most 10,000 letters. */
export function readText(name: FieldName, stated: unknown, where?: DataFileLabel): ReadValue<string> {
  // A number beyond this has lost digits before we see it.
  if (typeof stated === 'number' && Number.isSafeInteger(stated)) return valueOf(String(stated))
  if (typeof stated !== 'string') return wrong(name, 'text in quotes', where)
  // Control characters come from broken exports; line ends and tabs are text.
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const text = stated.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim()
  if (text.length > MAX_LETTERS) return wrong(name, `a text of at most ${MAX_LETTERS} letters`, where)
  return text === '' ? ABSENT : valueOf(text)
}

/** `-1,25` is as good as `-1.25`; `1,234.5` could be two things. */
export function readNumber(name: FieldName, stated: unknown, where?: DataFileLabel): ReadValue<number> {
  if (typeof stated === 'number' && Number.isFinite(stated)) return valueOf(stated)
  const text = typeof stated === 'string' ? stated.trim().replace('\u2212', '-') : ''
  if (!/^[+-]?(\d{1,6}([.,]\d{1,6})?|[.,]\d{1,6})$/.test(text))
    return wrong(name, 'a number such as -1.25', where)
  return valueOf(Number(text.replace(',', '.')))
}

type CodeTerms = Readonly<Record<string, 0 | 1>>

const GENDER_TERMS: CodeTerms = {
  '0': GENDER_CODES.male,
  '1': GENDER_CODES.female,
  male: GENDER_CODES.male,
  female: GENDER_CODES.female,
  m: GENDER_CODES.male,
  f: GENDER_CODES.female,
}
const DIABETES_TERMS: CodeTerms = {
  '0': DIABETES_CODES.no,
  '1': DIABETES_CODES.yes,
  no: DIABETES_CODES.no,
  yes: DIABETES_CODES.yes,
  false: DIABETES_CODES.no,
  true: DIABETES_CODES.yes,
}

function readCode(name: FieldName, stated: unknown, words: CodeTerms, expected: string): ReadValue<0 | 1> {
  const isPlain = typeof stated === 'string' || typeof stated === 'number' || typeof stated === 'boolean'
  const word = isPlain ? String(stated).trim().toLowerCase() : ''
  const code = Object.hasOwn(words, word) ? words[word] : undefined
  return code === undefined ? wrong(name, expected) : valueOf(code)
}

/** Year first only; a time behind the day is left out, without turning it into another zone's day. */
function readDate(name: FieldName, stated: unknown): ReadValue<string> {
  const text = typeof stated === 'string' || typeof stated === 'number' ? String(stated).trim() : ''
  const match = /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ][\d:.,+\-Z ]*)?$/.exec(text)
  const date = match ? `${match[1]}-${match[3]}-${match[4]}` : ''
  return isCalendarDate(date) ? valueOf(date) : wrong(name, 'a day as YYYY-MM-DD')
}

/** An eye as a person writes it beside the name of a file: here a letter alone is clear, D and I are not. */
export function readEye(fileName: string, stated: unknown): ReadValue<Exclude<Eye, 'unknown'>> {
  const word = typeof stated === 'string' ? stated.trim() : ''
  if (stated === null || /^(unknown|xx|)$/i.test(word))
    return typeof stated === 'string' || stated === null ? ABSENT : wrongEye(fileName)
  if (/^r$/i.test(word)) return valueOf('right')
  if (/^l$/i.test(word)) return valueOf('left')
  const eye = /\d/.test(word) ? null : eyeTermOf(word)
  return eye ? valueOf(eye.eye) : wrongEye(fileName)
}

function wrongEye(fileName: string): ReadValue<never> {
  return wrong(`The eye of ${fileName}`, '"OD" or "OS"')
}
