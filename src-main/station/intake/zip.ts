/** Checks whether a ZIP archive is complete, and reads its directory before anything is extracted. */
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { isInLeftFolder, openSource } from '../lib/files.ts'
import { type Message, worded } from '../../../src-shared/wording.ts'
import {
  ByteWindow,
  malformed,
  type ReadAt,
  readAtOfHandle,
  type Structure,
  TRUNCATED,
  viewOf,
  WHOLE,
} from './file-structure.ts'

/** The limits for one archive. They exceed what a camera writes, and stay below what a disk holds. */
export type ZipLimits = {
  readonly entries: number
  readonly totalBytes: number
  readonly entryBytes: number
  /** Extracted over compressed bytes. */
  readonly ratio: number
}

/** A phone camera's archive contains some tens of files; a clinic's whole year some thousands. */
const MAX_ENTRIES = 10_000
const MEBIBYTE = 1_024 * 1_024

export const ZIP_LIMITS: ZipLimits = {
  entries: MAX_ENTRIES,
  totalBytes: 4_096 * MEBIBYTE,
  // The same as for a file in the folder itself.
  entryBytes: 512 * MEBIBYTE,
  ratio: 200,
}

/** A black uncompressed image of 36 MB shrinks to a thousandth, so a ratio alone is no bomb. */
const RATIO_MATTERS_FROM_BYTES = 100 * MEBIBYTE

/** The result of listing an archive; `refused`: nothing of it can be taken. */
type ZipListing =
  | { readonly kind: 'listed'; readonly zip: ZipFile; readonly entries: readonly Entry[] }
  | ({ readonly kind: 'refused' } & Message)

const PIECE_BYTES = 256 * 1_024

const refused = (why: 'unreadable' | 'tooManyFiles' | 'tooLarge' | 'overlapping'): ZipListing => ({
  kind: 'refused',
  ...worded(`intake:zip.${why}`),
})

/** Opens an archive and reads its directory. The caller closes `zip`. Throws the errors of the disk only. */
export async function listZip(path: string, limits: ZipLimits): Promise<ZipListing> {
  const handle = await openSource(path)
  let zip: ZipFile
  try {
    // We decode names ourselves, so that one bad name does not fail the whole; sizes are checked during extraction.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
    const { size } = await handle.stat()
    zip = await fromRandomAccessReaderPromise(new SourceReader(handle), size, options)
  } catch (error) {
    await handle.close()
    return unreadable(error)
  }
  const listing = await listed(zip, limits)
  if (listing.kind === 'refused') zip.close()
  return listing
}

/** Gives yauzl the bytes of an opened file; closes it with the archive. */
class SourceReader extends RandomAccessReader {
  readonly #handle: FileHandle
  readonly #readAt: ReadAt

