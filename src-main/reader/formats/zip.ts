/** Checks whether a ZIP archive is complete, reads its directory before anything is extracted, and extracts its files. */
import { randomUUID } from 'node:crypto'
import { open, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { type Message, worded } from '../../../src-shared/wording.ts'
import {
  isInLeftFolder,
  openSource,
  type OpenSource,
  reads,
  removeBestEffort,
} from '../../station/lib/files.ts'
import { ByteWindow, malformed, type ReadAt, readAtOfHandle, truncated } from './bytes.ts'
import type { ExpandedEntry, FileStamp, Refused } from '../messages.ts'

/** The limits for one archive: they exceed what a camera writes, and stay below what a disk holds. */
const MAX_TOTAL_BYTES = 4_096 * 1_024 * 1_024

/** A phone camera's archive contains some tens of files; a clinic's whole year some thousands. */
const MAX_ENTRIES = 10_000

/** The same as for a file in the folder itself. */
const MAX_ENTRY_BYTES = 512 * 1_024 * 1_024

/** Extracted over compressed bytes; a black uncompressed image of 36 MB shrinks to a thousandth, and is no bomb. */
const MAX_RATIO = 200
const RATIO_MATTERS_FROM_BYTES = 100 * 1_024 * 1_024

/** We decode names ourselves, so that one bad name does not fail the whole; sizes are checked during extraction. */
const OPTIONS = { autoClose: false, decodeStrings: false, validateEntrySizes: false }

/** A jump between files costs no more than this, and the directory comes in pieces. */
const WINDOW_BYTES = 16 * 1_024
const PIECE_BYTES = 256 * 1_024

/**
 * Whole if the central directory, which comes last, is complete, and each file begins and ends inside the archive
 * (APPNOTE 6.3, 4.3.12 to 4.3.16). Reads heads only: zeros mean preallocated space. Checksums are for extraction.
 */
export async function walkZip(readAt: ReadAt, sizeBytes: number): Promise<void> {
  const window = new ByteWindow(readAt, sizeBytes, WINDOW_BYTES)
  const reader = new SourceReader((position, length) => window.read(position, length))
  let flaw = truncated()
  try {
    const zip = await fromRandomAccessReaderPromise(reader, sizeBytes, OPTIONS)
    // What has more is refused when it is opened; here it is whole.
    if (zip.entryCount > MAX_ENTRIES) return
    flaw = malformed('the directory of a ZIP is none')
    const entries = await entriesOf(zip)
    flaw = truncated()
    for (const entry of entries) await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  } catch (error) {
    if (isOfDisk(error)) throw error
    throw flaw
  }
}

async function entriesOf(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return entries
}

/** Gives yauzl the bytes of a file. */
class SourceReader extends RandomAccessReader {
  readonly #readAt: ReadAt

  constructor(readAt: ReadAt) {
    super()
    this.#readAt = readAt
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end))
  }

  /** Reads the heads of thousands of files without a stream for each. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    void this.#fill(buffer.subarray(offset, offset + length), position, callback)
  }

  async #fill(target: Buffer, position: number, callback: (error: Error | null) => void): Promise<void> {
    try {
      const bytes = await this.#readAt(position, target.length)
      target.set(bytes)
      callback(bytes.length === target.length ? null : new Error('The archive ends too early.'))
    } catch (error) {
      // Includes errors that yauzl throws over these bytes: they concern this archive, and must not end the station.
      callback(error instanceof Error ? error : new Error('The archive cannot be read.'))
    }
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Uint8Array, void, void> {
    let position = start
    while (position < end) {
      const bytes = await this.#readAt(position, Math.min(PIECE_BYTES, end - position))
      if (bytes.length === 0) return
      yield bytes
      position += bytes.length
    }
  }
}

function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** The directory of an archive, or why nothing of it can be taken. Throws the errors of the disk only. */
async function listZip(
  readAt: ReadAt,
  sizeBytes: number,
): Promise<{ readonly zip: ZipFile; readonly entries: readonly Entry[] } | Message> {
  try {
    const zip = await fromRandomAccessReaderPromise(new SourceReader(readAt), sizeBytes, OPTIONS)
    if (zip.entryCount > MAX_ENTRIES) return worded('intake:zip.tooManyFiles')
    const entries = await entriesOf(zip)
    const packedBytes = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0)
    const unpackedBytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
    if (packedBytes > sizeBytes) return worded('intake:zip.overlapping')
    return unpackedBytes > MAX_TOTAL_BYTES ? worded('intake:zip.tooLarge') : { zip, entries }
  } catch (error) {
    if (isOfDisk(error)) throw error
    return worded('intake:zip.unreadable')
  }
}

