/**
 * Inspects a file: its type by content, whether it is complete, and whether its image data are sound. Each format has one
 * walk in `formats`; errors of the disk pass, no other concerns the content.
 */
import { IMAGE_TYPES, type ImageType } from '../../src-shared/image-files.ts'
import { worded } from '../../src-shared/wording.ts'
import { diskCodeOf, openSource, type OpenSource, type Source, withFile } from '../station/lib/files.ts'
import { walkDicom } from './dicom/dicom.ts'
import { isBitmap, walkBmp } from './formats/bmp.ts'
import {
  type Depth,
  Flaw,
  matchesStamp,
  NotChecked,
  type ReadAt,
  readAtOfHandle,
  type Unchecked,
} from './formats/bytes.ts'
import { walkJpeg } from './formats/jpeg.ts'
import { walkPng } from './formats/png.ts'
import { walkTiff } from './formats/tiff.ts'
import { walkZip } from './formats/zip.ts'
import type { ContentKind, DicomKind, FileStamp, Inspection } from './messages.ts'

/** The number of bytes that `contentKindOf` needs, if the file has them. */
export const HEAD_BYTES = 4_096

/** Answers which kind of DICOM file it is, and of the data of a TIFF whether they are plain. Throws `Flaw`, `NotChecked` and the errors of `readAt`. */
type Walk = (readAt: ReadAt, sizeBytes: number, depth: Depth) => Promise<DicomKind | 'plain' | void>

/** Bytes by which a type is recognized, from this position on. */
type Signature = { readonly at: number; readonly bytes: readonly number[] }

const ascii = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0))

const atStart = (...bytes: readonly number[]): Signature => ({ at: 0, bytes })

type Format = { readonly walk: Walk; readonly signatures: readonly Signature[] }

const BY_TYPE: Readonly<Record<ImageType | 'zip', Format>> = {
  // Before TIFF: the 128 bytes before this signature are arbitrary, and may form a TIFF header (PS3.10 7.1).
  'application/dicom': { walk: walkDicom, signatures: [{ at: 128, bytes: ascii('DICM') }] },
  'image/jpeg': { walk: walkJpeg, signatures: [atStart(0xff, 0xd8, 0xff)] },
  'image/png': { walk: walkPng, signatures: [atStart(0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a)] },
  'image/tiff': {
    walk: walkTiff,
    signatures: [atStart(...ascii('II'), 42, 0), atStart(...ascii('MM'), 0, 42)],
  },
  'image/bmp': { walk: walkBmp, signatures: [] },
  zip: { walk: walkZip, signatures: [atStart(...ascii('PK'), 3, 4), atStart(...ascii('PK'), 5, 6)] },
}

/** By the bytes at their beginning; of bitmaps more is compared. */
const SIGNATURES: readonly (Signature & { readonly kind: ContentKind })[] = [
  ...Object.entries(BY_TYPE).flatMap(([kind, { signatures }]) =>
    signatures.map((one) => ({ ...one, kind: kind as ImageType | 'zip' })),
  ),
  { kind: 'pdf', at: 0, bytes: ascii('%PDF-') },
  { kind: 'gif', at: 0, bytes: ascii('GIF8') },
  { kind: 'jpeg2000', at: 4, bytes: ascii('jP  ') },
  { kind: 'jpeg2000', at: 0, bytes: [0xff, 0x4f, 0xff, 0x51] },
  { kind: 'heif', at: 4, bytes: ascii('ftyp') },
  { kind: 'webp', at: 8, bytes: ascii('WEBP') },
]

const BEGINNINGS = Object.values(BY_TYPE).flatMap(({ signatures }) => signatures.filter(({ at }) => at === 0))

/**
 * The kind of content by its signature, because names are unreliable: exports carry wrong extensions, or none. `head`
 * is the first `HEAD_BYTES` bytes or all of the file. The kind of DICOM is stated further inside, so here it is
 * always `application/dicom`.
 *
 * Signatures: JPEG ISO/IEC 10918-1 B.1.1.3, PNG W3C 5.2, TIFF 6.0 section 2, DICOM PS3.10
 * 7.1, BMP [MS-WMF] 2.2.2.3, ZIP APPNOTE 4.3, the others as in their IANA media types.
 */
