import { MEASUREMENTS } from '../../src-shared/fields.ts'
import type { FormFields } from './fields-context.ts'
import type { EyeValues } from './measurement-notes.ts'

/** All measurements of one eye as they are typed now. */
export function eyeValuesOf(prefix: 'od' | 'os', { value }: Pick<FormFields, 'value'>): EyeValues {
  return Object.fromEntries(
    MEASUREMENTS.flatMap((measurement) => {
      const one = value(`${prefix}_${measurement}`)
      return typeof one === 'number' ? [[measurement, one]] : []
    }),
  )
}
