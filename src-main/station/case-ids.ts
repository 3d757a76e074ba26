/** The ids of a case: a service may answer one of them to a new case, and list it under another. */
import type { ServiceCase } from '../../src-shared/case.ts'

const ID_FIELDS = ['id', 'case_id', 'caseId', 'caso', 'caso_id', 'uuid']
const MAX_LENGTH = 200

function idIn(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null
  const text = value.trim()
  return text === '' || text === '0' ? null : text
}

const IDS_CACHE = new WeakMap<ServiceCase, readonly string[]>()

/** Every id that the service tells of a case; the one that it is read under stands first. */
export function idsOf(one: ServiceCase): readonly string[] {
  const cached = IDS_CACHE.get(one)
  if (cached) return cached
  const others = ID_FIELDS.map((name) => (Object.hasOwn(one.raw, name) ? idIn(one.raw[name]) : null))
  const ids = [...new Set([one.caseId, ...others.filter((id) => id !== null)])]
  IDS_CACHE.set(one, ids)
  return ids
}

/**
 * The ids that no other case can have. A second plain number may be the first one of another case: where it would make
 * a case pass for an old one, it does not count.
 */
export function unambiguousIdsOf(one: ServiceCase): readonly string[] {
  return idsOf(one).filter((id, index) => index === 0 || !/^\d+$/.test(id))
}

/** Is this what the service holds under the id? */
export function hasId(one: ServiceCase, caseId: string): boolean {
  return idsOf(one).includes(caseId)
}

/** The case of an id in a list: the one that is read under it, or else the only one that has it beside its own. */
export function caseOfId(cases: readonly ServiceCase[], caseId: string): ServiceCase | undefined {
  const read = cases.find((one) => one.caseId === caseId)
  if (read) return read
  const [first, second] = cases.filter((one) => hasId(one, caseId))
  return second ? undefined : first
}
