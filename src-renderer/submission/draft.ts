/** What a person has typed and not yet saved, and what it would change. Pure. */
import {
  AGE_RANGE,
  FIELD_NAMES,
  HARD_RANGES,
  isCalendarDate,
  measurementOf,
  type FieldChanges,
  type FieldName,
  type Fields,
} from '../../src-shared/fields.ts'
import {
  formatMeasurement,
  readTypedMeasurement,
  readTypedNumber,
  type TypedNumber,
} from '../format/numbers.ts'

import { t } from '../words/t.ts'
/** The typed text of each field that was touched. */
export type Draft = Readonly<Partial<Record<FieldName, string>>>

/** What a typed text comes to: a value, nothing stated, or a sentence on what is wrong with it. */
export type ReadField =
  | { readonly kind: 'value'; readonly value: string | number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'problem'; readonly message: string }

const LONGEST_TEXT = 10_000
/** What a date input is given for a half typed date, which a browser otherwise reports as empty. */
export const HALF_TYPED_DATE = '?'

/** A field as text in its input. */
export function fieldText(name: FieldName, fields: Fields): string {
  const value = fields[name]
  if (value === undefined) return ''
  const measured = measurementOf(name)
  return measured && typeof value === 'number'
    ? formatMeasurement(measured.measurement, value)
    : String(value)
}

export function readField(name: FieldName, text: string): ReadField {
  const measured = measurementOf(name)
  if (measured)
    return inRange(readTypedMeasurement(measured.measurement, text), HARD_RANGES[measured.measurement])
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
      return text.length > LONGEST_TEXT
        ? { kind: 'problem', message: t('field:tooLong') }
        : { kind: 'value', value: text.trim() }
  }
}

function inRange(typed: TypedNumber, range: { readonly min: number; readonly max: number }): ReadField {
  if (typed.kind === 'empty') return typed
  if (typed.kind === 'notANumber') return { kind: 'problem', message: t('field:notANumber') }
  return typed.value < range.min || typed.value > range.max
    ? { kind: 'problem', message: t('field:outOfRange', { min: range.min, max: range.max }) }
    : { kind: 'value', value: typed.value }
}

export type DraftReading = {
  /** What differs from what is stored; an emptied field takes its statement back. */
  readonly changes: FieldChanges
  readonly changeCount: number
  readonly problems: Readonly<Partial<Record<FieldName, string>>>
}

export function readDraft(draft: Draft, fields: Fields): DraftReading {
  const changes: Record<string, string | number | null> = {}
  const problems: Partial<Record<FieldName, string>> = {}
  for (const name of FIELD_NAMES) {
    const text = draft[name]
    if (text === undefined) continue
    const read = readField(name, text)
    if (read.kind === 'problem') problems[name] = read.message
    else if (read.kind === 'empty' && fields[name] !== undefined) changes[name] = null
    else if (read.kind === 'value' && read.value !== fields[name]) changes[name] = read.value
  }
  return { changes, changeCount: Object.keys(changes).length + Object.keys(problems).length, problems }
}
