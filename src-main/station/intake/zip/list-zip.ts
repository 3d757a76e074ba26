/** The directory of an archive, read to its end before anything is unpacked. */
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import type { ZipLimits } from './zip-limits.ts'

/** - `refused`  nothing of it can be taken; `message` is a sentence */
export type ZipListing =
  | { readonly kind: 'listed'; readonly zip: ZipFile; readonly entries: readonly Entry[] }
  | { readonly kind: 'refused'; readonly message: string }

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
  let zip: ZipFile
  try {
    // Names are read by us, so that one bad name does not end the whole; sizes are checked when files are unpacked.
    zip = await openPromise(path, { autoClose: false, decodeStrings: false, validateEntrySizes: false })
  } catch (error) {
    return unreadable(error)
  }
  const listing = await listed(zip, limits)
  if (listing.kind === 'refused') zip.close()
  return listing
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
