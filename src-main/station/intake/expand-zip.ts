/** Extracts the files of an archive, one at a time, into a folder of our own. */
import { randomUUID } from 'node:crypto'
import { open, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { removeBestEffort } from '../lib/files.ts'
import type { FileStamp } from './inspect-file.ts'
import { checkZipEntry, listZip, ZIP_LIMITS, type ZipLimits } from './zip.ts'

/**
 * An entry of an archive.
 *
 * - `file`     extracted: `name` as in the archive, with `/` between its parts, never leading out; `path` holds its
 *              bytes until the next entry is requested; `mtimeMs` is the time of the file at `path`, and `crc32` its
 *              checksum
 * - `refused`  `name` is null if it concerns the archive, or if the name cannot be shown
 */
type ExpandedEntry =
  | (FileStamp & {
      readonly kind: 'file'
      readonly name: string
      readonly path: string
      readonly crc32: number
    })
  | (Message & { readonly kind: 'refused'; readonly name: string | null })

export type ExpandedFile = Extract<ExpandedEntry, { kind: 'file' }>

/** Two names that some system holds for one: the first is taken. */
export const TWICE = 'intake:archive.twice'

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
        yield { kind: 'refused', name, ...worded(TWICE) }
        continue
      }
      names.add(same)
      const targetPath = join(targetFolder, `${randomUUID()}.unpacked`)
      try {
        yield (await unpack(zip, entry, targetPath))
          ? {
              kind: 'file',
              name,
              path: targetPath,
              ...(await datedAsEntry(entry, targetPath)),
              crc32: entry.crc32,
            }
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

/** The stamp of the file, once it has the time that the archive states. */
async function datedAsEntry(entry: Entry, path: string): Promise<FileStamp> {
  const statedMs = entry.getLastModDate().getTime()
  const modified = new Date(Math.min(Math.max(statedMs, EARLIEST_MS), LATEST_MS))
  await utimes(path, modified, modified)
  const { size, mtimeMs } = await stat(path)
  return { sizeBytes: size, mtimeMs: Math.floor(mtimeMs) }
}
