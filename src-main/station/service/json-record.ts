/** Looking into JSON that a stranger wrote: only own fields count, and nothing is coerced. */

export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of an own field; a field that only a prototype has is not there. */
export function ownField(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** The first of the named fields that holds something: not absent, not null. */
export function firstField(record: JsonRecord, names: readonly string[]): unknown {
  for (const name of names) {
    const value = ownField(record, name)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** What PHP sends for "nothing": null, an empty text, an empty array or object. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) && Object.keys(value).length === 0
}

/** A text or a number as text, cut to a length; null for everything else. */
export function scalarText(value: unknown, maxLength: number): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' ? null : text.slice(0, maxLength).toWellFormed()
}
