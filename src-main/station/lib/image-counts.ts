/**
 * How many images of a case an answer of the service shows. Nothing is published about it, so the count is read from the
 * names of fields in any common shape: arrays, objects by id or by eye, counts, lists in a text, also nested.
 */
/** What a field is about, the surest first. */
const NOUNS: readonly ReadonlySet<string>[] = [
  'image images img imgs imagen imagenes retinography retinographies retinografia retinografias',
  'photo photos photograph photographs foto fotos fotografia fotografias picture pictures',
  'file files archivo archivos attachment attachments adjunto adjuntos media',
].map((names) => new Set(names.split(' ')))

const EYES = new Set('od os oi ou right left both derecho izquierdo'.split(' '))
const COUNTS = new Set('count counts total num number n no cantidad numero'.split(' '))
/** With any other part a field is about something else: `images_expected`, `max_images`, `image_quality`. */
const PLAIN = new Set(
  'of de list ids id uuids uuid urls url links names data saved stored received kept case fundus retinal retina eye'.split(
    ' ',
  ),
)
const LISTS = ['data', 'items', 'list', 'results', 'content']
const MAX_DEPTH = 4
const MAX_FIELDS = 200

/** The number of images that a case shows, or the answer to a new one; null if nothing in it states a number. */
export function countImages(value: unknown, depth = 0): number | null {
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) return value.length === 1 ? countImages(value[0], depth + 1) : null
  if (!isRecord(value)) return null
  const fields = Object.entries(value).slice(0, MAX_FIELDS)
  const stated = NOUNS.map((nouns) => statedCount(fields, nouns)).filter((count) => count !== null)
  // An empty list beside a number was not filled in.
  const own = stated.find((count) => count > 0) ?? stated[0]
  if (own !== undefined) return own
  // By eye or by visit, or in an envelope: the parts make up the whole.
  const inner = fields.map(([, part]) => (isRecord(part) ? countImages(part, depth + 1) : null))
  return sumOf(inner)
}

/** As `countImages`, of the body of an answer as it was kept. */
export function countImagesInAnswer(body: Uint8Array | null): number | null {
  return body === null ? null : countImages(parsed(new TextDecoder().decode(body)))
}

function statedCount(
  fields: readonly (readonly [string, unknown])[],
  nouns: ReadonlySet<string>,
): number | null {
  const found = { lists: [] as Field[], counts: [] as Field[] }
  for (const [name, value] of fields) {
    const parts = partsOf(name)
    if (!parts.some((part) => nouns.has(part)) || !parts.every((part) => nouns.has(part) || isKnown(part)))
      continue
    const isCount = parts.some((part) => COUNTS.has(part)) || typeof value === 'number'
    const isOne = !isCount && !Array.isArray(value) && !parts.some(isPlural)
    const isThere = value !== null && value !== ''
    const count = isCount ? numberIn(value) : isOne ? (isThere ? 1 : null) : lengthOf(value)
    const ofEye = parts.some((part) => EYES.has(part))
    if (count !== null) found[isCount ? 'counts' : 'lists'].push({ count, ofEye })
  }
  const totals = [totalOf(found.lists), totalOf(found.counts)].filter((count) => count !== null)
  return totals.find((count) => count > 0) ?? totals[0] ?? null
}

type Field = { readonly count: number; readonly ofEye: boolean }

/** Of one field for all, or of one for each eye. */
function totalOf(fields: readonly Field[]): number | null {
  const whole = fields.filter(({ ofEye }) => !ofEye).map(({ count }) => count)
  const ofEyes = fields.filter(({ ofEye }) => ofEye).map(({ count }) => count)
  return whole.find((count) => count > 0) ?? sumOf(ofEyes) ?? whole[0] ?? null
}

function sumOf(counts: readonly (number | null)[]): number | null {
  const stated = counts.filter((count) => count !== null)
  return stated.length === 0 ? null : stated.reduce((sum, count) => sum + count, 0)
}

function isPlural(part: string): boolean {
  return part.endsWith('s') || part === 'media'
}

function isKnown(part: string): boolean {
  return EYES.has(part) || COUNTS.has(part) || PLAIN.has(part)
}

/** `imageCount`, `image_count` and `Image-Count` alike. */
function partsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const split = plain.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return split.split(/[^a-z]+/).filter((part) => part !== '')
}

function numberIn(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return /^\d{1,6}$/.test(text)
    ? Number(text)
    : isRecord(value) || Array.isArray(value)
      ? lengthOf(value)
      : null
}

/** The number of things in a list of any shape; null if it is none. */
function lengthOf(value: unknown): number | null {
  if (Array.isArray(value)) return sumOf(value.map(shareOf)) ?? 0
  if (typeof value === 'string') return lengthOfText(value.trim())
  return isRecord(value) ? lengthOfRecord(value) : null
}

/** An entry of a list is one image, unless it holds the images of an eye. */
function shareOf(value: unknown): number | null {
  if (value === null || value === '') return null
  if (Array.isArray(value)) return lengthOf(value)
  return isRecord(value) ? (countImages(value, MAX_DEPTH) ?? 1) : 1
}

function lengthOfRecord(record: Readonly<Record<string, unknown>>): number {
  for (const name of LISTS) {
    const list = record[name]
    if (Array.isArray(list) || isRecord(list)) return lengthOf(list) ?? 0
  }
  for (const [name, value] of Object.entries(record)) {
    const count = COUNTS.has(name.toLowerCase()) ? numberIn(value) : null
    if (count !== null) return count
  }
  return sumOf(Object.values(record).map(shareOf)) ?? 0
}

/** `a.jpg, b.jpg`, a list in JSON within JSON, or `2 images`; a single name is one. */
function lengthOfText(text: string): number | null {
  if (/^[[{]/.test(text)) return lengthOf(parsed(text))
  const number = /^(\d{1,6})(?:\s+\p{L}+)?$/u.exec(text)?.[1]
  if (number !== undefined) return Number(number)
  return text.split(/[,;|\n]+/).filter((part) => part.trim() !== '').length
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Undefined if it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The images that a case sends: without those that a person excluded, and each photograph once. */
export function isSent(image: {
  readonly excluded_because: string | null
  readonly twin_of: string | null
}): boolean {
  return image.excluded_because === null && image.twin_of === null
}
