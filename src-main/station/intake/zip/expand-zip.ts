/** Taking the files out of a ZIP archive, one at a time. The archive is hostile until its content has been read. */
import { randomUUID } from 'node:crypto'
import { open, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { removeBestEffort } from '../../stubborn-files.ts'
import { listZip } from './list-zip.ts'
import { checkZipEntry } from './zip-entry.ts'
import { ZIP_LIMITS, type ZipLimits } from './zip-limits.ts'

/**
 * - `file`     taken out: `name` as the archive has it, with `/` between its parts, never leading out; `path` is where
 *              its bytes lie until the next entry is asked for; `mtimeMs` is the time that the file at `path` bears
 * - `refused`  `message` is a sentence; `name` is null where it is about the archive, or the name cannot be shown
 */
export type ExpandedEntry =
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
