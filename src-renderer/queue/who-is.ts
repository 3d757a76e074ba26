import type { Fields } from '../../src-shared/fields.ts'
import { patientNameOf } from '../../src-shared/patient-name.ts'
import { t } from '../words/t.ts'

/** How a person is named to a screen reader and in questions: the number first, as clinics do. */
export function patientLabel(fields: Fields, formatName: (name: string) => string = (name) => name): string {
  const name = patientNameOf(fields)
  return [fields.history_number ?? t('queue:noHistoryNumber'), name === null ? null : formatName(name)]
    .filter(Boolean)
    .join(', ')
}
