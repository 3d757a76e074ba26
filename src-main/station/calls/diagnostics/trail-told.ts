import type { AuditEntry } from '../../../../src-shared/contract.ts'
import { SUBMISSION_STATES } from '../../../../src-shared/states.ts'
import { type Cover, isOwnId, isProgramWord } from './cover.ts'

/** Details that hold words of the program or names of fields; all others may hold what a person wrote. */
const WORDS = new Set([
  'failure',
  'outcome',
  'reasons',
  'fields',
  'sections',
  'existing',
  'decision',
  'alarm',
  'noImageBecause',
])
/** Ids at the service are no names, but a service may make them of anything. */
const FOREIGN_IDS = new Set(['caseId', 'caseIds', 'centerId', 'from', 'to'])
/** A case moves from state to state, and from center to center. */
const STATES: readonly string[] = SUBMISSION_STATES

/** One line of the trail without who it was, in whose words, and of whom. */
export function trailTold(entry: AuditEntry, cover: Cover): Readonly<Record<string, unknown>> {
  const details = Object.entries(entry.details).map(([name, value]) => [name, detailTold(name, value, cover)])
  return {
    at: new Date(entry.at).toISOString(),
    what: isProgramWord(entry.what) ? entry.what : cover.mark(entry.what),
    submission: entry.submissionId !== null && isOwnId(entry.submissionId) ? entry.submissionId : null,
    by: entry.by === null ? null : cover.person(entry.by),
    ...(details.length > 0 && { details: Object.fromEntries(details) as unknown }),
  }
}

function detailTold(name: string, value: unknown, cover: Cover): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return value.map((one: unknown) => detailTold(name, one, cover))
  if (typeof value !== 'string') return 'left out'
  if (STATES.includes(value)) return value
  // A service may make its ids as we make ours, so that only the name tells whose it is.
  if (FOREIGN_IDS.has(name)) return cover.mark(value)
  if (isOwnId(value)) return value
  return WORDS.has(name) && isProgramWord(value) ? value : 'left out'
}
