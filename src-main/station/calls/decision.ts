/** What every decision of a person or a script shares: who and when, its trail, and the case as it was shown. */
import { fail, type Failure, failureOf, refuse, type Result, succeed } from '../../../src-shared/failure.ts'
import type { Stated } from '../../../src-shared/proof.ts'
import { isUnsent } from '../../../src-shared/states.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import type { StationParts } from '../api.ts'
import type { AuditDetails } from '../outbox/database.ts'
import type { SubmissionRow } from '../outbox/rows.ts'

/** Who decided, and why, as written to the audit trail. */
export type Decision = { readonly by?: string | undefined; readonly why?: string | undefined }

export type DecisionStamp = {
  readonly at: number
  readonly by: string | undefined
  readonly details: Readonly<Record<string, string>>
}

/** The part that all audit entries of one decision share; an entry may add details. */
export function stampAt(decision: Decision, at: number): DecisionStamp {
  const { by, why } = decision
  return { at, by, details: why === undefined ? {} : { why } }
}

export function stampNow({ ports }: Pick<StationParts, 'ports'>, decision: Decision): DecisionStamp {
  return stampAt(decision, ports.clock.now())
}

/** Writes an audit entry for a decision that changes no state; `submissionId` is null if it is about the station. */
export function auditDecision(
  { outbox }: Pick<StationParts, 'outbox'>,
  submissionId: string | null,
  what: string,
  { at, by, details }: DecisionStamp,
  facts: AuditDetails = {},
): void {
  outbox.appendAudit({ at, submissionId, what, by: by ?? null, details: { ...facts, ...details } })
}

/** The failure for an id without a usable row: a quarantined case is on the disk, but cannot be changed. */
export function notThere({ outbox }: Pick<StationParts, 'outbox'>, id: string): Failure {
  return failureOf(outbox.quarantinedOf(id) === null ? 'notFound' : 'caseUnreadable')
}

/** Why this is not the case that the caller showed; null if it is, or if nothing was shown. */
export function unlikeShown(
  { outbox }: Pick<StationParts, 'outbox'>,
  id: string,
  seen: Readonly<Record<string, string>> | undefined,
): Failure | null {
  if (seen === undefined) return null
  const shown = seen[id]
  if (shown === undefined) return failureOf('needsLook')
  return outbox.shownDigest(id) === shown ? null : failureOf('changed')
}

/** Does more speak of the patients and the images of the case by now than the caller had shown? */
export function hasMoreSince(
  { cases }: Pick<StationParts, 'cases'>,
  id: string,
  seen: Stated | undefined,
): boolean {
  if (seen === undefined) return false
  const stated = cases.proofOf(id)?.stated
  if (stated === undefined) return false
  return (
    stated.patient.some((voice) => !seen.patient.includes(voice)) ||
    Object.keys(stated.eyes).some((imageId) => seen.eyes[imageId] === undefined)
  )
}

/** The unsent case that a person decides on, if no more speaks of it than they were shown. */
export function unsentCase(
  parts: Pick<StationParts, 'outbox' | 'cases'>,
  id: string,
  seen?: Stated,
): Result<SubmissionRow> {
  const row = parts.outbox.rowOf(id)
  if (!row) return fail(notThere(parts, id))
  if (!isUnsent(row.state)) return refuse('notAllowed', 'call:edit.tooLate')
  return hasMoreSince(parts, id, seen) ? fail(failureOf('changed')) : succeed(row)
}

/** A decision as one commit, after which cases may be due. */
export function inOneCommit<Input extends Decision, Value>(
  parts: StationParts,
  decide: (parts: StationParts, input: Input, stamp: DecisionStamp) => Result<Value>,
): (input: Input) => Promise<Result<Value>> {
  return (input) => {
    const answer = parts.outbox.write(() => decide(parts, input, stampNow(parts, input)))
    parts.delivery()?.wake()
    parts.cases.wake()
    return Promise.resolve(answer)
  }
}

export function allDetailsOf(
  { outbox, cases }: Pick<StationParts, 'outbox' | 'cases'>,
  ids: readonly string[],
): Result<{ cases: SubmissionDetails[] }> {
  const found = ids.flatMap((id) => outbox.detailsOf(id) ?? []).map(cases.undo.shown)
  return found.length === ids.length ? succeed({ cases: found }) : fail(failureOf('notFound'))
}

export function detailsOf(
  { outbox, cases }: Pick<StationParts, 'outbox' | 'cases'>,
  id: string,
): Result<SubmissionDetails> {
  const found = outbox.detailsOf(id)
  return found ? succeed(cases.undo.shown(found)) : fail(failureOf('notFound'))
}
