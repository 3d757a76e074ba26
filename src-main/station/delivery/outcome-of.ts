/**
 * What an attempt came to, by evidence and never by hope.
 *
 * The bytes are asked first and the answer second; the text of an error never decides. Only a request of which
 * something was provably held back may be repeated without looking.
 */
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import type { PostEvidence } from '../service/service-client.ts'

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
export function unknownOutcome(failure: Failure): DeterminedOutcome {
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
