/**
 * Finds cases of ours that the service has twice: schedules the lists to audit, and matches references in them.
 */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { DAY } from '../../../src-shared/durations.ts'
import { isReference } from '../../../src-shared/reference.ts'
import { idsOf } from '../lib/case-ids.ts'
import { type DeliveryContext, destinationOf } from './context.ts'

/** A duplicate shows within days; after a month no one asks any more. */
const AUDITED_DAYS = 30

type AuditSchedule = {
  dueCenters(now: number): readonly (string | null)[]
  /** The list of a center was requested, whether or not it could be read. */
  noteRead(centerId: string | null, now: number): void
  /** When the next list is due, epoch milliseconds; null if no center has cases that matter. */
  nextAt(now: number): number | null
}

export function createAuditSchedule(context: DeliveryContext): AuditSchedule {
  const { outbox, client } = context
  const askedAt = new Map<string | null, number>()
  /**
   * When a center's list was last read or requested. A time in the future was recorded before the clock was set
   * back.
   */
  const lastAt = (centerId: string | null, now: number): number => {
    const readAt = outbox.cases.listReadAt(destinationOf(context, centerId)) ?? 0
    return Math.max(...[readAt, askedAt.get(centerId) ?? 0].filter((at) => at <= now), 0)
  }
  const centers = (now: number): readonly (string | null)[] =>
    outbox.centers.confirmedSince(now - AUDITED_DAYS * DAY, client.identity)
  return {
    dueCenters: (now) => centers(now).filter((centerId) => now - lastAt(centerId, now) >= DAY),
    noteRead: (centerId, now) => void askedAt.set(centerId, now),
    nextAt: (now) => {
      const times = centers(now).map((centerId) => lastAt(centerId, now) + DAY)
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}

/** Overlapping on purpose: text before a reference must not hide it. */
const REFERENCE_LIKE = /(?=(FC[0-9A-HJKMNP-TV-Z]{9}))/g

/** Every reference in what the service shows of a case, in any letter case. */
export function referencesIn(one: ServiceCase): ReadonlySet<string> {
  const cached = REFERENCES_CACHE.get(one)
  if (cached) return cached
  const found = readReferences(one)
  REFERENCES_CACHE.set(one, found)
  return found
}

/** One list is compared with many of our submissions. */
const REFERENCES_CACHE = new WeakMap<ServiceCase, ReadonlySet<string>>()

function readReferences(one: ServiceCase): ReadonlySet<string> {
  const text = JSON.stringify(one.raw).toUpperCase()
  const found = [...text.matchAll(REFERENCE_LIKE)].map(([, reference = '']) => reference)
  return new Set(found.filter((reference) => isReference(reference)))
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

export type CarriedReference = {
  readonly submissionId: string
  readonly reference: string
  /** Cases that carry the reference, and the one bound to the submission, in the order of the list. */
  readonly caseIds: readonly string[]
  /** The cases that carry the reference. */
  readonly cases: readonly ServiceCase[]
  /** Other submissions that one of these cases is bound to. */
  readonly boundToOthers: readonly OurSubmission[]
}

type FoundEntry = { ours: OurSubmission; cases: Map<string, ServiceCase>; others: Map<string, OurSubmission> }

/** References found so far, by submission. */
export type FoundReferences = Map<string, FoundEntry>

/**
 * Notes which of our references some cases of a list carry.
 *
 * A case that carries the reference of the submission it is bound to belongs to that one; any other reference in
 * its text is a quotation.
 */
export function noteReferences(
  found: FoundReferences,
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
      const entry = found.get(ours.id) ?? {
        ours,
        cases: new Map<string, ServiceCase>(),
        others: new Map<string, OurSubmission>(),
      }
      // One and the same case, whichever of its ids the receipt had.
      const isItsOwn = ours.caseId !== null && idsOf(one).includes(ours.caseId)
      entry.cases.set(isItsOwn ? ours.caseId : one.caseId, one)
      if (boundTo && boundTo.id !== ours.id) entry.others.set(boundTo.id, boundTo)
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

/** Everything found about our references, one entry per submission. */
export function carriedReferences(found: FoundReferences): readonly CarriedReference[] {
  return [...found.values()].map(({ ours, cases, others }) => ({
    submissionId: ours.id,
    reference: ours.reference,
    caseIds: [...new Set(ours.caseId === null ? cases.keys() : [ours.caseId, ...cases.keys()])],
    cases: [...cases.values()],
    boundToOthers: [...others.values()],
  }))
}
