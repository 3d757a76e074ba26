/** Takes one image in: a verified copy first, then what it shows, then its place in a case, in one transaction. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import type { ImageType } from '../../../src-shared/measurement-ranges.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import { odditiesColumn } from '../json-columns.ts'
import { removeBestEffort } from '../lib/files.ts'
import type { Holder, SpooledBytes } from '../outbox/images.ts'
import type { Logger } from '../ports.ts'
import type { FileMark } from '../watch/watch.ts'
import type { ContentFacts } from './evidence.ts'
import type { MadePicture, PhotoReading, PhotoRequest } from './images/photo.ts'
import { refreshAndMove, type RefreshContext, refreshSubmission } from './refresh.ts'
import { spoolFile, type SpoolResult } from './spool.ts'
import { type ImageFile, pathRulesOf, visitFolderOf, visitIdentityFor } from './visits/evidence.ts'
import { stemKeyOf } from './visits/twins.ts'
import { assignVisits, folderSettingsOf, isOpen, submissionForNewImage } from './visits/visits.ts'

export type IngestContext = RefreshContext & {
  readonly spoolFolder: string
  /** Where pictures and archive entries lie until they are kept. */
  readonly pictureFolder: string
  /** Asks that a large submission is read anew within a second or so. */
  readonly refreshSoon?: (submissionId: string) => void
  readonly readPhoto: (request: PhotoRequest) => Promise<PhotoReading>
  readonly note: (folderPath: string, note: FileNote) => void
  /** Tells why our own disk takes nothing more; null where it does. */
  readonly storageIs: (trouble: Failure | null) => void
  readonly logger?: Logger
  /** Is there space for a file of this size now? Without it there is. */
  readonly hasSpaceFor?: (fileBytes: number) => Promise<boolean>
}

/** Dealt with for good, or to be tried again at the next sweep. */
export type IngestResult = 'done' | 'again'

/** Where the bytes lie, and as what they were found: a camera's folder, or an entry that an archive gave out. */
export type ImageSource = {
  readonly contentType: ImageType
  readonly at: { readonly path: string; readonly sizeBytes: number; readonly mtimeMs: number }
}

/** One image that is kept and was looked at: what the outbox writes down of it. */
export type StoredImage = {
  readonly bytes: SpooledBytes
  readonly facts: ContentFacts | null
  readonly picture: SpooledBytes | null
  /** Oddities of the picture, as JSON. */
  readonly oddities: string
}

/** `passing` may be over at the next try; `damaged` is about the image and stays. Both with a sentence. */
export type StoreResult =
  | { readonly kind: 'kept'; readonly image: StoredImage }
  | { readonly kind: 'known'; readonly holder: Holder }
  | { readonly kind: 'passing' | 'damaged'; readonly message: string }

const NOT_CHECKED = 'This image could not be checked now. It is tried again by itself.'

function storageFailureFor(spooled: SpoolResult): Failure | null {
  if (spooled.ok) return null
  const { why, message } = spooled
  if (why === 'diskFull') return failureOf('diskLow', { message })
  return why === 'storage' ? failureOf('storage', { message }) : null
}

/** Copies a file into the spool, and says so where our own disk takes nothing more. */
async function storeBytes(context: IngestContext, at: ImageSource['at']): Promise<SpoolResult> {
  const { path: sourcePath, sizeBytes, mtimeMs } = at
  const { spoolFolder } = context
  const spooled = await spoolFile({ sourcePath, spoolFolder, expected: { sizeBytes, mtimeMs } })
  context.storageIs(storageFailureFor(spooled))
  return spooled
}

async function storePicture(context: IngestContext, picture: MadePicture): Promise<SpooledBytes | string> {
  const { size: sizeBytes, mtimeMs } = await stat(picture.path)
  const spooled = await storeBytes(context, { path: picture.path, sizeBytes, mtimeMs: Math.floor(mtimeMs) })
  await removeBestEffort(picture.path)
  if (!spooled.ok) return spooled.message
  const { ok: _ok, ...digest } = spooled
  return { ...digest, contentType: picture.contentType }
}

