/** One look for one unconfirmed submission, and what follows from it. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import type { Attempt, Evidence, Submission } from '../../../src-shared/submission.ts'
import type { AttemptRow, SubmissionRow } from '../outbox/submission-rows.ts'
import type { CaseList } from '../service/service-client.ts'
import type { CenterHold } from './center-gate.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import { isOtherVisit, judgeLook, type Look } from './judge-look.ts'
import { isProvenAbsent, nextLookAt } from './look-schedule.ts'

/** New cases that are asked for one by one where the list tells little about them. */
const DETAILS_AT_MOST = 10

const MESSAGES: Readonly<Record<Look['kind'], string>> = {
  echoedReference: 'A case with this reference is at the service.',
  sameIdentity:
    'A new case of the same patient and visit is at the service. It carries no reference, so a person must say whether it is this one.',
  unclear:
    'There are new cases at the service that show too little to say whether one of them is this one. A person must say.',
  several: 'More than one case at the service could be this one. A person must say which.',
  absent: 'No case at the service could be this one.',
}

/**
 * Lists are often terse: cases among the new ones that could be it are read whole, so that a reference can be seen.
 * Where they are many, each look reads others of them.
 */
async function withDetails(
  context: DeliveryContext,
  list: CaseList,
  look: { readonly number: number; readonly couldBe: (one: ServiceCase) => boolean },
): Promise<ServiceCase[]> {
  const candidates = list.cases.filter((one) => look.couldBe(one))
  const chosen = new Set(
    Array.from({ length: Math.min(DETAILS_AT_MOST, candidates.length) }, (_, index) => {
      return candidates[(look.number * DETAILS_AT_MOST + index) % candidates.length]
    }),
  )
  const cases: ServiceCase[] = []
  for (const one of list.cases) {
    const whole = chosen.has(one) ? await context.client.getCase(one.caseId, context.stopSignal) : null
    cases.push(whole?.ok === true ? { ...merged(one, whole.value), caseId: one.caseId } : one)
  }
  return cases
}

function merged(listed: ServiceCase, whole: ServiceCase): ServiceCase {
  const stated = Object.entries(whole).filter(([, value]) => value !== null)
  return { ...listed, ...Object.fromEntries(stated), raw: { ...listed.raw, ...whole.raw } }
}

function lastUnknown(attempts: readonly AttemptRow[]): AttemptRow | undefined {
  return attempts.findLast((attempt) => attempt.outcome === 'unknown')
}

/** What a look sees. */
export type Sight = {
  /** Read under the center of the submission; null where the service shows none. */
  readonly list: CaseList | null
  /** Ids that are bound to a submission already. */
  readonly bound: ReadonlySet<string>
  readonly hold: CenterHold
}

/**
 * Looks for the submission in a list that was read under its center.
 *
 * Adopts the one case that carries the reference, proposes what only looks like it, and sends again only where
 * absence is proven and the clinic allows it.
 */
