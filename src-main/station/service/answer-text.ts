/**
 * The text of an answer, from the service or from what answers in its place: in which letters it is written, and the one JSON
 * value in it. PHP prints its warnings before it, frameworks write a prefix against inclusion, hosts and proxies add comments.
 * Only a value that stands alone is taken: a sentence may quote one, and a page may hold some in its scripts.
 */

import { isAscii, isUtf8 } from 'node:buffer'

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
  const label = namedEncoding(contentType)
  // Some programs name the letters that they work with, and send others.
  const named = label?.startsWith('utf-16') === true && !bytes.includes(0) ? null : label
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

/** What keeps other sites from including it as a script. */
const GUARD = /^(?:\)\]\}',?|while\s*\(1\);|for\s*\(;;\);|\{\}\s*&&|throw 1;)/

/** The text without what is meant to surround JSON: marks of the encoding, comments, guards, zeros. Takes linear time. */
export function withoutWrapping(text: string): string {
  let rest = text.trimStart()
  for (let end = endOfComment(rest); end !== -1; end = endOfComment(rest)) rest = rest.slice(end).trimStart()
  rest = rest.replace(GUARD, '')
  let last = rest.length
  while (rest.charCodeAt(last - 1) === 0) last -= 1
  rest = rest.slice(0, last).trimEnd()
  while (rest.endsWith('-->')) rest = rest.slice(0, Math.max(0, rest.lastIndexOf('<!--'))).trimEnd()
  return rest
}

/** The position behind the comment that the text begins with; -1 if it does with none. */
function endOfComment(text: string): number {
  const end = text.startsWith('<!--') ? text.indexOf('-->', 4) : -1
  return end === -1 ? -1 : end + 3
}

/** So much may stand around it. */
const MAX_AROUND = 65_536

/** What makes a page of it, and not a few words. */
const PAGE = /<(?:!doctype|html|head|body|script|style|form|iframe|meta|link|input)\b/i

/** Before it: nothing, the end of a line, of a tag or of a comment. */
const BEFORE = /(?:^|[\n\r>])[ \t\uFEFF]*$/

/** Behind it: the end, another line, a tag or a comment. */
const AFTER = /^[ \t]*(?:$|[\n\r<])/

/** Brackets that are tried: each may be followed to the end of the text. */
const MAX_TRIES = 20

/** The text of the value; null if there is none, or more than one. `text` is no JSON as a whole. */
export function jsonWithin(text: string): string | null {
  let found: string | null = null
  let restFrom = 0
  let at = nextOpening(text, 0)
  for (let tries = 0; at !== -1 && at - restFrom <= MAX_AROUND && tries < MAX_TRIES; tries += 1) {
    const end = BEFORE.test(text.slice(Math.max(0, at - 40), at)) ? endOfValue(text, at) : null
    if (end !== null && AFTER.test(text.slice(end, end + 40)) && isObjects(text.slice(at, end))) {
      if (found !== null || PAGE.test(text.slice(restFrom, at))) return null
      found = text.slice(at, end)
      restFrom = end
    }
    at = nextOpening(text, Math.max(restFrom, at + 1))
  }
  const rest = text.slice(restFrom)
  return at !== -1 || rest.length > MAX_AROUND || PAGE.test(rest) ? null : found
}

function nextOpening(text: string, from: number): number {
  const [curly, square] = [text.indexOf('{', from), text.indexOf('[', from)]
  return curly === -1 || square === -1 ? Math.max(curly, square) : Math.min(curly, square)
}

/** The position behind the bracket that closes the one at `from`; null if none does. Brackets in texts count for nothing. */
function endOfValue(text: string, from: number): number | null {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '"') at = endOfText(text, at)
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    if (depth === 0) return at + 1
  }
  return null
}

/** The position of the quotation mark that ends the text at `from`. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '\\') at += 1
    else if (sign === '"') return at
  }
  return text.length
}

/** An object, or a list of them: numbers in brackets are words. */
function isObjects(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    return items.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
