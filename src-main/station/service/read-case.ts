import type { ServiceCase } from '../../../src-shared/case.ts'
import { idFrom, idFromUnnamed } from './identifier.ts'
import { firstField, isEmpty, isRecord, ownField, scalarText, type JsonRecord } from './json-record.ts'
import { saysFailure } from './says-failure.ts'

const ID_FIELDS = ['id', 'case_id', 'caseId', 'caso', 'caso_id', 'uuid']
const CONTAINER_FIELDS = ['case', 'caso', 'content', 'data', 'result']
/** What tells a case without an id from any other object. */
const CASE_FIELDS = [
  'history_number',
  'historyNumber',
  'visit_date',
  'visitDate',
  'first_name',
  'last_name',
  'images',
]
const MAX_DEPTH = 3
/** Longer than any name; the whole of it stays in `raw`. */
const MAX_TEXT = 500

/**
 * Reads the answer of `GET /cases/{id}`: the case bare or in an envelope; null where there is no case in it. The
 * asked id is kept where the case carries it under any of its names, and where it carries none at all.
 */
export function readCase(value: unknown, askedId: string): ServiceCase | null {
  const record = unwrapped(value, 0)
  if (record === null) return null
  const ids = ID_FIELDS.map((name) => idFrom(ownField(record, name))).filter((id) => id !== null)
  if (ids.length === 0 && firstField(record, CASE_FIELDS) === undefined) return null
  return caseOf(record, ids.includes(askedId) ? askedId : (ids[0] ?? askedId))
}

/** Whether an answer says that there is no such case: null, `[]`, `{}`, or an envelope around one of them. */
export function saysNoCase(value: unknown): boolean {
  if (isEmpty(value)) return true
  if (!isRecord(value) || saysFailure(value)) return false
  const containers = CONTAINER_FIELDS.filter((name) => Object.hasOwn(value, name))
  return containers.length > 0 && containers.every((name) => isEmpty(ownField(value, name)))
}

/** Reads one item of a list, which must have an id of its own or be given one; null where it has none. */
export function readListedCase(value: unknown, keyedId: string | null): ServiceCase | null {
  const bareId = idFromUnnamed(value)
  if (bareId !== null) return caseOf({ id: value }, bareId)
  const record = unwrapped(value, 0)
  if (record === null) return null
  const id = idFrom(firstField(record, ID_FIELDS)) ?? keyedId
  return id === null ? null : caseOf(record, id)
}

function unwrapped(value: unknown, depth: number): JsonRecord | null {
  if (!isRecord(value) || saysFailure(value) || Object.keys(value).length === 0) return null
  if (depth < MAX_DEPTH && idFrom(firstField(value, ID_FIELDS)) === null) {
    const containers = CONTAINER_FIELDS.filter((name) => Object.hasOwn(value, name))
    for (const name of containers) {
      const inner = unwrapped(ownField(value, name), depth + 1)
      if (inner !== null) return inner
    }
    if (containers.length > 0) return null
  }
  return value
}

function caseOf(record: JsonRecord, caseId: string): ServiceCase {
  const patient = [ownField(record, 'patient'), ownField(record, 'paciente')].find(isRecord) ?? {}
  const text = (...names: string[]): string | null => {
    const value = firstField(record, names) ?? firstField(patient, names)
    const named = isRecord(value) ? firstField(value, ['name', 'code', 'label', 'title', 'date']) : value
    return scalarText(named, MAX_TEXT)
  }
  return {
    caseId,
    state: text('state', 'status', 'estado', 'case_state', 'case_status'),
    historyNumber: text('history_number', 'historyNumber', 'history'),
    firstName: text('first_name', 'firstName'),
    lastName: text('last_name', 'lastName'),
    visitDate: text('visit_date', 'visitDate'),
    createdAt: text('created_at', 'createdAt', 'created', 'creation_date'),
    urgency: text('urgency', 'priority', 'urgencia'),
    raw: Object.fromEntries(Object.entries(record).filter(([name]) => name !== '__proto__')),
  }
}
