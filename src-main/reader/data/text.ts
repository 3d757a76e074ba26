/** The text of a data file, in whatever encoding it is, and the names that it uses. Pure. */

/** Enough to recognise UTF-16 without a mark, and to hold an XML declaration. */
const HEAD_BYTES = 512

/** By its byte order mark, else in this encoding; null if the bytes are none of it, or if it is unknown. */
export function decodeText(bytes: Uint8Array, encoding = 'utf-8'): string | null {
  try {
    return new TextDecoder(markOf(bytes) ?? encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    // TypeError: bytes invalid in the encoding. RangeError: unknown encoding.
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null
}

/** As `decodeText`, and UTF-16 by its pattern of zero bytes. */
function decodeData(bytes: Uint8Array, declared = 'utf-8'): string | null {
  return decodeText(bytes, unmarkedUtf16(bytes) ?? declared)
}

/** A table; else as Windows-1252, the Latin-1 of spreadsheets. Null if the bytes are no text. */
export function decodeTable(bytes: Uint8Array): string | null {
  const text = decodeData(bytes) ?? (markOf(bytes) === null ? decodeText(bytes, 'windows-1252') : null)
  // Text contains no zeros; a binary file does.
  return text === null || text.includes('\u0000') ? null : text
}

/** An XML or JSON document; null if it is not in the encoding that it states. */
export function decodeDocument(bytes: Uint8Array, where: 'xml' | 'json'): string | null {
  const head = where === 'xml' ? new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_BYTES)) : ''
  const declared = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1]
  // Programs that build the text in memory declare UTF-16 and save UTF-8: bytes without zeros are not UTF-16.
  return decodeData(bytes, declared === undefined || /^utf-?(8|16)/i.test(declared) ? 'utf-8' : declared)
}

/** In UTF-16, every second byte of names, digits and punctuation is zero: most of the head of a data file. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const head = bytes.subarray(0, HEAD_BYTES)
  const zerosAt = (parity: 0 | 1): number =>
    head.filter((byte, index) => byte === 0 && index % 2 === parity).length
  const [even, odd, most] = [zerosAt(0), zerosAt(1), head.length / 2]
  if (odd > most * 0.6 && even < most * 0.1) return 'utf-16le'
  return even > most * 0.6 && odd < most * 0.1 ? 'utf-16be' : null
}

/** Enough to find a name of a case; files of other programs are not searched to the end. */
const MAX_NAMES = 2_000

/** The headings, elements or keys at the beginning of an unreadable file. */
export function namesIn(text: string, where: 'csv' | 'xml' | 'json'): readonly string[] {
  if (where === 'csv') {
    const lines = text.slice(0, 10_000).split(/[\r\n]/)
    const head = lines.find((line) => line.trim() !== '' && !/^sep=/i.test(line)) ?? ''
    return head.split(/[;,\t]/).map((cell) => cell.trim().replaceAll('"', ''))
  }
  const pattern = where === 'xml' ? /<([\p{L}_][\p{L}\p{N}_.-]{0,60})/gu : /"([^"\\]{1,60})"[ \t\r\n]{0,20}:/g
  const names: string[] = []
  for (const [, name = ''] of text.matchAll(pattern)) if (names.push(name) >= MAX_NAMES) break
  return names
}
