/** Reads untrusted JSON: only own fields count, and nothing is coerced. */

export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function ownField(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** The first of the fields that is neither absent nor null. */
export function firstField(record: JsonRecord, names: readonly string[]): unknown {
  for (const name of names) {
    const value = ownField(record, name)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** Is it empty in PHP's sense: null, an empty string, array or object? */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) && Object.keys(value).length === 0
}

/** A string or number as text, at most `maxLength` characters; null for anything else. */
export function scalarText(value: unknown, maxLength: number): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' ? null : text.slice(0, maxLength).toWellFormed()
}

/** Deeper than any answer of a case service. Whatever writes the value out again recurses into it. */
const MAX_DEPTH = 64

const QUOTE = 0x22

const BACKSLASH = 0x5c

/** This bit turns a square bracket into a curly one. */
const CURLY = 0x20

const OPEN = 0x7b

const CLOSE = 0x7d

type Reviver = (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown

/**
 * The parsed value, wrapped because it may be null; null if the bytes are not JSON or nest too deeply. Integers
 * beyond the safe range stay text, because ids must not be rounded.
 */
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

/** TC39 "JSON.parse source text access", in V8 since 11.4: the third argument carries the original digits. */
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

/** The contract's limit for ids. */
const MAX_LENGTH = 200

/** No white space, no control characters, nothing with a meaning in a path or in markup. */
const ID = /^[^\s\p{C}/\\?#%<>"'`{}|^[\]()]+$/u

const RESERVED_NAMES = new Set(['.', '..', 'null', 'undefined', 'none', 'nan', 'true', 'false'])

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id in a field named like one, as text; null if the value cannot be an id. Zero means "no row" in PHP. */
export function idFrom(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null
  const text = value.trim()
  if (text === '0' || !ID.test(text)) return null
  return RESERVED_NAMES.has(text.toLowerCase()) ? null : text
}

/**
 * The id in a field that may hold a message as well, such as `content`: a text without a digit ("created") or a
 * date is not an id.
 */
export function idFromUnnamed(value: unknown): string | null {
  const id = idFrom(value)
  if (id === null || typeof value === 'number') return id
  return /\d/.test(id) && !/^\d{4}-\d{2}-\d{2}/.test(id) && !/[:,;!]/.test(id) ? id : null
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}