export async function lookFor(
  context: DeliveryContext,
  row: SubmissionRow,
  { list, bound, hold }: Sight,
): Promise<void> {
  const { outbox, clock, client } = context
  const submission = outbox.submissionOf(row.id)
  const attempt = lastUnknown(outbox.attemptsOf(row.id))
  if (!submission || row.state !== 'unconfirmed') return
  // In doubt without an attempt there is nothing to look by: only a person can say, and no look is due.
  if (!attempt) return outbox.setNotBefore(row.id, null)
  const at = clock.now()
  const { delivery } = context.settings()
  const note = (kind: Evidence['kind'], caseIds: readonly string[], message: string): void =>
    noteOnce(context, submission, attempt, { kind, caseIds: [...caseIds], message, at })
  const lookAgain = (): void => {
    outbox.setNotBefore(
      row.id,
      nextLookAt(attempt.ended_at ?? at, at, delivery.lookSeconds, row.looks),
      row.looks + 1,
    )
  }

  if (attempt.base_url !== client.identity.baseUrl || attempt.client_id !== client.identity.clientId) {
    note(
      'lookFailed',
      [],
      'This case was sent to another service address or client, so the list read now says nothing about it.',
    )
    return lookAgain()
  }
  if (!list) {
    note('lookFailed', [], 'The service shows no list that this station understands.')
    return lookAgain()
  }
  const isNew = (one: ServiceCase): boolean =>
    !bound.has(one.caseId) && !outbox.wasKnownBefore(attempt, one.caseId)
  const cases = await withDetails(context, list, {
    number: row.looks,
    couldBe: (one) => isNew(one) && !isOtherVisit(one, submission.fields),
  })
  const look = judgeLook(cases, {
    reference: submission.reference,
    fields: submission.fields,
    isKnown: (caseId) => outbox.wasKnownBefore(attempt, caseId),
    bound,
  })
  if (outbox.rowOf(row.id)?.state !== 'unconfirmed') return
  // What was asked under a token that came in between may be another center's.
  if (!hold.isHeld()) return lookAgain()

  switch (look.kind) {
    case 'echoedReference':
      outbox.write(() => {
        note(look.kind, [look.caseId], MESSAGES[look.kind])
        adopt(context, row, look.caseId, at)
      })
      return
    case 'sameIdentity':
      note(look.kind, [look.caseId], MESSAGES[look.kind])
      return lookAgain()
    case 'several':
    case 'unclear':
      note(look.kind, look.caseIds, MESSAGES[look.kind])
      return lookAgain()
    case 'absent': {
      if (!list.isComplete) {
        note(
          'lookFailed',
          [],
          'The list of the service is longer than could be read, so nothing follows from it.',
        )
        return lookAgain()
      }
      // Each absence is kept: their number and span are the proof.
      outbox.appendEvidence({
        submissionId: row.id,
        attemptId: attempt.id,
        at,
        kind: 'absent',
        caseIds: [],
        message: MESSAGES.absent,
        by: null,
      })
      const calibration = outbox.calibrationOf(destinationOf(context, row.center_id))
      // By both clocks: one that is set ahead between two looks would prove absence in a minute.
      const absences = [outbox.absentLooksOf(attempt.id), context.absences.note(attempt.id)]
      const isProven = absences.every((absentAt) => isProvenAbsent(absentAt, calibration))
      if (isProven && delivery.resendWhenProvenAbsent) {
        outbox.moveSubmission(
          row.id,
          'provenAbsent',
          { failure: null, notBefore: at },
          { at, details: { looks: row.looks + 1, attempt: attempt.number } },
        )
        return
      }
      return lookAgain()
    }
  }
}

/** Takes a case of the service for this submission. */
function adopt(context: DeliveryContext, row: SubmissionRow, caseId: string, at: number): void {
  const { outbox } = context
  outbox.moveSubmission(
    row.id,
    'foundDelivered',
    { caseId, sentAt: at, failure: null, notBefore: at },
    { at, details: { caseId } },
  )
  outbox.watchReport({ submissionId: row.id, caseId, destination: destinationOf(context, row.center_id), at })
  outbox.writeFact('lastSentAt', String(at))
}

type Noted = Pick<Evidence, 'kind' | 'caseIds' | 'message' | 'at'>

/** The same finding, look after look, is one line of evidence and not a hundred. */
function noteOnce(
  context: DeliveryContext,
  submission: Submission,
  attempt: Pick<Attempt, 'id'>,
  noted: Noted,
): void {
  const last = context.outbox.detailsOf(submission.id)?.evidence.at(-1)
  const isSame =
    last?.kind === noted.kind &&
    last.message === noted.message &&
    last.caseIds.join() === noted.caseIds.join()
  if (isSame) return
  context.outbox.appendEvidence({ submissionId: submission.id, attemptId: attempt.id, ...noted, by: null })
}
