/** One look for one unconfirmed submission, and what follows from it. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import type { Evidence } from '../../../src-shared/submission.ts'
import { sureIdsOf } from '../case-ids.ts'
import type { AttemptRow, SubmissionRow } from '../outbox/submission-rows.ts'
import type { CaseList } from '../service/service-client.ts'
import { adoptCase, holderOf } from './adopt-case.ts'
import type { CenterHold } from './center-gate.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import { isOtherVisit, judgeLook, type Look } from './judge-look.ts'
import { knownBy, type KnownCases } from './known-by.ts'
import { withDetails } from './look-details.ts'
import { isProvenAbsent, nextLookAt } from './look-schedule.ts'
import { NO_LIST, NOT_WHOLE, whyNeverAbsent, whyNoLook } from './why-no-look.ts'

const MESSAGES: Readonly<Record<Look['kind'], string>> = {
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
export type Sight = {
  /** Read under the center of the submission; null where the service shows none. */
  readonly list: CaseList | null
  /** Ids that are bound to a submission already; what is taken meanwhile is added. */
  readonly bound: Set<string>
  /** What was known of the center's cases, and since when. */
  readonly known: KnownCases
  readonly hold: CenterHold
}

/**
 * Looks for the submission in a list that was read under its center.
 *
 * Adopts the one case that carries the reference, proposes what only looks like it, and sends again only where
 * absence is proven and the clinic allows it.
 */
export async function lookFor(context: DeliveryContext, row: SubmissionRow, sight: Sight): Promise<void> {
  const { outbox, clock, client } = context
  const submission = outbox.submissionOf(row.id)
  const attempts = outbox.attemptsOf(row.id)
  const attempt = attempts.findLast(({ outcome }) => outcome === 'unknown')
  if (!submission || row.state !== 'unconfirmed') return
  // In doubt without an attempt, or seen where nothing had gone: only a person can say, and no look is due.
  if (!attempt || isForPerson(attempts)) return outbox.setNotBefore(row.id, null)
  const at = clock.now()
  const settings = context.settings()
  const note = (kind: Evidence['kind'], caseIds: readonly string[], message: string): void =>
    noteOnce(context, row.id, attempt.id, { kind, caseIds: [...caseIds], message, at })
  const lookAgain = (): void => {
    const { lookSeconds } = settings.delivery
    outbox.setNotBefore(row.id, nextLookAt(attempt.ended_at ?? at, at, lookSeconds, row.looks), row.looks + 1)
  }
  const failed = (why: string): void => {
    note('lookFailed', [], why)
    lookAgain()
  }

  const { list } = sight
  const here = { identity: client.identity, centerId: settings.centerId }
  const whyNot = whyNoLook(attempt, row, here) ?? (list === null ? NO_LIST : null)
  if (whyNot !== null || !list) return failed(whyNot ?? NO_LIST)
  const isKnown = knownBy(attempt, sight.known)
  const isNew = (one: ServiceCase): boolean =>
    !sureIdsOf(one).some((id) => sight.bound.has(id) || isKnown(id))
  const { cases, wasAsked } = await withDetails(context, list.cases, {
    number: row.looks,
    couldBe: (one) => isNew(one) && !isOtherVisit(one, submission.fields),
  })
  // Another client may have switched the center while single cases were asked for: then they may be others'.
  const isElsewhere = wasAsked && (await context.centers.isElsewhere(row.center_id, context.stopSignal))
  const [first] = attempts
  const look = judgeLook(cases, {
    reference: submission.reference,
    fields: submission.fields,
    isKnown,
    wasKnownAtFirst: (caseId) => first !== undefined && outbox.wasKnownBefore(first, caseId),
    bound: sight.bound,
  })
  if (outbox.rowOf(row.id)?.state !== 'unconfirmed') return
  // A person may have decided meanwhile, and another attempt may have been made: this look is not about that one.
  if (outbox.attemptsOf(row.id).at(-1)?.id !== attempts.at(-1)?.id) return
  if (isElsewhere) context.gate.forget()
  // What was asked under a token that came in between may be another center's.
  if (isElsewhere || !sight.hold.isHeld()) return lookAgain()

  switch (look.kind) {
    case 'echoedReference':
      outbox.write(() => {
        const one = cases.find(({ caseId }) => caseId === look.caseId)
        // Since the list was read, another submission may have taken it.
        if (!one || holderOf(context, one, row.center_id) !== null) {
          note('unclear', [look.caseId], MARKED)
          return lookAgain()
        }
        note(look.kind, [look.caseId], MESSAGES[look.kind])
        adoptCase(context, row, look.caseId, at)
        outbox.afterCommit(() => sight.bound.add(look.caseId))
      })
      return
    case 'sameIdentity':
      note(look.kind, [look.caseId], MESSAGES[look.kind])
      return lookAgain()
    case 'several':
      note(look.kind, look.caseIds, MESSAGES[look.kind])
      return lookAgain()
    case 'unclear':
      note(look.kind, look.caseIds, look.isMarked ? MARKED : MESSAGES[look.kind])
      return lookAgain()
    case 'absent': {
      const why = list.isComplete
        ? whyNeverAbsent(attempts, outbox.detailsOf(row.id)?.evidence ?? [])
        : NOT_WHOLE
      if (why !== null) return failed(why)
      if (!isAbsenceProven(context, row, attempt, at)) return lookAgain()
      outbox.moveSubmission(
        row.id,
        'provenAbsent',
        { failure: null, notBefore: at },
        { at, details: { looks: row.looks + 1, attempt: attempt.number } },
      )
    }
  }
}

/** Each absence is kept: their number and span are the proof. */
function isAbsenceProven(
  context: DeliveryContext,
  row: SubmissionRow,
  attempt: AttemptRow,
  at: number,
): boolean {
  const { outbox } = context
  const found = { submissionId: row.id, attemptId: attempt.id, at, caseIds: [], by: null }
  outbox.appendEvidence({ ...found, kind: 'absent', message: MESSAGES.absent })
  const calibration = outbox.calibrationOf(destinationOf(context, row.center_id))
  // By both clocks: one that is set ahead between two looks would prove absence in a minute.
  const absences = [outbox.absentLooksOf(attempt.id), context.absences.note(attempt.id)]
  const isProven = absences.every((absentAt) => isProvenAbsent(absentAt, calibration))
  return isProven && context.settings().delivery.resendWhenProvenAbsent
}

/** Seen at the service where nothing was in doubt: from then on, until another attempt, a person alone decides. */
function isForPerson(attempts: readonly AttemptRow[]): boolean {
  const last = attempts.at(-1)
  return last !== undefined && last.found_at !== null
}

type Noted = Pick<Evidence, 'kind' | 'caseIds' | 'message' | 'at'>

/** The same finding, look after look, is one line of evidence and not a hundred. */
function noteOnce(context: DeliveryContext, submissionId: string, attemptId: string, noted: Noted): void {
  const last = context.outbox.detailsOf(submissionId)?.evidence.at(-1)
  const isSame =
    last?.kind === noted.kind &&
    last.message === noted.message &&
    last.caseIds.join() === noted.caseIds.join()
  if (isSame) return
  context.outbox.appendEvidence({ submissionId, attemptId, ...noted, by: null })
}
