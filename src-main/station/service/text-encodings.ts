/** In which letters a text is written that comes from the service, or from what answers in its place. */

/** Single bytes that are letters; a text in them is hardly ever UTF-8 by chance. */
const SINGLE_BYTES = /^(?:windows-125|iso-8859-|koi8|macintosh|x-mac|ibm866|windows-874)/

/** Those of browsers for a text that names none and is no UTF-8. */
const USUAL = 'windows-1252'

/**
 * The encoding of a text: by its byte order mark or, of wide letters, its zeros; else as `contentType` names it. A text that is
 * UTF-8 is so even if a server labels all it has as Latin 1; one that is not, and names nothing, is Latin 1.
 */
export function encodingOf(bytes: Uint8Array, contentType: string): string {
  const wide = wideEncodingOf(bytes)
  if (wide !== null) return wide
  const named = namedEncoding(contentType)
  if (named !== null && named !== 'utf-8' && (!SINGLE_BYTES.test(named) || isAscii(bytes))) return named
  return isUtf8(bytes) ? 'utf-8' : (named ?? USUAL).replace(/^utf-8$/, USUAL)
}

/** A text as UTF-8; any other bytes as they are. */
export function utf8Of(bytes: Uint8Array, contentType: string): Uint8Array {
  const encoding = encodingOf(bytes, contentType)
  return encoding === 'utf-8' ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes))
}

/** The encoding in a media type; null if it names none that is known. */
function namedEncoding(contentType: string): string | null {
  const name = /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1]
  if (name === undefined) return null
  try {
    return new TextDecoder(name.replace(/^latin-/i, 'latin')).encoding
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** UTF-16, whose first two letters are ASCII in whatever is read here (RFC 4627 section 3). */
function wideEncodingOf([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le'
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? 'utf-16be' : null
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
