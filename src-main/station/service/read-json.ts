/**
 * JSON from a stranger. Deep nesting is refused, because whoever writes the value out again recurses into it; whole
 * numbers that JavaScript cannot hold stay the text that came, because ids must not be rounded.
 */

/** Nothing that a case service says is deeper. */
const MAX_DEPTH = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** One bit makes a square bracket a curly one. */
const CURLY = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

type Reviver = (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** The value, wrapped because it may be null; null where the bytes are no JSON or are nested too deeply. */
export function readJson(bytes: Uint8Array): { readonly value: unknown } | null {
  if (depthOf(bytes) > MAX_DEPTH) return null
  const text = new TextDecoder('utf-8').decode(bytes)
  try {
    return { value: /\d{16}/.test(text) ? JSON.parse(text, preserveLargeNumbers) : JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** TC39 "JSON.parse source text access", in V8 since 11.4: the third argument carries the digits as they stood. */
const preserveLargeNumbers: Reviver = (_key, value, context) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d{1,40}$/.test(source) ? source : value
}

function depthOf(bytes: Uint8Array): number {
  let depth = 0
  let deepest = 0
  let isInText = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (isInText) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if ((byte | CURLY) === OPEN) deepest = Math.max(deepest, ++depth)
    else if ((byte | CURLY) === CLOSE) depth--
  }
  return deepest
}
