/**
 * What a file is, by its first bytes. Names lie: exports carry wrong extensions, or none.
 *
 * Signatures: JPEG ISO/IEC 10918-1 B.1.1.3, PNG W3C 5.2, TIFF 6.0 section 2 and BigTIFF (version 43), DICOM
 * PS3.10 7.1, the others as the IANA media types state them.
 */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/tiff'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

export type ContentKind =
  | ImageType
  /** Not one byte. */
  | 'empty'
  /** Nothing but zeros so far: a size that was reserved before the content came. */
  | 'blank'
  /** Too short to tell, and so far it could still become an image. */
  | 'beginning'
  | 'bmp'
  | 'dicom'
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
  { kind: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { kind: 'image/png', at: 0, bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] },
  { kind: 'image/tiff', at: 0, bytes: [...ascii('II'), 42, 0] },
  { kind: 'image/tiff', at: 0, bytes: [...ascii('MM'), 0, 42] },
  { kind: 'image/tiff', at: 0, bytes: [...ascii('II'), 43, 0] },
  { kind: 'image/tiff', at: 0, bytes: [...ascii('MM'), 0, 43] },
]

const OTHER_SIGNATURES: readonly Signature[] = [
  { kind: 'dicom', at: 128, bytes: ascii('DICM') },
  { kind: 'pdf', at: 0, bytes: ascii('%PDF-') },
  { kind: 'zip', at: 0, bytes: [...ascii('PK'), 3, 4] },
  { kind: 'zip', at: 0, bytes: [...ascii('PK'), 5, 6] },
  { kind: 'gif', at: 0, bytes: ascii('GIF8') },
  { kind: 'jpeg2000', at: 4, bytes: ascii('jP  ') },
  { kind: 'jpeg2000', at: 0, bytes: [0xff, 0x4f, 0xff, 0x51] },
  { kind: 'heif', at: 4, bytes: ascii('ftyp') },
  { kind: 'webp', at: 8, bytes: ascii('WEBP') },
]

/** The kind of content that begins with `head`, the first `HEAD_BYTES` bytes or all that the file has. */
export function contentKindOf(head: Uint8Array): ContentKind {
  if (head.length === 0) return 'empty'
  const signature = [...IMAGE_SIGNATURES, ...OTHER_SIGNATURES].find((one) => matches(head, one))
  if (signature) return signature.kind
  if (isBitmap(head)) return 'bmp'
  if (head.every((byte) => byte === 0)) return 'blank'
  if (IMAGE_SIGNATURES.some((one) => isBeginningOf(head, one))) return 'beginning'
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

/** Text in an encoding of today, or UTF-16 by its mark: no control characters but those that text has. */
function isText(head: Uint8Array): boolean {
  const mark = (head[0] ?? 0) * 0x100 + (head[1] ?? 0)
  if (mark === 0xfffe || mark === 0xfeff) return true
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)
}
