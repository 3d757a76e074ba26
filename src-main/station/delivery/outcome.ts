/**
 * Determines what an attempt came to, from evidence alone, and records it.
 *
 * The bytes decide first and the answer second; the text of an error never does. Only a request that was
 * provably incomplete may be repeated without a lookup.
 */
import { SECOND } from '../../../src-shared/durations.ts'
import { type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { Attempt, Outcome } from '../../../src-shared/submission.ts'
import { worded, wordingOf } from '../../../src-shared/wording.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { CaseList, PostEvidence } from '../service/client.ts'
import { isMoved, isQueueWide, pauseMs, stopsAtSameOffset } from './breaker.ts'
import { isServiceTrouble } from './case-list.ts'
import { destinationOf } from './center-lease.ts'
import type { DeliveryContext } from './context.ts'
import { echoes } from './match-cases.ts'
import { type CancelRequest, holdForPerson, stoppedByPerson } from './transfer.ts'

export type DeterminedOutcome =
  | { readonly outcome: 'delivered'; readonly caseId: string }
  | { readonly outcome: 'unsent'; readonly failure: Failure; readonly next: 'afterPause' | 'atOnce' }
  /** A readable refusal. `isDoubtful`: it may concern the route and not the case; a probe must decide. */
  | { readonly outcome: 'refused'; readonly failure: Failure; readonly isDoubtful: boolean }
  /** `trouble`: of the service, by this answer; by default, that it does not answer. */
  | { readonly outcome: 'unknown'; readonly failure: Failure; readonly trouble?: Failure }

/** A bad token, a firewall and an oversize body can look alike, as can a wrong address and a missing page. */
const DOUBTFUL_STATUSES: readonly number[] = [401, 403, 404, 405, 407]

export function outcomeOf(evidence: PostEvidence): DeterminedOutcome {
  const isThrough = evidence.handedOverBytes >= evidence.requestBytes
  const failure = {
    ...(evidence.failure ?? failureOf('answerUnreadable')),
    requestBytes: evidence.requestBytes,
  }
  const unknown = unknownOutcome(failure)
  const unsent: DeterminedOutcome = { outcome: 'unsent', failure, next: 'afterPause' }
  if (evidence.answer === null) return isThrough ? unknown : unsent

  const { status } = evidence.answer
  if (evidence.caseId !== null) {
    // An id before the end of the body is no receipt for images that the service does not have yet.
    return isThrough ? { outcome: 'delivered', caseId: evidence.caseId } : unknown
  }
  if (status === 429) return unsent
  // Services that always answer 200 state even this only in their text.
  if (failure.kind === 'signedOut' && status < 500) return { outcome: 'refused', failure, isDoubtful: true }
  // 408 and 425 come from a gateway that ran out of patience, and say nothing about the case.
  const isAboutTheWay = status >= 500 || status < 200 || status === 408 || status === 425
  if (isAboutTheWay) return isThrough ? unknown : unsent
  if (status >= 400) return { outcome: 'refused', failure, isDoubtful: DOUBTFUL_STATUSES.includes(status) }
  if (status >= 300)
    return isThrough ? { ...unknown, trouble: failure } : { outcome: 'refused', failure, isDoubtful: true }
  // 2xx: a refusal in the text is a refusal; without an id anything else is no success.
  const saysNo = failure.kind === 'serviceRefused' || failure.kind === 'tooLarge'
  if (saysNo && evidence.answer.isComplete) return { outcome: 'refused', failure, isDoubtful: false }
  return isThrough ? unknown : unsent
}

/** Keeps the service's own text beside our sentence, and the sentence on what answered in its place. */
function unknownOutcome(failure: Failure): Extract<DeterminedOutcome, { outcome: 'unknown' }> {
  const { message, wording } = failure
  const own = isAnsweredInstead(failure) ? { message, wording } : {}
  return { outcome: 'unknown', failure: { ...failureOf('outcomeUnknown', own), ...responseDetails(failure) } }
}

/** Something on the way, or a program of the service that broke down, answered with a success. */
export function isAnsweredInstead({ wording }: Pick<Failure, 'wording'>): boolean {
  return wording?.key === 'sending:service.answeredInstead'
}

function responseDetails(failure: Failure): Partial<Failure> {
  return {
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.serviceSaid === undefined ? {} : { serviceSaid: failure.serviceSaid }),
    ...(failure.requestBytes === undefined ? {} : { requestBytes: failure.requestBytes }),
  }
}

type EndedTransfer = {
  readonly evidence: PostEvidence
  /** A spooled image stopped the body. */
  readonly isDamaged: boolean
  readonly attemptId: string
  /** Aborted if the transfer was stopped on our side. */
  readonly signal: AbortSignal
}