type FileProblem = 'outside' | 'nameless' | 'notAFile' | 'locked' | 'packedOtherwise' | 'tooLarge' | 'bomb'

/** APPNOTE 4.4.2: the creating system is in the upper byte; 3 is Unix and 19 macOS. */
const UNIX_SYSTEMS = [3, 19]
const FILE_MODE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000

/** Longer than any file system allows. */
const MAX_NAME = 1_024

const refused = (name: string | null, why: FileProblem): Refused => ({
  kind: 'refused',
  name,
  ...worded(`intake:zip.file.${why}`),
})

/**
 * The name of an entry, which has `/` between its parts and stays inside, or why it is refused; by its line in the
 * directory, before a byte of it is extracted. Null for a folder, and for metadata of an operating system.
 */
function checkZipEntry(entry: Entry, isJunk: (fileName: string) => boolean): string | Refused | null {
  const name = nameOf(entry)
  const mode = UNIX_SYSTEMS.includes(entry.versionMadeBy >> 8) ? entry.externalFileAttributes >>> 16 : 0
  if (name.endsWith('/') || (mode & FILE_MODE) === FOLDER) return null
  const trouble = nameProblem(name)
  if (trouble !== null) return refused(null, trouble)
  const parts = name.split('/')
  // macOS metadata, and hidden files and folders.
  if (parts.some((part) => part === '__MACOSX' || part.startsWith('.'))) return null
  if (isJunk(parts.at(-1) ?? '') || isInLeftFolder(parts.slice(0, -1))) return null
  const problem = contentProblem(entry, mode)
  return problem === null ? name : refused(name, problem)
}

/** UTF-8 if the entry says so or it is valid, as macOS writes it unsaid; else code page 437 (APPNOTE appendix D). */
function nameOf(entry: Entry): string {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
  const isStated = (entry.generalPurposeBitFlag & 0x800) !== 0
  if (isStated || entry.extraFields.some(({ id }) => id === 0x7075)) return name
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(entry.fileNameRaw).replaceAll('\\', '/')
  } catch {
    return name
  }
}

function nameProblem(name: string): FileProblem | null {
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.split('/').includes('..')) return 'outside'
  // oxlint-disable-next-line no-control-regex -- it searches for control characters
  const isOdd = name === '' || name.length > MAX_NAME || /[\u0000-\u001f\u007f]/.test(name)
  const hasEmptyPart = name.split('/').some((part) => part === '' || part === '.')
  return isOdd || hasEmptyPart ? 'nameless' : null
}

function contentProblem(entry: Entry, mode: number): FileProblem | null {
  const kind = mode & FILE_MODE
  if (kind !== 0 && kind !== REGULAR) return 'notAFile'
  if (entry.isEncrypted()) return 'locked'
  if (!entry.canDecodeFileData()) return 'packedOtherwise'
  if (entry.uncompressedSize > MAX_ENTRY_BYTES) return 'tooLarge'
  const isSuspicious = entry.uncompressedSize > RATIO_MATTERS_FROM_BYTES
  if (isSuspicious && entry.uncompressedSize > entry.compressedSize * MAX_RATIO) return 'bomb'
  return null
}

/** The range of the format, APPNOTE 4.4.6; extra fields may exceed what a file system accepts. */
const EARLIEST_MS = Date.UTC(1980, 0, 1)

const LATEST_MS = Date.UTC(2107, 11, 31)

/**
 * Extracts each file into `targetFolder` under a name of our own, and removes it when the next is requested. Junk,
 * hidden files and macOS metadata are skipped. Bad names, kinds, passwords, sizes or checksums are `refused`, the
 * others valid. Throws errors of the disk and leaves nothing behind.
 */
export async function* expandZip(
  path: string,
  targetFolder: string,
  isJunk: (fileName: string) => boolean,
  open: OpenSource = openSource,
): AsyncGenerator<ExpandedEntry, void, undefined> {
  const handle = await open(path)
  try {
    const listing = await listZip(readAtOfHandle(handle), (await handle.stat()).size)
    if (!('entries' in listing)) {
      yield { kind: 'refused', ...listing, name: null }
      return
    }
    const { zip, entries } = listing
    for (const entry of entries) {
      const name = checkZipEntry(entry, isJunk)
      if (typeof name !== 'string') {
        if (name !== null) yield name
        continue
      }
      const targetPath = join(targetFolder, `${reads.prefix}${randomUUID()}.unpacked`)
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
    await handle.close()
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
    if (isOfDisk(error)) throw error
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
