import type { Fields } from '../../src-shared/fields.ts'
import type { Oddity, Reason } from '../../src-shared/submission.ts'
import type { Names } from '../privacy/use-names.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

/** A sentence about a name cites what the sources say; while names are hidden it says only that there is one. */
export function reasonText(reason: Reason | Oddity, fields: Fields, names: Names): string {
  const isAboutName =
    reason.field === 'first_name' ||
    reason.field === 'last_name' ||
    reason.kind === 'identityConflict' ||
    reason.kind === 'nameUnclear'
  return names.areHidden && isAboutName ? t('privacy:reason') : names.within(said(reason.message), fields)
}