  constructor(handle: FileHandle) {
    super()
    this.#handle = handle
    this.#readAt = readAtOfHandle(handle)
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

  override close(callback: (error: Error | null) => void): void {
    callbackify(() => this.#handle.close())(callback)
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

async function listed(zip: ZipFile, limits: ZipLimits): Promise<ZipListing> {
  if (zip.entryCount > limits.entries) return refused('tooManyFiles')
  const entries: Entry[] = []
  let [packedBytes, unpackedBytes] = [0, 0]
  try {
    for await (const entry of zip.eachEntry()) {
      packedBytes += entry.compressedSize
      unpackedBytes += entry.uncompressedSize
      entries.push(entry)
    }
  } catch (error) {
    zip.close()
    return unreadable(error)
  }
  if (packedBytes > zip.fileSize) return refused('overlapping')
  if (unpackedBytes > limits.totalBytes) return refused('tooLarge')
  return { kind: 'listed', zip, entries }
}

function unreadable(error: unknown): ZipListing {
  if (error instanceof Error && 'syscall' in error) throw error
  return refused('unreadable')
}

/**
 * The decision on one entry.
 *
 * - `file`     to be extracted as `name`, which has `/` between its parts and stays inside
 * - `skipped`  a folder, or metadata of an operating system, not worth a note
 * - `refused`  `name` is null if it cannot be shown as a name inside the archive
 */
type ZipEntryFinding =
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'skipped' }
  | ({ readonly kind: 'refused'; readonly name: string | null } & Message)

type FileProblem = 'outside' | 'nameless' | 'notAFile' | 'locked' | 'packedOtherwise' | 'tooLarge' | 'bomb'

const refusedFile = (name: string | null, why: FileProblem): ZipEntryFinding => ({
  kind: 'refused',
  name,
  ...worded(`intake:zip.file.${why}`),
})

/** APPNOTE 4.4.2: the creating system is in the upper byte; 3 is Unix and 19 macOS. */
const UNIX_SYSTEMS = [3, 19]
const FILE_MODE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000

/** Longer than any file system allows. */
const MAX_NAME = 1_024

/** The kind of one entry, from its directory line, decided before a byte of it is extracted. */
export function checkZipEntry(
  entry: Entry,
  isJunk: (fileName: string) => boolean,
  limits: ZipLimits,
): ZipEntryFinding {
  const name = nameOf(entry)
  const mode = UNIX_SYSTEMS.includes(entry.versionMadeBy >> 8) ? entry.externalFileAttributes >>> 16 : 0
  if (name.endsWith('/') || (mode & FILE_MODE) === FOLDER) return { kind: 'skipped' }
  const trouble = nameProblem(name)
  if (trouble !== null) return refusedFile(null, trouble)
  const parts = name.split('/')
  // macOS metadata, and hidden files and folders.
  if (parts.some((part) => part === '__MACOSX' || part.startsWith('.'))) return { kind: 'skipped' }
  if (isJunk(parts.at(-1) ?? '') || isInLeftFolder(parts.slice(0, -1))) return { kind: 'skipped' }
  const problem = contentProblem(entry, mode, limits)
  return problem === null ? { kind: 'file', name } : refusedFile(name, problem)
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

function contentProblem(entry: Entry, mode: number, limits: ZipLimits): FileProblem | null {
  const kind = mode & FILE_MODE
  if (kind !== 0 && kind !== REGULAR) return 'notAFile'
  if (entry.isEncrypted()) return 'locked'
  if (!entry.canDecodeFileData()) return 'packedOtherwise'
  if (entry.uncompressedSize > limits.entryBytes) return 'tooLarge'
  const isSuspicious = entry.uncompressedSize > RATIO_MATTERS_FROM_BYTES
  if (isSuspicious && entry.uncompressedSize > entry.compressedSize * limits.ratio) return 'bomb'
  return null
}

/** The position of the directory, and the number of files that it names. */
type ZipDirectory = { readonly at: number; readonly bytes: number; readonly entryCount: number }

const END_BYTES = 22
const MAX_COMMENT = 0xffff
const END_SIGNATURE = 0x0605_4b50
const WIDE_LOCATOR_BYTES = 20
const WIDE_LOCATOR_SIGNATURE = 0x0706_4b50
const WIDE_END_BYTES = 56
const WIDE_END_SIGNATURE = 0x0606_4b50
const ENTRY_SIGNATURE = 0x0201_4b50
const ENTRY_BYTES = 46
const FILE_SIGNATURE = 0x0403_4b50
const FILE_BYTES = 30

/**
 * Whole if the central directory, which comes last, is complete, and each file begins and ends before it (APPNOTE 6.3,
 * 4.3.12 to 4.3.16). Reads heads only: zeros mean preallocated space. Checksums are for extraction.
 */
export async function zipStructure(readAt: ReadAt, sizeBytes: number): Promise<Structure> {
  const directory = await findZipDirectory(readAt, sizeBytes)
  if (directory === null) return TRUNCATED
  const end = directory.at + directory.bytes
  const window = new ByteWindow(readAt, end)
  let position = directory.at
  // Archives beyond the limit are refused when they are opened; here they are whole.
  const count = Math.min(directory.entryCount, MAX_ENTRIES)
  for (let index = 0; index < count; index += 1) {
    const bytes = await window.read(position, ENTRY_BYTES)
    if (bytes.length < ENTRY_BYTES) return malformed('the directory of a ZIP is too short')
    const entry = viewOf(bytes)
    const signature = entry.getUint32(0, true)
    if (signature === 0) return TRUNCATED
    if (signature !== ENTRY_SIGNATURE)
      return malformed('the directory of a ZIP names something else than a file')
    const storedBytes = entry.getUint32(20, true)
    const fileAt = entry.getUint32(42, true)
    // The lengths of its name, its extra fields and its comment.
    const variableBytes = [28, 30, 32].reduce((sum, at) => sum + entry.getUint16(at, true), 0)
    // Both are elsewhere in archives of more than 4 GB, which do not occur for photographs: their heads are not read.
    if (storedBytes !== 0xffff_ffff && fileAt !== 0xffff_ffff) {
      const fileEnd = await endOfFileHead(readAt, fileAt)
      if (fileEnd === null || fileEnd + storedBytes > directory.at) return TRUNCATED
    }
    position += ENTRY_BYTES + variableBytes
  }
  return position <= end ? WHOLE : malformed('the directory of a ZIP is longer than it says')
}

/** Finds the directory; null if the record at the end of the archive is missing, or points outside of the file. */
async function findZipDirectory(readAt: ReadAt, sizeBytes: number): Promise<ZipDirectory | null> {
  const tailBytes = Math.min(sizeBytes, END_BYTES + MAX_COMMENT)
  const tail = await readAt(sizeBytes - tailBytes, tailBytes)
  if (tail.length < tailBytes) return null
  const view = viewOf(tail)
  for (let index = tailBytes - END_BYTES; index >= 0; index -= 1) {
    // The comment is the last thing in the file, so its length distinguishes the record from bytes that resemble it.
    if (view.getUint32(index, true) !== END_SIGNATURE) continue
    if (index + END_BYTES + view.getUint16(index + 20, true) !== tailBytes) continue
    const endAt = sizeBytes - tailBytes + index
    const narrow = {
      at: view.getUint32(index + 16, true),
      bytes: view.getUint32(index + 12, true),
      entryCount: view.getUint16(index + 10, true),
    }
    const isWide = narrow.at === 0xffff_ffff || narrow.bytes === 0xffff_ffff || narrow.entryCount === 0xffff
    const directory = isWide ? ((await wideDirectory(readAt, endAt)) ?? narrow) : narrow
    return directory.at + directory.bytes <= endAt ? directory : null
  }
  return null
}

/** ZIP64: the same record with eight bytes a number, found by a locator right before the short one. */
async function wideDirectory(readAt: ReadAt, endAt: number): Promise<ZipDirectory | null> {
  if (endAt < WIDE_LOCATOR_BYTES) return null
  const locator = await readAt(endAt - WIDE_LOCATOR_BYTES, WIDE_LOCATOR_BYTES)
  if (locator.length < WIDE_LOCATOR_BYTES) return null
  if (viewOf(locator).getUint32(0, true) !== WIDE_LOCATOR_SIGNATURE) return null
  const recordAt = Number(viewOf(locator).getBigUint64(8, true))
  if (recordAt + WIDE_END_BYTES > endAt) return null
  const record = await readAt(recordAt, WIDE_END_BYTES)
  if (record.length < WIDE_END_BYTES) return null
  const view = viewOf(record)
  if (view.getUint32(0, true) !== WIDE_END_SIGNATURE) return null
  return {
    at: Number(view.getBigUint64(48, true)),
    bytes: Number(view.getBigUint64(40, true)),
    entryCount: Number(view.getBigUint64(32, true)),
  }
}

async function endOfFileHead(readAt: ReadAt, at: number): Promise<number | null> {
  const head = await readAt(at, FILE_BYTES)
  if (head.length < FILE_BYTES) return null
  const view = viewOf(head)
  if (view.getUint32(0, true) !== FILE_SIGNATURE) return null
  return at + FILE_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
}
