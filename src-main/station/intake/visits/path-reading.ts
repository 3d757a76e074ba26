import type { Profile } from '../../../../src-shared/profile.ts'
import { groupOf } from '../group-of.ts'
import type { StatedEye } from '../eye-statements.ts'
import { readByProfile, type ProfileReading } from '../profile/read-by-profile.ts'
import type { Group, Stated } from '../recognition.ts'

/** What a path says of the image that it names, by the folder's profile and by the rules that need none. */
export type PathReading = Omit<Group, 'key'> & {
  readonly lastName: Stated<string> | null
  readonly firstName: Stated<string> | null
  /** `HH:MM:SS`, where a pattern reads one. */
  readonly time: string | null
  readonly eye: EyeInPath
  /** A pattern of the clinic's own named the patient. */
  readonly isPatientByOwnProfile: boolean
  /** Sentences about what a pattern could not read. */
  readonly unclear: readonly string[]
}

/** `byWords`: no pattern says where the eye stands, so whole words are looked for. */
export type EyeInPath =
  | { readonly kind: 'byPattern'; readonly eye: Stated<StatedEye> | null }
  | { readonly kind: 'byWords' }

/** How the paths of one folder are read. `profile` is null for `auto`. */
export type PathRules = { readonly profile: Profile | null; readonly isOwnProfile: boolean }

/** Reads a path inside the watched folder. What a profile does not read is read as `auto` does. */
export function readPath(rules: PathRules, relativePath: string): PathReading {
  const found = rules.profile === null ? null : readByProfile(rules.profile, relativePath)
  const { key: _key, ...group } = groupOf(relativePath)
  if (found === null || rules.profile === null) return { ...group, ...NOTHING_BY_PATTERN }
  return {
    ...(found.historyNumber === null ? group : groupByProfile(found, found.historyNumber)),
    visitDate: found.visitDate ?? group.visitDate,
    otherDate: found.visitDate === null ? group.otherDate : null,
    lastName: found.lastName,
    firstName: found.firstName,
    time: found.time,
    eye: found.isEyePlaced ? { kind: 'byPattern', eye: found.eye } : { kind: 'byWords' },
    isPatientByOwnProfile: rules.isOwnProfile && found.historyNumber !== null,
    unclear: found.unclear,
  }
}

const NOTHING_BY_PATTERN = {
  lastName: null,
  firstName: null,
  time: null,
  eye: { kind: 'byWords' },
  isPatientByOwnProfile: false,
  unclear: [],
} as const satisfies Partial<PathReading>

function groupByProfile(
  found: ProfileReading,
  historyNumber: Stated<string>,
): Pick<Group, 'owner' | 'historyNumber' | 'conflict' | 'isIdentityAgreed'> {
  return {
    owner: ['patient', historyNumber.value.toLowerCase()],
    historyNumber,
    conflict: null,
    isIdentityAgreed: found.isIdentityRepeated,
  }
}
