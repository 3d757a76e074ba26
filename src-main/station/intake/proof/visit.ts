/** The verdict on one case: whose pictures, which day, which eye, and whether they belong together. Pure. */
import type { StatedEye } from '../evidence.ts'
import { verdictOnDay, type PictureOfDay } from './day.ts'
import { verdictsOnEyes, type PictureOfEye } from './eyes.ts'
import { numbersIn } from './numbers.ts'
import type { FolderMemory, PictureOfPatient } from './patient-evidence.ts'
import { type PatientVerdict, statesPatient, verdictOnPatient } from './patient.ts'
import { isSpelledBy } from './second-numbers.ts'
import { folderOfVisit, verdictOnTogether, type Together } from './together.ts'
import { valueIn, type Verdict } from './verdict.ts'

/** Everything that is known of one picture. */
export type PictureEvidence = Pick<
  PictureOfPatient,
  | 'id'
  | 'paths'
  | 'ids'
  | 'people'
  | 'link'
  | 'instants'
  | 'doProfilesDiffer'
  | 'isNamedByRecord'
  | 'isOverwritten'
  | 'isInSharedFolder'
> &
  Pick<PictureOfDay, 'days' | 'births' | 'seenOn' | 'fileDay' | 'isImported'> & {
    readonly eyes: PictureOfEye['stated']
    readonly eyeHints: PictureOfEye['hints']
    readonly idHints: PictureOfPatient['hints']
    readonly dayHints: PictureOfDay['hints']
    /** Ms since 1970, by the camera if it says so, else by the file. */
    readonly takenAt: number
    readonly isReadByProfile: boolean
    /** The confirmed profiles that read its paths. */
    readonly profiles: readonly string[]
  }

export type VisitVerdict = {
  readonly who: PatientVerdict
  readonly day: Verdict<string>
  readonly eyes: ReadonlyMap<string, Verdict<StatedEye>>
  readonly together: Together
  /** The confirmed profiles that read these names. */
  readonly profiles: readonly string[]
}

/** Decides the pictures of one case; excluded ones and twins of others are not among them. */
export function verdictOnVisit(pictures: readonly PictureEvidence[], memory: FolderMemory): VisitVerdict {
  const eyes = verdictsOnEyes(pictures.map(eyeOf))
  const who = verdictOnPatient(pictures.map(patientOf), memory)
  const day = verdictOnDay(pictures.map(dayOf))
  const patient = valueIn(who)
  const together = verdictOnTogether(
    pictures.map((picture) => {
      const { id, paths, link, takenAt, isInSharedFolder } = picture
      const verdict = eyes.get(id)
      // A weak number is the picture's own only if it is the patient's, too: `1_OD` and `2_OS` count.
      const isNamed = paths.some((path) =>
        numbersIn(path).some(
          (number) => number.standing === 'clear' || (patient !== null && isSpelledBy(number, patient)),
        ),
      )
      return {
        id,
        takenAt,
        eye: verdict ? valueIn(verdict) : null,
        own: statesPatient(picture) ? 'stated' : isNamed ? 'named' : null,
        study: link,
        folder: isInSharedFolder ? null : folderOfVisit(paths[0] ?? ''),
      }
    }),
  )
  return {
    who,
    day,
    eyes,
    together,
    profiles: [...new Set(pictures.flatMap(({ profiles }) => profiles))].toSorted(),
  }
}

function patientOf(picture: PictureEvidence): PictureOfPatient {
  return { ...picture, hints: picture.idHints }
}

/** What is known of the eye of a picture. */
export function eyeOf(picture: PictureEvidence): PictureOfEye {
  return { ...picture, stated: picture.eyes, hints: picture.eyeHints }
}

/** What is known of the day of a picture. */
export function dayOf(picture: PictureEvidence): PictureOfDay {
  return { ...picture, hints: picture.dayHints }
}

/** What a verdict allows: to leave unseen, to be approved by a person who looks, or nothing before an answer. */
export type Clearance = 'mayLeaveUnseen' | 'needsLook' | 'needsAnswer'

export function clearanceOf({ who, day, eyes, together }: VisitVerdict): Clearance {
  return clearanceFor([who.kind, day.kind, together.kind, ...[...eyes.values()].map(({ kind }) => kind)])
}

/** What verdicts of these kinds allow together. */
export function clearanceFor(kinds: readonly Verdict<unknown>['kind'][]): Clearance {
  if (kinds.some((kind) => kind === 'disputed' || kind === 'unknown')) return 'needsAnswer'
  return kinds.includes('proposed') ? 'needsLook' : 'mayLeaveUnseen'
}
