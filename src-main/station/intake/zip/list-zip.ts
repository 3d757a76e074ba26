/** The directory of an archive, read to its end before anything is unpacked. */
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { openSource } from '../../open-source.ts'
import { readAtOfHandle, type ReadAt } from '../read-at.ts'
import type { ZipLimits } from './zip-limits.ts'

/** - `refused`  nothing of it can be taken; `message` is a sentence */
export type ZipListing =
  | { readonly kind: 'listed'; readonly zip: ZipFile; readonly entries: readonly Entry[] }
  | { readonly kind: 'refused'; readonly message: string }

const PIECE_BYTES = 256 * 1_024

const UNREADABLE =
  'This archive is damaged and cannot be opened, so nothing of it was taken. Export the archive again.'
const TOO_MANY =
  'This archive holds more than 10,000 files, so nothing of it was taken. Export the images in smaller archives.'
const TOO_MUCH =
  'This archive would grow to more than 4 GB, so nothing of it was taken. Export the images in smaller archives.'
const FOLDED =
  'The files in this archive lie over one another, as in one that was made to do harm, so nothing of it was taken. Export the images again.'

/**
 * Opens an archive and reads what it says it holds, without the files themselves. Whoever gets `zip` closes it. Throws
 * the errors of the disk only.
 */
export async function listZip(path: string, limits: ZipLimits): Promise<ZipListing> {
  const handle = await openSource(path)
  let zip: ZipFile
  try {
    // Names are read by us, so that one bad name does not end the whole; sizes are checked when files are unpacked.
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

/** Gives yauzl the bytes of a file that was opened before; closes it with the archive. */
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

  /** The heads of thousands of files: without a stream for each. */
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
      // Also what yauzl throws over these bytes: it is about this archive, and must not end the station.
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
  if (zip.entryCount > limits.entries) return { kind: 'refused', message: TOO_MANY }
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
  if (packedBytes > zip.fileSize) return { kind: 'refused', message: FOLDED }
  if (unpackedBytes > limits.totalBytes) return { kind: 'refused', message: TOO_MUCH }
  return { kind: 'listed', zip, entries }
}

function unreadable(error: unknown): ZipListing {
  if (error instanceof Error && 'syscall' in error) throw error
  return { kind: 'refused', message: UNREADABLE }
}
