import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { StationParts } from '../station-parts.ts'
import type { DecisionStamp, Decision } from './decided.ts'

const TOO_LATE = failureOf('notAllowed', {
  message:
    'All of this case has left already, so it cannot be stopped any more. Its answer is awaited; nothing was changed.',
})
const NOT_SENDING = failureOf('notAllowed', {
  message: 'This case is not being sent right now. To keep it from being sent, put it on hold.',
})

/** Stops a transfer whose last bytes are still here; the delivery puts the case on hold once it has stopped. */
export function cancelSending(
  parts: StationParts,
  row: SubmissionRow,
  { at, by, details }: DecisionStamp,
  decision: Decision,
): Failure | null {
  switch (parts.delivery()?.cancel(row.id, { by: decision.by, why: decision.why })) {
    case 'stopping':
      parts.outbox.audit.append({ at, submissionId: row.id, what: 'cancelled', by: by ?? null, details })
      return null
    case 'tooLate':
      return TOO_LATE
    case 'notSending':
    case undefined:
      return NOT_SENDING
  }
}
