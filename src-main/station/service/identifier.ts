/** Ids come as numbers or as text; inside the station they are text. */

/** Ids longer than this would not fit the contract. */
const MAX_LENGTH = 200
/** No white space, no control characters, nothing that changes the meaning of a path or of markup. */
const ID = /^[^\s\p{C}/\\?#%<>"'`{}|^[\]()]+$/u
const RESERVED_NAMES = new Set(['.', '..', 'null', 'undefined', 'none', 'nan', 'true', 'false'])
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id under a field that is named like one; null where the value cannot be one. Zero is "no row" in PHP. */
export function idFrom(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null
  const text = value.trim()
  if (text === '0' || !ID.test(text)) return null
  return RESERVED_NAMES.has(text.toLowerCase()) ? null : text
}

/**
 * The id in a place where a message for people might stand as well, such as `content`: a word without a digit
 * ("created") and a date are not taken for ids.
 */
export function idFromUnnamed(value: unknown): string | null {
  const id = idFrom(value)
  if (id === null || typeof value === 'number') return id
  return /\d/.test(id) && !/^\d{4}-\d{2}-\d{2}/.test(id) && !/[:,;!]/.test(id) ? id : null
}

/** Whether a text is an id beyond doubt, wherever it stands. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
