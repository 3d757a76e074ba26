/** Bytes of a stranger as a person may look at them: nothing hidden, nothing that acts. */

/** More than this nobody reads. */
const MAX_CHARACTERS = 64 * 1024

/** Controls but tab and line feed, marks that turn the direction of writing, and what has no sign of its own. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu

/** UTF-8 where it is that, else ASCII with every other byte as `\xNN`; invisible characters as `\u{N}`. */
export function visibleText(bytes: Uint8Array): string {
  const text = readUtf8(bytes) ?? escapeBytes(bytes)
  const shown = text.replaceAll(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  )
  return shown.slice(0, MAX_CHARACTERS).toWellFormed()
}

/** Null where it is no UTF-8; a last character that was cut is left out. */
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

/** Where an attempt goes: evidence counts only there. */
export type Destination = {
  readonly baseUrl: string
  readonly clientId: string
  readonly centerId: string | null
}
