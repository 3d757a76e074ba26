/**
 * Compares a case of the service with ours, fact by fact, for the person who decides whether they are the same. Pure.
 */
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

/** A fact that one of them lacks is evidence neither for nor against. */
export type Verdict = 'same' | 'differs' | 'unsaid'
export type Compared = {
  readonly what: (typeof COMPARED)[number]
  /** As text; instants verbatim. */
  readonly ours: string | null
  readonly theirs: string | null
  readonly verdict: Verdict
}

/** Both clocks may be slightly wrong. */
const CLOCK_TOLERANCE_MS = 15 * MINUTE

export type OurCase = {
  readonly submission: Pick<Submission, 'id' | 'reference' | 'fields'>
  /** When the first unconfirmed attempt began; null if none is known here. */
  readonly sentAt: number | null
}

/**
 * When the first unconfirmed attempt began; null if there is none. Later attempts do not matter: the case may be the
 * result of the first.
 */
export function firstUnconfirmedAt(
  attempts: readonly Pick<Attempt, 'outcome' | 'startedAt'>[],
): number | null {
  return attempts.find(({ outcome }) => outcome === 'unknown' || outcome === null)?.startedAt ?? null
}

export type OurFacts = Readonly<Record<Compared['what'], string | null>>

/** The facts of our own case, also if the service lists none to compare with. */
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

/** A time without a zone may be in any zone: it cannot be ordered. */
const WITH_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{1,2}:\d{2}[\d:.,]* ?(?:Z|[+-]\d{2}(?::?\d{2})?)$/i

/** A case created before ours was sent is another one; one from about that time may be ours. */
function verdictOnTimes(sentAt: number | null, createdAt: string | null): Verdict {
  const created = createdAt !== null && WITH_ZONE.test(createdAt) ? Date.parse(createdAt) : NaN
  if (sentAt === null || Number.isNaN(created)) return 'unsaid'
  if (created < sentAt - CLOCK_TOLERANCE_MS) return 'differs'
  return created < sentAt + DAY ? 'same' : 'unsaid'
}

/** The reference in any field of the case: ours if present, else another station's. */
function referenceIn({ raw }: ListedCase, ours: string): string | null {
  const text = JSON.stringify(raw)
  return text.includes(ours) ? ours : (/\bFC[0-9A-HJKMNP-TV-Z]{9}\b/.exec(text)?.[0] ?? null)
}

export function summarizeComparison(compared: readonly Compared[]): {
  readonly same: readonly Compared['what'][]
  readonly differs: readonly Compared['what'][]
} {
  const those = (verdict: Verdict): Compared['what'][] =>
    compared.filter((one) => one.verdict === verdict).map(({ what }) => what)
  return { same: those('same'), differs: those('differs') }
}

/** More columns cannot be compared on one screen. */
const MAX_CANDIDATES = 4

/** The cases to choose from: first those found by lookups, then unassigned ones of this patient in the list. */
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
