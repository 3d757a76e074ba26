/** Which pictures belong together: the group of one, the bursts of many, and the verdict on a case. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { bareId, isDayOrTimeOf, isLikeNumber } from '../meaning/numbers.ts'
import { isTimeOfPicture, numbersIn } from '../names/numbers.ts'
import { partsOfPath, remembered, tokensOf } from '../names/tokens.ts'
import type { Doubt, TimedPicture } from './evidence.ts'
import { isImagingTerm, isStorageTerm } from '../meaning/words.ts'

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

/**
 * The nearest folder that may be of one visit: folders that only divide it (`OD`, `FOP`) are skipped. Null if it is a
 * container, which holds the files of many: the watched folder itself, `inbox`, a day, DCIM.
 */
export const folderOfVisit = remembered((relativePath): string | null => {
  const { folders } = partsOfPath(relativePath)
  let end = folders.length
  while (end > 0 && isDivision(folders[end - 1] ?? '')) end -= 1
  const name = folders[end - 1]
  return name === undefined || isContainer(name) ? null : folders.slice(0, end).join('/')
})

/** A folder that only divides one visit, by eye or by kind of image. */
export function isDivision(name: string): boolean {
  const tokens = tokensOf(name)
  if (tokens.length === 0) return false
  return tokens.every(
    ({ kind, folded }) =>
      kind === 'eye' || kind === 'letter' || (isImagingTerm(folded) && !isStorageTerm(folded)),
  )
}

/** A folder that names a place, a store or a day, and no patient. */
export function isContainer(name: string): boolean {
  return tokensOf(name).every((token) => {
    switch (token.kind) {
      case 'date':
        return !token.hasTime
      case 'year':
      case 'counter':
      case 'sequence':
      case 'term':
        return true
      case 'number':
        // Sala 101, ward 12
        return /^\d{1,4}$/.test(token.text)
      default:
        return false
    }
  })
}

/** Ten minutes: the pause after which a camera has another patient before it as often as the same. */
export const BURST_GAP_MS = 10 * MINUTE

/**
 * Parts pictures into bursts: a pause ends one, and so does an eye that comes again after the other one. Pictures of
 * unknown eyes end none.
 */
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
    const isTwice = seriesOf(pictures).filter(hasBothEyes).length > 1
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
export function isTakenTwice(
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
