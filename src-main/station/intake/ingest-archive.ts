/** Ingests a ZIP archive, one entry at a time. */
import { randomUUID } from 'node:crypto'
import { open, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { isJunkFile, isSidecar, removeBestEffort } from '../lib/files.ts'
import type { FileMark } from '../watch/watch.ts'
import type { IngestContext, IngestResult } from './refresh.ts'
import { inspectFile } from './inspect-file.ts'
import { noteFor } from './intake-folder.ts'
import type { ImageSource } from './spool.ts'
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

/** How an entry is ingested, once it is a file of its own. */
type EntryIngest = {
  readonly dataFile: (mark: FileMark, path: string) => Promise<IngestResult>
  readonly image: (mark: FileMark, source: ImageSource) => Promise<IngestResult>
}

/**
 * Ingests an archive one entry at a time. After an interruption, finished entries are known by their marks; the
 * archive itself is marked only when all are done.
 */
export async function ingestArchive(
  context: IngestContext,
  file: FileMark,
  ingestAs: EntryIngest,
): Promise<IngestResult> {
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
    if ((await ingestEntry(context, mark, entry, ingestAs)) === 'again') isToBeTriedAgain = true
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
  ingestAs: EntryIngest,
): Promise<IngestResult> {
  const { outbox, clock } = context
  if (outbox.files.hasSeen(mark)) return 'done'
  const at = { path: entry.path, sizeBytes: entry.sizeBytes, mtimeMs: entry.mtimeMs }
  if (isSidecar(entry.name)) return ingestAs.dataFile(mark, entry.path)
  const found = await inspectFile(entry.path, at)
  if (found.kind === 'whole' && found.content !== 'zip')
    return ingestAs.image(mark, { contentType: found.content, at })
  if (found.kind === 'changed') return 'again'
  const note = noteFor(context, mark)
  if (found.kind === 'whole') note('ignored', worded('intake:archive.nested'))
  else if (found.kind === 'incomplete') note('truncated', worded('intake:archive.incomplete'))
  else if (found.kind === 'unreadable') note('unreadable', found)
  else note('ignored', worded('intake:archive.noImage'))
  outbox.files.markSeen(mark, 'leftAlone', null, clock.now())
  return 'done'
}
