/** What a person's confirmation of a profile is worth: for which files, and at which station. Pure. */
import { createHash } from 'node:crypto'
import type { Confirmation, ConfirmedProfile } from '../../../../src-shared/confirmed-profile.ts'
import type { FolderSettings } from '../../../../src-shared/folder-settings.ts'
import type { SettingSource } from '../../../../src-shared/settings.ts'

/**
 * The SHA-256 of what a person confirmed: patterns, formats and lists as canonical JSON, lower-case hexadecimal. Absent
 * and null are the same, so that an option of a later program does not change it.
 */
export function digestOf(profile: Pick<ConfirmedProfile, 'parts' | 'extensions'>): string {
  const { parts, extensions } = profile
  const known = digests.get(profile)
  if (known !== undefined) return known
  const digest = createHash('sha256').update(canonicalJson({ parts, extensions })).digest('hex')
  digests.set(profile, digest)
  return digest
}

/** Profiles are never changed in place, and each picture asks again. */
const digests = new WeakMap<Pick<ConfirmedProfile, 'parts' | 'extensions'>, string>()

/** Keys in order, without nulls. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, part]) => part !== null && part !== undefined)
  return `{${entries
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`)
    .join(',')}}`
}

/** The profile as a person with these initials confirms it at this station; `now` in epoch milliseconds. */
export function confirm(
  profile: ConfirmedProfile,
  { by, now, station }: { readonly by: string; readonly now: number; readonly station: string },
): ConfirmedProfile {
  return {
    ...profile,
    confirmed: { by, at: new Date(now).toISOString(), digest: digestOf(profile), station },
  }
}

/** The confirmation if it is of exactly this profile; null if there is none, or the profile was changed since. */
export function confirmationOf(profile: ConfirmedProfile): Confirmation | null {
  const { confirmed } = profile
  return confirmed !== null && confirmed.digest === digestOf(profile) ? confirmed : null
}

/** Does the profile prove a file first seen at this instant, in epoch milliseconds? Older files were not meant by it. */
export function provesFile(profile: ConfirmedProfile, firstSeenAt: number): boolean {
  const confirmed = confirmationOf(profile)
  return confirmed !== null && firstSeenAt > Date.parse(confirmed.at)
}

/** How many visits a person looks at before a profile of another station is believed. */
const FIRST_REVIEWS = 5

/**
 * Does a person still look at the visits that this profile proves? `visitsSoFar`: how many of its visits were approved
 * at this station.
 */
export function needsFirstReviews(
  { confirmed }: Pick<ConfirmedProfile, 'confirmed'>,
  stationId: string,
  visitsSoFar: number,
  isWaived: boolean,
): boolean {
  return !isWaived && confirmed?.station !== stationId && visitsSoFar < FIRST_REVIEWS
}

/** Are the first looks waived? Only by an enforced policy; `source`: of the folder's settings. */
export function areFirstReviewsWaived(
  { firstReviews }: Pick<FolderSettings, 'firstReviews'>,
  source: SettingSource | null,
): boolean {
  return firstReviews === 'waived' && source === 'policyEnforced'
}
