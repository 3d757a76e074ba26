/**
 * Ingests one settled file: an image is stored first, then recorded in its case in one transaction, then acknowledged.
 */
import { join } from 'node:path'
import { worded } from '../../../src-shared/wording.ts'
import { odditiesColumn } from '../json-columns.ts'
import type { Holder } from '../outbox/images.ts'
import type { FileMark, SettledFile } from '../watch/watch.ts'
import { type ContentFacts, stemKeyOf } from './evidence.ts'
import { ingestArchive } from './ingest-archive.ts'
import { ingestDataFile } from './ingest-data-file.ts'
import { noteFor } from './intake-folder.ts'
import { ignoredTermOf } from './profile/profile.ts'
import { type IngestContext, type IngestResult, refreshSubmissions } from './refresh.ts'
import { type ImageSource, isStillStored, type StoredImage, storeImage } from './spool.ts'
import { type ImageFile, pathRulesOf, visitFolderOf, visitIdentityFor } from './visits/evidence.ts'
import { assignVisits, folderSettingsOf, isOpen, submissionForNewImage } from './visits/visits.ts'

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

/** Skips a file whose name contains a term that the clinic's profile ignores, such as infrared. */
export function ignoreByProfile(context: IngestContext, file: FileMark): boolean {
  const { profile } = pathRulesOf(context.settings(), file.folderPath)
  const term = profile === null ? null : ignoredTermOf(profile, file.relativePath)
  if (term === null) return false
  noteFor(context, file)('ignored', worded('intake:ingest.ignoredByProfile', { term }))
  context.outbox.files.markSeen(file, 'leftAlone', null, context.clock.now())
  return true
}

/** Ingests a file, or finds that it is known. Throws only for errors of the disk or the database. */
export async function ingest(context: IngestContext, file: SettledFile): Promise<IngestResult> {
  if (context.outbox.files.hasSeen(file)) return 'done'
  if (context.hasSpaceFor && !(await context.hasSpaceFor(file.sizeBytes))) {
    noteFor(context, file)('arriving', worded('intake:ingest.waitingForSpace'))
    return 'again'
  }
  switch (file.content) {
    case 'sidecar':
      return ingestDataFile(context, file)
    case 'zip':
      return ingestArchive(context, file, {
        dataFile: (mark, path) => ingestDataFile(context, mark, path),
        image: (mark, source) => ingestImage(context, mark, source),
      })
    default: {
      if (ignoreByProfile(context, file)) return 'done'
      const path = join(file.folderPath, file.relativePath)
      const at = { path, sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs }
      return ingestImage(context, file, { contentType: file.content, at })
    }
  }
}
