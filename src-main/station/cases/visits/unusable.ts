/** Files that a visit should have and that cannot be used: whose they are by their names, and which image replaces one. */
import { HOUR } from '../../../../src-shared/durations.ts'
import { isUnsent } from '../../../../src-shared/states.ts'
import { isPending, type UnusableWhy } from '../../../../src-shared/submission.ts'
import { fieldsColumn, sourcesColumn, unusableFromRow } from '../../json-columns.ts'
import { companionKind, isJunkFile, isSidecar } from '../../lib/files.ts'
import type { SubmissionRow } from '../../outbox/rows.ts'
import type { UnusableRow } from '../../outbox/unusable-files.ts'
import type { FileMark } from '../../watch/watch.ts'
import { foldPath, stemKeyOf } from '../meaning/sources.ts'
import { ignoredTermOf } from '../folders/ignored-files.ts'
import { verdictsOnEyes } from '../verdict/eyes.ts'
import { bareId } from '../meaning/numbers.ts'
import { numbersIn } from '../names/numbers.ts'
import { BURST_GAP_MS } from '../verdict/together.ts'
import { valueIn } from '../verdict/verdict.ts'
import { visitFolderOf, type VisitIdentity } from './identity.ts'
import {
  type CollectedPicture,
  collectPicture,
  readingOf,
  unusableImage,
  type ReadContext,
} from './pictures.ts'
import type { ImageFile } from './reads.ts'
import { type AssignContext, isJoinable, isOpen, submissionsOfVisit } from './visits.ts'

/** Names under which cameras write images: those that are taken, and those whose format no one reads here. */
const IMAGE_NAME = /\.(?:jpe?g|jfif|png|tiff?|bmp|dib|dcm|dicom|jp2|j2k|jpf|jpx|hei[cf]|webp|gif)$/i

/** DICOM files often have no extension, or the last number of a UID in its place. */
const BARE_NAME = /(?:^|\/)[^/.]+$|\.\d+$/

/** Of these the content was recognised as that of an image. */
const IMAGE_BY_CONTENT: readonly UnusableWhy[] = ['damaged', 'malformed', 'truncated']

/** Does the name of this file promise an image of a visit, and do no settings leave it alone? */
export function mayBeImage(
  context: ReadContext,
  { folderPath, relativePath }: Pick<FileMark, 'folderPath' | 'relativePath'>,
  why: UnusableWhy,
): boolean {
  const name = relativePath.slice(relativePath.lastIndexOf('/') + 1)
  if (companionKind(name) !== null || isSidecar(name) || isJunkFile(name)) return false
  if (ignoredTermOf(readingOf(context.settings(), folderPath), relativePath) !== null) return false
  return IMAGE_NAME.test(name) || (BARE_NAME.test(name) && IMAGE_BY_CONTENT.includes(why))
}

/** Does the name alone say that there is a visit: by a number, an eye or a folder of its own? */
export function saysVisit({ heldBy, eye }: VisitIdentity): boolean {
  return heldBy !== 'loose' || eye !== null
}

/** Files of one visit come within these times of another. */
const VISIT_MS = 12 * HOUR

/**
 * The case to which the file belongs by its name; null if there is none. The rules are those for an image with nothing
 * but a name, and the images beside it, which may state more than their names. Unsent cases before sent ones.
 */
export function caseOfUnusable(
  context: AssignContext,
  folderPath: string,
  file: ImageFile,
  identity: VisitIdentity,
  exceptId?: string,
): SubmissionRow | null {
  const isAllowed = (row: SubmissionRow): boolean =>
    row.id !== exceptId && mayTie(row, file.file_name, identity)
  const ofVisit = submissionsOfVisit(context, folderPath, identity).filter(isAllowed)
  const found =
    ofVisit.length > 0 ? ofVisit : neighboursOf(context, folderPath, file, identity).filter(isAllowed)
  return found.toReversed().find(isOpen) ?? found.find(({ state }) => isUnsent(state)) ?? found[0] ?? null
}

/** A number that a person entered binds only its own files. Without one, time and folder suffice: a person is asked. */
function mayTie(row: SubmissionRow, path: string, { heldBy }: VisitIdentity): boolean {
  if (sourcesColumn.read(row.sources).history_number !== 'person') return true
  if (heldBy === 'loose' || heldBy === 'folder') return true
  const entered = fieldsColumn.read(row.fields).history_number
  return (
    entered !== undefined &&
    numbersIn(path).some(({ readings }) => readings.some((reading) => bareId(reading) === bareId(entered)))
  )
}

