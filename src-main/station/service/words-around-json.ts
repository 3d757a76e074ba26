/**
 * The one JSON value in an answer that holds more: PHP prints its warnings before it, frameworks write a prefix against
 * inclusion, hosts and proxies add comments. Only a value that stands alone is taken: a sentence may quote one, and a page
 * may hold some in its scripts.
 */

/** Marks of the encoding, comments, and what keeps other sites from including it as a script. */
const PREFIX = /^(?:\s|\uFEFF|<!--[^]*?-->)*(?:\)\]\}',?|while\s*\(1\);|for\s*\(;;\);|\{\}\s*&&|throw 1;)?/

/** The text without what is meant to stand around JSON. */
export function withoutWrapping(text: string): string {
  let rest = text.replace(PREFIX, '').replace(/\0+$/, '').trimEnd()
  while (rest.endsWith('-->')) rest = rest.slice(0, Math.max(0, rest.lastIndexOf('<!--'))).trimEnd()
  return rest
}

/** So much may stand around it. */
const MAX_WORDS = 65_536

/** What makes a page of it, and not a few words. */
const PAGE = /<(?:!doctype|html|head|body|script|style|form|iframe|meta|link|input)\b/i

/** Before it: nothing, the end of a line, of a tag or of a comment. */
const BEFORE = /(?:^|[\n\r>])[ \t\uFEFF]*$/

/** Behind it: the end, another line, a tag or a comment. */
const AFTER = /^[ \t]*(?:$|[\n\r<])/

/** Brackets that are tried: each may be followed to the end of the text. */
const MAX_TRIES = 20

/** The text of the value; null if there is none, or more than one. `text` is no JSON as a whole. */
export function jsonAmongWords(text: string): string | null {
  let found: string | null = null
  let wordsFrom = 0
  let at = nextOpening(text, 0)
  for (let tries = 0; at !== -1 && at - wordsFrom <= MAX_WORDS && tries < MAX_TRIES; tries += 1) {
    const end = BEFORE.test(text.slice(Math.max(0, at - 40), at)) ? endOfValue(text, at) : null
    if (end !== null && AFTER.test(text.slice(end, end + 40)) && isObjects(text.slice(at, end))) {
      if (found !== null || PAGE.test(text.slice(wordsFrom, at))) return null
      found = text.slice(at, end)
      wordsFrom = end
    }
    at = nextOpening(text, Math.max(wordsFrom, at + 1))
  }
  const rest = text.slice(wordsFrom)
  return at !== -1 || rest.length > MAX_WORDS || PAGE.test(rest) ? null : found
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
