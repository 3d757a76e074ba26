/** The verdict on one case: whose pictures, which day, which eye, and whether they belong together. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { verdictOnDay, type PictureOfDay } from './day.ts'
import { verdictsOnEyes, type PictureOfEye } from './eyes.ts'
import { numbersIn } from '../names/numbers.ts'
import type { FolderMemory, PictureOfPatient } from './patient-evidence.ts'
import { type PatientVerdict, statesPatient, verdictOnPatient } from './patient.ts'
import { isSpelledBy } from './second-numbers.ts'
import {
  folderOfVisit,
  isOfOneEye,
  isTakenTwice,
  type LinkedPicture,
  type Together,
  verdictOnTogether,
} from './together.ts'
import { type Statement, valueIn, type Verdict } from './verdict.ts'

/** Everything that is known of one picture. */
export type PictureEvidence = Pick<
  PictureOfPatient,
  | 'id'
  | 'paths'
  | 'ids'
  | 'issuers'
  | 'explained'
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
    readonly eyeDoubts: PictureOfEye['doubts']
    readonly isEyeDisputed: PictureOfEye['isDisputed']
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
  /** Several images of one eye and none of the other, in a folder whose visits hold both: an eye may be wrong. */
  readonly isOneEyed: boolean
  /** The confirmed profiles that read these names. */
  readonly profiles: readonly string[]
}

/** Decides the pictures of one case; excluded ones and twins of others are not among them. */
export function verdictOnVisit(pictures: readonly PictureEvidence[], memory: FolderMemory): VisitVerdict {
  const eyes = weighedEyes(pictures)
  const patientVerdict = verdictOnPatient(pictures.map(patientOf), memory)
  const who = {
    ...weighed(
      patientVerdict,
      pictures.map(({ ids }) => ids),
    ),
    groups: patientVerdict.groups,
  }
  const day = weighedDay(pictures)
  const patient = valueIn(who)
  const linked = pictures.map((picture): LinkedPicture => {
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
  })
  const alone = verdictOnTogether(linked)
  const others = patient === null ? [] : memory.visitsOn(patient, valueIn(day) ?? '')
  const together: Together =
    alone.kind === 'proven' && isTakenTwice(linked, others) ? { kind: 'proposed', why: 'twoBursts' } : alone
  return {
    who,
    day,
    eyes,
    together,
    isOneEyed: memory.holdsBothEyes() && isOfOneEye(linked.map(({ eye }) => eye)),
    profiles: [...new Set(pictures.flatMap(({ profiles }) => profiles))].toSorted(),
  }
}

/** The eye of each picture. */
export function weighedEyes(pictures: readonly PictureEvidence[]): VisitVerdict['eyes'] {
  const byPicture = new Map(pictures.map((picture) => [picture.id, picture.eyes]))
  const verdicts = [...verdictsOnEyes(pictures.map(eyeOf))]
  return new Map(verdicts.map(([id, eye]) => [id, weighed(eye, [byPicture.get(id) ?? []])]))
}

/** The day of the visit. */
export function weighedDay(pictures: readonly PictureEvidence[]): VisitVerdict['day'] {
  return weighed(
    verdictOnDay(pictures.map(dayOf)),
    pictures.map(({ days }) => days),
  )
}

/** What only doubtful statements say of one of the pictures is a proposal. */
export function weighed<Value>(
  verdict: Verdict<Value>,
  ofPictures: readonly (readonly Statement<Value>[])[],
): Verdict<Value> {
  if (verdict.kind !== 'proven') return verdict
  const [first] =
    ofPictures.find((own) => own.length > 0 && own.every(({ doubt }) => doubt !== undefined)) ?? []
  return first?.doubt === undefined ? verdict : { ...verdict, kind: 'proposed', why: first.doubt }
}

function patientOf(picture: PictureEvidence): PictureOfPatient {
  return { ...picture, hints: picture.idHints }
}

/** What is known of the eye of a picture. */
export function eyeOf(picture: PictureEvidence): PictureOfEye {
  return {
    ...picture,
    stated: picture.eyes,
    hints: picture.eyeHints,
    doubts: picture.eyeDoubts,
    isDisputed: picture.isEyeDisputed,
  }
}

/** What is known of the day of a picture. */
export function dayOf(picture: PictureEvidence): PictureOfDay {
  return { ...picture, hints: picture.dayHints }
}
