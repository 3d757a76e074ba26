/** Ingests one image: first a verified copy, then its inspection, then its place in a case, in one transaction. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import type { ImageType } from '../../../src-shared/measurement-ranges.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { odditiesColumn } from '../json-columns.ts'
import { removeBestEffort } from '../lib/files.ts'
import type { Holder, SpooledBytes } from '../outbox/images.ts'
import type { Logger } from '../ports.ts'
import type { FileMark } from '../watch/watch.ts'
import { type ContentFacts, stemKeyOf } from './evidence.ts'
import type { MadePicture, PhotoReading, PhotoRequest } from './images/photo.ts'
import { refreshAndMove, type RefreshContext, refreshSubmission } from './refresh.ts'
import { spoolFile, type SpoolResult } from './spool.ts'
import { type ImageFile, pathRulesOf, visitFolderOf, visitIdentityFor } from './visits/evidence.ts'
import { assignVisits, folderSettingsOf, isOpen, submissionForNewImage } from './visits/visits.ts'

export type IngestContext = RefreshContext & {
  readonly spoolFolder: string
  /** The folder of converted pictures and archive entries until they are stored. */
  readonly pictureFolder: string
  /** Requests a refresh of a large submission within about a second. */
  readonly refreshSoon?: (submissionId: string) => void
  readonly readPhoto: (request: PhotoRequest) => Promise<PhotoReading>
  readonly note: (folderPath: string, note: FileNote) => void
  /** Reports why our own disk accepts nothing more; null if it does. */
  readonly storageIs: (trouble: Failure | null) => void
  readonly logger?: Logger
  /** Whether there is space for a file of this size now. Assumed if missing. */
  readonly hasSpaceFor?: (fileBytes: number) => Promise<boolean>
}

/** Dealt with for good, or to be retried at the next sweep. */
export type IngestResult = 'done' | 'again'

/** The position and type of the bytes: in a camera's folder, or extracted from an archive. */
export type ImageSource = {
  readonly contentType: ImageType
  readonly at: { readonly path: string; readonly sizeBytes: number; readonly mtimeMs: number }
}

/** A stored and inspected image, as recorded in the outbox. */
export type StoredImage = {
  readonly bytes: SpooledBytes
  readonly facts: ContentFacts | null
  readonly picture: SpooledBytes | null
  /** Warnings about the picture, as JSON. */
  readonly oddities: string
}

/** `passing` may succeed at the next attempt; `damaged` concerns the image and is permanent. */
export type StoreResult =
  | { readonly kind: 'kept'; readonly image: StoredImage }
  | { readonly kind: 'known'; readonly holder: Holder }
  | (Message & { readonly kind: 'passing' | 'damaged' })

/** Stores an image: first a verified copy, then its inspection. Known bytes are not inspected again. */
export async function storeImage(
  context: IngestContext,
  { contentType, at }: ImageSource,
  nameOrder: PhotoRequest['nameOrder'],
): Promise<StoreResult> {
  const spooled = await storeBytes(context, at)
  if (!spooled.ok) return { ...spooled, kind: 'passing' }
  const { ok: _ok, ...digest } = spooled
  const bytes: SpooledBytes = { ...digest, contentType }
  const holder = context.outbox.images.holderOf(bytes.sha256)
  if (holder) {
    // Its bytes were removed after their retention time, and arrived again.
    if (typeof context.outbox.images.byId(holder.imageId)?.removed_at === 'number')
      context.outbox.retention.addLeftover(bytes.spoolName)
    return { kind: 'known', holder }
  }
  const { spoolFolder, pictureFolder } = context
  const path = join(spoolFolder, bytes.spoolName)
  const reading = await context.readPhoto({ path, contentType, nameOrder, pictureFolder })
  if (reading.kind === 'notOpened') return { kind: 'passing', ...worded('intake:ingest.notChecked') }
  if (reading.kind === 'damaged') return reading
  const picture = reading.picture === null ? null : await storePicture(context, reading.picture)
  if (picture !== null && 'why' in picture) return { ...picture, kind: 'passing' }
  const oddities = JSON.stringify(reading.oddities)
  return { kind: 'kept', image: { bytes, facts: reading.facts, picture, oddities } }
}

