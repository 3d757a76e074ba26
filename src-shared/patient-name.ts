import type { Fields } from './fields.ts'

/**
 * `Example, Ana`, or whichever part is known; null where none is. Everywhere alike, so that one person reads as one.
 * Screens show it by `useNames`, which may hide it.
 */
export function patientNameOf(fields: Fields): string | null {
  return [fields.last_name, fields.first_name].filter(Boolean).join(', ') || null
}
