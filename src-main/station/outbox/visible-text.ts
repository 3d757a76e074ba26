/** Makes untrusted bytes safe to look at: nothing hidden, nothing active. */

/** No one reads more. */
const MAX_CHARACTERS = 64 * 1024

/**
 * Control characters except tab and line feed, marks that turn the writing direction, and characters without a
 * glyph.
 */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu

/** Decodes UTF-8, or else ASCII with every other byte as `\xNN`; invisible characters become `\u{N}`. */
export function visibleText(bytes: Uint8Array): string {
  const text = readUtf8(bytes) ?? escapeBytes(bytes)
  const shown = text.replaceAll(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  )
  return shown.slice(0, MAX_CHARACTERS).toWellFormed()
}

/** Null unless the bytes are UTF-8; a truncated last character is dropped. */
function readUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

function escapeBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes.subarray(0, MAX_CHARACTERS))
    text += byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`
  return text
}

/** The destination of an attempt: evidence counts only there. */
export type Destination = {
  readonly baseUrl: string
  readonly clientId: string
  readonly centerId: string | null
}
