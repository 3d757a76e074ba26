/** What a service says of a case, without the names in it. Pure. */
import { maskText } from './mask-name.ts'

const NAMED = /name|nombre|apellido|patient/i
/** A record of the patient holds more than names, and what is named stands in names of its own. */
const RECORD = /patient/i

/** Masks what stands under a word for names, and in everything else what `within` finds. */
export function maskRaw(value: unknown, mask: (text: string) => string, isName = false): unknown {
  if (typeof value === 'string') return isName ? maskText(value) : mask(value)
  if (Array.isArray(value)) return value.map((item: unknown) => maskRaw(item, mask, isName))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      key,
      maskRaw(inner, mask, isNamed(key, inner) || isName),
    ]),
  )
}

function isNamed(key: string, inner: unknown): boolean {
  if (!NAMED.test(key)) return false
  const isRecord = typeof inner === 'object' && inner !== null && RECORD.test(key)
  return !isRecord || isListOfTexts(inner)
}

function isListOfTexts(inner: object): boolean {
  return Array.isArray(inner) && inner.every((item) => typeof item === 'string')
}
