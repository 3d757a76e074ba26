/** The profiles that there are, as a list to choose from. Pure. */
import type { Profile } from '../../../src-shared/profile.ts'
import { SHIPPED_PROFILES } from '../../../src-shared/shipped-profiles.ts'
import type { Drafts } from './profile-drafts.ts'
import { said } from '../../words/said.ts'
import { t } from '../../words/t.ts'

type Choice = { readonly value: string; readonly label: string }
export type ProfileChoice = Choice | { readonly group: string; readonly items: readonly Choice[] }

/**
 * `auto`, the clinic's own profiles, and the shipped ones that none of them takes the place of. `chosen` is listed in
 * any case, so that a profile that has gone is not shown as another one.
 */
export function profileChoices(
  own: readonly Profile[],
  chosen: string,
  drafts: Drafts = {},
): readonly ProfileChoice[] {
  const choiceOf = ({ id, title }: Profile): Choice => ({
    value: id,
    label: drafts[id] ? t('settings:profiles.draft', { title }) : title,
  })
  const isSaved = (key: string): boolean => own.some(({ id }) => id === key)
  const fresh = Object.entries(drafts)
    .filter(([key]) => !isSaved(key))
    .map(([key, { title }]): Choice => ({ value: key, label: t('settings:profiles.draft', { title }) }))
  const shipped = SHIPPED_PROFILES.map(({ profile }) => profile).filter(({ id }) => !isSaved(id))
  const isThere =
    chosen === 'auto' || [...own, ...shipped].some(({ id }) => id === chosen) || drafts[chosen] !== undefined
  return [
    { value: 'auto', label: t('settings:profiles.auto') },
    ...(isThere ? [] : [{ value: chosen, label: t('settings:profiles.gone', { id: chosen }) }]),
    ...(own.length + fresh.length > 0
      ? [{ group: t('settings:profiles.own'), items: [...own.map(choiceOf), ...fresh] }]
      : []),
    {
      group: t('settings:profiles.shipped'),
      items: shipped.map((profile) => choiceOf({ ...profile, title: said(profile.title) })),
    },
  ]
}
