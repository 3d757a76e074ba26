import type { Warning, Reason, Submission } from '../../src-shared/submission.ts'
import type { Names } from '../privacy/use-names.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

/** A sentence about a name cites what the sources say; while names are hidden it says only that there is one. */
export function reasonText(
  reason: Reason | Warning,
  { fields, images }: Pick<Submission, 'fields' | 'images'>,
  names: Names,
): string {
  const isAboutName =
    reason.field === 'first_name' ||
    reason.field === 'last_name' ||
    reason.kind === 'identityConflict' ||
    reason.kind === 'nameUnclear'
  if (!names.areHidden) return said(reason.message)
  if (isAboutName) return t('privacy:reason')
  const files = images.flatMap(({ fileName }) => [fileName, fileName.split('/').at(-1) ?? fileName])
  const text = files.reduce((all, file) => all.replaceAll(file, names.fileName(file)), said(reason.message))
  return names.text(text, fields)
}
