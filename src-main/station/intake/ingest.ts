/** Takes one settled file into the outbox: kept first, then written down, then acknowledged. */
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

// Taking the files out of a ZIP archive, one at a time. The archive is hostile until its content has been read.

/**
 * - `file`     taken out: `name` as the archive has it, with `/` between its parts, never leading out; `path` is where
 *              its bytes lie until the next entry is asked for; `mtimeMs` is the time that the file at `path` bears
 * - `refused`  `message` is a sentence; `name` is null where it is about the archive, or the name cannot be shown
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

/** What the format can say, APPNOTE 4.4.6; extra fields may say more than a file system takes. */
const EARLIEST_MS = Date.UTC(1980, 0, 1)

const LATEST_MS = Date.UTC(2107, 11, 31)

/**
 * Takes the files of an archive out into `targetFolder`, which exists, under names of our own, and removes each when the
 * next is asked for. An archive in an archive is a file like any other. `isJunk` is asked about the last part of a name;
 * what it says yes to is passed by in silence, as are hidden files and what macOS adds.
 *
 * Checked: names, kinds, passwords, sizes, and the checksum of every file; one that fails is `refused` and the others
 * hold. Throws the errors of the disk, and leaves nothing behind then.
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
      // Of names that are one to Windows the second could not be told from the first.
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

/** Writes one file; false where its content is not what the directory says. Throws the errors of the disk. */
async function unpack(zip: ZipFile, entry: Entry, targetPath: string): Promise<boolean> {
  let [bytes, checksum] = [0, 0]
  // Opened before anything is read: a file that a stream opens by itself may appear after its end was cleared away.
  const file = await open(targetPath, 'wx', 0o600)
  try {
    const packed = await zip.openReadStreamPromise(entry)
    for await (const chunk of packed as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // The directory has said how long it is, and that was held against the limits.
      if (bytes > entry.uncompressedSize) return false
      checksum = crc32(chunk, checksum)
      // From where the last one ended, and all of it.
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

/** Gives the file the time that the archive states for it, so that a look at the file shows what the entry says. */
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

// Takes the images and data files of a ZIP archive in, each as if it lay in a folder of the archive's name.

const NO_IMAGE = 'This file in the archive is not an image that is taken; it was left in the archive.'

const NOT_WHOLE =
  'This image in the archive is not complete, so it is not used. Export it again from the camera.'

const EMPTY =
  'This archive holds nothing that is read here, so nothing was taken of it. If images should be in it, export it again.'

const NESTED = 'This is an archive in an archive, which is not opened. Export its images by themselves.'

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

/**
 * Takes an archive in, an entry at a time: what was dealt with before an interruption is known by its mark, and the
 * archive itself is marked only when all of it was dealt with.
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

/** A word in the name that the clinic's profile leaves alone, such as infrared. */
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

/** Takes a file in, or finds that it is known. Throws only where the disk or the database does. */
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
