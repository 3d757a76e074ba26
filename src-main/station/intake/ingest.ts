/**
 * Ingests one settled file into the outbox: stored first, then recorded, then acknowledged. A ZIP archive is
 * extracted one entry at a time.
 */
import { randomUUID } from 'node:crypto'
import { open, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { isJunkFile, isSidecar } from '../lib/export-names.ts'
import { removeBestEffort } from '../lib/files.ts'
import type { FileMark, SettledFile } from '../watch/watch.ts'
import { ingestDataFile } from './ingest-data-file.ts'
import { type IngestContext, ingestImage, type IngestResult, noteFor } from './ingest-image.ts'
import { inspectFile } from './inspect-file.ts'
import { ignoredTermOf } from './profile/profile.ts'
import { pathRulesOf } from './visits/evidence.ts'
import { checkZipEntry, listZip, ZIP_LIMITS, type ZipLimits } from './zip.ts'

/**
 * An entry of an archive.
 *
 * - `file`     extracted: `name` as in the archive, with `/` between its parts, never leading out; `path` holds its
 *              bytes until the next entry is requested; `mtimeMs` is the time of the file at `path`
 * - `refused`  `name` is null if it concerns the archive, or if the name cannot be shown
 */
type ExpandedEntry =
  | {
      readonly kind: 'file'
      readonly name: string
      readonly path: string
      readonly sizeBytes: number
      readonly mtimeMs: number
    }
  | (Message & { readonly kind: 'refused'; readonly name: string | null })

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
    yield { ...listing, name: null }
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
        yield { kind: 'refused', name, ...worded('intake:archive.twice') }
        continue
      }
      names.add(same)
      const targetPath = join(targetFolder, `${randomUUID()}.unpacked`)
      try {
        yield (await unpack(zip, entry, targetPath))
          ? { kind: 'file', name, path: targetPath, ...(await datedAsEntry(entry, targetPath)) }
          : { kind: 'refused', name, ...worded('intake:archive.damaged') }
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
      noteFor(context, { ...file, relativePath })('ignored', entry)
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
  if (isEmpty) noteFor(context, file)('ignored', worded('intake:archive.empty'))
  outbox.files.markSeen(file, 'archive', null, clock.now())
  return 'done'
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
  if (found.kind === 'whole') note('ignored', worded('intake:archive.nested'))
  else if (found.kind === 'incomplete') note('truncated', worded('intake:archive.incomplete'))
  else if (found.kind === 'unreadable') note('unreadable', found)
  else note('ignored', worded('intake:archive.noImage'))
  outbox.files.markSeen(mark, 'leftAlone', null, clock.now())
  return 'done'
}
