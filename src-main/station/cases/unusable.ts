/** Files that cannot be used: which case each belongs to, which waits for a person from then on, and its new export. */
import { HOUR } from '../../../src-shared/durations.ts'
import type { FolderReading } from '../../../src-shared/folder-settings.ts'
import { isUnsent } from '../../../src-shared/states.ts'
import { isPending, type UnusableWhy } from '../../../src-shared/submission.ts'
import { worded, wordingOf } from '../../../src-shared/wording.ts'
import { fieldsColumn, sourcesColumn, unusableFromRow, wordingToText } from '../json-columns.ts'
import { companionKind, isJunkFile, isSidecar } from '../lib/files.ts'
import type { Suspicion } from '../lib/poison.ts'
import { ignoringStorageErrors } from '../lib/storage-faults.ts'
import { discardEmptied } from '../merge-submissions.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { UnusableRow } from '../outbox/unusable-files.ts'
import type { FileMark, UnusableMark } from '../../reader/watch-messages.ts'
import { bareId } from './meaning/numbers.ts'
import { foldPath, nameOf, stemKeyOf } from './meaning/sources.ts'
import { numbersIn } from './names/numbers.ts'
import {
  type IngestContext,
  type IngestResult,
  noteFor,
  type RefreshContext,
  refreshSubmission,
  refreshSubmissions,
} from './settle.ts'
import { BURST_GAP_MS } from './verdict/visit.ts'
import {
  collectEvidence,
  visitFolderOf,
  type VisitIdentity,
  visitIdentityFor,
  withEyesOfUnusable,
} from './visits/identity.ts'
import { collectPicture, type InFolder, readingOf, unusableImage } from './visits/pictures.ts'
import type { ImageFile } from './visits/reads.ts'
import {
  type AssignContext,
  type AssignFolder,
  createVisit,
  isJoinable,
  isOpen,
  isTouchedByPerson,
  submissionsOfVisit,
} from './visits/visits.ts'

/**
 * The term of the settings because of which this file is ignored, or null. A term counts as a whole word in the file
 * name, or as a whole folder name: a patient's folder is not ignored for a part of a name.
 */
export function ignoredTermOf(
  { leaveAlone }: Pick<FolderReading, 'leaveAlone'>,
  relativePath: string,
): string | null {
  const names = foldPath(relativePath)
    .replace(/\.[a-z][a-z\d]{0,4}$/, '')
    .split('/')
  const file = names.at(-1) ?? ''
  const folders = names.slice(0, -1)
  return (
    leaveAlone.find((term) => {
      const wanted = foldPath(term)
      return holdsWhole(file, wanted) || folders.includes(wanted)
    }) ?? null
  )
}

const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u

function holdsWhole(name: string, term: string): boolean {
  for (let at = name.indexOf(term); at !== -1; at = name.indexOf(term, at + 1)) {
    const [before, after] = [name[at - 1] ?? '', name[at + term.length] ?? '']
    if (!LETTER_OR_DIGIT.test(before) && !LETTER_OR_DIGIT.test(after)) return true
  }
  return false
}

/** Names under which cameras write images: those that are taken, and those whose format no one reads here. */
const IMAGE_NAME = /\.(?:jpe?g|jfif|png|tiff?|bmp|dib|dcm|dicom|jp2|j2k|jpf|jpx|hei[cf]|webp|gif)$/i

/** DICOM files often have no extension, or the last number of a UID in its place. */
const BARE_NAME = /(?:^|\/)[^/.]+$|\.\d+$/

/** Of these the content was recognised as that of an image, or no one knows what it is. */
const IMAGE_BY_CONTENT: readonly UnusableWhy[] = ['damaged', 'malformed', 'truncated', 'suspect', 'setAside']

/** Does the name of this file promise an image of a visit, and do no settings leave it alone? */
function mayBeImage(context: InFolder, relativePath: string, why: UnusableWhy): boolean {
  const name = nameOf(relativePath)
  if (companionKind(name) !== null || isSidecar(name) || isJunkFile(name)) return false
  if (ignoredTermOf(readingOf(context), relativePath) !== null) return false
  return IMAGE_NAME.test(name) || (BARE_NAME.test(name) && IMAGE_BY_CONTENT.includes(why))
}

/** Files of one visit come within these times of another. */
const VISIT_MS = 12 * HOUR

