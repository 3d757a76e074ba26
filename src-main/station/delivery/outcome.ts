/**
 * What an attempt came to, by evidence and never by hope.
 *
 * The bytes are asked first and the answer second; the text of an error never decides. Only a request of which
 * something was provably held back may be repeated without looking.
 */
import { type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { Attempt, Outcome } from '../../../src-shared/submission.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { CaseList, PostEvidence } from '../service/client.ts'
import { stopsAtSameOffset } from './breaker.ts'
import { isServiceTrouble } from './case-list.ts'
import { type DeliveryContext, destinationOf } from './context.ts'
import { echoes } from './match-cases.ts'

export type DeterminedOutcome =
  | { readonly outcome: 'delivered'; readonly caseId: string }
  | { readonly outcome: 'unsent'; readonly failure: Failure; readonly next: 'afterPause' | 'atOnce' }
  /** A readable no. `isDoubtful`: it may be about the way and not about the case; a small question must tell. */
  | { readonly outcome: 'refused'; readonly failure: Failure; readonly isDoubtful: boolean }
  | { readonly outcome: 'unknown'; readonly failure: Failure }

/** A bad token, a firewall and an oversize body can look alike, and so can a wrong address and a missing page. */
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
    // An id before the end of the body is no receipt for the images that the service has not had yet.
    return isThrough ? { outcome: 'delivered', caseId: evidence.caseId } : unknown
  }
  if (status === 429) return unsent
  // Services that always answer 200 say even this in words only.
  if (failure.kind === 'signedOut' && status < 500) return { outcome: 'refused', failure, isDoubtful: true }
  // 408 and 425 come from whatever stands before the service and lost patience, and say nothing about the case.
  const isAboutTheWay = status >= 500 || status < 200 || status === 408 || status === 425
  if (isAboutTheWay) return isThrough ? unknown : unsent
  if (status >= 400) return { outcome: 'refused', failure, isDoubtful: DOUBTFUL_STATUSES.includes(status) }
  if (status >= 300) return isThrough ? unknown : { outcome: 'refused', failure, isDoubtful: true }
  // 2xx: a no in words is a no; anything else without an id is not a success.
  const saysNo = failure.kind === 'serviceRefused' || failure.kind === 'tooLarge'
  if (saysNo && evidence.answer.isComplete) return { outcome: 'refused', failure, isDoubtful: false }
  return isThrough ? unknown : unsent
}

/** Not known, with what was said kept beside our own words. */
function unknownOutcome(failure: Failure): DeterminedOutcome {
  return { outcome: 'unknown', failure: { ...failureOf('outcomeUnknown'), ...responseDetails(failure) } }
}

/** What the service said is worth keeping beside our own words about it. */
function responseDetails(failure: Failure): Partial<Failure> {
  return {
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.serviceSaid === undefined ? {} : { serviceSaid: failure.serviceSaid }),
    ...(failure.requestBytes === undefined ? {} : { requestBytes: failure.requestBytes }),
  }
}

/** What an attempt came to, where its own evidence is not enough: with a small question, and with the attempts before. */
type EndedTransfer = {
  readonly evidence: PostEvidence
  /** An image in the spool stopped the body. */
  readonly isDamaged: boolean
  readonly attemptId: string
  /** Aborted where the transfer was stopped on our side. */
  readonly signal: AbortSignal
}

/** Judges an attempt that has just ended and is not recorded yet. */
export async function determineOutcome(
  context: DeliveryContext,
  row: SubmissionRow,
  { attemptId, evidence, isDamaged, signal }: EndedTransfer,
): Promise<DeterminedOutcome> {
  const initial = isDamaged ? damagedOutcome(evidence) : verifyCaseId(context, row, evidence, attemptId)
  const settled = refuseAfterReadErrors(context, row, await resolveDoubtful(context, row, initial, evidence))
  // Where we stopped it ourselves, the place says nothing about the way.
  return signal.aborted
    ? endedHere(settled)
    : detectSizeLimit(context, row, settled, evidence.handedOverBytes)
}

function endedHere(found: DeterminedOutcome): DeterminedOutcome {
  if (found.outcome !== 'unsent') return found
  return { ...found, failure: { ...found.failure, endedBy: 'station' } }
}

/** An id that was there before this attempt is no receipt: some services answer the same number to everything. */
function verifyCaseId(
  context: DeliveryContext,
  row: SubmissionRow,
  evidence: PostEvidence,
  attemptId: string,
): DeterminedOutcome {
  const found = outcomeOf(evidence)
  if (found.outcome !== 'delivered') return found
  const other = context.outbox.submissions.byCase(found.caseId, destinationOf(context, row.center_id))
  const attempt = context.outbox.attempts.row(attemptId)
  const wasKnown = attempt !== undefined && context.outbox.cases.wasKnownBefore(attempt, found.caseId)
  if (!wasKnown && (!other || other.id === row.id)) return found
  return { outcome: 'unknown', failure: failureOf('outcomeUnknown', { requestBytes: evidence.requestBytes }) }
}

