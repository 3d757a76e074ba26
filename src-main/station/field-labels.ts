import { EYE_CODES } from '../../src-shared/eye.ts'
import { measurementOf, type FieldName } from '../../src-shared/fields.ts'

/** A field by the name that a clinic gives it. */
export function labelOf(name: FieldName): string {
  const measured = measurementOf(name)
  if (!measured) return name.replaceAll('_', ' ')
  return `${EYE_CODES[measured.eye]} ${measured.measurement.replaceAll('_', ' ')}`
}