/** Copies a file into the spool, and reports if our own disk accepts nothing more. */
async function storeBytes(context: IngestContext, at: ImageSource['at']): Promise<SpoolResult> {
  const { path: sourcePath, sizeBytes, mtimeMs } = at
  const { spoolFolder } = context
  const spooled = await spoolFile({ sourcePath, spoolFolder, expected: { sizeBytes, mtimeMs } })
  context.storageIs(storageFailureFor(spooled))
  return spooled
}

function storageFailureFor(spooled: SpoolResult): Failure | null {
  if (spooled.ok) return null
  const { why, message, wording } = spooled
  if (why === 'diskFull') return failureOf('diskLow', { message, wording })
  return why === 'storage' ? failureOf('storage', { message, wording }) : null
}

async function storePicture(
  context: IngestContext,
  picture: MadePicture,
): Promise<SpooledBytes | Extract<SpoolResult, { ok: false }>> {
  const { size: sizeBytes, mtimeMs } = await stat(picture.path)
  const spooled = await storeBytes(context, { path: picture.path, sizeBytes, mtimeMs: Math.floor(mtimeMs) })
  await removeBestEffort(picture.path)
  if (!spooled.ok) return spooled
  const { ok: _ok, ...digest } = spooled
  return { ...digest, contentType: picture.contentType }
}

/**
 * Whether its bytes are in the spool now. During the inspection, the same bytes may have been removed as those of an
 * old case. Checked in the transaction that creates the row, so that no row lacks its bytes.
 */
export function isStillStored({ spoolFolder }: IngestContext, { bytes, picture }: StoredImage): boolean {
  return [bytes, ...(picture === null ? [] : [picture])].every(({ spoolName }) =>
    existsSync(join(spoolFolder, spoolName)),
  )
}

/**
 * Ingests an image of a watched folder. `mark` is the file as seen in the folder, `source` the position of its bytes.
 */
export async function ingestImage(
  context: IngestContext,
  mark: FileMark,
  source: ImageSource,
): Promise<IngestResult> {
  const { outbox, clock } = context
  const { profile } = pathRulesOf(context.settings(), mark.folderPath)
  const result = await storeImage(context, source, profile?.nameOrder ?? 'lastFirst')
  switch (result.kind) {
    case 'kept':
      return outbox.write(() => {
        if (!isStillStored(context, result.image)) return 'again'
        assignImage(context, mark, result.image)
        return 'done'
      })
    case 'known':
      outbox.write(() => ingestCopy(context, mark, result.holder, null))
      return 'done'
    case 'damaged':
      noteFor(context, mark)('unreadable', result)
      outbox.files.markSeen(mark, 'unreadable', null, clock.now())
      return 'done'
    case 'passing':
      noteFor(context, mark)('unreadable', result)
      return 'again'
  }
}

/** Notes something about a file beside its folder. */
export function noteFor(
  context: Pick<IngestContext, 'clock' | 'note'>,
  { folderPath, relativePath: fileName }: Pick<FileMark, 'folderPath' | 'relativePath'>,
): (kind: FileNote['kind'], what: Message) => void {
  const at = context.clock.now()
  return (kind, { message, wording }) =>
    context.note(folderPath, { fileName, kind, message, ...(wording && { wording }), at })
}

/** Assigns a stored image to a case. Known bytes (two names of one image may arrive at once) are no new image. */
export function assignImage(context: IngestContext, mark: FileMark, stored: StoredImage): void {
  const { outbox, clock } = context
  const { bytes, facts, picture } = stored
  const holder = outbox.images.holderOf(bytes.sha256, facts?.sopUid)
  if (holder) return ingestCopy(context, mark, holder, facts)
  const at = clock.now()
  const { folderPath, relativePath } = mark
  const file: ImageFile = {
    id: '',
    fileName: relativePath,
    contentType: bytes.contentType,
    mtimeMs: mark.mtimeMs,
    facts,
    recordId: governingRecord(context, folderPath, relativePath),
  }
  const submissionId = submissionForNewImage(context, folderPath, file)
  const isUnwrapped = bytes.contentType === 'application/dicom' && picture !== null
  const asIs = folderSettingsOf(context, folderPath)?.dicom === 'original'
  const imageId = outbox.images.add({
    ...bytes,
    submissionId,
    folderPath,
    fileName: relativePath,
    stemKey: stemKeyOf(relativePath),
    eye: 'unknown',
    eyeSource: null,
    mtimeMs: mark.mtimeMs,
    facts: facts === null ? null : JSON.stringify(facts),
    sopUid: facts?.sopUid ?? null,
    oddities: stored.oddities,
    picture,
    sends: isUnwrapped && !asIs && !isShownInPart(stored.oddities) ? 'picture' : 'original',
    recordId: file.recordId,
    at,
  })
  outbox.files.markSeen(mark, 'image', submissionId, at)
  refreshSubmissions(context, new Set([submissionId, ...assignVisits(context, folderPath, [imageId])]))
}

