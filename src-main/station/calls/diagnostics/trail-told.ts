import type { AuditEntry } from '../../../../src-shared/contract.ts'
import { SUBMISSION_STATES } from '../../../../src-shared/states.ts'
import { type Redactor, isOwnId, isProgramTerm } from './cover.ts'

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
const SERVICE_ID_NAMES = new Set(['caseId', 'caseIds', 'centerId', 'from', 'to'])
/** A case moves from state to state, and from center to center. */
const STATE_NAMES: readonly string[] = SUBMISSION_STATES

/** One line of the trail without who it was, in whose words, and of whom. */
export function redactTrailEntry(entry: AuditEntry, redactor: Redactor): Readonly<Record<string, unknown>> {
  const details = Object.entries(entry.details).map(([name, value]) => [
    name,
    redactDetail(name, value, redactor),
  ])
  return {
    at: new Date(entry.at).toISOString(),
    what: isProgramTerm(entry.what) ? entry.what : redactor.pseudonym(entry.what),
    submission: entry.submissionId !== null && isOwnId(entry.submissionId) ? entry.submissionId : null,
    by: entry.by === null ? null : redactor.person(entry.by),
    ...(details.length > 0 && { details: Object.fromEntries(details) as unknown }),
  }
}

function redactDetail(name: string, value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return value.map((one: unknown) => redactDetail(name, one, redactor))
  if (typeof value !== 'string') return 'left out'
  if (STATE_NAMES.includes(value)) return value
  // A service may make its ids as we make ours, so that only the name tells whose it is.
  if (SERVICE_ID_NAMES.has(name)) return redactor.pseudonym(value)
  if (isOwnId(value)) return value
  return WORDS.has(name) && isProgramTerm(value) ? value : 'left out'
}
