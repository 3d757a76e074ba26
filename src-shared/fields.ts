/**
 * The fields of a case, under the names of the service interface, which defines types and codes but no units, ranges or
 * required fields.
 */
import { z } from 'zod'

/** Suffixes of the measurements, in the order in which a refraction is read aloud. */
export const MEASUREMENTS = ['iop', 'va', 'sphere', 'cylinder', 'axis', 'add', 'prism', 'prism_base'] as const
export type Measurement = (typeof MEASUREMENTS)[number]

/** OD comes before OS everywhere. */
export const EYE_PREFIXES = ['od', 'os'] as const
export type MeasurementField = `${(typeof EYE_PREFIXES)[number]}_${Measurement}`

export const GENDER_CODES = { male: 0, female: 1 } as const
export const DIABETES_CODES = { no: 0, yes: 1 } as const

export const AGE_RANGE = { min: 0, max: 130 } as const

/** Does this `YYYY-MM-DD` exist in the calendar? */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

export const calendarDaySchema = z.string().refine(isCalendarDate, 'a real date as YYYY-MM-DD')

const text = z.string().max(10_000)

const measurementShape = Object.fromEntries(
  EYE_PREFIXES.flatMap((eye) => MEASUREMENTS.map((name) => [`${eye}_${name}`, z.number()])),
) as Record<MeasurementField, z.ZodNumber>

const patientShape = {
  history_number: text,
  first_name: text,
  last_name: text,
  gender: z.union([z.literal(0), z.literal(1)]),
  age: z.number(),
  diabetes: z.union([z.literal(0), z.literal(1)]),
  visit_date: calendarDaySchema,
  visit_reason: text,
  ophthalmic_antecedents: text,
  other_relevant_info: text,
  retinologist_notes: text,
}

/** An absent field was not stated and is not sent. Zero is a statement and is sent. */
export const fieldsSchema = z.object({ ...patientShape, ...measurementShape }).partial()
export type Fields = z.infer<typeof fieldsSchema>
export type FieldName = keyof Fields

/** Every field in display and sending order. */
export const FIELD_NAMES = Object.keys(fieldsSchema.shape) as readonly FieldName[]

export const fieldNameSchema = z.enum(FIELD_NAMES as readonly [FieldName, ...FieldName[]])

type Changeable<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>>
}

function changeable<Shape extends z.ZodRawShape>(shape: Shape): Changeable<Shape> {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.optional(z.nullable(schema))])
  return Object.fromEntries(entries) as Changeable<Shape>
}

/** Changes of fields: a value sets a field, `null` clears it. */
export const fieldChangesSchema = z.object(changeable({ ...patientShape, ...measurementShape }))
export type FieldChanges = z.infer<typeof fieldChangesSchema>

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fieldsSchema.shape, name)
}

/** The eye and measurement of a field; null if it is not a measurement. */
export function measurementOf(
  name: FieldName,
): { readonly eye: 'right' | 'left'; readonly measurement: Measurement } | null {
  const match = /^(od|os)_(.+)$/.exec(name)
  if (!match) return null
  return { eye: match[1] === 'od' ? 'right' : 'left', measurement: match[2] as Measurement }
}
