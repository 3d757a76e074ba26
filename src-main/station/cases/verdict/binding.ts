/** What a record of a data file is to an image: bound to it, a hint about its folder, or nothing. Pure. */
import type { Eye, StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import type { SidecarForm } from '../../outbox/files.ts'
import { folderOf, foldPath, isFileName, nameOf, type Sidecar, stemKeyOf } from '../meaning/sources.ts'
import { folderOfVisit, isDivision, partsOfPath } from '../names/tokens.ts'

/** A record as it is now. */
export type HeldRecord = {
  /** Of the data file, inside the watched folder. */
  readonly path: string
  readonly form: SidecarForm
  readonly record: Sidecar
  /** Its path has held the record of another patient, or it is of another visit: it proposes and proves nothing. */
  readonly onlyDoubts: boolean
}

/**
 * - `bound`  it states the patient, the day and the eye of this very image
 * - `hint`   it lies in the folder of the image: it proposes, and it doubts
 * - `none`   it is of something else
 */
export type Bond = 'bound' | 'hint' | 'none'

/**
 * What else of its folder has had the name of an image.
 *
 * - `once`         nothing has
 * - `sharedStem`   another photograph has its stem, with another extension: a record of the stem is of either
 * - `reused`       other bytes had the whole name, or what is bound to it is stated no more
 */
export type NameUse = 'once' | 'sharedStem' | 'reused'

/**
 * How a record is bound to the files of one image: by its whole name, and once.
 *
 * Bound: a document of the same folder and stem that names no other file; a record that names the file by its exact path,
 * or, in the same folder, by its name. The record of a folder (`case.json`) is bound to the images that it names; to the
 * others it is a hint. What would be bound is a hint if the name was used before (`use`).
 * `others`: the paths of other images; a plain name that is of several states nothing of any in the folders below.
 */
export function bondOf(
  { path, form, record, onlyDoubts }: HeldRecord,
  imagePath: string,
  use: NameUse,
  others: readonly string[] = [],
): Bond {
  const beside = folderOf(path)
  const names = namesIn(record)
  const isNamed = names.some((file) => isFile(beside, file, imagePath, others))
  const isOwn =
    form === 'document' && isOfName(path, imagePath) && isOfStem(names.filter(isFileName), imagePath)
  if (isOwn || isNamed) {
    if (onlyDoubts || use === 'reused') return 'hint'
    // Wherever the device had it: by its whole name, for another file of the stem may be another photograph.
    const isDevicePath = names.some((file) => nameOf(foldPath(file)) === nameOf(foldPath(imagePath)))
    const isWhole = isNamed || isDevicePath || stemKeyOf(path) === foldPath(imagePath)
    const namesOther = names.some(isFileName) && !isWhole
    const isOnce = use === 'once' && !COUNTED.test(stemKeyOf(nameOf(imagePath)))
    return isWhole || (isOnce && !namesOther) ? 'bound' : 'hint'
  }
  if (form !== 'case') return 'none'
  return isOfFolder(beside, imagePath) ? 'hint' : 'none'
}

/** True for a hint that proposes nothing: of a stem that two photographs have, or of a file of the stem in another form. */
export function isOfEither({ form, record }: HeldRecord, uses: readonly NameUse[]): boolean {
  return form === 'document' && (uses.includes('sharedStem') || namesIn(record).some(isFileName))
}

function namesIn({ files, eyes }: Sidecar): readonly string[] {
  return [...files, ...Object.keys(eyes)]
}

/** Two devices count their files alike: so short a number is the stem of either. */
const COUNTED = /^\d{1,4}$/

/** One that names other files alone is of those, wherever the device had them. */
function isOfStem(files: readonly string[], imagePath: string): boolean {
  const stem = stemKeyOf(nameOf(imagePath))
  return files.length === 0 || files.some((file) => stemKeyOf(nameOf(file)) === stem)
}

/** The eye that a bound record states for this image. */
export function eyesIn(
  { path, form, record }: HeldRecord,
  imagePath: string,
  others: readonly string[] = [],
): readonly StatedEye[] {
  const beside = folderOf(path)
  const named = Object.entries(record.eyes).flatMap(([file, eye]): StatedEye[] =>
    eye !== 'unknown' && isFile(beside, file, imagePath, others) ? [eye] : [],
  )
  const isOwn = form === 'document' && isOfName(path, imagePath)
  return [...new Set([...named, ...(isOwn ? (record.ownEyes ?? []) : [])])]
}

/** `a.json` and `a.jpg.json` are of `a.jpg`. */
function isOfName(path: string, imagePath: string): boolean {
  const stem = stemKeyOf(path)
  return stem === stemKeyOf(imagePath) || stem === foldPath(imagePath)
}

/** Do two records of one data file state different eyes for one image? One of them is wrong, and no one knows which. */
export function doEyesDiffer(one: Sidecar, other: Sidecar): boolean {
  const [ours, theirs] = [one.ownEyes ?? [], other.ownEyes ?? []]
  const isOwnOther = ours.length > 0 && theirs.length > 0 && !ours.some((eye) => theirs.includes(eye))
  return isOwnOther || doNamedEyesDiffer(foldedEyes(one), foldedEyes(other))
}

type NamedEye = { readonly file: string; readonly eye: Eye }

function foldedEyes({ eyes }: Sidecar): readonly NamedEye[] {
  return Object.entries(eyes).map(([file, eye]) => ({ file: foldPath(file), eye }))
}

const OPPOSITE = { right: 'left', left: 'right', unknown: null } as const

function doNamedEyesDiffer(ours: readonly NamedEye[], theirs: readonly NamedEye[]): boolean {
  const [own, other] = [filesIn(ours), filesIn(theirs)]
  const byName = Map.groupBy(theirs, ({ file }) => nameOf(file))
  return ours.some(({ file, eye }) =>
    (byName.get(nameOf(file)) ?? []).some(
      (one) =>
        one.eye === OPPOSITE[eye] &&
        // The end of a path means the same file, unless either record names both.
        (one.file === file || (isEndOf(one.file, file) && !own.has(one.file) && !other.has(file))),
    ),
  )
}

function filesIn(eyes: readonly NamedEye[]): ReadonlySet<string> {
  return new Set(eyes.map(({ file }) => file))
}

function isEndOf(one: string, other: string): boolean {
  return one.endsWith(`/${other}`) || other.endsWith(`/${one}`)
}

function isFile(beside: string, file: string, imagePath: string, others: readonly string[]): boolean {
  if (isExactly(beside, file, imagePath)) return true
  return (
    isFileBelow(beside, file, imagePath) &&
    others.every(
      (other) =>
        foldPath(other) === foldPath(imagePath) ||
        !(isExactly(beside, file, other) || isFileBelow(beside, file, other)),
    )
  )
}

function isExactly(beside: string, file: string, imagePath: string): boolean {
  const [exact, image] = [foldPath(beside === '' ? file : `${beside}/${file}`), foldPath(imagePath)]
  return exact === image || stemKeyOf(exact) === image
}

/** Folders that only divide a visit (OD, FOP) may be left out of the name. */
function isFileBelow(beside: string, file: string, imagePath: string): boolean {
  if (file.includes('/')) return false
  const image = foldPath(imagePath)
  const { folders } = partsOfPath(imagePath)
  const start = beside === '' ? 0 : beside.split('/').length
  return (
    image.startsWith(foldPath(beside === '' ? '' : `${beside}/`)) &&
    folders.length > start &&
    folders.slice(start).every(isDivision) &&
    image.endsWith(`/${foldPath(file)}`)
  )
}

/** The record of a folder is of the images in it, and of those in folders that only divide it. */
function isOfFolder(beside: string, imagePath: string): boolean {
  if (beside === '') return false
  const { folders } = partsOfPath(imagePath)
  const inside = folders.slice(beside.split('/').length)
  const [own, around] = [foldPath(folders.join('/')), foldPath(beside)]
  const isInside = own === around || own.startsWith(`${around}/`)
  return isInside && (foldPath(folderOfVisit(imagePath) ?? '') === around || inside.every(isDivision))
}
