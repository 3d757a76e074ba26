/** Decodes the text of data files that other programs wrote, whose encoding is told in different places. */
import { decodeText } from '../decode-text.ts'

/** So many bytes tell UTF-16 without a mark, and hold an XML declaration. */
const HEAD_BYTES = 512

/**
 * The text of a table, or null where the bytes are no text: by its byte order mark, as UTF-16 by its pattern of zero
 * bytes, as UTF-8, and what is no UTF-8 as Windows-1252, the Latin-1 that spreadsheets save.
 */
export function decodeTable(bytes: Uint8Array): string | null {
  const encoding = unmarkedUtf16(bytes)
  const text = encoding
    ? decodeAs(encoding, bytes)
    : (decodeText(bytes) ?? (isMarked(bytes) ? null : decodeAs('windows-1252', bytes)))
  // A text holds no zeros; a program's own file does.
  return text === null || text.includes('\u0000') ? null : text
}

/** The text of a JSON document, which has no declaration, or null. */
export function decodeJson(bytes: Uint8Array): string | null {
  const encoding = unmarkedUtf16(bytes)
  return encoding ? decodeAs(encoding, bytes) : decodeText(bytes)
}

/** The text of an XML document by its mark, its pattern or its declaration, else as UTF-8; null where these are wrong. */
export function decodeXml(bytes: Uint8Array): string | null {
  if (isMarked(bytes)) return decodeText(bytes)
  const encoding = unmarkedUtf16(bytes)
  if (encoding) return decodeAs(encoding, bytes)
  const head = decodeAs('windows-1252', bytes.subarray(0, HEAD_BYTES)) ?? ''
  const declared =
    /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1] ?? 'utf-8'
  // Programs that build the text in memory declare UTF-16 and save UTF-8: bytes without zeros are no UTF-16.
  return /^utf-?(8|16)/i.test(declared) ? decodeText(bytes) : decodeAs(declared, bytes)
}

function isMarked([first, second, third]: Uint8Array): boolean {
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return isUtf16 || (first === 0xef && second === 0xbb && third === 0xbf)
}

/** Names, digits and marks have a zero for their other byte in UTF-16, and a head of any data file is mostly these. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (isMarked(bytes)) return null
  const head = bytes.subarray(0, HEAD_BYTES)
  const [even, odd] = [zerosAt(head, 0), zerosAt(head, 1)]
  const most = head.length / 2
  if (odd > most * 0.6 && even < most * 0.1) return 'utf-16le'
  if (even > most * 0.6 && odd < most * 0.1) return 'utf-16be'
  return null
}

function zerosAt(bytes: Uint8Array, parity: 0 | 1): number {
  return bytes.reduce((count, byte, index) => (byte === 0 && index % 2 === parity ? count + 1 : count), 0)
}

function decodeAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    // TypeError: the encoding does not have these bytes. RangeError: there is no such encoding.
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}