/** Keeps an image: a verified copy first, then what it shows. Bytes that are known already are not looked at again. */
export async function storeImage(
  context: IngestContext,
  { contentType, at }: ImageSource,
  nameOrder: PhotoRequest['nameOrder'],
): Promise<StoreResult> {
  const spooled = await storeBytes(context, at)
  if (!spooled.ok) return { kind: 'passing', message: spooled.message }
  const { ok: _ok, ...digest } = spooled
  const bytes: SpooledBytes = { ...digest, contentType }
  const holder = context.outbox.images.holderOf(bytes.sha256)
  if (holder) {
    // Its bytes were removed when their time was over, and have come once more.
    if (typeof context.outbox.images.byId(holder.imageId)?.removed_at === 'number')
      context.outbox.retention.addLeftover(bytes.spoolName)
    return { kind: 'known', holder }
  }
  const { spoolFolder, pictureFolder } = context
  const path = join(spoolFolder, bytes.spoolName)
  const reading = await context.readPhoto({ path, contentType, nameOrder, pictureFolder })
  if (reading.kind === 'notOpened') return { kind: 'passing', message: NOT_CHECKED }
  if (reading.kind === 'damaged') return reading
  const picture = reading.picture === null ? null : await storePicture(context, reading.picture)
  if (typeof picture === 'string') return { kind: 'passing', message: picture }
  const oddities = JSON.stringify(reading.oddities)
  return { kind: 'kept', image: { bytes, facts: reading.facts, picture, oddities } }
}

/**
 * Are its bytes in the spool at this moment? While it was looked at, the same bytes may have been removed as those of an
 * old case. Asked in the transaction that makes the row, so that no row is without its bytes.
 */
export function isStillStored({ spoolFolder }: IngestContext, { bytes, picture }: StoredImage): boolean {
  return [bytes, ...(picture === null ? [] : [picture])].every(({ spoolName }) =>
    existsSync(join(spoolFolder, spoolName)),
  )
}

function noteFor(context: IngestContext, mark: FileMark): (kind: FileNote['kind'], message: string) => void {
  return (kind, message) =>
    context.note(mark.folderPath, { fileName: mark.relativePath, kind, message, at: context.clock.now() })
}

/** Takes an image of a watched folder in. `mark` is the file as the folder shows it, `source` where its bytes lie. */
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
      noteFor(context, mark)('unreadable', result.message)
      outbox.files.markSeen(mark, 'unreadable', null, clock.now())
      return 'done'
    case 'passing':
      noteFor(context, mark)('unreadable', result.message)
      return 'again'
  }
}

/** The record that governs the folder of a file now; the newest, where it was written anew for another visit. */
function governingRecord(context: IngestContext, folderPath: string, fileName: string): number | null {
  const match = { kind: 'directory', key: visitFolderOf(fileName) } as const
  return context.outbox.sidecars.matching(folderPath, match).at(-1)?.id ?? null
}

/** Several frames, or pixels that nobody here can decode: only the file itself is all of it. */
function isShownInPart(oddities: string): boolean {
  return odditiesColumn.read(oddities).some(({ kind }) => kind === 'noPreview')
}

/** Gives a kept image its place. What is known by now (two names of one image may come at once) is no new image. */
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

/** Reading a case anew takes longer the more images it has; beyond so many that is not done for each that comes. */
const MANY_IMAGES = 24

/**
 * Brings submissions up to date with what has changed among their images; large ones that still collect a little
 * later. What has become unclear or clear, or is no longer what was passed for sending, is placed anew, also out of the
 * line.
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
 * The same image under another name, or exported anew: told as seen. While its case is open, what this name or export
 * says counts as well, so that two names that disagree about eye or patient are asked about and not decided by order.
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
  // Its own file once more; but bytes that are new say anew whose it is.
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
  const sentence = `The same image was seen before and is part of ${holder.reference}. It was not added again.`
  const caution = ' Its name says another patient: check that case.'
  noteFor(context, mark)('duplicate', isOfAnother ? sentence + caution : sentence)
}
