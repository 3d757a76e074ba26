/** Reads a `case.json` beside the images: the interface's field names, and eyes by file name. */
import type { Eye } from '../../../src-shared/eye.ts'
import { FIELD_NAMES, fieldsSchema, type FieldName, type Fields } from '../../../src-shared/fields.ts'
import type { Sidecar } from './recognition.ts'

export type SidecarRead =
  | { readonly ok: true; readonly value: Sidecar }
  | { readonly ok: false; readonly message: string }

/** A page of fields; more is no sidecar. */
const MAX_BYTES = 1024 * 1024

const NOT_READABLE =
  'The case.json beside these images cannot be read, so nothing was taken from it. Write it again, or enter the details here.'

const CODES: Readonly<Partial<Record<FieldName, Readonly<Record<string, 0 | 1>>>>> = {
  gender: { male: 0, m: 0, female: 1, f: 1 },
  diabetes: { no: 0, n: 0, false: 0, yes: 1, y: 1, true: 1 },
}

const EYE_WORDS: Readonly<Record<string, Eye>> = {
  od: 'right',
  re: 'right',
  r: 'right',
  right: 'right',
  os: 'left',
  oi: 'left',
  le: 'left',
  l: 'left',
  left: 'left',
  unknown: 'unknown',
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** What a value of a sidecar means for a field; undefined where it means nothing that can be used. */
function meaningOf(name: FieldName, value: unknown): unknown {
  const shape = fieldsSchema.shape[name]
  const codes = CODES[name]
  const text = typeof value === 'boolean' ? String(value) : value
  if (codes && typeof text === 'string' && codes[text.trim().toLowerCase()] !== undefined)
    return codes[text.trim().toLowerCase()]
  const direct = shape.safeParse(value)
  if (direct.success) return direct.data
  if (typeof value === 'number') {
    const asText = shape.safeParse(String(value))
    return asText.success ? asText.data : undefined
  }
  if (typeof value !== 'string' || !/^[+-]?\d+([.,]\d+)?$/.test(value.trim())) return undefined
  const asNumber = shape.safeParse(Number(value.trim().replace(',', '.')))
  return asNumber.success ? asNumber.data : undefined
}

function eyesFrom(value: unknown, rejected: Sidecar['rejected'][number][]): Record<string, Eye> {
  const eyes: Record<string, Eye> = {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return eyes
  for (const [fileName, word] of Object.entries(value)) {
    const eye = typeof word === 'string' ? EYE_WORDS[word.trim().toLowerCase()] : undefined
    if (eye) eyes[fileName.replaceAll('\\', '/')] = eye
    else
      rejected.push({
        field: 'images',
        message: 'The case.json names an eye that is not known (use OD or OS). Say which eye it is.',
      })
  }
  return eyes
}

/** Reads a sidecar; wrong values are rejected one by one with a sentence each, and the others hold. */
export function readSidecar(bytes: Uint8Array): SidecarRead {
  if (bytes.byteLength > MAX_BYTES) return { ok: false, message: NOT_READABLE }
  let content: unknown
  try {
    content = JSON.parse(decode(bytes).replace(/^\uFEFF/, ''))
  } catch {
    return { ok: false, message: NOT_READABLE }
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    return { ok: false, message: NOT_READABLE }
  const stated = new Map(Object.entries(content))
  const fields: Fields = {}
  const rejected: Sidecar['rejected'][number][] = []
  for (const name of FIELD_NAMES) {
    const value: unknown = stated.get(name)
    if (value === undefined || value === null || value === '') continue
    const meaning = meaningOf(name, value)
    if (meaning === undefined) {
      rejected.push({
        field: name,
        message: `The case.json states a ${name.replaceAll('_', ' ')} that cannot be used. Enter it.`,
      })
    } else Object.assign(fields, { [name]: meaning })
  }
  return { ok: true, value: { fields, eyes: eyesFrom(stated.get('images'), rejected), rejected } }
}
