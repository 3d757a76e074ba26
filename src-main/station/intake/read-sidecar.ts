import { isFieldName, type FieldName, type Fields } from '../../../src-shared/fields.ts'
import type { Eye } from '../../../src-shared/eye.ts'
import { safeRelativePath } from './data-files/contained-path.ts'
import { decodeText } from './decode-text.ts'
import type { Sidecar } from './recognition.ts'
import { readEye, readField } from './sidecar-values.ts'

/** The sentence is for a photographer and names no content. */
export type SidecarReading =
  | { readonly ok: true; readonly value: Sidecar }
  | { readonly ok: false; readonly message: string }

/** Far more than the longest texts of all fields take. */
const MAX_BYTES = 1_024 * 1_024
const MAX_IMAGES = 1_000

const TOO_LARGE =
  'The case.json beside the images is larger than 1 MB, so nothing was read from it. Enter the details by hand.'
const NOT_TEXT =
  'The case.json beside the images is not saved as UTF-8 text, so nothing was read from it. Save it as UTF-8, or enter the details by hand.'
const NOT_JSON =
  'The case.json beside the images is not complete or not proper JSON, so nothing was read from it. Export it again, or enter the details by hand.'
const NOT_A_CASE =
  'The case.json beside the images holds none of the details of a case, so nothing was read from it. Check the names of its fields, or enter the details by hand.'

/**
 * Reads a `case.json`: an object with the interface's field names, and `images` with the eye of each file by its name.
 * UTF-8, or UTF-16 with a byte order mark. Fields it does not know are counted, values it cannot use are named in
 * `rejected`, all others hold.
 */
export function readSidecar(bytes: Uint8Array): SidecarReading {
  if (bytes.length > MAX_BYTES) return { ok: false, message: TOO_LARGE }
  const text = decodeText(bytes)
  if (text === null) return { ok: false, message: NOT_TEXT }
  const stated = parseObject(text)
  if (stated === null) return { ok: false, message: NOT_JSON }
  const fields = readFields(stated)
  const images = readImages(stated['images'])
  const ignoredCount = Object.keys(stated).filter((name) => !isFieldName(name) && name !== 'images').length
  const rejected = [...fields.rejected, ...images.rejected]
  const isForeign = Object.keys(stated).length === ignoredCount
  if (isForeign) return { ok: false, message: NOT_A_CASE }
  return {
    ok: true,
    value: {
      fields: fields.values,
      birthDate: null,
      files: Object.keys(images.eyes),
      eyes: images.eyes,
      rejected,
      ignoredCount,
    },
  }
}

type JsonObject = Readonly<Record<string, unknown>>

function parseObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

type Rejected = Sidecar['rejected'][number]

function readFields(stated: JsonObject): { readonly values: Fields; readonly rejected: readonly Rejected[] } {
  const values: Partial<Record<FieldName, Fields[FieldName]>> = {}
  const rejected: Rejected[] = []
  for (const [name, value] of Object.entries(stated)) {
    if (!isFieldName(name)) continue
    const read = readField(name, value)
    if (read.kind === 'value') values[name] = read.value
    if (read.kind === 'wrong') rejected.push({ field: name, message: read.message })
  }
  return { values: values as Fields, rejected }
}

function readImages(stated: unknown): {
  readonly eyes: Readonly<Record<string, Eye>>
  readonly rejected: readonly Rejected[]
} {
  const images = stated === undefined || stated === null ? {} : asObject(stated)
  const entries = Object.entries(images ?? {})
  if (images === null || entries.length > MAX_IMAGES) {
    const message = 'images in case.json was not taken: an object such as {"1.jpg": "OD"} is expected.'
    return { eyes: {}, rejected: [{ field: 'images', message }] }
  }
  const eyes: [string, Eye][] = []
  const rejected: Rejected[] = []
  for (const [name, value] of entries) {
    const path = safeRelativePath(name)
    const read = readEye(name, value)
    if (path === null) {
      rejected.push({
        field: 'images',
        message: 'A file that case.json names lies outside of its folder and was not taken.',
      })
    } else if (read.kind === 'wrong') rejected.push({ field: 'images', message: read.message })
    else if (read.kind === 'value') eyes.push([path, read.value])
  }
  return { eyes: Object.fromEntries(eyes), rejected }
}
