/** Puts a submission in doubt: it may have been sent without this outbox knowing, and goes nowhere without evidence. */
import { randomUUID } from 'node:crypto'
import { failureOf } from '../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import { forgetApproval } from './approval-store.ts'
import { attemptsOf, endAttempt } from './attempt-store.ts'
import type { Destination } from './destination.ts'
import { appendEvidence } from './evidence-store.ts'
import { moveSubmission } from './move-submission.ts'
import { failureToText, type SubmissionRow } from './submission-rows.ts'
import { rowOf } from './submission-store.ts'
import type { WriteThrough } from './write-through.ts'

const EVIDENCE =
  'The outbox is older than what happened, so this case may have been sent since. It is looked for, and is not sent again without evidence.'

/** These were not passed for sending, or somebody stopped them: what was passed once is passed anew by a person. */
const NEEDS_NEW_APPROVAL: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'held',
  'refused',
]

/** Which service a case may have gone to, where no attempt of it says so. */
export type Service = Pick<Destination, 'baseUrl' | 'clientId'>

/** Adds an attempt that nobody saw: it may have arrived. Answers with its id. */
function addUnseenAttempt(
  store: WriteThrough,
  row: SubmissionRow,
  options: { readonly service: Service; readonly number: number; readonly at: number },
): string {
  const id = randomUUID()
  store.sql
    .prepare(
      `INSERT INTO attempts (id, submission_id, number, base_url, client_id, center_id, phase, outcome, request_bytes,
         baseline, failure, started_at, ended_at)
       VALUES (@id, @submission, @number, @baseUrl, @clientId, @centerId, 'ended', 'unknown', 0, '[]', @failure, @at, @at)`,
    )
    .run({
      id,
      submission: row.id,
      number: options.number,
      baseUrl: options.service.baseUrl,
      clientId: options.service.clientId,
      centerId: row.center_id,
      failure: failureToText(failureOf('outcomeUnknown')),
      at: options.at,
    })
  store.sql
    .prepare('UPDATE submissions SET attempts = max(attempts, ?) WHERE id = ?')
    .run(options.number, row.id)
  return id
}

export type UnconfirmedOptions = {
  /** The service that is set now. */
  readonly service: Service
  readonly at: number
  /** How many attempts are known from elsewhere, and where the last of them went. */
  readonly elsewhere?: {
    readonly attempts: number
    readonly last: Service | null
    readonly caseIds: readonly string[]
  }
}

/** Puts one submission in doubt; what is sent or discarded stays so. */
export function markUnconfirmed(store: WriteThrough, id: string, options: UnconfirmedOptions): void {
  const row = rowOf(store, id)
  if (!row) return
  const { at, elsewhere } = options
  const attempts = attemptsOf(store, id)
  const patch = { failure: failureOf('outcomeUnknown'), notBefore: at, looks: 0 }
  const open = attempts.find((attempt) => attempt.outcome === null)
  if (open) {
    const { failure } = patch
    const end = {
      outcome: 'unknown',
      handedOverBytes: open.request_bytes,
      failure,
      answer: null,
      at,
    } as const
    endAttempt(store, open.id, end, 'becameUnknown', patch)
  }
  const last = attempts.at(-1)
  const service =
    elsewhere?.last ?? (last ? { baseUrl: last.base_url, clientId: last.client_id } : options.service)
  const number = Math.max(row.attempts, last?.number ?? 0, elsewhere?.attempts ?? 0) + 1
  const attemptId = addUnseenAttempt(store, row, { service, number, at })
  if (row.state === 'discarded') return
  if (NEEDS_NEW_APPROVAL.includes(row.state)) {
    store.sql.prepare('UPDATE submissions SET passed_digest = NULL WHERE id = ?').run(id)
    forgetApproval(store, id)
  }
  moveSubmission(store, id, 'wasRestored', patch, { at, details: { attempt: number } })
  appendEvidence(store, {
    submissionId: id,
    attemptId,
    at,
    kind: 'restored',
    caseIds: [...(elsewhere?.caseIds ?? [])],
    message: EVIDENCE,
    by: null,
  })
}