/**
 * A damaged image stops the stream before the end: the case has not left and must not. Where the service has given an
 * id all the same, nobody knows what it made of the part that it has.
 */
function damagedOutcome(evidence: PostEvidence): DeterminedOutcome {
  if (evidence.caseId !== null)
    return unknownOutcome(failureOf('outcomeUnknown', { requestBytes: evidence.requestBytes }))
  return {
    outcome: 'refused',
    failure: { ...failureOf('imageDamaged'), requestBytes: evidence.requestBytes },
    isDoubtful: false,
  }
}

/** A doubtful no is checked with a small question under a new token: is it the way, or only this case? */
async function resolveDoubtful(
  context: DeliveryContext,
  row: SubmissionRow,
  found: DeterminedOutcome,
  evidence: PostEvidence,
): Promise<DeterminedOutcome> {
  if (found.outcome !== 'refused' || !found.isDoubtful) return found
  const { failure } = found
  // Who spoke is not known, and all of it was there to be taken: by itself it goes nowhere again.
  const mayHaveArrived = evidence.handedOverBytes >= evidence.requestBytes && !evidence.saysTokenEnded
  const { client, stopSignal } = context
  const isAboutSignIn = failure.kind === 'signedOut' || failure.status === 401 || failure.status === 403
  const signedIn = isAboutSignIn
    ? await client.authorise({ isFresh: true, signal: stopSignal })
    : succeed(null)
  const asked: Result<CaseList | null> = signedIn.ok ? await client.listCases(stopSignal) : signedIn
  const isThere = asked.ok && asked.value?.cases.some((one) => echoes(one, row.reference)) === true
  const isInTrouble = !asked.ok && (await isServiceTrouble(context, asked.failure))
  // Where the list shows it already, the next look takes it.
  if (isThere || (isInTrouble && mayHaveArrived)) return unknownOutcome(failure)
  if (isInTrouble) {
    return { outcome: 'unsent', failure: { ...failure, ...asked.failure }, next: 'afterPause' }
  }
  // The token may simply have ended: one more try with the new one before a person is asked.
  const lastFailure = endedAttempts(context, row.id).at(-1)?.failure
  if (isAboutSignIn && !mayHaveArrived && lastFailure?.kind !== 'signedOut') {
    return { outcome: 'unsent', failure: { ...failure, kind: 'signedOut' }, next: 'atOnce' }
  }
  const refused = mayHaveArrived
    ? failureOf('serviceRefused', { message: REFUSED_ON_THE_WAY })
    : failureOf('serviceRefused')
  return { ...found, failure: { ...failure, ...refused } }
}

const REFUSED_ON_THE_WAY =
  'It was refused after all of it had left, by the service or by something on the way such as a firewall. Check at the service whether the case is there before you send it again.'

/** The attempts before this one, oldest first. */
export function endedAttempts(context: DeliveryContext, submissionId: string): readonly Attempt[] {
  const attempts = context.outbox.submissions.details(submissionId)?.attemptList ?? []
  return attempts.filter((attempt) => attempt.outcome !== null)
}

/** So many tries in a row end because an image cannot be read; then a person must see to it. */
const MAX_READ_ERRORS = 3

function isReadError(outcome: Outcome | null, failure: Failure | null): boolean {
  return outcome === 'unsent' && failure?.kind === 'imageDamaged'
}

/** A disk that fails to read an image may do better the next time, but not for ever. */
function refuseAfterReadErrors(
  context: DeliveryContext,
  row: SubmissionRow,
  found: DeterminedOutcome,
): DeterminedOutcome {
  if (found.outcome !== 'unsent' || !isReadError(found.outcome, found.failure)) return found
  const before = endedAttempts(context, row.id).slice(1 - MAX_READ_ERRORS)
  const areUnread = before.every(({ outcome, failure }) => isReadError(outcome, failure))
  if (before.length < MAX_READ_ERRORS - 1 || !areUnread) return found
  return { outcome: 'refused', failure: { ...found.failure, message: NOT_READ }, isDoubtful: false }
}

const NOT_READ =
  'An image could not be read from the disk of this computer, three times in a row, so the case was not sent. Check the disk; then send the case again, or export the image again from the camera.'

/** What this side ended, or kept because of the center, says nothing about the line. */
function isLineInterruption(failure: Failure): boolean {
  return failure.kind === 'interrupted' && failure.endedBy === undefined
}

/** Three interruptions at one place are no weather: something on the way refuses this size. */
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
  const message = `${failureOf('tooLarge').message} (Three tries stopped at the same place.)`
  return { outcome: 'refused', failure: { ...found.failure, kind: 'tooLarge', message }, isDoubtful: false }
}
