/**
 * What a file is, by its first bytes. Names lie: exports carry wrong extensions, or none.
 *
 * Signatures: JPEG ISO/IEC 10918-1 B.1.1.3, PNG W3C 5.2, TIFF 6.0 section 2 and BigTIFF (version 43), DICOM
 * PS3.10 7.1, BMP [MS-WMF] 2.2.2.3, ZIP APPNOTE 4.3, the others as the IANA media types state them.
 */
import { IMAGE_TYPES, type ImageType } from '../../../src-shared/image-type.ts'

/** DICOM files that are no photograph of an eye, as their SOP class says. */
export type OtherDicom =
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
