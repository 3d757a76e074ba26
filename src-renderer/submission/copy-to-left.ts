/** What it means to copy measurements of the right eye to the left. Pure. */
import type { Measurement, MeasurementField } from '../../src-shared/fields.ts'
import { sameBaseOfOtherEye, type PrismCoding } from '../format/prism-base.ts'
import type { EyeValues } from './measurement-notes.ts'

/** What is copied together, by the row that its button stands in. */
export const COPIED_GROUPS = {
  iop: ['iop'],
  va: ['va'],
  refraction: ['sphere', 'cylinder', 'axis', 'add'],
  prism: ['prism', 'prism_base'],
} as const satisfies Record<string, readonly Measurement[]>
export type CopiedGroup = keyof typeof COPIED_GROUPS

/** The values that the left eye gets; null empties what the right eye does not have. */
export function copiedToLeft(
  group: CopiedGroup,
  right: EyeValues,
  coding: PrismCoding,
): readonly (readonly [MeasurementField, number | null])[] {
  return COPIED_GROUPS[group].map((measurement) => {
    const value = right[measurement]
    if (value === undefined) return [`os_${measurement}`, null]
    return [
      `os_${measurement}`,
      measurement === 'prism_base' ? sameBaseOfOtherEye('right', value, coding) : value,
    ]
  })
}
