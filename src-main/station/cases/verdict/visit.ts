/** The verdict on one case: whose pictures, which day, which eye, and whether they belong together. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { verdictOnDay } from './day.ts'
import { type FolderMemory, type PictureEvidence, statesPatient } from './evidence.ts'
import { verdictsOnEyes } from './eyes.ts'
import { numbersIn } from '../names/numbers.ts'
import { verdictOnPatient } from './patient.ts'
import { isSpelledBy } from './second-numbers.ts'
import {
  folderOfVisit,
  isOfOneEye,
  isTakenTwice,
  type LinkedPicture,
  type Together,
  verdictOnTogether,
} from './together.ts'
import { valueIn, type Verdict, weighed } from './verdict.ts'

export type VisitVerdict = {
  readonly who: Verdict<string>
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
  const eyes = verdictsOnEyes(pictures)
  const who = weighed(
    verdictOnPatient(pictures, memory),
    pictures.map(({ ids }) => ids),
  )
  const day = verdictOnDay(pictures)
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
