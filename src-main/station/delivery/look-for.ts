/** One look for one unconfirmed submission, and what follows from it. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import type { Evidence } from '../../../src-shared/submission.ts'
import { unambiguousIdsOf } from '../case-ids.ts'
import type { AttemptRow, SubmissionRow } from '../outbox/submission-rows.ts'
import type { CaseList } from '../service/service-client.ts'
import { adoptCase, submissionWithCase } from './adopt-case.ts'
import type { CenterLease } from './center-gate.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import { isOtherVisit, matchCases, type LookupResult } from './judge-look.ts'
import { wasKnownBefore, type KnownPositions } from './known-by.ts'
import { withDetails } from './look-details.ts'
import { isProvenAbsent, nextLookupAt } from './look-schedule.ts'
import { NO_LIST, NOT_WHOLE, whyNeverAbsent, whyNoLookup } from './why-no-look.ts'

const MESSAGES: Readonly<Record<LookupResult['kind'], string>> = {
  echoedReference: 'A case with this reference is at the service.',
  sameIdentity:
    'A new case of the same patient and visit is at the service. It carries no reference, so a person must say whether it is this one.',
  unclear:
    'There are new cases at the service that show too little to say whether one of them is this one. A person must say.',
  several: 'More than one case at the service could be this one. A person must say which.',
  absent: 'No case at the service could be this one.',
}
const MARKED =
  'The service shows this reference in a case that may be another one: it names a second reference, shows another patient or visit, was there before, or is noted for another case. A person must say whether it is this one.'

/** What a look sees. */
export type LookupContext = {
  /** Read under the center of the submission; null where the service shows none. */
  readonly list: CaseList | null
  /** Ids that are bound to a submission already; what is taken meanwhile is added. */
  readonly bound: Set<string>
  /** What was known of the center's cases, and since when. */
  readonly known: KnownPositions
  readonly lease: CenterLease
}

/**
 * Looks for the submission in a list that was read under its center.
 *
 * Adopts the one case that carries the reference, proposes what only looks like it, and sends again only where
 * absence is proven and the clinic allows it.
 */
