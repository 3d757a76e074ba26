/** What one entry of an archive is, by its line in the directory. Decided before a byte of it is unpacked. */
import { getFileNameLowLevel, type Entry } from 'yauzl'
import { RATIO_MATTERS_FROM_BYTES, type ZipLimits } from './zip-limits.ts'

/**
 * - `file`     to be taken out under `name`, which has `/` between its parts and stays inside
 * - `skipped`  a folder, or what operating systems leave: nobody wants to read about it
 * - `refused`  `message` is a sentence; `name` is null where it cannot be shown as a name inside the archive
 */
export type ZipEntryFinding =
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'refused'; readonly name: string | null; readonly message: string }

const OUTSIDE =
  'A file in this archive has a name that leads out of it, so it was not taken. Pack the images anew and export the archive again.'
const NAMELESS =
  'A file in this archive has a name that cannot be used, so it was not taken. Pack the images anew and export the archive again.'
const NO_FILE =
  'This entry of the archive is a link or a device and no file, so it was not taken. Pack the images themselves.'
const LOCKED =
  'This file in the archive is locked with a password, so it was not taken. Export the archive again without a password.'
const PACKED_OTHERWISE =
  'This file in the archive is packed in a way that is not read here, so it was not taken. Export a plain ZIP archive, or the images by themselves.'
const TOO_LARGE =
  'This file in the archive is larger than 512 MB, more than any photograph of an eye, so it was not taken. Export the image in a smaller format.'
const BOMB =
  'This file in the archive would grow to many times its size, which no photograph does, so it was not taken. Export the images again.'

/** APPNOTE 4.4.2: the system that made the entry stands in the upper byte; 3 is Unix and 19 macOS. */
const UNIX_SYSTEMS = [3, 19]
const FILE_MODE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
/** Longer than any file system allows. */
const MAX_NAME = 1_024

export function checkZipEntry(
  entry: Entry,
  isJunk: (fileName: string) => boolean,
  limits: ZipLimits,
): ZipEntryFinding {
  const name = nameOf(entry)
  const mode = UNIX_SYSTEMS.includes(entry.versionMadeBy >> 8) ? entry.externalFileAttributes >>> 16 : 0
  if (name.endsWith('/') || (mode & FILE_MODE) === FOLDER) return { kind: 'skipped' }
  const trouble = nameProblem(name)
  if (trouble !== null) return { kind: 'refused', name: null, message: trouble }
  const parts = name.split('/')
  // What macOS keeps of a file beside it, and hidden files and folders.
  if (parts.some((part) => part === '__MACOSX' || part.startsWith('.'))) return { kind: 'skipped' }
  if (isJunk(parts.at(-1) ?? '')) return { kind: 'skipped' }
  const message = contentProblem(entry, mode, limits)
  return message === null ? { kind: 'file', name } : { kind: 'refused', name, message }
}

/**
 * Names are UTF-8 where the entry says so, else the code page of the first PCs (APPNOTE appendix D). macOS writes UTF-8
 * and does not say so; bytes above ASCII that are UTF-8 by accident are hardly ever seen.
 */
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

function nameProblem(name: string): string | null {
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.split('/').includes('..')) return OUTSIDE
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const isOdd = name === '' || name.length > MAX_NAME || /[\u0000-\u001f\u007f]/.test(name)
  const hasEmptyPart = name.split('/').some((part) => part === '' || part === '.')
  return isOdd || hasEmptyPart ? NAMELESS : null
}

function contentProblem(entry: Entry, mode: number, limits: ZipLimits): string | null {
  const kind = mode & FILE_MODE
  if (kind !== 0 && kind !== REGULAR) return NO_FILE
  if (entry.isEncrypted()) return LOCKED
  if (!entry.canDecodeFileData()) return PACKED_OTHERWISE
  if (entry.uncompressedSize > limits.entryBytes) return TOO_LARGE
  const isSuspicious = entry.uncompressedSize > RATIO_MATTERS_FROM_BYTES
  if (isSuspicious && entry.uncompressedSize > entry.compressedSize * limits.ratio) return BOMB
  return null
}
