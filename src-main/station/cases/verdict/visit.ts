/** The verdict on one case: whose pictures, which day, which eye, and whether they belong together. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { verdictOnDay } from './day.ts'
import {
  type Doubt,
  type FolderMemory,
  type PictureEvidence,
  statesPatient,
  valueIn,
  type Verdict,
  weighed,
} from './evidence.ts'
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

/** What a profile would prove is a proposal, also if it explains what disputed before; what it disputes is disputed. */
function reserved<Value>(verdict: Verdict<Value>, asConfirmed: Verdict<Value>, why: Reserve): Verdict<Value> {
  if (asConfirmed.kind === 'disputed') return asConfirmed
  if (verdict.kind === 'proven' || asConfirmed.kind !== 'proven') return verdict
  return { kind: 'proposed', value: asConfirmed.value, by: asConfirmed.by, why }
}
