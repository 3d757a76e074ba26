/** What an attempt came to, where its own evidence is not enough: with a small question, and with the attempts before. */
import { failureOf } from '../../../src-shared/failure.ts'
import { succeed, type Result } from '../../../src-shared/result.ts'
import type { Attempt } from '../../../src-shared/submission.ts'
import type { PostEvidence } from '../service/service-client.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { isTrouble } from './baseline.ts'
import { isStoppedByPerson } from './cancel-transfer.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { outcomeOf, type OutcomeFound } from './outcome-of.ts'
import { stopsAtOnePlace } from './retry-policy.ts'

export type Judged = {
  readonly evidence: PostEvidence
  /** An image in the spool stopped the body. */
  readonly isDamaged: boolean
  readonly attemptId: string
  /** Aborted where the transfer was stopped on our side. */
  readonly signal: AbortSignal
}

/** Judges an attempt that has just ended and is not recorded yet. */
export async function judgeAttempt(
  context: DeliveryContext,
  row: SubmissionRow,
  { attemptId, evidence, isDamaged, signal }: Judged,
): Promise<OutcomeFound> {
  const judged = isDamaged ? damagedOutcome(evidence) : ownCase(context, row, evidence, attemptId)
  const settled = await settleDoubt(context, row, judged)
  // Where we stopped it ourselves, the place says nothing about the way.
  return signal.aborted ? settled : afterStops(context, row, settled, evidence.handedOverBytes)
}

/** An id that was there before this attempt is no receipt: some services answer the same number to everything. */
function ownCase(
  context: DeliveryContext,
  row: SubmissionRow,
  evidence: PostEvidence,
  attemptId: string,
): OutcomeFound {
  const found = outcomeOf(evidence)
  if (found.outcome !== 'delivered') return found
  const other = context.outbox.submissionByCase(found.caseId, context.client.identity)
  const attempt = context.outbox.attemptRow(attemptId)
  const wasKnown = attempt !== undefined && context.outbox.wasKnownBefore(attempt, found.caseId)
  if (!wasKnown && (!other || other.id === row.id)) return found
  return { outcome: 'unknown', failure: failureOf('outcomeUnknown', { requestBytes: evidence.requestBytes }) }
}

/** A damaged image stops the stream before the end: the case has not left and must not. */
function damagedOutcome(evidence: PostEvidence): OutcomeFound {
  return {
    outcome: 'refused',
    failure: { ...failureOf('imageDamaged'), requestBytes: evidence.requestBytes },
    isDoubtful: false,
  }
}

/** A doubtful no is checked with a small question under a new token: is it the way, or only this case? */
async function settleDoubt(
  context: DeliveryContext,
  row: SubmissionRow,
  found: OutcomeFound,
): Promise<OutcomeFound> {
  if (found.outcome !== 'refused' || !found.isDoubtful) return found
  const { failure } = found
  const { client, stopSignal } = context
  const isAboutSignIn = failure.kind === 'signedOut' || failure.status === 401 || failure.status === 403
  const signedIn = isAboutSignIn
    ? await client.authorise({ isFresh: true, signal: stopSignal })
    : succeed(null)
  const asked: Result<unknown> = signedIn.ok ? await client.listCases(stopSignal) : signedIn
  if (!asked.ok && (await isTrouble(context, asked.failure))) {
    return { outcome: 'unsent', failure: { ...failure, ...asked.failure }, next: 'afterPause' }
  }
  // The token may simply have ended: one more try with the new one before a person is asked.
  const lastFailure = endedAttempts(context, row.id).at(-1)?.failure
  if (isAboutSignIn && lastFailure?.kind !== 'signedOut') {
    return { outcome: 'unsent', failure: { ...failure, kind: 'signedOut' }, next: 'atOnce' }
  }
  return { ...found, failure: { ...failure, ...failureOf('serviceRefused') } }
}

/** The attempts before this one, oldest first. */
export function endedAttempts(context: DeliveryContext, submissionId: string): readonly Attempt[] {
  const attempts = context.outbox.detailsOf(submissionId)?.attemptList ?? []
  return attempts.filter((attempt) => attempt.outcome !== null)
}

/** Three interruptions at one place are no weather: something on the way refuses this size. */
function afterStops(
  context: DeliveryContext,
  row: SubmissionRow,
  found: OutcomeFound,
  handedOverBytes: number,
): OutcomeFound {
  if (found.outcome !== 'unsent' || found.failure.kind !== 'interrupted') return found
  const stops = endedAttempts(context, row.id)
    .filter((attempt) => attempt.outcome === 'unsent' && !isStoppedByPerson(attempt.failure))
    .map((attempt) => attempt.handedOverBytes)
  if (!stopsAtOnePlace([...stops, handedOverBytes])) return found
  const message = `${failureOf('tooLarge').message} (Three tries stopped at the same place.)`
  return { outcome: 'refused', failure: { ...found.failure, kind: 'tooLarge', message }, isDoubtful: false }
}
