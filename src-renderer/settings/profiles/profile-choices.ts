/** The profiles that there are, as a list to choose from. Pure. */
import type { Profile } from '../../../src-shared/profile.ts'
import { SHIPPED_PROFILES } from '../../../src-shared/shipped-profiles.ts'
import { SETTINGS_WORDS } from '../../words/settings-words.ts'
import type { Drafts } from './profile-drafts.ts'

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
  const words = SETTINGS_WORDS.profiles
  const choiceOf = ({ id, title }: Profile): Choice => ({
    value: id,
    label: drafts[id] ? words.draft(title) : title,
  })
  const isSaved = (key: string): boolean => own.some(({ id }) => id === key)
  const fresh = Object.entries(drafts)
    .filter(([key]) => !isSaved(key))
    .map(([key, { title }]): Choice => ({ value: key, label: words.draft(title) }))
  const shipped = SHIPPED_PROFILES.map(({ profile }) => profile).filter(({ id }) => !isSaved(id))
  const isThere =
    chosen === 'auto' || [...own, ...shipped].some(({ id }) => id === chosen) || drafts[chosen] !== undefined
  return [
    { value: 'auto', label: words.auto },
    ...(isThere ? [] : [{ value: chosen, label: words.gone(chosen) }]),
    ...(own.length + fresh.length > 0 ? [{ group: words.own, items: [...own.map(choiceOf), ...fresh] }] : []),
    { group: words.shipped, items: shipped.map(choiceOf) },
  ]
}
