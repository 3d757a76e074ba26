/** What one look at the service's list says about a submission that may have arrived. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import type { Fields } from '../../../src-shared/fields.ts'

export type Look =
  /** Exactly one case carries our reference. */
  | { readonly kind: 'echoedReference'; readonly caseId: string }
  /** One new case of this patient and visit, bound to no other submission: a person decides. */
  | { readonly kind: 'sameIdentity'; readonly caseId: string }
  | { readonly kind: 'several'; readonly caseIds: readonly string[]; readonly isOneReference: boolean }
  | { readonly kind: 'absent' }

export type LookedFor = {
  readonly reference: string
  readonly fields: Fields
  /** Ids that were known before the attempt. */
  readonly baseline: ReadonlySet<string>
  /** Ids that are bound to a submission already. */
  readonly bound: ReadonlySet<string>
}

/** Does anything that the service tells of this case carry the reference? */
export function echoes(one: ServiceCase, reference: string): boolean {
  return JSON.stringify(one.raw).includes(reference)
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()
}

function alike(left: string, right: string): boolean {
  return plain(left) === plain(right)
}

/** What the list shows must agree; what it does not show says nothing, but the history number must be there. */
function isSameVisit(one: ServiceCase, fields: Fields): boolean {
  const pairs: readonly (readonly [string | null, string | undefined])[] = [
    [one.visitDate?.slice(0, 10) ?? null, fields.visit_date],
    [one.firstName, fields.first_name],
    [one.lastName, fields.last_name],
  ]
  if (one.historyNumber === null || fields.history_number === undefined) return false
  if (!alike(one.historyNumber, fields.history_number)) return false
  return pairs.every(([theirs, ours]) => theirs === null || ours === undefined || alike(theirs, ours))
}

export function judgeLook(cases: readonly ServiceCase[], looked: LookedFor): Look {
  const marked = cases.filter((one) => echoes(one, looked.reference) && !looked.bound.has(one.caseId))
  const [first] = marked
  if (first && marked.length === 1) return { kind: 'echoedReference', caseId: first.caseId }
  if (marked.length > 1)
    return { kind: 'several', caseIds: marked.map((one) => one.caseId), isOneReference: true }
  const candidates = cases.filter(
    (one) =>
      !looked.baseline.has(one.caseId) && !looked.bound.has(one.caseId) && isSameVisit(one, looked.fields),
  )
  const [only] = candidates
  if (only && candidates.length === 1) return { kind: 'sameIdentity', caseId: only.caseId }
  if (candidates.length > 1)
    return { kind: 'several', caseIds: candidates.map((one) => one.caseId), isOneReference: false }
  return { kind: 'absent' }
}
