/** The verdict on one case: whose pictures, which day, which eye, and which pictures belong together. Pure. */
import { MINUTE } from '../../../../src-shared/durations.ts'
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { bareId, isDayOrTimeOf, isLikeNumber } from '../meaning/numbers.ts'
import { isTimeOfPicture, numbersIn } from '../names/numbers.ts'
import { folderOfVisit, partsOfPath } from '../names/tokens.ts'
import { verdictOnDay } from './day.ts'
import {
  type Doubt,
  type FolderMemory,
  type Pictures,
  statesPatient,
  type TimedPicture,
  valueIn,
  type Verdict,
  weighed,
} from './evidence.ts'
import { verdictsOnEyes } from './eyes.ts'
import { verdictOnPatient } from './patient.ts'
import { isSpelledBy } from './second-numbers.ts'

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
export function verdictOnVisit(pictures: Pictures, memory: FolderMemory): VisitVerdict {
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

/**
 * What one picture alone says about the case that it belongs to, and `of` which numbers, study or folder.
 *
 * - `patient`     a number, stated or read in names, as `bareId` folds it
 * - `weakNumber`  a number that may as well count the images
 * - `conflict`    several numbers, none of which can be chosen: it stays apart from the patients of all of them
 * - `study`       no number, but a DICOM study
 * - `folder`      no number, but a folder of its own
 * - `loose`       nothing but its folder and its time
 */
export type Group = {
  readonly kind: 'patient' | 'weakNumber' | 'conflict' | 'study' | 'folder' | 'loose'
  readonly of: readonly string[]
}

export type GroupedPicture = {
  readonly path: string
  /** Ids that sources other than names state. */
  readonly ids: readonly string[]
  readonly study: string | null
  /** True for folders that have held two patients: they hold nothing together any more. */
  readonly isSharedFolder: (path: string) => boolean
  /** Ms since 1970, by the camera and by the file. */
  readonly instants: readonly number[]
}

/** The group of one picture, the same whenever and in whatever order it arrives. */
export function groupOf({ path, ids, study, isSharedFolder, instants }: GroupedPicture): Group {
  const numbersStated = ids.filter((id) => isLikeNumber(id) && !isDayOrTimeOf(id, instants, []))
  if (numbersStated.length > 0) return ofNumbers(numbersStated.map(bareId))
  const numbers = numbersIn(path).filter((number) => !isTimeOfPicture(number, instants))
  const inFile = numbers.filter(({ source }) => source === 'fileName')
  const inFolders = numbers.filter(({ source }) => source === 'folderName')
  const agreed = inFile.find(({ core }) => inFolders.some((other) => other.core === core))
  if (agreed) return ofNumbers([agreed.core])
  const clear = numbers.filter(({ standing }) => standing === 'clear')
  if (clear.length > 0) return ofNumbers(clear.map(({ core }) => core))
  if (study !== null) return { kind: 'study', of: [study] }
  const folder = folderOfVisit(path)
  if (folder !== null && !isSharedFolder(folder)) return { kind: 'folder', of: [folder] }
  // A weak number joins what shares it: 10_left and 10_right.
  const [weak] = inFile
  if (weak) return { kind: 'weakNumber', of: [weak.core] }
  return { kind: 'loose', of: [partsOfPath(path).folders.join('/')] }
}

function ofNumbers(cores: readonly string[]): Group {
  const different = [...new Set(cores)].toSorted()
  return { kind: different.length === 1 ? 'patient' : 'conflict', of: different }
}

/** Ten minutes: the pause after which a camera has another patient before it as often as the same. */
export const BURST_GAP_MS = 10 * MINUTE

/** Parts pictures into bursts: a pause ends one, and an eye that comes again after the other one; an unknown eye does not. */
export function burstsOf(
  pictures: readonly TimedPicture[],
  pauseMs = BURST_GAP_MS,
  isOfNext: (burst: readonly TimedPicture[], next: TimedPicture) => boolean = isSecondPass,
): readonly (readonly TimedPicture[])[] {
  const sorted = pictures.toSorted(
    (one, other) => one.takenAt - other.takenAt || (one.id < other.id ? -1 : 1),
  )
  const bursts: TimedPicture[][] = []
  for (const picture of sorted) {
    const burst = bursts.at(-1)
    const last = burst?.at(-1)
    if (burst && last && picture.takenAt - last.takenAt <= pauseMs && !isOfNext(burst, picture))
      burst.push(picture)
    else bursts.push([picture])
  }
  return bursts
}

function isSecondPass(burst: readonly TimedPicture[], next: TimedPicture): boolean {
  if (next.eye === null) return false
  const eyes = burst.flatMap(({ eye }) => (eye === null ? [] : [eye]))
  return eyes.includes(next.eye) && eyes.at(-1) !== next.eye
}

/** How pictures of one case hang together. */
export type Together =
  | { readonly kind: 'proven' }
  | { readonly kind: 'proposed'; readonly why: Doubt }
  | { readonly kind: 'unknown'; readonly why: Doubt; readonly groups: readonly (readonly string[])[] }

export type LinkedPicture = TimedPicture & {
  /** Its own statement of the patient: a stated id, a number in its names, or null. */
  readonly own: 'stated' | 'named' | null
  readonly study: string | null
  readonly folder: string | null
}

/**
 * Decides whether the pictures of a case are of one patient and visit.
 *
 * Stated ids hold pictures together. What has only a number in its names, a study, a folder or a burst is a proposal.
 * Pictures that share nothing, or whose burst goes through both eyes twice, are a question: how many patients?
 */
export function verdictOnTogether(pictures: readonly LinkedPicture[]): Together {
  if (pictures.length < 2 || pictures.every(({ own }) => own === 'stated')) return { kind: 'proven' }
  const stated = new Set(
    pictures.flatMap(({ own, study }) => (own === 'stated' && study !== null ? [study] : [])),
  )
  if (pictures.every(({ own, study }) => own === 'stated' || (study !== null && stated.has(study))))
    return { kind: 'proven' }
  const bursts = burstsOf(pictures)
  if (pictures.every(({ own }) => own !== null)) {
    const isTwice = seriesOf(pictures, CHANGE_MS).filter(hasBothEyes).length > 1
    return { kind: 'proposed', why: isTwice ? 'twoBursts' : 'readFromNames' }
  }
  const isOne = bursts.length === 1 || isOfOne(pictures, ({ study }) => study)
  const isOfOneFolder = isOfOne(pictures, ({ folder }) => folder)
  // A folder of its own holds a visit together, but not two passes over both eyes; an unknown eye may be either.
  if (isOne || (isOfOneFolder && bursts.filter(mayHoldBothEyes).length < 2))
    return { kind: 'proposed', why: 'readFromNames' }
  return { kind: 'unknown', why: 'noLink', groups: bursts.map((burst) => burst.map(({ id }) => id)) }
}

/** Pictures between pauses, however often the eye changes. */
function seriesOf(
  pictures: readonly TimedPicture[],
  pauseMs = BURST_GAP_MS,
): readonly (readonly TimedPicture[])[] {
  return burstsOf(pictures, pauseMs, () => false)
}

/** Long enough to change the patient before a camera, and longer than one person pauses between two photographs. */
const CHANGE_MS = 3 * MINUTE

/** Pupils that are widened between two passes take longer. */
const SOON_MS = 20 * MINUTE

/**
 * True if one number was photographed twice, with both eyes each time and soon after another: it may not have been changed
 * at the camera. `others` are the other cases of this number on this day.
 */
function isTakenTwice(
  pictures: readonly TimedPicture[],
  others: readonly (readonly TimedPicture[])[],
): boolean {
  const own = seriesOf(pictures, CHANGE_MS).filter(hasBothEyes)
  return own.some((series, at) =>
    [...own.slice(at + 1), ...others.filter(hasBothEyes)].some((other) => {
      const [times = [], theirs = []] = [series, other].map((each) => each.map(({ takenAt }) => takenAt))
      const [first, last] = [Math.min(...times), Math.max(...times)]
      return Math.min(...theirs) - last <= SOON_MS && first - Math.max(...theirs) <= SOON_MS
    }),
  )
}

/** Fewer visits show no habit. */
const FEW_VISITS = 3

/** True if visits of a folder normally hold both eyes: three of four that have left. */
export function isHabitOfBoth({ both, one }: { readonly both: number; readonly one: number }): boolean {
  return both >= FEW_VISITS && both >= one * 3
}

/** True for two images and more of one eye, and none of the other or of an unknown one. */
export function isOfOneEye(eyes: readonly (StatedEye | null)[]): boolean {
  return eyes.length > 1 && eyes[0] !== null && eyes.every((eye) => eye === eyes[0])
}

function hasBothEyes(burst: readonly TimedPicture[]): boolean {
  return new Set(burst.flatMap(({ eye }) => (eye === null ? [] : [eye]))).size === 2
}

function mayHoldBothEyes(burst: readonly TimedPicture[]): boolean {
  return hasBothEyes(burst) || burst.some(({ eye }) => eye === null)
}

function isOfOne(
  pictures: readonly LinkedPicture[],
  keyOf: (picture: LinkedPicture) => string | null,
): boolean {
  const keys = new Set(pictures.map(keyOf))
  return keys.size === 1 && !keys.has(null)
}
