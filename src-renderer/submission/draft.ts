/** Typed but unsaved texts, and the changes that they make. Pure. */
import {
  AGE_RANGE,
  FIELD_NAMES,
  type FieldChanges,
  type FieldName,
  type Fields,
  isCalendarDate,
  type Measurement,
  measurementOf,
} from '../../src-shared/fields.ts'
import { hardRangeOf, isInRange, type Range, type VaUnit } from '../../src-shared/measurement-ranges.ts'
import {
  formatMeasurement,
  readTypedMeasurement,
  readTypedNumber,
  type TypedNumber,
} from '../format/numbers.ts'
import { formatAcuity, readTypedAcuity, type TypedAcuity } from '../format/optics.ts'
import { t } from '../i18n/i18n.ts'

export type Draft = Readonly<Partial<Record<FieldName, string>>>

/** The result of parsing a text: a value, nothing stated, or a sentence about the problem. */
export type ReadField =
  | { readonly kind: 'value'; readonly value: string | number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'problem'; readonly message: string }

const MAX_TEXT_LENGTH = 10_000
/** Represents an incomplete date, which a browser reports as empty. */
export const HALF_TYPED_DATE = '?'

export function fieldText(name: FieldName, fields: Fields, vaUnit: VaUnit): string {
  const value = fields[name]
  if (value === undefined) return ''
  const measured = measurementOf(name)
  return measured && typeof value === 'number'
    ? measurementText(measured.measurement, value, vaUnit)
    : String(value)
}

/** A measurement as the text of its input; parsing it gives the same value. */
export function measurementText(measurement: Measurement, value: number, vaUnit: VaUnit): string {
  return measurement === 'va' ? formatAcuity(value, vaUnit) : formatMeasurement(measurement, value)
}

export function readField(name: FieldName, text: string, vaUnit: VaUnit): ReadField {
  const measured = measurementOf(name)
  if (measured) {
    const { measurement } = measured
    const range = hardRangeOf(measurement, vaUnit)
    return measurement === 'va'
      ? acuityInRange(readTypedAcuity(text, vaUnit), range)
      : inRange(readTypedMeasurement(measurement, text), range)
  }
  if (text.trim() === '') return { kind: 'empty' }
  switch (name) {
    case 'age': {
      const age = inRange(readTypedNumber(text), AGE_RANGE)
      return age.kind === 'value' && !Number.isInteger(age.value)
        ? { kind: 'problem', message: t('field:wholeAge') }
        : age
    }
    case 'gender':
    case 'diabetes':
      return { kind: 'value', value: text === '1' ? 1 : 0 }
    case 'visit_date':
      return isCalendarDate(text)
        ? { kind: 'value', value: text }
        : { kind: 'problem', message: t('field:notADate') }
    default:
      return text.length > MAX_TEXT_LENGTH
        ? { kind: 'problem', message: t('field:tooLong') }
        : { kind: 'value', value: text.trim() }
  }
}

function inRange(typed: TypedNumber, range: Range): ReadField {
  if (typed.kind === 'empty') return typed
  if (typed.kind === 'notANumber') return { kind: 'problem', message: t('field:notANumber') }
  return isInRange(typed.value, range)
    ? { kind: 'value', value: typed.value }
    : { kind: 'problem', message: t('field:outOfRange', { min: range.min, max: range.max }) }
}

function acuityInRange(typed: TypedAcuity, range: Range): ReadField {
  if (typed.kind === 'code')
    return { kind: 'problem', message: t('measure:acuity.word', { word: typed.code }) }
  if (typed.kind === 'notANumber') return { kind: 'problem', message: t('measure:acuity.notRead') }
  if (typed.kind === 'impossible') return { kind: 'problem', message: t('field:outOfRange', typed.range) }
  return inRange(typed, range)
}

/** Fields that were changed elsewhere during editing, to another value than the typed one. */
export function conflictsOf(
  draft: Draft,
  bases: Readonly<Partial<Record<FieldName, Fields[FieldName]>>>,
  fields: Fields,
  vaUnit: VaUnit,
): readonly FieldName[] {
  return FIELD_NAMES.filter((name) => {
    const text = draft[name]
    if (text === undefined || bases[name] === fields[name]) return false
    const read = readField(name, text, vaUnit)
    return read.kind === 'problem' || (read.kind === 'value' ? read.value : undefined) !== fields[name]
  })
}

export type ParsedDraft = {
  /** The differences from the stored values; an emptied field is cleared. */
  readonly changes: FieldChanges
  readonly changeCount: number
  readonly problems: Readonly<Partial<Record<FieldName, string>>>
}

export function readDraft(draft: Draft, fields: Fields, vaUnit: VaUnit): ParsedDraft {
  const changes: Record<string, string | number | null> = {}
  const problems: Partial<Record<FieldName, string>> = {}
  for (const name of FIELD_NAMES) {
    const text = draft[name]
    if (text === undefined) continue
    const read = readField(name, text, vaUnit)
    if (read.kind === 'problem') problems[name] = read.message
    else if (read.kind === 'empty' && fields[name] !== undefined) changes[name] = null
    else if (read.kind === 'value' && read.value !== fields[name]) changes[name] = read.value
  }
  return { changes, changeCount: Object.keys(changes).length + Object.keys(problems).length, problems }
}
