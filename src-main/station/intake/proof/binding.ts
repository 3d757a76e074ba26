/** What a record of a data file is to an image: bound to it, a hint about its folder, or nothing. Pure. */
import { foldPath, type Sidecar, type StatedEye, stemKeyOf } from '../evidence.ts'
import { folderOfVisit, isDivision } from './together.ts'
import { partsOfPath } from './tokens.ts'

/** A record as it is now. */
export type HeldRecord = {
  /** Of the data file, inside the watched folder. */
  readonly path: string
  readonly form: 'case' | 'table' | 'document'
  readonly record: Sidecar
  /** This path has held the record of another patient: it proves nothing any more. */
  readonly hasHeldAnother: boolean
}

/**
 * - `bound`  it states the patient, the day and the eye of this very image
 * - `hint`   it lies in the folder of the image: it proposes, and it doubts
 * - `none`   it is of something else
 */
export type Bond = 'bound' | 'hint' | 'none'

/**
 * How a record is bound to the files of one image.
 *
 * Bound: a document of the same folder and stem; a record that names the file by its exact path, or, in the same
 * folder, by its name. The record of a folder (`case.json`) is bound to the images that it names, unless
 * `isReusedName` says that this folder has used the name for other bytes before; to the others it is a hint.
 * `others`: the paths of other images; a plain name that is of several states nothing of any in the folders below.
 */
export function bondOf(
  { path, form, record, hasHeldAnother }: HeldRecord,
  imagePath: string,
  isReusedName: boolean,
  others: readonly string[] = [],
): Bond {
  const beside = folderOf(path)
  if (form === 'document' && stemKeyOf(path) === stemKeyOf(imagePath)) return isReusedName ? 'hint' : 'bound'
  const named = [...record.files, ...Object.keys(record.eyes)].some((file) =>
    isFile(beside, file, imagePath, others),
  )
  if (named) return hasHeldAnother || isReusedName ? 'hint' : 'bound'
  if (form !== 'case') return 'none'
  return isOfFolder(beside, imagePath) ? 'hint' : 'none'
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
  const isOwn = form === 'document' && stemKeyOf(path) === stemKeyOf(imagePath)
  return [...new Set([...named, ...(isOwn ? (record.ownEyes ?? []) : [])])]
}

/** Do two records of one data file state different eyes for one image? One of them is wrong, and no one knows which. */
export function doEyesDiffer(one: Sidecar, other: Sidecar): boolean {
  const [ours, theirs] = [one.ownEyes ?? [], other.ownEyes ?? []]
  const isOwnOther = ours.length > 0 && theirs.length > 0 && !ours.some((eye) => theirs.includes(eye))
  const opposite = { right: 'left', left: 'right', unknown: null } as const
  return isOwnOther || Object.entries(one.eyes).some(([file, eye]) => other.eyes[file] === opposite[eye])
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
  const isInside = folders.join('/') === beside || folders.join('/').startsWith(`${beside}/`)
  return isInside && (folderOfVisit(imagePath) === beside || inside.every(isDivision))
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}