export async function reconcile(
  context: DeliveryContext,
  row: SubmissionRow,
  lookup: LookupContext,
): Promise<void> {
  const { outbox, clock, client } = context
  const submission = outbox.submissions.get(row.id)
  const attempts = outbox.attempts.of(row.id)
  const attempt = attempts.findLast(({ outcome }) => outcome === 'unknown')
  if (!submission || row.state !== 'unconfirmed') return
  // In doubt without an attempt, or seen where nothing had gone: only a person can say, and no look is due.
  if (!attempt || needsPerson(attempts)) return outbox.submissions.setNotBefore(row.id, null)
  const at = clock.now()
  const settings = context.settings()
  const note = (kind: Evidence['kind'], caseIds: readonly string[], message: string): void =>
    noteOnce(context, row.id, attempt.id, { kind, caseIds: [...caseIds], message, at })
  const scheduleNext = (): void => {
    const { lookSeconds } = settings.delivery
    outbox.submissions.setNotBefore(
      row.id,
      nextLookupAt(attempt.ended_at ?? at, at, lookSeconds, row.looks),
      row.looks + 1,
    )
  }
  const noteFailure = (why: string): void => {
    note('lookFailed', [], why)
    scheduleNext()
  }

  const { list } = lookup
  const here = { identity: client.identity, centerId: settings.centerId }
  const whyNot = whyNoLookup(attempt, row, here) ?? (list === null ? NO_LIST : null)
  if (whyNot !== null || !list) return noteFailure(whyNot ?? NO_LIST)
  const isKnown = wasKnownBefore(attempt, lookup.known)
  const isNew = (one: ServiceCase): boolean =>
    !unambiguousIdsOf(one).some((id) => lookup.bound.has(id) || isKnown(id))
  const { cases, wasAsked } = await withDetails(context, list.cases, {
    number: row.looks,
    mightMatch: (one) => isNew(one) && !isOtherVisit(one, submission.fields),
  })
  // Another client may have switched the center while single cases were asked for: then they may be others'.
  const isElsewhere = wasAsked && (await context.centers.isElsewhere(row.center_id, context.stopSignal))
  const [first] = attempts
  const result = matchCases(cases, {
    reference: submission.reference,
    fields: submission.fields,
    isKnown,
    wasKnownAtFirst: (caseId) => first !== undefined && outbox.cases.wasKnownBefore(first, caseId),
    bound: lookup.bound,
  })
  if (outbox.submissions.row(row.id)?.state !== 'unconfirmed') return
  // A person may have decided meanwhile, and another attempt may have been made: this look is not about that one.
  if (outbox.attempts.of(row.id).at(-1)?.id !== attempts.at(-1)?.id) return
  if (isElsewhere) context.gate.invalidate()
  // What was asked under a token that came in between may be another center's.
  if (isElsewhere || !lookup.lease.isValid()) return scheduleNext()

  switch (result.kind) {
    case 'echoedReference':
      outbox.write(() => {
        const one = cases.find(({ caseId }) => caseId === result.caseId)
        // Since the list was read, another submission may have taken it.
        if (!one || submissionWithCase(context, one, row.center_id) !== null) {
          note('unclear', [result.caseId], MARKED)
          return scheduleNext()
        }
        note(result.kind, [result.caseId], MESSAGES[result.kind])
        adoptCase(context, row, result.caseId, at)
        outbox.afterCommit(() => lookup.bound.add(result.caseId))
      })
      return
    case 'sameIdentity':
      note(result.kind, [result.caseId], MESSAGES[result.kind])
      return scheduleNext()
    case 'several':
      note(result.kind, result.caseIds, MESSAGES[result.kind])
      return scheduleNext()
    case 'unclear':
      note(result.kind, result.caseIds, result.isMarked ? MARKED : MESSAGES[result.kind])
      return scheduleNext()
    case 'absent': {
      const why = list.isComplete
        ? whyNeverAbsent(attempts, outbox.submissions.details(row.id)?.evidence ?? [])
        : NOT_WHOLE
      if (why !== null) return noteFailure(why)
      if (!checkProvenAbsent(context, row, attempt, at)) return scheduleNext()
      outbox.submissions.transition(
        row.id,
        'provenAbsent',
        { failure: null, notBefore: at },
        { at, details: { looks: row.looks + 1, attempt: attempt.number } },
      )
    }
  }
}

/** Each absence is kept: their number and span are the proof. */
function checkProvenAbsent(
  context: DeliveryContext,
  row: SubmissionRow,
  attempt: AttemptRow,
  at: number,
): boolean {
  const { outbox } = context
  const entry = { submissionId: row.id, attemptId: attempt.id, at, caseIds: [], by: null }
  outbox.evidence.append({ ...entry, kind: 'absent', message: MESSAGES.absent })
  const calibration = outbox.cases.calibrationOf(destinationOf(context, row.center_id))
  // By both clocks: one that is set ahead between two looks would prove absence in a minute.
  const observations = [outbox.evidence.absentLookups(attempt.id), context.missingCounts.note(attempt.id)]
  const isProven = observations.every((absentAt) => isProvenAbsent(absentAt, calibration))
  return isProven && context.settings().delivery.resendWhenProvenAbsent
}

/** Seen at the service where nothing was in doubt: from then on, until another attempt, a person alone decides. */
function needsPerson(attempts: readonly AttemptRow[]): boolean {
  const last = attempts.at(-1)
  return last !== undefined && last.found_at !== null
}

type EvidenceNote = Pick<Evidence, 'kind' | 'caseIds' | 'message' | 'at'>

/** The same finding, look after look, is one line of evidence and not a hundred. */
function noteOnce(
  context: DeliveryContext,
  submissionId: string,
  attemptId: string,
  noted: EvidenceNote,
): void {
  const last = context.outbox.submissions.details(submissionId)?.evidence.at(-1)
  const isSame =
    last?.kind === noted.kind &&
    last.message === noted.message &&
    last.caseIds.join() === noted.caseIds.join()
  if (isSame) return
  context.outbox.evidence.append({ submissionId, attemptId, ...noted, by: null })
}
