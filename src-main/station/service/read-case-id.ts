/**
 * The id in the answer to `POST /cases`. Where two places could hold it and differ, there is none: the case is then
 * looked for in the list, which is slow but cannot bind a submission to a stranger's case.
 */
import { idFrom, idFromUnnamed, isUuid } from './identifier.ts'
import { isRecord, ownField, type JsonRecord } from './json-record.ts'
import { readJson } from './read-json.ts'
import { carriesError, saysNoSuccess } from './says-failure.ts'
import type { RawAnswer } from './service-client.ts'

const ID_FIELDS = ['id', 'case_id', 'caseId', 'caso', 'caso_id', 'uuid']
const CONTAINER_FIELDS = ['case', 'caso', 'content', 'data']
const MAX_DEPTH = 3

/** The id of the new case; null where a whole 2xx answer does not hold exactly one. */
export function readCaseId(answer: RawAnswer): string | null {
  if (!answer.isComplete || answer.status < 200 || answer.status > 299) return null
  const json = readJson(answer.body)
  const value = json === null ? plainUuid(answer.body) : json.value
  if (isRecord(value) && (saysNoSuccess(value) || carriesError(value))) return null
  const found = candidates(value, 0)
  if (found.size > 1) return null
  const [id] = found
  return id ?? idFromLocation(answer.headers['location'])
}

function plainUuid(body: Uint8Array): string | null {
  const text = new TextDecoder('utf-8').decode(body.subarray(0, 80)).trim()
  return isUuid(text) ? text : null
}

function candidates(value: unknown, depth: number): Set<string> {
  if (Array.isArray(value)) return value.length === 1 ? candidates(value[0], depth + 1) : new Set()
  if (!isRecord(value)) return setOf(idFromUnnamed(value))
  if (depth > MAX_DEPTH) return new Set()
  const inner = CONTAINER_FIELDS.flatMap((name) => [...candidates(ownField(value, name) ?? null, depth + 1)])
  return new Set([...setOf(ownId(value)), ...inner])
}

/** On one object, the first of the names is the one that the paths use. */
function ownId(record: JsonRecord): string | null {
  for (const name of ID_FIELDS) {
    const id = idFrom(ownField(record, name))
    if (id !== null) return id
  }
  return null
}

function setOf(id: string | null): Set<string> {
  return new Set(id === null ? [] : [id])
}

/** `Location: …/cases/55`, as 201 is meant to have it. */
function idFromLocation(location: string | undefined): string | null {
  const segment = /(?:^|\/)cases\/([^/?#]{1,400})\/?(?:[?#]|$)/.exec(location ?? '')?.[1]
  if (segment === undefined) return null
  try {
    return idFrom(decodeURIComponent(segment))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
