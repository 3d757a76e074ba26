/** Ingests one settled file: an image is stored first, then recorded in its case in one transaction, then acknowledged. */
import { join } from 'node:path'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { UnusableWhy } from '../../../src-shared/submission.ts'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { isPromisedOnly, isSidecar, readSource } from '../lib/files.ts'
import type { FileMark, SettledFile } from '../../reader/watch-messages.ts'
import { addCopy, copyOf, noteContradictingTwin } from './contradictions.ts'
import { foldPath, stemKeyOf } from './meaning/sources.ts'
import { ingestDataFile, takeDataFile } from './ingest-data-file.ts'
import { MAX_DATA_BYTES, type ExpandedFile } from '../../reader/messages.ts'
import { type IngestContext, type IngestResult, noteFor, refreshSubmissions } from './settle.ts'
import { type Arrival, columnsOf, type ImageSource, isStillStored, storeImage } from './spool.ts'
import {
  afterDeathOn,
  ignoredTermOf,
  newExportOf,
  noteNewExport,
  noteReadAsCopy,
  recordDeathOn,
  isSetAside,
  recordUnusable,
  tieHomeless,
  withheld,
} from './unusable.ts'
import { visitFolderOf } from './visits/identity.ts'
import { folderSettingsOf, readingOf } from './visits/pictures.ts'
import { type ImageFile, readingOnce } from './visits/reads.ts'
import { imagesOfOneRecord, isRenamed } from './visits/records.ts'
import { assignVisits, prepareToJoin, submissionForNewImage } from './visits/visits.ts'

/** `source`: its bytes; `lyingFile`: what lies in the folder, perhaps an archive. */
async function storeFile(
  context: IngestContext,
  mark: FileMark,
  source: ImageSource,
  lyingFile = mark,
): Promise<IngestResult | Arrival> {
  const { outbox, clock } = context
  const { nameOrder } = readingOf(context)
  const result = await storeImage(context, source, nameOrder, () => recordDeathOn(context, mark))
  switch (result.kind) {
    case 'died':
      return afterDeathOn(context, mark)
    case 'kept':
      return { context, mark: { ...mark, sha256: result.image.bytes.sha256 }, stored: result.image }
    case 'known': {
      const hashed = { ...mark, sha256: result.sha256 }
      if (result.image) return assignArrival({ context, mark: hashed, stored: result.image }, lyingFile)
      const { imageId } = result.holder
      outbox.write(() => {
        noteReadAsCopy(context, mark, imageId)
        outbox.markSeen(hashed, 'duplicate', clock.now(), { imageId })
      })
      return 'done'
    }
    // Not by its name either, which may be the patient's.
    case 'erased':
      return 'done'
    case 'damaged': {
      const hashed = { ...mark, sha256: result.sha256 }
      if (outbox.isErased(hashed)) return 'done'
      noteFor(context, mark)('unreadable', result)
      recordUnusable(context, { ...result, ...mark, why: 'damaged' })
      outbox.markSeen(hashed, 'unreadable', clock.now())
      return 'done'
    }
    case 'passing':
      noteFor(context, mark)('unreadable', result)
      return 'again'
  }
}

/** Assigns a stored image with a commit of its own; `again` if its bytes were removed meanwhile. */
export function assignArrival(arrival: Arrival, lyingFile = arrival.mark): IngestResult {
  return arrival.context.outbox.write(() => {
    if (!isStillStored(arrival.context, arrival.stored)) return 'again'
    assignImage(arrival, lyingFile)
    return 'done'
  })
}

