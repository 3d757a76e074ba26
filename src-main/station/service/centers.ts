/**
 * Parses the answer of `GET /centers`. Services differ in field names and in how they mark the current center.
 */
import type { Center } from '../../../src-shared/case.ts'
import {
  firstField,
  idFrom,
  isRecord,
  type JsonRecord,
  ownField,
  saysFailure,
  scalarText,
} from './answers.ts'

const LIST_FIELDS = ['centers', 'centros', 'content', 'data', 'items', 'results']
const ID_FIELDS = ['id', 'center_id', 'centerId', 'uuid', 'centro_id']
const NAME_FIELDS = ['name', 'title', 'description', 'nombre', 'label']
/** "active" can also mean "enabled"; see `marksOf`. */
const MARK_FIELDS = ['current', 'is_current', 'isCurrent', 'selected', 'is_selected', 'active', 'is_active']
/** Without `current`, which is a page number in some frameworks. */
const CURRENT_FIELDS = [
  'current_center',
  'current_center_id',
  'currentCenter',
  'currentCenterId',
  'selected_center',
  'active_center',
]
const MAX_DEPTH = 2
const MAX_NAME = 200

type FoundCenter = {
  readonly centerId: string
  readonly name: string | null
  readonly record: JsonRecord | null
}

/** Parses the answer of `GET /centers`; null if it contains no list of centers. */
export function readCenters(value: unknown): readonly Center[] | null {
  const found = centersIn(value, 0)
  if (found === null) return null
  const current = currentId(value, 0)
  const marks = current !== null && found.some(({ centerId }) => centerId === current) ? null : marksOf(found)
  return found.map(({ centerId, name }, index) => ({
    centerId,
    name,
    isCurrent: marks === null ? (current === null ? null : centerId === current) : (marks[index] ?? null),
  }))
}

function centersIn(value: unknown, depth: number): FoundCenter[] | null {
  if (value === null) return []
  if (Array.isArray(value)) return presentCenters(value.map((item) => centerOf(item, null)))
  if (!isRecord(value) || saysFailure(value)) return null
  for (const name of LIST_FIELDS.filter((name) => Object.hasOwn(value, name))) {
    const inner = depth < MAX_DEPTH ? centersIn(ownField(value, name), depth + 1) : null
    if (inner !== null) return inner
  }
  return keyedById(value)
}

/**
 * A map from id to name, or from id to center. Ids must contain a digit; otherwise the fields of a single object
 * would look like a map.
 */
function keyedById(record: JsonRecord): FoundCenter[] | null {
  const entries = Object.entries(record)
  const isMap = entries.every(([key, item]) => {
    const hasOwnId = isRecord(item) && centerIdOf(firstField(item, ID_FIELDS)) !== null
    return (
      hasOwnId || (/\d/.test(key) && centerIdOf(key) !== null && (typeof item === 'string' || isRecord(item)))
    )
  })
  return isMap ? presentCenters(entries.map(([key, item]) => centerOf(item, centerIdOf(key)))) : null
}

function presentCenters(items: readonly (FoundCenter | null)[]): FoundCenter[] | null {
  const found = items.filter((item) => item !== null)
  return items.length > 0 && found.length === 0 ? null : found
}

function centerOf(item: unknown, keyedId: string | null): FoundCenter | null {
  if (!isRecord(item)) {
    const centerId = keyedId ?? (typeof item === 'number' ? centerIdOf(item) : null)
    const name = keyedId === null ? null : scalarText(item, MAX_NAME)
    return centerId === null ? null : { centerId, name, record: null }
  }
  const inner = ['center', 'centro'].map((name) => ownField(item, name)).find(isRecord)
  const centerId = centerIdOf(firstField(item, ID_FIELDS)) ?? keyedId
  if (centerId === null) return inner === undefined ? null : centerOf(inner, null)
  return { centerId, name: scalarText(firstField(item, NAME_FIELDS), MAX_NAME), record: item }
}

/** Unlike a case, a center may have the id 0. */
function centerIdOf(value: unknown): string | null {
  return value === 0 || value === '0' ? '0' : idFrom(value)
}

/**
 * Which center the service marks as current, by the first field that marks exactly one; null if no field does. A
 * field that marks several means something else.
 */
function marksOf(found: readonly FoundCenter[]): readonly boolean[] | null {
  for (const field of MARK_FIELDS) {
    const marks = found.map(({ record }) => flag(record === null ? undefined : ownField(record, field)))
    if (marks.every((mark) => mark !== null) && marks.filter((mark) => mark).length === 1) return marks
  }
  // If only some centers have the field, its absence means "no".
  for (const field of MARK_FIELDS) {
    const marks = found.map(
      ({ record }) => flag(record === null ? undefined : ownField(record, field)) ?? false,
    )
    if (marks.filter((mark) => mark).length === 1) return marks
  }
  return null
}

function flag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  return value === 1 || value === '1' ? true : value === 0 || value === '0' ? false : null
}

/** The id of the current center if the answer names it outside the list. */
function currentId(value: unknown, depth: number): string | null {
  if (!isRecord(value) || depth > MAX_DEPTH) return null
  const current = firstField(value, CURRENT_FIELDS)
  const id = isRecord(current) ? centerIdOf(firstField(current, ID_FIELDS)) : centerIdOf(current)
  if (id !== null) return id
  for (const name of LIST_FIELDS) {
    const inner = currentId(ownField(value, name), depth + 1)
    if (inner !== null) return inner
  }
  return null
}
