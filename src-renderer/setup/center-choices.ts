/** What may be chosen as the center of new cases. Pure. */
import type { Center } from '../../src-shared/case.ts'
import { t } from '../words/t.ts'

/** No center has an empty id. */
export const NEVER = ''

export type CenterChoice = { readonly value: string; readonly label: string; readonly description: string }

/** The listed centers, the one that is set where the list does not have it, and none; `null` while there is no list. */
export function centerChoices(listed: readonly Center[] | null, setId: string | null): CenterChoice[] {
  const isListed = listed?.some(({ centerId }) => centerId === setId) ?? false
  return [
    ...(listed ?? []).map(({ centerId, name }) => ({
      value: centerId,
      label: name ?? centerId,
      description: t('setup:center.id', { id: centerId }),
    })),
    ...(setId !== null && !isListed
      ? [
          {
            value: setId,
            label: t('setup:center.id', { id: setId }),
            description: listed === null ? '' : t('setup:center.unlisted'),
          },
        ]
      : []),
    { value: NEVER, label: t('setup:center.never'), description: t('setup:center.neverHint') },
  ]
}
