/** What a person's confirmation of a profile is worth: for which files, and at which station. */
import { createHash } from 'node:crypto'
import type { Confirmation, ConfirmedProfile } from '../../../../src-shared/confirmed-profile.ts'
import type { FolderSettings } from '../../../../src-shared/folder-settings.ts'
import type { Doubt, Verdict } from '../verdict/verdict.ts'
import type { VisitVerdict } from '../verdict/visit.ts'
import type { CaseReads } from '../visits/reads.ts'

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

/** How many visits a person looks at before a profile of another station, or of an unknown one, is believed. */
const FIRST_REVIEWS = 5

/** How many visits that this profile proves a person still looks at. */
export function firstReviewsLeft(
  outbox: Pick<CaseReads, 'readFact' | 'countApprovedBy'>,
  folder: Pick<FolderSettings, 'path' | 'firstReviews'>,
  { id, confirmed }: Pick<ConfirmedProfile, 'id' | 'confirmed'>,
): number {
  const isOfHere = confirmed?.station === (outbox.readFact('stationId') ?? '')
  if (isOfHere || folder.firstReviews === 'waived') return 0
  return FIRST_REVIEWS - Math.min(FIRST_REVIEWS, outbox.countApprovedBy(folder.path, id, FIRST_REVIEWS))
}

/**
 * What confirmed profiles say of names without proving them; of several, the first holds for a case.
 *
 * - `notConfirmed`        the folder has confirmed profiles, and none reads these names
 * - `firstReviews`        one reads them that was confirmed at another station, and whose first visits are looked at
 * - `beforeConfirmation`  one reads them, and was confirmed after the files came
 */
export const RESERVES = ['notConfirmed', 'firstReviews', 'beforeConfirmation'] as const

export type Reserve = (typeof RESERVES)[number]

/**
 * The verdict on a visit beside what all its confirmed profiles read: what they would prove is proposed, with the reason
 * why they do not; what they dispute is disputed. `asConfirmed` is the verdict as if they proved it.
 */
export function withReserve(visit: VisitVerdict, asConfirmed: VisitVerdict, why: Reserve): VisitVerdict {
  if (why === 'notConfirmed')
    return {
      ...visit,
      who: unmatched(visit.who),
      day: unmatched(visit.day),
      together: unmatched(visit.together),
      eyes: new Map([...visit.eyes].map(([id, verdict]) => [id, unmatched(verdict)])),
    }
  const who = reserved(visit.who, asConfirmed.who, why)
  const day = reserved(visit.day, asConfirmed.day, why)
  const isTogether = visit.together.kind === 'proven' || asConfirmed.together.kind !== 'proven'
  const together = isTogether ? visit.together : { kind: 'proposed' as const, why }
  const eyes = new Map(
    [...visit.eyes].map(([id, eye]) => [id, reserved(eye, asConfirmed.eyes.get(id) ?? eye, why)]),
  )
  const isAsBefore =
    who === visit.who &&
    day === visit.day &&
    isTogether &&
    [...eyes].every(([id, eye]) => eye === visit.eyes.get(id))
  if (isAsBefore) return visit
  const { isOneEyed, profiles } = asConfirmed
  return { who, day, together, eyes, isOneEyed, profiles }
}

function unmatched<Part extends { readonly kind: string; readonly why?: Doubt }>(part: Part): Part {
  return part.kind === 'proposed' && part.why === 'readFromNames' ? { ...part, why: 'notConfirmed' } : part
}

/** Never more than before: what a profile would prove is a proposal, and a dispute stays one. */
function reserved<Value>(verdict: Verdict<Value>, asConfirmed: Verdict<Value>, why: Reserve): Verdict<Value> {
  if (asConfirmed.kind === 'disputed') return asConfirmed
  if (verdict.kind === 'proven' || asConfirmed.kind !== 'proven') return verdict
  return { kind: 'proposed', value: asConfirmed.value, by: asConfirmed.by, why }
}
