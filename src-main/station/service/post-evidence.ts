import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import type { Clock } from '../ports.ts'
import { failureFromAnswer, saysTokenEnded } from './failure-from-answer.ts'
import { failureFromError } from './failure-from-error.ts'
import { readCaseId } from './read-case-id.ts'
import type { PostEvidence, RawAnswer } from './service-client.ts'

/** What was seen of one post. `error` is what stopped it; null where nothing did. */
export type PostTrace = {
  readonly answer: RawAnswer | null
  readonly error: unknown
  readonly handedOverBytes: number
  readonly requestBytes: number
}

/** Makes evidence of what was seen; either an id or a failure comes out of it. */
export function evidenceOf(trace: PostTrace, clock: Pick<Clock, 'now'>): PostEvidence {
  const { answer, handedOverBytes, requestBytes } = trace
  const caseId = answer === null ? null : readCaseId(answer)
  const failure = caseId === null ? { ...failureOfPost(trace, clock.now()), requestBytes } : null
  const isTokenEnded = failure !== null && answer?.isComplete === true && saysTokenEnded(answer)
  return { handedOverBytes, requestBytes, answer, caseId, failure, saysTokenEnded: isTokenEnded }
}

function failureOfPost({ answer, error, handedOverBytes, requestBytes }: PostTrace, now: number): Failure {
  if (answer?.isComplete === true) return failureFromAnswer('newCase', answer, now)
  // A status that says no is readable, also where its explanation was cut off.
  if (answer !== null && answer.status >= 300) {
    return failureFromAnswer('newCase', { ...answer, body: new Uint8Array() }, now)
  }
  if (answer !== null) {
    const failure = error === null ? failureOf('answerUnreadable') : failureFromError(error)
    return { ...failure, status: answer.status }
  }
  const failure = failureFromError(error)
  const isPartial = handedOverBytes > 0 && handedOverBytes < requestBytes
  const isLine = failure.kind === 'notAnswering' || failure.kind === 'offline'
  return isPartial && isLine ? failureOf('interrupted') : failure
}
