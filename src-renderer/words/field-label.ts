import type { FieldName, Measurement } from '../../src-shared/fields.ts'
import type { Words } from './english.ts'
import { t } from './t.ts'

/** A field's name as a label; measurements carry their eye: `IOP, right eye \u2013 OD`. */
export function fieldLabel(name: FieldName): string {
  const match = /^(od|os)_(.+)$/.exec(name)
  if (match === null) return t(`field:patient.${name as keyof Words['field']['patient']}`)
  const eye = t(`field:eye.${match[1] === 'od' ? 'right' : 'left'}.within`)
  return `${t(`field:measurement.${match[2] as Measurement}.name`)}, ${eye}`
}
