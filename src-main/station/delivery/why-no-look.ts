/** Why nothing follows from a look, as a sentence; null where something may. Pure. */
import type { Evidence } from '../../../src-shared/submission.ts'
import type { AttemptRow, SubmissionRow } from '../outbox/submission-rows.ts'

export const ANOTHER_SERVICE =
  'This case was sent to another service address or client, so the list read now says nothing about it.'
export const ANOTHER_CENTER =
  'This case was sent under another center than it stands under now, so the list read now says nothing about it.'
export const NO_CENTER =
  'This case was sent before a center was chosen, so nobody knows in which center it lies, and no list of this station says anything about it. It may have arrived: look for it at the service in every center before it is sent again.'
export const NO_LIST = 'The service shows no list that this station understands.'
export const NOT_WHOLE = 'The list of the service is longer than could be read, so nothing follows from it.'
const CENTER_UNSURE =
  'When this case was sent, the service marked another center as the current one, so the case may lie there: that it is not in this list proves nothing. Look for it at the service in the other centers.'
const SERVICE_ACCEPTED =
  'The service answered to this case as if it had taken it, so that it is not in the list proves nothing. Ask the service, or look for it there.'

type AttemptDestination = Pick<AttemptRow, 'base_url' | 'client_id' | 'center_id'>

/** May a list that is read now say anything at all about this attempt? */
export function whyNoLookup(
  attempt: AttemptDestination,
  row: Pick<SubmissionRow, 'center_id'>,
  now: {
    readonly identity: { readonly baseUrl: string; readonly clientId: string }
    readonly centerId: string | null
  },
): string | null {
  if (attempt.base_url !== now.identity.baseUrl || attempt.client_id !== now.identity.clientId)
    return ANOTHER_SERVICE
  if (row.center_id === null && now.centerId !== null) return NO_CENTER
  return attempt.center_id === row.center_id ? null : ANOTHER_CENTER
}

/** May it be proven at all that a submission is absent? */
export function whyNeverAbsent(
  attempts: readonly Pick<AttemptRow, 'outcome' | 'answer_status'>[],
  evidence: readonly Pick<Evidence, 'kind'>[],
): string | null {
  if (evidence.some(({ kind }) => kind === 'centerUnsure')) return CENTER_UNSURE
  const wasAccepted = attempts.some(
    ({ outcome, answer_status: status }) =>
      outcome === 'unknown' && status !== null && status >= 200 && status < 300,
  )
  return wasAccepted ? SERVICE_ACCEPTED : null
}
