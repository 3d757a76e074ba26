/** Matches the service's cases to submissions: by the references in them, and by what else they show. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { DAY } from '../../../src-shared/durations.ts'
import type { Fields } from '../../../src-shared/fields.ts'
import { isReference } from '../../../src-shared/reference.ts'
import { isUnsent, type SubmissionState } from '../../../src-shared/states.ts'
import { idsOf, unambiguousIdsOf } from '../lib/service-case.ts'

/** Overlapping on purpose: text before a reference must not hide it. */
const REFERENCE_LIKE = /(?=(FC[0-9A-HJKMNP-TV-Z]{9}))/g

/** One list is compared with many of our submissions. */
const REFERENCES_CACHE = new WeakMap<ServiceCase, ReadonlySet<string>>()

/** Every reference in what the service shows of a case, in any letter case. */
export function referencesIn(one: ServiceCase): ReadonlySet<string> {
  const cached = REFERENCES_CACHE.get(one)
  if (cached) return cached
  const text = JSON.stringify(one.raw).toUpperCase()
  const found = [...text.matchAll(REFERENCE_LIKE)].map(([, reference = '']) => reference)
  const references = new Set(found.filter(isReference))
  REFERENCES_CACHE.set(one, references)
  return references
}

/** One of our submissions, as far as its case matters. `caseId`: bound at the service that was read. */
export type OurSubmission = {
  readonly id: string
  readonly reference: string
  readonly caseId: string | null
}

type SubmissionLookup = {
  ofReference(reference: string): OurSubmission | null
  ofCase(caseId: string): OurSubmission | null
}

/** One of our references in a list. */
export type CarriedReference = {
  readonly ours: OurSubmission
  /** The cases that carry it by their ids, in the order of the list. */
  readonly cases: Map<string, ServiceCase>
  /** Other submissions that one of these cases is bound to. */
  readonly boundToOthers: Set<string>
}

/**
 * Notes which of our references these cases carry, by submission. In a case bound to the submission of one, any other is
 * a quotation.
 */
export function noteReferences(
  found: Map<string, CarriedReference>,
  cases: readonly ServiceCase[],
  lookup: SubmissionLookup,
): void {
  for (const one of cases) {
    const references = referencesIn(one)
    if (references.size === 0) continue
    const boundTo = boundSubmissionOf(one, references, lookup)
    const meant = boundTo && references.has(boundTo.reference) ? [boundTo.reference] : [...references]
    for (const reference of meant) {
      const ours = lookup.ofReference(reference)
      if (!ours) continue
      const entry: CarriedReference = found.get(ours.id) ?? {
        ours,
        cases: new Map(),
        boundToOthers: new Set(),
      }
      // One and the same case, whichever of its ids the receipt had.
      const isItsOwn = ours.caseId !== null && idsOf(one).includes(ours.caseId)
      entry.cases.set(isItsOwn ? ours.caseId : one.caseId, one)
      if (boundTo && boundTo.id !== ours.id) entry.boundToOthers.add(boundTo.id)
      found.set(ours.id, entry)
    }
  }
}

/** The submission that a case is bound to under any of its ids, preferably one that the case names. */
function boundSubmissionOf(
  one: ServiceCase,
  references: ReadonlySet<string>,
  lookup: SubmissionLookup,
): OurSubmission | undefined {
  const ids = idsOf(one)
  const named = [...references]
    .map((reference) => lookup.ofReference(reference))
    .find((ours) => ours !== null && ours.caseId !== null && ids.includes(ours.caseId))
  return named ?? ids.map((id) => lookup.ofCase(id)).find((ours) => ours !== null) ?? undefined
}

/** The cases that carry the reference, and the one bound to the submission. */
export function caseIdsOf({ ours, cases }: CarriedReference): readonly string[] {
  return [...new Set(ours.caseId === null ? cases.keys() : [ours.caseId, ...cases.keys()])]
}

/**
 * - echoedReference  exactly one case carries our reference
 * - marked           some carry it, but something speaks against each
 * - sameIdentity     one new case of this patient and visit, bound to no other submission: a person decides
 * - several          more than one that carry our reference, or else are of this patient and visit
 * - unclear          new cases that show too little, or spell it too differently, to exclude ours
 * - absent           none of these
 */
export type LookupResult = {
  readonly kind: 'echoedReference' | 'marked' | 'sameIdentity' | 'several' | 'unclear' | 'absent'
  readonly caseIds: readonly string[]
}

/** The ids that are bound to one of our submissions; asked one by one, for they grow with everything that was sent. */
export type BoundIds = { has(caseId: string): boolean; add(caseId: string): unknown }

export type ExpectedCase = {
  readonly reference: string
  readonly fields: Fields
  /** Was this id known before the attempt? */
  readonly isKnown: (caseId: string) => boolean
  /** Was it known before the very first attempt? Then it cannot be ours, whatever it contains. */
  readonly wasKnownAtFirst: (caseId: string) => boolean
  readonly bound: Pick<BoundIds, 'has'>
}

export function matchCases(cases: readonly ServiceCase[], expected: ExpectedCase): LookupResult {
  const isBound = (caseId: string): boolean => expected.bound.has(caseId)
  const found = (kind: LookupResult['kind'], ones: readonly ServiceCase[]): LookupResult => ({
    kind,
    caseIds: ones.map((one) => one.caseId),
  })
  const marked = cases.filter((one) => echoes(one, expected.reference) && !isQuotation(one, expected.bound))
  const adoptable = marked.filter((one) => mayBeAdopted(one, { ...expected, isBound }))
  if (adoptable.length > 0) return found(adoptable.length === 1 ? 'echoedReference' : 'several', adoptable)
  if (marked.length > 0) return found('marked', marked)
  const newCases = cases.filter(
    (one) => !unambiguousIdsOf(one).some((id) => expected.isKnown(id) || isBound(id)),
  )
  const like = Map.groupBy(newCases, (one) => likeness(one, expected.fields))
  const same = like.get('same') ?? []
  if (same.length > 0) return found(same.length === 1 ? 'sameIdentity' : 'several', same)
  const unclear = like.get('unclear') ?? []
  return found(unclear.length > 0 ? 'unclear' : 'absent', unclear)
}