/** Several frames, or pixels that cannot be decoded here: only the file itself is complete. */
function isShownInPart(oddities: string): boolean {
  return odditiesColumn.read(oddities).some(({ kind }) => kind === 'noPreview')
}

/** The record that currently governs the folder of a file; the newest, if it was rewritten for another visit. */
function governingRecord(context: IngestContext, folderPath: string, fileName: string): number | null {
  const match = { kind: 'directory', key: visitFolderOf(fileName) } as const
  return context.outbox.sidecars.matching(folderPath, match).at(-1)?.id ?? null
}

/** Refreshing a case takes longer the more images it has; beyond this number it is not done for each new one. */
const MANY_IMAGES = 24

/**
 * Refreshes submissions after changes among their images; large ones that still collect, a little later. A submission
 * whose clarity changed, or that no longer matches its approval, is moved accordingly, also out of the queue.
 */
export function refreshSubmissions(context: IngestContext, ids: ReadonlySet<string>): void {
  for (const id of ids) {
    const row = context.outbox.submissions.row(id)
    if (!row || !isOpen(row)) continue
    const isLarge = row.state === 'collecting' && context.outbox.images.rows(id).length > MANY_IMAGES
    if (isLarge && context.refreshSoon) {
      context.refreshSoon(id)
      continue
    }
    const before = context.outbox.approvals.contentDigest(id)
    const isUnclear = refreshSubmission(context, row).reasons.length > 0
    const hasChanged = context.outbox.approvals.contentDigest(id) !== before
    const hasBecomeClear = row.state === 'incomplete' && !isUnclear
    const hasBecomeOther = row.state === 'review' && (isUnclear || hasChanged)
    const isNotAsApproved = row.state === 'waiting' && (isUnclear || !context.outbox.approvals.matches(id))
    if (hasBecomeClear || hasBecomeOther || isNotAsApproved) refreshAndMove(context, row)
  }
}

/**
 * The same image under another name, or exported again: marked as seen. While its case is open, the statements of
 * this name or export count too, so that two names that disagree on eye or patient lead to a question, not to a
 * decision by order of arrival.
 */
function ingestCopy(
  context: IngestContext,
  mark: FileMark,
  holder: Holder,
  facts: ContentFacts | null,
): void {
  const { outbox, clock } = context
  const image = outbox.images.byId(holder.imageId)
  const row = outbox.submissions.row(holder.submissionId)
  outbox.files.markSeen(mark, 'duplicate', holder.submissionId, clock.now())
  // Its own file again; but a new version of it is read afresh.
  const isItself =
    facts === null && image?.folder_path === mark.folderPath && image.file_name === mark.relativePath
  if (!image || !row || isItself) return
  const { folderPath, relativePath: fileName } = mark
  const isSameFolder = image.folder_path === folderPath
  if (isSameFolder && isOpen(row)) {
    outbox.images.addCopy({
      imageId: image.id,
      folderPath,
      fileName,
      stemKey: stemKeyOf(fileName),
      facts: facts === null ? null : JSON.stringify(facts),
      recordId: governingRecord(context, folderPath, fileName),
    })
    refreshSubmissions(context, new Set([row.id, ...assignVisits(context, folderPath, [image.id])]))
  }
  const file: ImageFile = {
    id: '',
    fileName,
    contentType: image.content_type,
    mtimeMs: mark.mtimeMs,
    facts,
    recordId: null,
  }
  const statedNumber = visitIdentityFor(context, folderPath, [file]).historyNumber?.value.toLowerCase()
  const currentNumber = outbox.submissions.get(row.id)?.fields.history_number?.toLowerCase()
  const isOfAnother =
    statedNumber !== undefined && currentNumber !== undefined && statedNumber !== currentNumber
  const key = isOfAnother ? 'duplicateOfOther' : 'duplicate'
  noteFor(context, mark)('duplicate', worded(`intake:ingest.${key}`, { reference: holder.reference }))
}
