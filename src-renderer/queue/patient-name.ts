import type { Fields } from '../../src-shared/fields.ts'
import { t } from '../words/t.ts'

/** `Example, Ana`, or whichever part is known; null where none is. Screens show it by `useNames`. */
export function patientNameOf(fields: Fields): string | null {
  return [fields.last_name, fields.first_name].filter(Boolean).join(', ') || null
}

/** How a person is named to a screen reader and in questions: the number first, as clinics do. */
export function whoIs(fields: Fields, sayName: (name: string) => string = (name) => name): string {
  const name = patientNameOf(fields)
  return [fields.history_number ?? t('queue:noHistoryNumber'), name === null ? null : sayName(name)]
    .filter(Boolean)
    .join(', ')
}
