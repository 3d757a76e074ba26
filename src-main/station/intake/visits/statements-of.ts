/** Every value that is stated of a visit, with where it came from. Pure. */
import { FIELD_NAMES, isCalendarDate, type FieldName, type Fields } from '../../../../src-shared/fields.ts'
import type { Source } from '../../../../src-shared/submission.ts'
import type { ContentFacts, Sidecar } from '../recognition.ts'
import type { VisitIdentity } from './claim-of.ts'
import type { PathReading } from './path-reading.ts'

export type FieldStatement = { readonly source: Source; readonly value: NonNullable<Fields[FieldName]> }
export type Statements = Readonly<Partial<Record<FieldName, readonly FieldStatement[]>>>

/** A person's whole years on a day, by the calendar; null where the days make no age. Days are `YYYY-MM-DD`. */
export function ageOn(birthDate: string, day: string): number | null {
  if (!isCalendarDate(birthDate) || !isCalendarDate(day) || birthDate > day) return null
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}

export type StatementInput = {
  readonly identities: readonly VisitIdentity[]
  readonly paths: readonly PathReading[]
  readonly facts: readonly ContentFacts[]
  /** What the clinic's list says of the patient, if it knows him. */
  readonly listed: Sidecar | null
}

type StatementSource = { readonly source: Source; readonly fields: Fields; readonly birthDate: string | null }

function nameSource(path: PathReading): StatementSource[] {
  const { lastName, firstName } = path
  const source = lastName?.source ?? firstName?.source
  if (source === undefined) return []
  const fields = {
    ...(lastName ? { last_name: lastName.value } : {}),
    ...(firstName ? { first_name: firstName.value } : {}),
  }
  return [{ source, fields, birthDate: null }]
}

/** In the order of trust: data files of the visit, the images themselves, the clinic's list, the names of files. */
function sourcesOf(input: StatementInput): readonly StatementSource[] {
  const records = [...new Set(input.identities.flatMap((claim) => claim.records))]
  return [
    ...records.map((record): StatementSource => ({ ...record, source: 'sidecar' })),
    ...input.facts.map((facts): StatementSource => ({ ...facts, source: 'dicom' })),
    ...(input.listed ? [{ ...input.listed, source: 'patientList' as const }] : []),
    ...input.paths.flatMap(nameSource),
  ]
}

/** What is stated of each field, the most trusted source first. An age is told from a birth date on the visit's day. */
export function statementsOf(input: StatementInput): Statements {
  const statements: Partial<Record<FieldName, FieldStatement[]>> = {}
  const add = (name: FieldName, source: Source, value: Fields[FieldName]): void => {
    if (value === undefined || value === '') return
    const list = (statements[name] ??= [])
    if (!list.some((one) => one.source === source && one.value === value)) list.push({ source, value })
  }
  const sources = sourcesOf(input)
  for (const { source, fields } of sources) for (const name of FIELD_NAMES) add(name, source, fields[name])
  for (const { historyNumber, visitDate } of input.identities) {
    if (historyNumber) add('history_number', historyNumber.source, historyNumber.value)
    if (visitDate.source !== 'fileTime') add('visit_date', visitDate.source, visitDate.value)
  }
  for (const { visitDate } of input.paths) if (visitDate) add('visit_date', visitDate.source, visitDate.value)
  const day = statements.visit_date?.[0]?.value
  for (const { source, birthDate } of sources) {
    const age = birthDate !== null && typeof day === 'string' ? ageOn(birthDate, day) : null
    if (age !== null) add('age', source, age)
  }
  return statements
}