/** The outcome of an attempt that has ended: from its own evidence, or else a probe and the earlier attempts. */
export async function determineOutcome(
  context: DeliveryContext,
  row: SubmissionRow,
  { attemptId, evidence, isDamaged, signal }: EndedTransfer,
): Promise<DeterminedOutcome> {
  const initial = isDamaged ? damagedOutcome(evidence) : verifyCaseId(context, row, evidence, attemptId)
  const settled = refuseAfterReadErrors(context, row, await resolveDoubtful(context, row, initial, evidence))
  if (!signal.aborted) return detectSizeLimit(context, row, settled, evidence.handedOverBytes)
  // If we stopped it ourselves, the place says nothing about the route.
  return settled.outcome === 'unsent'
    ? { ...settled, failure: { ...settled.failure, endedBy: 'station' } }
    : settled
}

/** An id known before this attempt is no receipt: some services return the same number for everything. */
function verifyCaseId(
  context: DeliveryContext,
  row: SubmissionRow,
  evidence: PostEvidence,
  attemptId: string,
): DeterminedOutcome {
  const found = outcomeOf(evidence)
  if (found.outcome !== 'delivered') return found
  const other = context.outbox.submissionByCase(found.caseId, destinationOf(context, row.center_id))
  const attempt = context.outbox.attemptRow(attemptId)
  const wasKnown = attempt !== undefined && context.outbox.wasKnownBefore(attempt, found.caseId)
  if (!wasKnown && (!other || other.id === row.id)) return found
  return { outcome: 'unknown', failure: failureOf('outcomeUnknown', { requestBytes: evidence.requestBytes }) }
}

/** The stream stopped before its end, so nothing left. With an id all the same, what the service has is unknown. */
function damagedOutcome(evidence: PostEvidence): DeterminedOutcome {
  if (evidence.caseId !== null)
    return unknownOutcome(failureOf('outcomeUnknown', { requestBytes: evidence.requestBytes }))
  const failure = failureOf('imageDamaged', { requestBytes: evidence.requestBytes })
  return { outcome: 'refused', failure, isDoubtful: false }
}

/** Checks a doubtful refusal with a probe under a new token: does it concern the route, or only this case? */
async function resolveDoubtful(
  context: DeliveryContext,
  row: SubmissionRow,
  found: DeterminedOutcome,
  evidence: PostEvidence,
): Promise<DeterminedOutcome> {
  if (found.outcome !== 'refused' || !found.isDoubtful) return found
  const { failure } = found
  // It is unknown who refused, and all of the case was there to be taken: it is not sent again automatically.
  const mayHaveArrived = evidence.handedOverBytes >= evidence.requestBytes && !evidence.saysTokenEnded
  const { client, stopSignal } = context
  const isAboutSignIn = failure.kind === 'signedOut' || failure.status === 401 || failure.status === 403
  const signedIn = isAboutSignIn
    ? await client.authorise({ isFresh: true, signal: stopSignal })
    : succeed(null)
  const asked: Result<CaseList | null> = signedIn.ok ? await client.listCases(stopSignal) : signedIn
  const isThere = asked.ok && asked.value?.cases.some((one) => echoes(one, row.reference)) === true
  const isInTrouble = !asked.ok && (await isServiceTrouble(context, asked.failure))
  // If the list already shows it, the next lookup adopts it.
  if (isThere || (isInTrouble && mayHaveArrived)) return unknownOutcome(failure)
  if (isInTrouble) {
    return { outcome: 'unsent', failure: { ...failure, ...asked.failure }, next: 'afterPause' }
  }
  // The token may simply have expired: try once more with the new one before asking a person.
  const lastFailure = endedAttempts(context, row.id).at(-1)?.failure
  if (isAboutSignIn && !mayHaveArrived && lastFailure?.kind !== 'signedOut') {
    return { outcome: 'unsent', failure: { ...failure, kind: 'signedOut' }, next: 'atOnce' }
  }
  // It has not left, and the address that it was sent on to says why.
  if (!mayHaveArrived && isMoved(failure))
    return { ...found, failure: { ...failure, kind: 'serviceRefused' } }
  const refused = mayHaveArrived
    ? failureOf('serviceRefused', worded('sending:outcome.refusedOnTheWay'))
    : failureOf('serviceRefused')
  return { ...found, failure: { ...failure, ...refused } }
}

/** The attempts before this one, oldest first. */
export function endedAttempts(context: DeliveryContext, submissionId: string): readonly Attempt[] {
  const attempts = context.outbox.detailsOf(submissionId)?.attemptList ?? []
  return attempts.filter((attempt) => attempt.outcome !== null)
}

/** After this many consecutive tries with an unreadable image a person must see to it. */
const MAX_READ_ERRORS = 3

function isReadError(outcome: Outcome | null, failure: Failure | null): boolean {
  return outcome === 'unsent' && failure?.kind === 'imageDamaged'
}

/** A disk that fails to read an image may succeed next time, but not forever. */
function refuseAfterReadErrors(
  context: DeliveryContext,
  row: SubmissionRow,
  found: DeterminedOutcome,
): DeterminedOutcome {
  if (found.outcome !== 'unsent' || !isReadError(found.outcome, found.failure)) return found
  const before = endedAttempts(context, row.id).slice(1 - MAX_READ_ERRORS)
  const areUnread = before.every(({ outcome, failure }) => isReadError(outcome, failure))
  if (before.length < MAX_READ_ERRORS - 1 || !areUnread) return found
  const failure = { ...found.failure, ...worded('sending:outcome.imageUnread') }
  return { outcome: 'refused', failure, isDoubtful: false }
}

