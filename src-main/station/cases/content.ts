/** The values that the statements of files make together. Pure. */
import { FIELD_NAMES, type FieldName, type Fields, isCalendarDate } from '../../../src-shared/fields.ts'
import type { Source, Submission } from '../../../src-shared/submission.ts'
import { monthsFrom } from './meaning/dates.ts'
import { isNameField, mayBeOneName, nameTerms } from './meaning/persons.ts'
import type { ContentFacts, Sidecar, Stated } from './meaning/sources.ts'
import { foldTerm } from './meaning/vocabulary.ts'

/** A stated value of a visit with its source. */
export type FieldStatement = Stated<NonNullable<Fields[FieldName]>>

export type Statements = Readonly<Partial<Record<FieldName, readonly FieldStatement[]>>>

/** A person's age in whole years on a day; null if the days give no age. Days are `YYYY-MM-DD`. */
function ageOn(birthDate: string, day: string): number | null {
  if (!isCalendarDate(birthDate) || !isCalendarDate(day) || birthDate > day) return null
  return Math.floor(monthsFrom(birthDate, day) / 12)
}

type StatementInput = {
  /** The verdict on patient and day takes the place of every statement about them; null for a case by hand. */
  readonly visit: {
    readonly historyNumber: Stated<string> | null
    readonly visitDate: Stated<string> | null
  } | null
  readonly records: readonly Sidecar[]
  readonly facts: readonly ContentFacts[]
  readonly listed: Sidecar | null
}

/** The statements about each field, the most trusted source first. An age follows from birth date and visit. */
export function statementsOf({ visit, records, facts, listed }: StatementInput): Statements {
  const statements: Partial<Record<FieldName, FieldStatement[]>> = {}
  const add = (name: FieldName, source: Source, value: Fields[FieldName]): void => {
    if (value === undefined || value === '') return
    const list = (statements[name] ??= [])
    if (!list.some((one) => one.source === source && one.value === value)) list.push({ source, value })
  }
  // In the order of trust: data files of the visit, the images themselves, the clinic's list.
  const sources = [
    ...records.map((from) => ({ from, source: 'sidecar' as const })),
    ...facts.map((from) => ({ from, source: 'dicom' as const })),
    ...(listed ? [{ from: listed, source: 'patientList' as const }] : []),
  ]
  const hasVerdict = (name: FieldName): boolean =>
    visit !== null && (name === 'history_number' || name === 'visit_date')
  for (const { source, from } of sources)
    for (const name of FIELD_NAMES) if (!hasVerdict(name)) add(name, source, from.fields[name])
  if (visit?.historyNumber) add('history_number', visit.historyNumber.source, visit.historyNumber.value)
  if (visit?.visitDate && visit.visitDate.source !== 'fileTime')
    add('visit_date', visit.visitDate.source, visit.visitDate.value)
  const day = statements.visit_date?.[0]?.value
  for (const { source, from } of sources) {
    const age = from.birthDate !== null && typeof day === 'string' ? ageOn(from.birthDate, day) : null
    if (age !== null) add('age', source, age)
  }
  return statements
}

type Disagreement = { readonly field: FieldName; readonly statements: readonly FieldStatement[] }

export type ComposedContent = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly disagreements: readonly Disagreement[]
}

export type ContentInput = {
  /** The current content of the submission. A value that a person stated, even an empty one, is never overwritten. */
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly statements: Statements
  /** The day of the oldest file, used if nothing states the day of the visit. */
  readonly dayOfFiles: string | null
}

/** Free text: two sources rarely agree, and neither is wrong. */
const NEVER_DISAGREE: readonly FieldName[] = [
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
  // Ids are compared elsewhere, whole.
  'history_number',
]

/** The value of the first source wins; it is shown with the others until a person has decided. */
export function composeContent(input: ContentInput): ComposedContent {
  const fields: Partial<Record<FieldName, Fields[FieldName]>> = {}
  const sources: Submission['sources'] = {}
  const disagreements: Disagreement[] = []
  for (const name of FIELD_NAMES) {
    const found = valueOf(name, input)
    if (!found) continue
    sources[name] = found.source
    if (found.value !== undefined) fields[name] = found.value
    const statements = input.statements[name] ?? []
    const [first] = statements
    const isDisputed =
      first !== undefined && statements.some(({ value }) => !isAlike(name, value, first.value))
    if (isDisputed && found.source !== 'person' && !NEVER_DISAGREE.includes(name))
      disagreements.push({ field: name, statements })
  }
  return { fields: fields as Fields, sources, disagreements }
}

function isAlike(name: FieldName, one: FieldStatement['value'], other: FieldStatement['value']): boolean {
  // Stated ages are rounded in either direction, and a birthday may lie in between.
  if (name === 'age') return Math.abs(Number(one) - Number(other)) <= 1
  if (typeof one !== 'string' || typeof other !== 'string' || name === 'visit_date') return one === other
  // Müller and MUELLER, Ana María and A.: the reader of names says which are one.
  return isNameField(name)
    ? mayBeOneName(nameTerms(one), nameTerms(other))
    : foldTerm(one) === foldTerm(other)
}

function valueOf(
  name: FieldName,
  input: ContentInput,
): { readonly value: Fields[FieldName]; readonly source: Source } | null {
  if (input.sources[name] === 'person') return { value: input.fields[name], source: 'person' }
  const [first, ...others] = input.statements[name] ?? []
  // Of one name in several spellings, the fullest.
  const length = ({ value }: FieldStatement): number => (isNameField(name) ? String(value).length : 0)
  const alike = others.filter(({ value }) => first && isAlike(name, value, first.value))
  if (first) return alike.reduce((best, one) => (length(one) > length(best) ? one : best), first)
  if (name === 'visit_date' && input.dayOfFiles !== null)
    return { value: input.dayOfFiles, source: 'fileTime' }
  return null
}
