/** A person's word on what may have arrived: it is there, under this id, or it is not and goes again. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { Evidence, SubmissionDetails } from '../../../src-shared/submission.ts'
import type { Destination } from '../outbox/destination.ts'
import type { AttemptRow, SubmissionRow } from '../outbox/submission-rows.ts'
import type { StationParts } from '../station-parts.ts'
import { stampAt, type DecisionStamp } from './decided.ts'

/** What makes a case at the service a proposal; that one is new says nothing. */
const PROPOSING_KINDS: readonly Evidence['kind'][] = ['echoedReference', 'sameIdentity']
/** What was found at the service. Only the newest finding counts: what it says may speak against the one before. */
const FINDING_KINDS: readonly Evidence['kind'][] = [
  ...PROPOSING_KINDS,
  'several',
  'unclear',
  'absent',
  'twice',
]

/** The id of a case that a person says is ours: given, or the only one that the newest finding proposes. */
function resolvedCaseId(parts: StationParts, input: ParsedInput<'submissions.resolve'>): string | null {
  if (input.caseId !== undefined) return input.caseId.trim() === '' ? null : input.caseId.trim()
  const found = parts.outbox.submissions
    .details(input.id)
    ?.evidence.findLast((evidence) => FINDING_KINDS.includes(evidence.kind))
  const [only] = found?.caseIds ?? []
  const isOne = found !== undefined && PROPOSING_KINDS.includes(found.kind) && found.caseIds.length === 1
  return isOne && only !== undefined ? only : null
}

type Unconfirmed = {
  readonly row: SubmissionRow
  readonly attempts: readonly AttemptRow[]
  readonly last: AttemptRow
  readonly destination: Destination
  readonly stamp: DecisionStamp
}

function appendDecision(
  parts: StationParts,
  { row, last, stamp }: Unconfirmed,
  caseIds: string[],
  message: string,
): void {
  const { at, by } = stamp
  const evidence = { submissionId: row.id, attemptId: last.id, at, caseIds, message, by: by ?? null }
  parts.outbox.evidence.append({ ...evidence, kind: 'decision' })
}

/** Why this id is hardly the case, as a sentence; null where nothing speaks against it. */
function findObjection(
  parts: StationParts,
  { row, attempts, destination }: Unconfirmed,
  caseId: string,
): string | null {
  const other = parts.outbox.submissions.byCase(caseId, destination)
  if (other && other.id !== row.id)
    return `That case belongs to ${other.reference} already. Nothing was changed; look for the case of this one at the service.`
  const [first] = attempts
  return first && parts.outbox.cases.wasKnownBefore(first, caseId)
    ? 'That case was at the service before this one was sent, so it is another one. Nothing was changed; compare the ids at the service.'
    : null
}

const INSIST_HINT =
  'A service that has begun to number anew gives old ids to new cases: if you have seen there that it is this one, say so with the same id once more.'

/**
 * Does a person stay with an id although they were told just before what speaks against it? Else the objection is
 * noted for then. That it was answered is not enough: the answer may be lost, and the same call asked again unread.
 */
function confirmInsistence(
  { outbox }: StationParts,
  { row, last, stamp }: Unconfirmed,
  { caseId, insists = false }: { caseId: string; insists: boolean | undefined },
): boolean {
  if (insists && last.warned_case_id === caseId) return true
  outbox.attempts.noteWarning(last.id, caseId)
  outbox.audit.append({
    at: stamp.at,
    submissionId: row.id,
    what: 'insistenceNeeded',
    by: stamp.by ?? null,
    details: { ...stamp.details, caseId, attempt: last.number },
  })
  return false
}

/** A person checks a case first if it was never passed for sending, or has changed since, or rests on names alone. */
function describeNextStep({ outbox }: StationParts, id: string): string {
  const isApproved = outbox.approvals.matches(id)
  if (!isApproved)
    return 'A person decided that it is not there. It was never passed for sending, so it is looked at first.'
  return outbox.approvals.mayLeave(id)
    ? 'A person decided that it is not there and is sent again.'
    : 'A person decided that it is not there. It was read from file names only and nobody has approved it, so it is checked first.'
}

function resolveAbsent(parts: StationParts, unconfirmed: Unconfirmed): void {
  const { outbox, intake } = parts
  const { row, last, stamp } = unconfirmed
  appendDecision(parts, unconfirmed, [], describeNextStep(parts, row.id))
  const options = {
    ...stamp,
    details: { ...stamp.details, decision: 'notThere', attempt: last.number },
  }
  outbox.submissions.transition(row.id, 'provenAbsent', { failure: null, notBefore: null }, options)
  if (outbox.approvals.matches(row.id)) return
  const event = intake.refresh(row.id).length > 0 ? 'gatheredIncomplete' : 'gatheredForReview'
  outbox.submissions.transition(row.id, event, {}, { at: stamp.at, details: { why: 'neverPassed' } })
}

function resolveDelivered(
  parts: StationParts,
  unconfirmed: Unconfirmed,
  caseId: string,
  overruledMessage: string | null,
): void {
  const { outbox } = parts
  const { row, stamp, destination } = unconfirmed
  const { at } = stamp
  const message = 'A person decided that it is there.'
  appendDecision(
    parts,
    unconfirmed,
    [caseId],
    overruledMessage === null ? message : `${message} They were told: ${overruledMessage}`,
  )
  const isInsisted = overruledMessage === null ? {} : { isInsisted: true }
  const options = { ...stamp, details: { ...stamp.details, decision: 'there', caseId, ...isInsisted } }
  const patch = { caseId, sentAt: at, failure: null, notBefore: at }
  outbox.submissions.transition(row.id, 'foundDelivered', patch, options)
  outbox.reports.watch({ submissionId: row.id, caseId, destination, at })
}

/** Ends the doubt about a submission, and keeps who decided, why, and on what. */
export function resolveSubmission(
  parts: StationParts,
  input: ParsedInput<'submissions.resolve'>,
): Result<SubmissionDetails> {
  const { outbox, ports } = parts
  return outbox.write(() => {
    const row = outbox.submissions.row(input.id)
    const attempts = outbox.attempts.of(input.id)
    const last = attempts.at(-1)
    if (!row || !last) return fail(failureOf('notFound'))
    if (row.state !== 'unconfirmed') return fail(failureOf('notAllowed'))
    const destination = { baseUrl: last.base_url, clientId: last.client_id, centerId: row.center_id }
    const unconfirmed = { row, attempts, last, destination, stamp: stampAt(input, ports.clock.now()) }
    if (input.delivered) {
      const caseId = resolvedCaseId(parts, input)
      if (caseId === null) {
        const message = "Enter the service's id of the case that is there. Nothing was changed."
        return fail(failureOf('badRequest', { message }))
      }
      const message = findObjection(parts, unconfirmed, caseId)
      if (message !== null && !confirmInsistence(parts, unconfirmed, { caseId, insists: input.insists }))
        return fail(failureOf('notAllowed', { message: `${message} ${INSIST_HINT}`, overruledBy: 'insists' }))
      resolveDelivered(parts, unconfirmed, caseId, message)
      parts.reports.wake()
    } else resolveAbsent(parts, unconfirmed)
    parts.delivery()?.wake()
    const resolved = outbox.submissions.details(row.id)
    return resolved ? succeed(resolved) : fail(failureOf('notFound'))
  })
}