/** Assigns a stored image to a case. Known pixels (two names of one image may arrive at once) are no new image. */
export function assignImage(arrival: Arrival, lyingFile = arrival.mark): void {
  const { context, mark, stored } = arrival
  const { outbox, clock } = context
  const { bytes, facts, grey } = stored
  const at = clock.now()
  const seenAt = context.firstSeenAt ?? at
  const { folderPath, relativePath } = mark
  const stemKey = stemKeyOf(relativePath)
  // The record that currently governs the folder of a file; the newest, if it was rewritten for another visit.
  const directory = { kind: 'directory', key: visitFolderOf(relativePath) } as const
  const recordId = outbox.recordsMatching(folderPath, directory).at(-1)?.id ?? null
  const file: ImageFile = {
    id: '',
    file_name: relativePath,
    content_type: bytes.contentType,
    size_bytes: mark.sizeBytes,
    mtime_ms: mark.mtimeMs,
    added_at: seenAt,
    imported_at: outbox.importedAt(lyingFile),
    facts: facts && JSON.stringify(facts),
    grey,
    record_id: recordId,
  }
  const copy = copyOf(arrival, recordId)
  if (copy?.kind === 'itself' || copy?.kind === 'copy') noteReadAsCopy(context, mark, copy.holder.imageId)
  if (copy?.kind === 'itself') return outbox.markSeen(mark, 'duplicate', at, { imageId: copy.holder.imageId })
  if (copy?.kind === 'copy') return addCopy(arrival, copy, recordId)
  if (facts) noteContradictingTwin(context, file, facts)
  // No one knows what the archive held before.
  if (lyingFile.relativePath !== relativePath && isOverIgnored(context, lyingFile))
    outbox.markSeen(mark, 'ignored', at, { stemKey })
  const reading = readingOnce(context, { files: [file], folderPath })
  const newExport = newExportOf(context, reading, mark, file)
  // The very file, which can be read now, goes where its own evidence leads.
  const joined = newExport === null || newExport.kind === 'itself' ? null : newExport.file.submission_id
  const mayCorrect = copy?.holder.submissionId ?? null
  if (joined !== null) prepareToJoin(context, joined)
  const home =
    joined === null
      ? submissionForNewImage(context, reading, file, mayCorrect)
      : { id: joined, isLoose: false, isAlone: false }
  const submissionId = home.id
  const fellows = imagesOfOneRecord(reading, relativePath)
  const asIs = folderSettingsOf(context, folderPath)?.dicom === 'original'
  const imageId = outbox.addImage({
    ...columnsOf(stored, asIs),
    submissionId,
    folderPath,
    fileName: relativePath,
    stemKey,
    eye: 'unknown',
    eyeSource: null,
    mtimeMs: mark.mtimeMs,
    recordId: file.record_id,
    importedAt: file.imported_at,
    at: seenAt,
  })
  outbox.markSeen(mark, 'image', at, { imageId, submissionId })
  if (copy !== null) {
    const { reference } = copy.holder
    noteFor(context, mark)('duplicate', worded('intake:ingest.duplicateOfOther', { reference }))
  }
  if (newExport) noteNewExport(context, newExport, imageId)
  // Alone it was assigned just now.
  const moved = home.isAlone && fellows.length === 0 ? [] : assignVisits(context, [imageId, ...fellows])
  const { readLater: _later, ...atOnce } = context
  refreshSubmissions(home.isLoose ? atOnce : context, new Set([submissionId, ...moved]))
  tieHomeless(context)
}

/** Was another file of this name, however it was written, there before the first start and ignored? */
function isOverIgnored({ outbox }: IngestContext, file: FileMark): boolean {
  const { folderPath, relativePath, sizeBytes, mtimeMs } = file
  const now = { file_name: relativePath, size_bytes: sizeBytes, mtime_ms: mtimeMs }
  return outbox
    .namesUsed(folderPath, [stemKeyOf(relativePath)])
    .some((used) => used.id === '' && foldPath(used.name) === foldPath(relativePath) && !isRenamed(used, now))
}

/** Skips a file whose name contains a term that the clinic's settings ignore, such as infrared. */
export function ignoreByName(context: IngestContext, file: FileMark): boolean {
  const term = ignoredTermOf(readingOf(context), file.relativePath)
  if (term === null) return false
  noteFor(context, file)('ignored', worded('intake:ingest.leftAlone', { term }))
  context.outbox.markSeen(file, 'leftAlone', context.clock.now())
  return true
}

/** Hashed before it is read: if it is written over meanwhile, it is found to be another. */
async function withHash({ foreign }: IngestContext, file: FileMark): Promise<FileMark> {
  const sha256 = await foreign.hash(join(file.folderPath, file.relativePath))
  return sha256 === null ? file : { ...file, sha256 }
}