/** Cases of about that time: of the patient in the name, any day; without a number, of the folder, nearest first. */
function neighboursOf(
  { outbox }: AssignContext,
  folderPath: string,
  file: ImageFile,
  { heldBy, isLoose, key, picture }: VisitIdentity,
): SubmissionRow[] {
  if (heldBy === 'conflict') return []
  const span = isLoose ? BURST_GAP_MS : VISIT_MS
  const at = picture.takenAt
  if (heldBy === 'patient' || heldBy === 'weakNumber') {
    const owner: readonly unknown[] = (JSON.parse(key) as readonly unknown[]).slice(0, -1)
    return outbox
      .submissionsOfGroupsFrom(folderPath, JSON.stringify(owner).slice(0, -1))
      .filter(({ id }) => outbox.imageRowsOf(id).some((image) => Math.abs(image.mtime_ms - at) <= span))
      .toReversed()
  }
  const directory = visitFolderOf(file.file_name)
  const nearest = outbox
    .imagesNear(folderPath, directory, [at - span, at + span])
    .filter(({ file_name }) => foldPath(visitFolderOf(file_name)) === foldPath(directory))
    .toSorted((one, other) => Math.abs(one.mtime_ms - at) - Math.abs(other.mtime_ms - at))
  const [id] = nearest.map(({ submission_id }) => submission_id)
  return id === undefined ? [] : [outbox.rowOf(id) ?? []].flat()
}

/** The unusable files of a case with their eyes, as far as names and data files state them. */
export function withEyesOfUnusable(
  context: ReadContext,
  files: readonly UnusableRow[],
  images: readonly CollectedPicture[],
): readonly UnusableRow[] {
  if (files.length === 0) return files
  const own = files.map((row) => collectPicture(context, row.folder_path, [unusableImage(row)]))
  const ownIds = new Set(own.map(({ id }) => id))
  const pictures = [...images.filter(({ id }) => !ownIds.has(id)), ...own]
  const verdicts = verdictsOnEyes(pictures)
  return files.map((row) => {
    const verdict = verdicts.get(row.id)
    return { ...row, eye: (verdict && valueIn(verdict)) ?? 'unknown' }
  })
}

export function baseNameOf(relativePath: string): string {
  return relativePath.slice(relativePath.lastIndexOf('/') + 1)
}

/**
 * What a new image is to a file of its name that could not be used.
 *
 * - `itself`   the very file, unchanged, that can be read now: it goes to the case of its own evidence
 * - `proven`   it states the id of the case that waits: it joins
 * - `asked`    it joins, and a person says whether it is the new export
 */
export type NewExport = { readonly file: UnusableRow; readonly kind: 'itself' | 'proven' | 'asked' }

/** The file whose new export this image is, or may be; null if none is awaited, or if it states another patient. */
export function newExportOf(
  context: AssignContext,
  reading: ReadContext,
  mark: FileMark,
  image: ImageFile,
): NewExport | null {
  const { outbox } = context
  const files = reading.outbox
    .unusableOfStems(mark.folderPath, [stemKeyOf(mark.relativePath)])
    .filter((row) => isPending(unusableFromRow(row)))
  // Nearly always.
  if (files.length === 0) return null
  const itself = files.find(
    (file) =>
      file.relative_path === mark.relativePath &&
      file.size_bytes === mark.sizeBytes &&
      file.mtime_ms === mark.mtimeMs &&
      file.crc32 === (mark.crc32 ?? null),
  )
  // Other bytes under its name, size and time are no completed file.
  if (itself && !outbox.isRewritten(mark)) return { file: itself, kind: 'itself' }
  const stated = collectPicture(reading, mark.folderPath, [image]).ids.map(({ value }) => bareId(value))
  for (const file of files) {
    const row = file.submission_id === null ? undefined : outbox.rowOf(file.submission_id)
    // Another image is asked about already.
    if (row === undefined || !isJoinable(context, row) || file.new_export_id !== null) continue
    const own = fieldsColumn.read(row.fields).history_number
    if (own === undefined || stated.length === 0) return { file, kind: 'asked' }
    if (stated.every((id) => id === bareId(own))) return { file, kind: 'proven' }
  }
  return null
}
