import type { FileHandle } from 'node:fs/promises'
import { IMAGE_TYPES, type ImageType } from '../../../src-shared/measurement-ranges.ts'
import { diskCodeOf, openSource } from '../lib/open-source.ts'
import { type DicomKind, dicomKindOf, dicomStructure } from './dicom/kind.ts'
import { type ReadAt, readAtOfHandle, type Structure } from './file-structure.ts'
import { bmpStructure } from './images/bmp.ts'
import { jpegStructure } from './images/jpeg.ts'
import { pngStructure } from './images/png.ts'
import { tiffStructure } from './images/tiff.ts'
import { zipStructure } from './zip.ts'

// What a file is, by its first bytes. Names lie: exports carry wrong extensions, or none.
//
// Signatures: JPEG ISO/IEC 10918-1 B.1.1.3, PNG W3C 5.2, TIFF 6.0 section 2 and BigTIFF (version 43), DICOM
// PS3.10 7.1, BMP [MS-WMF] 2.2.2.3, ZIP APPNOTE 4.3, the others as the IANA media types state them.

/** DICOM files that are no photograph of an eye, as their SOP class says. */
type OtherDicom =
  | 'dicomOct'
  | 'dicomSegmentation'
  | 'dicomReport'
  | 'dicomDirectory'
  /** Measurements, maps, raw data, other images: whatever else DICOM carries. */
  | 'dicomOther'

export type ContentKind =
  | ImageType
  | OtherDicom
  /** Not one byte. */
  | 'empty'
  /** Nothing but zeros so far: a size that was reserved before the content came. */
  | 'blank'
  /** Too short to tell, and so far it could still become an image. */
  | 'beginning'
  | 'gif'
  | 'heif'
  | 'jpeg2000'
  | 'pdf'
  | 'text'
  | 'webp'
  | 'zip'
  | 'unknown'

/** How many bytes `contentKindOf` wants to see, where the file has them. */
export const HEAD_BYTES = 4_096

type Signature = { readonly kind: ContentKind; readonly at: number; readonly bytes: readonly number[] }

const ascii = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0))

const IMAGE_SIGNATURES: readonly Signature[] = [
  // Before TIFF: the 128 bytes before it are anybody's, and may make the file a TIFF at the same time (PS3.10 7.1).
  { kind: 'application/dicom', at: 128, bytes: ascii('DICM') },
  { kind: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { kind: 'image/png', at: 0, bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] },
  { kind: 'image/tiff', at: 0, bytes: [...ascii('II'), 42, 0] },
  { kind: 'image/tiff', at: 0, bytes: [...ascii('MM'), 0, 42] },
  { kind: 'image/tiff', at: 0, bytes: [...ascii('II'), 43, 0] },
  { kind: 'image/tiff', at: 0, bytes: [...ascii('MM'), 0, 43] },
]

const OTHER_SIGNATURES: readonly Signature[] = [
  { kind: 'pdf', at: 0, bytes: ascii('%PDF-') },
  { kind: 'zip', at: 0, bytes: [...ascii('PK'), 3, 4] },
  { kind: 'zip', at: 0, bytes: [...ascii('PK'), 5, 6] },
  { kind: 'gif', at: 0, bytes: ascii('GIF8') },
  { kind: 'jpeg2000', at: 4, bytes: ascii('jP  ') },
  { kind: 'jpeg2000', at: 0, bytes: [0xff, 0x4f, 0xff, 0x51] },
  { kind: 'heif', at: 4, bytes: ascii('ftyp') },
  { kind: 'webp', at: 8, bytes: ascii('WEBP') },
]

const BEGINNINGS = [...IMAGE_SIGNATURES, ...OTHER_SIGNATURES.filter(({ kind }) => kind === 'zip')].filter(
  ({ at }) => at === 0,
)

/**
 * The kind of content that begins with `head`, the first `HEAD_BYTES` bytes or all that the file has. Which
 * DICOM it is stands further inside, so here all of it is `application/dicom`.
 */
export function contentKindOf(head: Uint8Array): ContentKind {
  if (head.length === 0) return 'empty'
  const signature = [...IMAGE_SIGNATURES, ...OTHER_SIGNATURES].find((one) => matches(head, one))
  if (signature) return signature.kind
  if (isBitmap(head)) return 'image/bmp'
  if (head.every((byte) => byte === 0)) return 'blank'
  if (BEGINNINGS.some((one) => isBeginningOf(head, one)) || isShortBitmap(head)) return 'beginning'
  return isText(head) ? 'text' : 'unknown'
}

export function isImageType(kind: ContentKind): kind is ImageType {
  return (IMAGE_TYPES as readonly ContentKind[]).includes(kind)
}

function matches(head: Uint8Array, { at, bytes }: Signature): boolean {
  return head.length >= at + bytes.length && bytes.every((byte, index) => head[at + index] === byte)
}

function isBeginningOf(head: Uint8Array, { bytes }: Signature): boolean {
  return head.length < bytes.length && head.every((byte, index) => byte === bytes[index])
}

/** Two letters prove little, so the size of the header that must follow (BITMAPINFOHEADER or later) is looked at too. */
function isBitmap(head: Uint8Array): boolean {
  return head[0] === 0x42 && head[1] === 0x4d && [12, 40, 52, 56, 108, 124].includes(head[14] ?? 0)
}

/** Cut before the size of the header that would prove it. */
function isShortBitmap(head: Uint8Array): boolean {
  return head.length < 15 && head[0] === 0x42 && (head.length === 1 || head[1] === 0x4d)
}