/**
 * The case to which the file belongs by its name; null if there is none. The rules are those for an image with nothing
 * but a name, and the images beside it, which may state more than their names. Unsent cases before sent ones.
 */
function caseOfUnusable(
  context: AssignFolder,
  file: ImageFile,
  identity: VisitIdentity,
  exceptId?: string,
): SubmissionRow | null {
  const isAllowed = (row: SubmissionRow): boolean =>
    row.id !== exceptId && mayTie(row, file.file_name, identity)
  const ofVisit = submissionsOfVisit(context, identity).filter(isAllowed)
  const found = ofVisit.length > 0 ? ofVisit : neighboursOf(context, file, identity).filter(isAllowed)
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
  { outbox, folderPath }: AssignFolder,
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

/**
 * Records a file and ties it to its case: an unsent one waits for a person, of a sent one an alarm says so. A visit of
 * nothing else becomes a case without images. Not for what is known, or promises no image.
 */
export function recordUnusable(context: RefreshContext, file: UnusableMark): void {
  const { outbox, clock } = context
  const { folderPath, relativePath } = file
  const folder = { ...context, folderPath }
  if (!mayBeImage(folder, relativePath, file.why)) return
  outbox.write(() => {
    const known = outbox.unusableAt(file)
    if (known && !outbox.isRewritten(file)) {
      if (known.why === file.why) return
      outbox.changeUnusable(known, { why: file.why, message: file.message, wording: wordingToText(file) })
      if (known.why === 'suspect') becomeAware(context, { ...known, why: file.why })
      return
    }
    if (outbox.hasSeen(file)) return
    const image = unusableImage({
      id: '',
      relative_path: relativePath,
      size_bytes: file.sizeBytes,
      mtime_ms: file.mtimeMs,
      seen_at: clock.now(),
    })
    const identity = visitIdentityFor(folder, [image])
    const home = caseOfUnusable(folder, image, identity)
    // The name alone says that there is a visit: by a number, an eye or a folder of its own.
    const saysVisit = identity.heldBy !== 'loose' || identity.eye !== null
    const submissionId = home?.id ?? (saysVisit ? createVisit(folder, identity.key) : null)
    const stemKey = stemKeyOf(relativePath)
    outbox.saveUnusable({ ...file, stemKey, submissionId, at: clock.now() })
    const saved = outbox.unusableAt(file)
    if (saved) becomeAware(context, saved)
  })
}

/** A process died while it read this file, alone. Nothing is written if that cannot be now: then it is read once more. */
export function recordDeathOn({ outbox, clock, version }: IngestContext, file: FileMark): void {
  ignoringStorageErrors(() => outbox.recordDeaths([file], { at: clock.now(), version }, true))
}

/** What follows for a file on which a process has died; `again` while it is to be read once more. */
export function afterDeathOn(context: IngestContext, file: FileMark): IngestResult {
  const why = isSetAside(context, file) ? 'setAside' : 'suspect'
  const message = worded(`intake:watch.${why}`)
  noteFor(context, file)(why === 'setAside' ? 'setAside' : 'unreadable', message)
  recordUnusable(context, { ...message, ...file, why })
  return why === 'setAside' ? 'done' : 'again'
}

export function isSetAside(context: IngestContext, file: FileMark): boolean {
  return suspicionNow(context, file).kind === 'setAside'
}

function suspicionNow({ outbox, clock, version }: IngestContext, file: FileMark): Suspicion {
  return outbox.suspicionOf(file, { at: clock.now(), version })
}

/** What becomes of a file that is not to be read, or not yet; null for any other. The process of its folder may have died on it. */
export function withheld(context: IngestContext, file: FileMark): IngestResult | null {
  const suspicion = suspicionNow(context, file)
  if (suspicion.kind === 'setAside') return afterDeathOn(context, file)
  return suspicion.kind === 'suspect' && suspicion.inMs > 0 ? 'again' : null
}

/** The case of this file needs attention; nothing that was sent is changed. */
function becomeAware(context: RefreshContext, { submission_id: id, ...file }: UnusableRow): void {
  const { outbox, clock } = context
  const row = id === null ? undefined : outbox.rowOf(id)
  if (!row) return
  const at = clock.now()
  const details = { reasons: [file.why] }
  outbox.appendAudit({ at, submissionId: row.id, what: 'fileUnusable', details })
  if (isUnsent(row.state)) refreshUnsent(context, row)
  // A suspect comes in a minute, or there is an alarm then.
  else if (file.why !== 'suspect') raiseAlarm(context, row, file.id)
}

/** A refused case stays so, and says what is missing. */
function refreshUnsent(context: RefreshContext, row: SubmissionRow): void {
  if (isOpen(row)) refreshSubmissions(context, new Set([row.id]))
  else refreshSubmission(context, row.id)
}

function raiseAlarm(context: RefreshContext, row: SubmissionRow, fileId: string): void {
  const { outbox, clock } = context
  const { pictures } = collectEvidence(context, outbox.imageRowsOf(row.id))
  const files = withEyesOfUnusable(context, outbox.unusableOf(row.id), pictures)
  for (const one of files) outbox.changeUnusable(one, { eye: one.eye })
  const file = files.find(({ id }) => id === fileId)
  if (!file) return
  const { eye, fileName } = unusableFromRow(file)
  outbox.raiseAlarm({
    kind: 'damagedFellow',
    submissionId: row.id,
    caseIds: row.case_id === null ? [] : [row.case_id],
    ...worded('intake:damagedFellow', {
      reference: row.reference,
      eye: wordingOf(`field:eye.${eye}.within`),
      file: nameOf(fileName),
    }),
    at: clock.now(),
  })
}

/** What came longer ago found its case, or never will. */
const HOMELESS_MS = 12 * HOUR

/** An image came: files of its case by name, so far without a case or in one without images, may have come first. */
export function tieHomeless(context: InFolder<RefreshContext>): void {
  const { outbox, clock, folderPath } = context
  for (const file of outbox.homelessUnusable(folderPath, clock.now() - HOMELESS_MS)) {
    const own = file.submission_id === null ? null : (outbox.rowOf(file.submission_id) ?? null)
    if (own !== null && !isOwnGroup(context, own)) continue
    const image = unusableImage(file)
    const identity = visitIdentityFor(context, [image])
    const home = caseOfUnusable(context, image, identity, own?.id)
    if (home === null || outbox.imageRowsOf(home.id).length === 0) continue
    if (own === null) outbox.changeUnusable(file, { submission_id: home.id })
    else discardEmptied(context, own.id, home.id)
    becomeAware(context, { ...file, submission_id: home.id })
  }
}

/** The program made it, and no person has touched it. */
function isOwnGroup(context: RefreshContext, row: SubmissionRow): boolean {
  return isOpen(row) && !isTouchedByPerson(context, row.id)
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
  reading: InFolder,
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
  const stated = collectPicture(reading, [image]).ids.map(({ value }) => bareId(value))
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

/** Notes the image that came under the name of a file; what the image itself proves needs no answer. */
export function noteNewExport(context: RefreshContext, { file, kind }: NewExport, imageId: string): void {
  const { outbox, clock } = context
  const at = clock.now()
  const isTaken = kind !== 'asked'
  outbox.changeUnusable(file, {
    replaced_by: imageId,
    ...(isTaken && { decision: 'replaced', because: null, made_by: null, made_at: at }),
  })
  if (isTaken) outbox.appendAudit({ at, submissionId: file.submission_id, what: 'newExportTaken' })
  const waiting = file.submission_id === null ? undefined : outbox.rowOf(file.submission_id)
  const target = outbox.imageById(imageId)?.submission_id
  if (!waiting || target === undefined || target === waiting.id) return
  // What its name had promised is a case of its own no more.
  if (isOwnGroup(context, waiting) && outbox.imageRowsOf(waiting.id).length === 0)
    discardEmptied(context, waiting.id, target)
  else if (isUnsent(waiting.state)) refreshUnsent(context, waiting)
}

/** Before it is marked as seen: the very file was read after all, and is that of an image that is there already. Nothing waits for it. */
export function noteReadAsCopy(context: RefreshContext, mark: FileMark, imageId: string): void {
  const { outbox } = context
  const file = outbox.unusableAt(mark)
  // Other bytes under its name, size and time are another file.
  if (file === undefined || !isPending(unusableFromRow(file)) || outbox.isRewritten(mark)) return
  noteNewExport(context, { file, kind: 'itself' }, imageId)
  const row = file.submission_id === null ? undefined : outbox.rowOf(file.submission_id)
  if (row && isUnsent(row.state)) refreshUnsent(context, row)
}