export function echoes(one: ServiceCase, reference: string): boolean {
  return referencesIn(one).has(reference)
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()
}

type Likeness = 'same' | 'unclear' | 'other'

/** Compares two statements. A missing one says nothing. */
function agree(theirs: string | null, ours: string | undefined): Likeness {
  if (theirs === null || ours === undefined) return 'unclear'
  return plain(theirs) === plain(ours) ? 'same' : 'other'
}

/** `H00017` and `17` may be how the service writes `H-00017`. */
function bareNumber(text: string): string {
  return plain(text)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(/(?<!\d)0+(?=\d)/g, '')
}

function agreeOnHistory(theirs: string | null, ours: string | undefined): Likeness {
  const likeness = agree(theirs, ours)
  if (likeness !== 'other' || theirs === null || ours === undefined) return likeness
  return bareNumber(theirs) === bareNumber(ours) ? 'unclear' : 'other'
}

/** Another spelling may be the same day, and with another time zone so may a neighbouring day. */
function agreeOnDate(theirs: string | null, ours: string | undefined): Likeness {
  if (theirs === null || ours === undefined) return 'unclear'
  const match = /^(\d{4}-\d{2}-\d{2})(.*)$/.exec(theirs.trim())
  const [, day, time = ''] = match ?? []
  if (day === undefined) return 'unclear'
  if (day === ours) return 'same'
  const distanceMs = Math.abs(Date.parse(day) - Date.parse(ours))
  return time !== '' && distanceMs <= DAY ? 'unclear' : 'other'
}

function nameTokens(...names: readonly (string | null | undefined)[]): string {
  return plain(names.filter((name) => typeof name === 'string').join(' '))
    .split(/[\s,]+/)
    .toSorted()
    .join(' ')
}

/** The same history number without contradictions. Names may be swapped, which makes it unclear. */
function likeness(one: ServiceCase, fields: Fields): Likeness {
  const history = agreeOnHistory(one.historyNumber, fields.history_number)
  const date = agreeOnDate(one.visitDate, fields.visit_date)
  if (history === 'other' || date === 'other') return 'other'
  const names = [agree(one.firstName, fields.first_name), agree(one.lastName, fields.last_name)]
  const isDateUnread = one.visitDate !== null && date === 'unclear' && fields.visit_date !== undefined
  if (names.includes('other')) {
    const areTokensSame =
      nameTokens(one.firstName, one.lastName) === nameTokens(fields.first_name, fields.last_name)
    return history === 'same' || areTokensSame ? 'unclear' : 'other'
  }
  return history === 'same' && !isDateUnread ? 'same' : 'unclear'
}

/** Does what the service shows of a case contradict this patient and visit? */
export function isOtherVisit(one: ServiceCase, fields: Fields): boolean {
  return likeness(one, fields) === 'other'
}

/**
 * May a case with our reference be adopted? Not if it has another reference too, is of another patient or visit, was
 * there before, or is bound to another submission: the reference may be a quotation.
 */
export function mayBeAdopted(
  one: ServiceCase,
  checks: Pick<ExpectedCase, 'fields' | 'wasKnownAtFirst'> & {
    readonly isBound: (caseId: string) => boolean
  },
): boolean {
  if (referencesIn(one).size > 1 || isOtherVisit(one, checks.fields)) return false
  return !idsOf(one).some((id) => checks.isBound(id) || checks.wasKnownAtFirst(id))
}

/** A case bound to another submission that carries another reference merely quotes ours. */
function isQuotation(one: ServiceCase, bound: Pick<BoundIds, 'has'>): boolean {
  return unambiguousIdsOf(one).some((id) => bound.has(id)) && referencesIn(one).size > 1
}

/** Does the service show another patient under this id? Missing statements are no contradiction. */
export function isOtherPatient(one: ServiceCase, fields: Fields): boolean {
  return agreeOnHistory(one.historyNumber, fields.history_number) === 'other'
}

/** What decides about a submission that was not in doubt when a list showed a case with its reference. */
export type FoundCase = {
  readonly state: SubmissionState
  readonly hasAttempt: boolean
  /** A person has decided about this very case, or has released the submission since it was seen. */
  readonly isSettledByPerson: boolean
  /** It waits with the content of the last attempt. */
  readonly isUnchangedSinceAttempt: boolean
  /** The last attempt went to the address, client and center of the list. */
  readonly isSameDestination: boolean
  /** Nothing in the case speaks against it: see the function `mayBeAdopted`. */
  readonly mayBeAdopted: boolean
}

/** `take`: it has arrived. `doubt`: a person must decide. `hold`: never sent from here, so a person must check. */
export function classifyFound(found: FoundCase): 'nothing' | 'take' | 'doubt' | 'hold' {
  // An unsent one would be sent some day, although it may be there already.
  if (!isUnsent(found.state) || found.isSettledByPerson) return 'nothing'
  if (!found.hasAttempt) return 'hold'
  const isOnItsWay = found.state === 'waiting' && found.isUnchangedSinceAttempt
  return isOnItsWay && found.isSameDestination && found.mayBeAdopted ? 'take' : 'doubt'
}
