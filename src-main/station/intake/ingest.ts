/**
 * Ingests one settled file into the outbox: stored first, then recorded, then acknowledged. A ZIP archive is
 * extracted one entry at a time.
 */
import { randomUUID } from 'node:crypto'
import { open, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import type { FileNote } from '../../../src-shared/station-status.ts'
import { isJunkFile, isSidecar } from '../lib/export-names.ts'
import { removeBestEffort } from '../lib/files.ts'
import type { FileMark, SettledFile } from '../watch/watch.ts'
import { ingestDataFile } from './ingest-data-file.ts'
import { type IngestContext, ingestImage, type IngestResult } from './ingest-image.ts'
import { inspectFile } from './inspect-file.ts'
import { ignoredTermOf } from './profile/profile.ts'
import { pathRulesOf } from './visits/evidence.ts'
import { checkZipEntry, listZip, ZIP_LIMITS, type ZipLimits } from './zip.ts'

/**
 * An entry of an archive.
 *
 * - `file`     extracted: `name` as in the archive, with `/` between its parts, never leading out; `path` holds its
 *              bytes until the next entry is requested; `mtimeMs` is the time of the file at `path`
 * - `refused`  `message` is a sentence; `name` is null if it concerns the archive, or if the name cannot be shown
 */
type ExpandedEntry =
  | {
      readonly kind: 'file'
      readonly name: string
      readonly path: string
      readonly sizeBytes: number
      readonly mtimeMs: number
    }
  | { readonly kind: 'refused'; readonly name: string | null; readonly message: string }

const DAMAGED =
  'This file in the archive is damaged, so it was not taken. Export the archive again, or the image by itself.'

const TWICE =
  'The archive holds two files of this name, so only the first was taken. Export the images under names of their own.'

/** The range of the format, APPNOTE 4.4.6; extra fields may exceed what a file system accepts. */
const EARLIEST_MS = Date.UTC(1980, 0, 1)

const LATEST_MS = Date.UTC(2107, 11, 31)

/**
 * Extracts the files of an archive into `targetFolder`, which exists, under names of our own, and removes each when
 * the next is requested. A nested archive is a file like any other. `isJunk` gets the last part of a name; junk,
 * hidden files and macOS metadata are skipped silently.
 *
 * Checks names, kinds, passwords, sizes, and the checksum of every file; one that fails is `refused` and the others
 * are valid. Throws the errors of the disk, and then leaves nothing behind.
 */
export async function* expandZip(
  path: string,
  targetFolder: string,
  isJunk: (fileName: string) => boolean,
  limits: ZipLimits = ZIP_LIMITS,
): AsyncGenerator<ExpandedEntry, void, undefined> {
  const listing = await listZip(path, limits)
  if (listing.kind === 'refused') {
    yield { kind: 'refused', name: null, message: listing.message }
    return
  }
  const { zip, entries } = listing
  try {
    const names = new Set<string>()
    for (const entry of entries) {
      const found = checkZipEntry(entry, isJunk, limits)
      if (found.kind === 'skipped') continue
      if (found.kind === 'refused') {
        yield found
        continue
      }
      const { name } = found
      // If Windows considers two names equal, the second could not be distinguished from the first.
      const same = name.normalize('NFC').toLowerCase()
      if (names.has(same)) {
        yield { kind: 'refused', name, message: TWICE }
        continue
      }
      names.add(same)
      const targetPath = join(targetFolder, `${randomUUID()}.unpacked`)
      try {
        yield (await unpack(zip, entry, targetPath))
          ? { kind: 'file', name, path: targetPath, ...(await datedAsEntry(entry, targetPath)) }
          : { kind: 'refused', name, message: DAMAGED }
      } finally {
        await removeBestEffort(targetPath)
      }
    }
  } finally {
    zip.close()
  }
}

/** Writes one file; false if its content differs from its directory entry. Throws the errors of the disk. */
async function unpack(zip: ZipFile, entry: Entry, targetPath: string): Promise<boolean> {
  let [bytes, checksum] = [0, 0]
  // Opened before reading: a file that a stream opens on its own may appear after the cleanup.
  const file = await open(targetPath, 'wx', 0o600)
  try {
    const packed = await zip.openReadStreamPromise(entry)
    for await (const chunk of packed as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // The directory stated its size, which was checked against the limits.
      if (bytes > entry.uncompressedSize) return false
      checksum = crc32(chunk, checksum)
      // Appends the whole chunk.
      await file.writeFile(chunk)
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error
    return false
  } finally {
    await file.close()
  }
  return bytes === entry.uncompressedSize && checksum === entry.crc32
}

/** Gives the file the time stated in the archive, so that its stamp matches the entry. */
async function datedAsEntry(
  entry: Entry,
  path: string,
): Promise<{ readonly sizeBytes: number; readonly mtimeMs: number }> {
  const statedMs = entry.getLastModDate().getTime()
  const modified = new Date(Math.min(Math.max(statedMs, EARLIEST_MS), LATEST_MS))
  await utimes(path, modified, modified)
  const { size, mtimeMs } = await stat(path)
  return { sizeBytes: size, mtimeMs: Math.floor(mtimeMs) }
}

const NO_IMAGE = 'This file in the archive is not an image that is taken; it was left in the archive.'

const NOT_WHOLE =
  'This image in the archive is not complete, so it is not used. Export it again from the camera.'

const EMPTY =
  'This archive holds nothing that is read here, so nothing was taken of it. If images should be in it, export it again.'

const NESTED = 'This is an archive in an archive, which is not opened. Export its images by themselves.'

/** Skips a file whose name contains a term that the clinic's profile ignores, such as infrared. */
export function ignoreByProfile(context: IngestContext, file: FileMark): boolean {
  const { profile } = pathRulesOf(context.settings(), file.folderPath)
  const term = profile === null ? null : ignoredTermOf(profile, file.relativePath)
  if (term === null) return false
  const at = context.clock.now()
  const message = `The profile of this folder leaves files with "${term}" in their name alone.`
  context.note(file.folderPath, { fileName: file.relativePath, kind: 'ignored', message, at })
  context.outbox.files.markSeen(file, 'leftAlone', null, at)
  return true
}

const WAITING_FOR_SPACE =
  'This file waits in the camera folder, because the disk of this computer has too little space. It is taken in by itself when there is space.'

/** Ingests a file, or finds that it is known. Throws only for errors of the disk or the database. */
export async function ingest(context: IngestContext, file: SettledFile): Promise<IngestResult> {
  if (context.outbox.files.hasSeen(file)) return 'done'
  if (context.hasSpaceFor && !(await context.hasSpaceFor(file.sizeBytes))) {
    const { folderPath, relativePath: fileName } = file
    context.note(folderPath, {
      fileName,
      kind: 'arriving',
      message: WAITING_FOR_SPACE,
      at: context.clock.now(),
    })
    return 'again'
  }
  switch (file.content) {
    case 'sidecar':
      return ingestDataFile(context, file)
    case 'zip':
      return ingestArchive(context, file)
    default: {
      if (ignoreByProfile(context, file)) return 'done'
      const path = join(file.folderPath, file.relativePath)
      const at = { path, sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs }
      return ingestImage(context, file, { contentType: file.content, at })
    }
  }
}

/**
 * Ingests an archive one entry at a time. After an interruption, finished entries are known by their marks; the
 * archive itself is marked only when all are done.
 */
async function ingestArchive(context: IngestContext, file: FileMark): Promise<IngestResult> {
  const { outbox, clock } = context
  const entries = expandZip(join(file.folderPath, file.relativePath), context.pictureFolder, isJunkFile)
  let isToBeTriedAgain = false
  let isEmpty = true
  for await (const entry of entries) {
    isEmpty = false
    if (entry.kind === 'refused') {
      const relativePath = entry.name === null ? file.relativePath : `${file.relativePath}/${entry.name}`
      noteFor(context, { ...file, relativePath })('ignored', entry.message)
      continue
    }
    const { sizeBytes, mtimeMs } = entry
    const mark = {
      folderPath: file.folderPath,
      relativePath: `${file.relativePath}/${entry.name}`,
      sizeBytes,
      mtimeMs,
    }
    if ((await ingestEntry(context, mark, entry)) === 'again') isToBeTriedAgain = true
  }
  if (isToBeTriedAgain) return 'again'
  if (isEmpty) noteFor(context, file)('ignored', EMPTY)
  outbox.files.markSeen(file, 'archive', null, clock.now())
  return 'done'
}

function noteFor(context: IngestContext, mark: FileMark): (kind: FileNote['kind'], message: string) => void {
  return (kind, message) =>
    context.note(mark.folderPath, { fileName: mark.relativePath, kind, message, at: context.clock.now() })
}

async function ingestEntry(
  context: IngestContext,
  mark: FileMark,
  entry: Extract<ExpandedEntry, { kind: 'file' }>,
): Promise<IngestResult> {
  const { outbox, clock } = context
  if (outbox.files.hasSeen(mark)) return 'done'
  const at = { path: entry.path, sizeBytes: entry.sizeBytes, mtimeMs: entry.mtimeMs }
  if (isSidecar(entry.name)) return ingestDataFile(context, mark, entry.path)
  const found = await inspectFile(entry.path, at)
  if (found.kind === 'whole' && found.content !== 'zip')
    return ingestImage(context, mark, { contentType: found.content, at })
  if (found.kind === 'changed') return 'again'
  const note = noteFor(context, mark)
  if (found.kind === 'whole') note('ignored', NESTED)
  else if (found.kind === 'incomplete') note('truncated', NOT_WHOLE)
  else if (found.kind === 'unreadable') note('unreadable', found.message)
  else note('ignored', NO_IMAGE)
  outbox.files.markSeen(mark, 'leftAlone', null, clock.now())
  return 'done'
}