export function contentKindOf(head: Uint8Array): ContentKind {
  if (head.length === 0) return 'empty'
  const signature = SIGNATURES.find((one) => matches(head, one))
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

function isShortBitmap(head: Uint8Array): boolean {
  return head.length < 18 && head[0] === 0x42 && (head.length === 1 || head[1] === 0x4d)
}

/** Text in a current encoding, or UTF-16 by its mark: no control characters except those of text. */
function isText(head: Uint8Array): boolean {
  const mark = (head[0] ?? 0) * 0x100 + (head[1] ?? 0)
  if (mark === 0xfffe || mark === 0xfeff) return true
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)
}

const GONE_CODES = ['ENOENT', 'ENOTDIR', 'ESTALE', 'EFTYPE']

/**
 * Determines type and completeness. Never writes, never throws: a camera that locks its file has not finished with it,
 * a share may fail for a moment, and an error over one file never concerns the folder.
 */
export async function inspectFile(
  path: string,
  expected: FileStamp,
  open: OpenSource = openSource,
): Promise<Inspection> {
  try {
    return await withFile(open(path), async (handle): Promise<Inspection> => {
      if (!matchesStamp(await handle.stat(), expected)) return { kind: 'changed' }
      const found = await inspectContent(handle, expected.sizeBytes)
      // Results read while the file changed prove nothing.
      return matchesStamp(await handle.stat(), expected) ? found : { kind: 'changed' }
    })
  } catch (error) {
    const code = diskCodeOf(error)
    if (code !== null)
      return GONE_CODES.includes(code) ? { kind: 'changed' } : { kind: 'incomplete', why: 'busy' }
    const name = error instanceof Error ? error.name : 'unknown'
    return { kind: 'unreadable', error: name, ...worded('intake:watch.readingFailed') }
  }
}

async function inspectContent(handle: Source, sizeBytes: number): Promise<Inspection> {
  const readAt = readAtOfHandle(handle)
  const content = contentKindOf(await readAt(0, HEAD_BYTES))
  if (content === 'empty') return { kind: 'incomplete', why: 'empty' }
  if (content === 'blank' || content === 'beginning') return { kind: 'incomplete', why: 'truncated' }
  if (!isImageType(content) && content !== 'zip') return { kind: 'other', content }
  const outline = await outlineOf(readAt, sizeBytes, content)
  if (outline.kind !== 'whole') return { kind: 'incomplete', why: outline.kind }
  const { dicom } = outline
  return dicom === null || dicom === 'photo' ? { kind: 'whole', content } : { kind: 'other', content: dicom }
}

/** Whether a file is whole; `dicom` is null for all but DICOM files. */
export type Outline = { readonly kind: 'whole'; readonly dicom: DicomKind | null } | Flaw

export async function outlineOf(
  readAt: ReadAt,
  sizeBytes: number,
  type: ImageType | 'zip',
): Promise<Outline> {
  try {
    const found = await BY_TYPE[type].walk(readAt, sizeBytes, 'outline')
    return { kind: 'whole', dicom: found === undefined || found === 'plain' ? null : found }
  } catch (error) {
    if (error instanceof Flaw) return error
    throw error
  }
}

/**
 * - `sound`       checked to its end; `isPlain` if it is not packed
 * - `doubtful`    a sign of damage; `sign` says which, without content of the file
 * - `notChecked`  coded in a way that is not checked here; `what` says which
 */
export type Soundness =
  | { readonly kind: 'sound'; readonly isPlain: boolean }
  | { readonly kind: 'doubtful'; readonly sign: string }
  | { readonly kind: 'notChecked'; readonly what: Unchecked }

/** Of all but DICOM files, whose frames are checked once they are opened: `dicom/frames.ts`. */
export async function soundnessOf(
  readAt: ReadAt,
  sizeBytes: number,
  type: Exclude<ImageType, 'application/dicom'>,
): Promise<Soundness> {
  return soundnessBy(BY_TYPE[type].walk(readAt, sizeBytes, 'data'))
}

/** What this walk comes to. */
export async function soundnessBy(walk: Promise<unknown>): Promise<Soundness> {
  try {
    return { kind: 'sound', isPlain: (await walk) === 'plain' }
  } catch (error) {
    if (error instanceof Flaw) return { kind: 'doubtful', sign: error.message }
    if (error instanceof NotChecked) return { kind: 'notChecked', what: error.what }
    throw error
  }
}
