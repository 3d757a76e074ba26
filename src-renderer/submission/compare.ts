/** Lays a case of the service beside ours, fact by fact, for the person who says whether it is the same. Pure. */
import type { ListedCase } from '../../src-shared/case.ts'
import { DAY, MINUTE } from '../../src-shared/durations.ts'
import type { Attempt, Submission } from '../../src-shared/submission.ts'

export const COMPARED = [
  'reference',
  'historyNumber',
  'lastName',
  'firstName',
  'visitDate',
  'created',
  'state',
  'boundTo',
] as const

/** What one of both does not say speaks neither for nor against. */
export type Verdict = 'same' | 'differs' | 'unsaid'
export type Compared = {
  readonly what: (typeof COMPARED)[number]
  /** As text; instants as the service wrote them. */
  readonly ours: string | null
  readonly theirs: string | null
  readonly verdict: Verdict
}

/** Both clocks may be wrong by a little. */
const CLOCK_TOLERANCE_MS = 15 * MINUTE

export type OurCase = {
  readonly submission: Pick<Submission, 'id' | 'reference' | 'fields'>
  /** When the first attempt began of which nobody knows whether it arrived; null where none is known here. */
  readonly sentAt: number | null
}

/**
 * When the first attempt began of which nobody knows whether it arrived; null where there is none. A later one says
 * nothing: the case may be what the first left at the service.
 */
export function firstUnconfirmedAt(
  attempts: readonly Pick<Attempt, 'outcome' | 'startedAt'>[],
): number | null {
  return attempts.find(({ outcome }) => outcome === 'unknown' || outcome === null)?.startedAt ?? null
}

export type OurFacts = Readonly<Record<Compared['what'], string | null>>

/** What this station knows of its own case, also where the service shows none to lay beside it. */
export function ourFacts({ submission: { fields, reference }, sentAt }: OurCase): OurFacts {
  return {
    reference,
    historyNumber: fields.history_number ?? null,
    lastName: fields.last_name ?? null,
    firstName: fields.first_name ?? null,
    visitDate: fields.visit_date ?? null,
    created: sentAt === null ? null : new Date(sentAt).toISOString(),
    state: null,
    boundTo: null,
  }
}

export function compareCase({ submission, sentAt }: OurCase, theirs: ListedCase): Compared[] {
  const { reference } = submission
  const ours = ourFacts({ submission, sentAt })
  const row = (what: Compared['what'], other: string | null): Compared => ({
    what,
    ours: ours[what],
    theirs: other,
    verdict: verdictOf(ours[what], other),
  })
  const echoed = referenceIn(theirs, reference)
  const isOfAnother = theirs.submissionId !== null && theirs.submissionId !== submission.id
  return [
    row('reference', echoed),
    row('historyNumber', theirs.historyNumber),
    row('lastName', theirs.lastName),
    row('firstName', theirs.firstName),
    row('visitDate', theirs.visitDate?.slice(0, 10) ?? null),
    {
      what: 'created',
      ours: ours.created,
      theirs: theirs.createdAt,
      verdict: verdictOnTimes(sentAt, theirs.createdAt),
    },
    { what: 'state', ours: null, theirs: theirs.state, verdict: 'unsaid' },
    {
      what: 'boundTo',
      ours: null,
      theirs: isOfAnother ? (theirs.reference ?? '') : null,
      verdict: isOfAnother ? 'differs' : 'unsaid',
    },
  ]
}

const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()

function verdictOf(ours: string | null, theirs: string | null): Verdict {
  if (ours === null || theirs === null || plain(ours) === '' || plain(theirs) === '') return 'unsaid'
  return plain(ours) === plain(theirs) ? 'same' : 'differs'
}

/** A time of day without its zone may be that of the service or of anybody: it says nothing of before and after. */
const WITH_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{1,2}:\d{2}[\d:.,]* ?(?:Z|[+-]\d{2}(?::?\d{2})?)$/i

/** A case that was there before ours was sent is another one; one from about that time may be ours. */
function verdictOnTimes(sentAt: number | null, createdAt: string | null): Verdict {
  const created = createdAt !== null && WITH_ZONE.test(createdAt) ? Date.parse(createdAt) : NaN
  if (sentAt === null || Number.isNaN(created)) return 'unsaid'
  if (created < sentAt - CLOCK_TOLERANCE_MS) return 'differs'
  return created < sentAt + DAY ? 'same' : 'unsaid'
}

/** The reference that any field of the case carries: ours where it does, else another station's. */
function referenceIn({ raw }: ListedCase, ours: string): string | null {
  const text = JSON.stringify(raw)
  return text.includes(ours) ? ours : (/\bFC[0-9A-HJKMNP-TV-Z]{9}\b/.exec(text)?.[0] ?? null)
}

/** What a comparison comes to, in the order of the facts. */
export function summarizeComparison(compared: readonly Compared[]): {
  readonly same: readonly Compared['what'][]
  readonly differs: readonly Compared['what'][]
} {
  const those = (verdict: Verdict): Compared['what'][] =>
    compared.filter((one) => one.verdict === verdict).map(({ what }) => what)
  return { same: those('same'), differs: those('differs') }
}

/** More columns than these cannot be compared at a glance. */
const MAX_CANDIDATES = 4

/** The cases to choose among: what looking has found, then what the list shows of this patient and nobody has yet. */
export function candidateIds(
  found: readonly string[],
  { submission }: Pick<OurCase, 'submission'>,
  listed: readonly ListedCase[],
): string[] {
  const number = submission.fields.history_number ?? ''
  const ofPatient = listed.filter(
    ({ historyNumber, submissionId }) => submissionId === null && verdictOf(number, historyNumber) === 'same',
  )
  return [...new Set([...found, ...ofPatient.map(({ caseId }) => caseId)])].slice(
    0,
    Math.max(MAX_CANDIDATES, found.length),
  )
}