/** An end on this side, or one because of the center, says nothing about the line. */
function isLineInterruption(failure: Failure): boolean {
  return failure.kind === 'interrupted' && failure.endedBy === undefined
}

/** Three interruptions at one place are not a bad line: something on the way refuses this size. */
function detectSizeLimit(
  context: DeliveryContext,
  row: SubmissionRow,
  found: DeterminedOutcome,
  handedOverBytes: number,
): DeterminedOutcome {
  if (found.outcome !== 'unsent' || !isLineInterruption(found.failure)) return found
  const stops = endedAttempts(context, row.id)
    .filter(({ outcome, failure }) => outcome === 'unsent' && failure !== null && isLineInterruption(failure))
    .map((attempt) => attempt.handedOverBytes)
  if (!stopsAtSameOffset([...stops, handedOverBytes])) return found
  const message = worded('sending:outcome.sameOffset', { message: wordingOf('failure:tooLarge.message') })
  return {
    outcome: 'refused',
    failure: { ...found.failure, kind: 'tooLarge', ...message },
    isDoubtful: false,
  }
}

const CONFIRM_AFTER_MS = SECOND

/** Ends the attempt and moves its case, in one commit. True if a person stopped it before anything had left. */
export function recordAttempt(
  context: DeliveryContext,
  row: SubmissionRow,
  attemptId: string,
  {
    evidence,
    found,
    cancelRequest,
  }: {
    readonly evidence: PostEvidence
    readonly found: DeterminedOutcome
    readonly cancelRequest: CancelRequest | null
  },
): boolean {
  const { outbox, clock } = context
  const at = clock.now()
  const isCancelled = cancelRequest !== null && found.outcome === 'unsent'
  const stopped = { ...stoppedByPerson(), requestBytes: evidence.requestBytes }
  const failure = found.outcome === 'delivered' ? null : isCancelled ? stopped : found.failure
  const end = {
    outcome: found.outcome,
    handedOverBytes: evidence.handedOverBytes,
    failure,
    answer: evidence.answer ? { status: evidence.answer.status, body: evidence.answer.body } : null,
    at,
  }
  switch (found.outcome) {
    case 'delivered':
      outbox.write(() => {
        outbox.endAttempt(attemptId, end, 'deliveredNow', {
          caseId: found.caseId,
          sentAt: at,
          failure: null,
          // One list reads back many cases that were delivered close together.
          notBefore: at + CONFIRM_AFTER_MS,
        })
        outbox.watchReport({
          submissionId: row.id,
          caseId: found.caseId,
          destination: destinationOf(context, row.center_id),
          at: at + SECOND,
        })
        outbox.writeFact('lastSentAt', String(at))
      })
      return false
    case 'unsent': {
      if (isCancelled) {
        outbox.write(() => {
          outbox.endAttempt(attemptId, end, 'stayedUnsent', { failure: null, notBefore: null })
          holdForPerson(context, row.id, cancelRequest, at)
        })
        return true
      }
      const pause = found.next === 'atOnce' ? 0 : pauseMs(context, consecutiveFailures(context, row.id))
      outbox.endAttempt(attemptId, end, 'stayedUnsent', {
        failure,
        notBefore: found.failure.notBefore ?? at + pause,
      })
      return false
    }
    case 'refused':
      outbox.endAttempt(attemptId, end, 'wasRefused', { failure, notBefore: null })
      return false
    case 'unknown': {
      const firstLookupMs = Math.round((context.settings().delivery.lookSeconds[0] ?? 2) * SECOND)
      outbox.endAttempt(attemptId, end, 'becameUnknown', {
        failure,
        notBefore: at + firstLookupMs,
        looks: 0,
      })
      return false
    }
  }
}

/** Trouble beyond a single case opens the breaker. */
export function updateHealth(context: DeliveryContext, found: DeterminedOutcome): void {
  switch (found.outcome) {
    case 'delivered':
      return context.health.noteDelivery()
    case 'refused':
      // Only a refusal by the service proves the route; a damaged image of ours never left.
      if (found.failure.status !== undefined) context.health.noteDelivery()
      return
    case 'unknown':
      return context.health.noteTrouble(found.trouble ?? failureOf('notAnswering'))
    case 'unsent':
      if (found.next === 'afterPause' && isQueueWide(found.failure)) context.health.noteTrouble(found.failure)
  }
}

/** Consecutive tries that failed to leave; determines the pause before the next. */
function consecutiveFailures(context: DeliveryContext, submissionId: string): number {
  const attempts = endedAttempts(context, submissionId)
  const lastOther = attempts.findLastIndex((attempt) => attempt.outcome !== 'unsent')
  return attempts.length - 1 - lastOther
}
