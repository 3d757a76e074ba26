/** What a document is, by its first bytes and never by its label. */

const IMAGE_STARTS: readonly (readonly [string, readonly number[]])[] = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['image/tiff', [0x4d, 0x4d, 0x00, 0x2a]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
]
const PDF = [...Buffer.from('%PDF-')]
const RIFF = [...Buffer.from('RIFF')]
const WEBP = [...Buffer.from('WEBP')]

/** The document from its first byte on where it is a PDF; white space or a byte order mark may stand before it. */
export function pdfIn(bytes: Uint8Array): Uint8Array | null {
  let start = 0
  while (start < 64 && [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf].includes(bytes[start] ?? 0)) start++
  return startsWith(bytes, start, PDF) ? bytes.subarray(start) : null
}

/** The type of an image; null where it is none that a screen can show. */
export function imageTypeOf(bytes: Uint8Array): string | null {
  const known = IMAGE_STARTS.find(([, start]) => startsWith(bytes, 0, start))
  if (known !== undefined) return known[0]
  return startsWith(bytes, 0, RIFF) && startsWith(bytes, 8, WEBP) ? 'image/webp' : null
}

function startsWith(bytes: Uint8Array, offset: number, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[offset + index] === byte)
}

/** Base64 beginnings of what is looked for, so that a long text is only decoded where it is one of them. */
const BASE64_STARTS = /^(?:JVBERi0|\/9j\/|iVBORw0KGgo|SUkqA|TU0AK|R0lGOD|UklGR)/
const DATA_PREFIX = /^data:[\w.+/-]{0,100}(?:;[\w=.-]{1,60})*;base64,/i

/** The document in a base64 text, with or without a `data:` prefix and line breaks; null where it is none. */
export function documentInBase64(
  text: string,
): { readonly contentType: string; readonly bytes: Uint8Array } | null {
  const trimmed = text.trimStart()
  const encoded = trimmed.slice(DATA_PREFIX.exec(trimmed.slice(0, 512))?.[0].length ?? 0).trimStart()
  if (!BASE64_STARTS.test(encoded.slice(0, 16).replace(/\s+/g, ''))) return null
  const compact = encoded.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) return null
  const bytes = Buffer.from(compact, 'base64')
  const pdf = pdfIn(bytes)
  if (pdf !== null) return { contentType: 'application/pdf', bytes: pdf }
  const contentType = imageTypeOf(bytes)
  return contentType === null ? null : { contentType, bytes }
}
