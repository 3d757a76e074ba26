import { EYE_CODES } from '../../src-shared/eye.ts'
import { measurementOf, type FieldName } from '../../src-shared/fields.ts'

/** What the wire writes short and clinics write otherwise. */
const WRITTEN_OUT: Readonly<Record<string, string>> = { iop: 'IOP', va: 'visual acuity', add: 'addition' }

/** A field by the name that a clinic gives it. */
export function labelOf(name: FieldName): string {
  const measured = measurementOf(name)
  if (!measured) return name.replaceAll('_', ' ')
  const { eye, measurement } = measured
  return `${EYE_CODES[eye]} ${WRITTEN_OUT[measurement] ?? measurement.replaceAll('_', ' ')}`
}
