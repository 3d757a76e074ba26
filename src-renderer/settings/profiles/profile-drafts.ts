/** What is being written of profiles: the saved ones with changes, and new ones. Pure. */
import type { Profile } from '../../../src-shared/profile.ts'
import { profileById } from '../../../src-shared/shipped-profiles.ts'
import { profileFormOf, readProfileForm, type ProfileForm, type ProfileProblems } from './profile-form.ts'

/** By the id of the saved profile, or by a key of ours for one that is new. */
export type Drafts = Readonly<Record<string, ProfileForm>>

export type ShownProfile = {
  /** What is edited; null for `auto` and shipped profiles, which are only looked at. */
  readonly form: ProfileForm | null
  /** The profile as it is in use; null for `auto` and for new ones. */
  readonly saved: Profile | null
  readonly isDraft: boolean
  readonly isNew: boolean
  /** What the form stands for now; null where it cannot be right. */
  readonly profile: Profile | null
  readonly problems: ProfileProblems
}

export function shownProfile(chosen: string, drafts: Drafts, own: readonly Profile[]): ShownProfile {
  const draft = drafts[chosen]
  const ownSaved = own.find(({ id }) => id === chosen) ?? null
  const form = draft ?? (ownSaved && profileFormOf(ownSaved))
  const saved = profileById(chosen, own)
  const others = own.filter(({ id }) => id !== chosen).map(({ id }) => id)
  const read = form && readProfileForm(form, others)
  return {
    form,
    saved,
    isDraft: draft !== undefined,
    isNew: draft !== undefined && ownSaved === null,
    profile: read ? read.profile : saved,
    problems: read?.problems ?? { fields: {}, patterns: {} },
  }
}

/** A key for a new draft; no profile can have it as its id. */
export function freshKey(drafts: Drafts): string {
  let number = 1
  while (drafts[`?${number}`] !== undefined) number += 1
  return `?${number}`
}

/** The clinic's profiles with one of them written anew, in its place, or as the last one. */
export function withProfile(own: readonly Profile[], replaced: string, profile: Profile): Profile[] {
  return own.some(({ id }) => id === replaced)
    ? own.map((one) => (one.id === replaced ? profile : one))
    : [...own, profile]
}