/** Text in an encoding of today, or UTF-16 by its mark: no control characters but those that text has. */
function isText(head: Uint8Array): boolean {
  const mark = (head[0] ?? 0) * 0x100 + (head[1] ?? 0)
  if (mark === 0xfffe || mark === 0xfeff) return true
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)
}

const CHECKS: Readonly<Record<ImageType | 'zip', (readAt: ReadAt, sizeBytes: number) => Promise<Structure>>> =
  {
    'image/jpeg': jpegStructure,
    'image/png': (readAt) => pngStructure(readAt),
    'image/tiff': tiffStructure,
    'image/bmp': bmpStructure,
    'application/dicom': dicomStructure,
    zip: zipStructure,
  }

/**
 * Says whether an image file or an archive is all there.
 *
 * Reads as little as proves it: a JPEG to its end, because its scans state no length, of the others the directories
 * only. Holds one window of the file at a time, whatever its size. Errors are those of `readAt`.
 */
export async function structureOf(
  type: ImageType | 'zip',
  readAt: ReadAt,
  sizeBytes: number,
): Promise<Structure> {
  return CHECKS[type](readAt, sizeBytes)
}

/** Size and time of last change that a file had when it was looked at; whole milliseconds. */
export type FileStamp = { readonly sizeBytes: number; readonly mtimeMs: number }

/**
 * Is a file still what it was at a look? The time is rounded here as every look rounds it: from the same floating
 * number, because the exact nanoseconds (`bigint`) of a time such as 0.9999999 ms round to another millisecond.
 */
export function matchesStamp(
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
  stamp: FileStamp,
): boolean {
  return size === stamp.sizeBytes && Math.floor(mtimeMs) === stamp.mtimeMs
}

/**
 * What opening a file showed.
 *
 * - `whole`       an image or a ZIP archive, all there
 * - `incomplete`  not all there, or not open to us: perhaps still being written
 * - `other`       no image that becomes part of a case
 * - `changed`     it is gone, or no longer what was looked at: look anew
 * - `unreadable`  reading it failed in a way that nobody foresaw, and would again; `message` is a sentence, `error` the
 *                 class of what was thrown, without content
 */
export type Inspection =
  | { readonly kind: 'whole'; readonly content: ImageType | 'zip' }
  | { readonly kind: 'incomplete'; readonly why: Incompleteness }
  | { readonly kind: 'other'; readonly content: ContentKind }
  | { readonly kind: 'changed' }
  | { readonly kind: 'unreadable'; readonly message: string; readonly error: string }

const UNREADABLE =
  'Reading this file failed, so it is in no case. The other files are taken as usual. Export it again from the camera, in another format if it can be.'

export type Incompleteness = 'empty' | 'truncated' | 'malformed' | 'busy'

const GONE_CODES = ['ENOENT', 'ENOTDIR', 'ESTALE', 'EFTYPE']

/**
 * Opens a file to read, says what it is and whether it is whole. Never writes, never throws: a camera that holds its
 * file shut (EBUSY, EPERM, EACCES) has not finished with it, and so has a share that stumbles; what is thrown over the
 * content of one file is about that file, and never about the folder.
 */
export async function inspectFile(path: string, expected: FileStamp): Promise<Inspection> {
  try {
    return await inspectOpened(path, expected)
  } catch (error) {
    return inspectionOfError(error)
  }
}

async function inspectOpened(path: string, expected: FileStamp): Promise<Inspection> {
  const handle = await openSource(path)
  try {
    if (!(await isUnchanged(handle, expected))) return { kind: 'changed' }
    const found = await inspectContent(handle, expected.sizeBytes)
    // What was read while the file changed proves nothing.
    return (await isUnchanged(handle, expected)) ? found : { kind: 'changed' }
  } finally {
    await handle.close()
  }
}

async function inspectContent(handle: FileHandle, sizeBytes: number): Promise<Inspection> {
  const readAt = readAtOfHandle(handle)
  const content = contentKindOf(await readAt(0, HEAD_BYTES))
  if (content === 'empty') return { kind: 'incomplete', why: 'empty' }
  if (content === 'blank' || content === 'beginning') return { kind: 'incomplete', why: 'truncated' }
  if (!isImageType(content) && content !== 'zip') return { kind: 'other', content }
  const structure = await structureOf(content, readAt, sizeBytes)
  if (structure.kind !== 'whole') return { kind: 'incomplete', why: structure.kind }
  const dicom = content === 'application/dicom' ? await dicomKindOf(readAt, sizeBytes) : 'photo'
  return dicom === 'photo' ? { kind: 'whole', content } : { kind: 'other', content: OTHER_DICOM[dicom] }
}

const OTHER_DICOM: Readonly<Record<Exclude<DicomKind, 'photo'>, OtherDicom>> = {
  oct: 'dicomOct',
  segmentation: 'dicomSegmentation',
  report: 'dicomReport',
  directory: 'dicomDirectory',
  video: 'dicomOther',
  otherImage: 'dicomOther',
  noImage: 'dicomOther',
}

async function isUnchanged(handle: FileHandle, expected: FileStamp): Promise<boolean> {
  return matchesStamp(await handle.stat(), expected)
}

function inspectionOfError(error: unknown): Inspection {
  const code = diskCodeOf(error)
  if (code === null) return { kind: 'unreadable', message: UNREADABLE, error: errorName(error) }
  return GONE_CODES.includes(code) ? { kind: 'changed' } : { kind: 'incomplete', why: 'busy' }
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