/** Ingests a file, finds that it is known, or stores it as an image to be assigned. Throws only for errors of the disk or the database. */
export async function ingest(context: IngestContext, file: SettledFile): Promise<IngestResult | Arrival> {
  if (context.outbox.hasSeen(file)) {
    context.outbox.forgetDeaths(file)
    return 'known'
  }
  const ofSuspect = withheld(context, file)
  if (ofSuspect !== null) return ofSuspect
  if (context.hasSpaceFor && !(await context.hasSpaceFor(file.sizeBytes))) {
    noteFor(context, file)('arriving', worded('intake:ingest.waitingForSpace'))
    return 'again'
  }
  switch (file.content) {
    case 'sidecar': {
      const hashed = await withHash(context, file)
      return context.outbox.isErased(hashed) ? 'done' : ingestDataFile(context, hashed)
    }
    case 'zip':
      return ingestArchive(context, await withHash(context, file))
    default: {
      if (ignoreByName(context, file)) return 'done'
      const path = join(file.folderPath, file.relativePath)
      const at = { path, sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs }
      return storeFile(context, file, { contentType: file.content, at, copy: context.foreign.copy })
    }
  }
}

/** One entry at a time. After an interruption their marks are known; the archive is marked when all are done. */
async function ingestArchive(context: IngestContext, file: FileMark): Promise<IngestResult> {
  const { outbox, clock } = context
  const entries = context.foreign.expand(join(file.folderPath, file.relativePath), context.pictureFolder)
  let isToBeTriedAgain = false
  let isEmpty = true
  let isPartSetAside = false
  for await (const entry of entries) {
    isEmpty = false
    if (entry.kind === 'refused') {
      const relativePath = entry.name === null ? file.relativePath : `${file.relativePath}/${entry.name}`
      noteFor(context, { ...file, relativePath })('ignored', entry)
      // With the size and time of the archive.
      if (entry.name !== null) recordUnusable(context, { ...entry, ...file, relativePath, why: 'unreadable' })
      continue
    }
    const { sizeBytes, mtimeMs, crc32: checksum } = entry
    const relativePath = `${file.relativePath}/${entry.name}`
    const mark = { ...file, relativePath, sizeBytes, mtimeMs, crc32: checksum }
    const came = withheld(context, mark) ?? (await ingestEntry(context, mark, entry, file))
    if (came === 'again') isToBeTriedAgain = true
    isPartSetAside ||= isSetAside(context, mark)
  }
  if (isToBeTriedAgain) return 'again'
  // The next start, or a person, has it read once more.
  if (isPartSetAside) return 'done'
  if (isEmpty) noteFor(context, file)('ignored', worded('intake:archive.empty'))
  outbox.markSeen(file, 'archive', clock.now())
  return 'done'
}

async function ingestEntry(
  context: IngestContext,
  mark: FileMark,
  entry: ExpandedFile,
  archive: FileMark,
): Promise<IngestResult> {
  const { outbox, clock, own } = context
  if (outbox.hasSeen(mark)) return 'done'
  const at = { path: entry.path, sizeBytes: entry.sizeBytes, mtimeMs: entry.mtimeMs }
  if (isSidecar(entry.name))
    return takeDataFile(context, mark, await readSource(entry.path, MAX_DATA_BYTES.csv + 1))
  const found = await own.inspect(entry.path, at)
  if (found.kind === 'whole' && found.content !== 'zip') {
    const read = await storeFile(context, mark, { contentType: found.content, at, copy: own.copy }, archive)
    if (typeof read === 'string') return read
    // What was noted while it could not be read; that of a file is cleared once it is acknowledged.
    context.clearNote?.(mark)
    return assignArrival(read, archive)
  }
  if (found.kind === 'changed') return 'again'
  const note = noteFor(context, mark)
  const setAside = (why: UnusableWhy, kind: FileNote['kind'], message: Message): void => {
    note(kind, message)
    recordUnusable(context, { ...message, ...mark, why })
  }
  if (found.kind === 'whole') note('ignored', worded('intake:archive.nested'))
  else if (found.kind === 'incomplete') setAside(found.why, 'truncated', worded('intake:archive.damaged'))
  else if (found.kind === 'unreadable') setAside('unreadable', 'unreadable', found)
  else if (isPromisedOnly(found.content))
    setAside('notAnImage', 'ignored', worded('intake:watch.other.unknown'))
  else note('ignored', worded('intake:watch.other.unknown'))
  outbox.markSeen(mark, 'leftAlone', clock.now())
  return 'done'
}
