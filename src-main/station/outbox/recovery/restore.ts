/**
 * The rows of an outbox that is older than what happened: which submissions are put in doubt (`put-in-doubt.ts` does it to
 * each), with the alarm that says so. Whatever was not sent then may have been sent since, and goes nowhere without
 * evidence.
 */
import { randomUUID } from 'node:crypto'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { forgetApproval } from '../approvals.ts'
import { attemptsOf, endAttempt, hasUnresolvedAttempt } from '../attempts.ts'
import { readFact, writeFact } from '../audit.ts'
import { appendEvidence, raiseAlarm } from '../evidence-and-alarms.ts'
import { markQuarantinedUnconfirmed, isReadable } from '../quarantine.ts'
import { failureToText, type SubmissionRow } from '../rows.ts'
import { idsIn, rowOf } from '../submissions.ts'
import { moveSubmission } from '../transitions.ts'
import type { Destination } from '../visible-text.ts'
import type { WriteThrough } from '../write-through.ts'
import { attemptsKnown, type Manifest, raiseRevision } from './manifests.ts'

// Puts a submission in doubt: it may have been sent without this outbox knowing, and goes nowhere without evidence.

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

type UnconfirmedOptions = {
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
function markUnconfirmed(store: WriteThrough, id: string, options: UnconfirmedOptions): void {
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

/** How it came to light that the outbox is not the one that was used last. */
const RESTORE_REASONS = ['backup', 'otherCopy', 'behindManifests', 'recovered'] as const

export type RestoreReason = (typeof RESTORE_REASONS)[number]

const REASON_TEXTS: Readonly<Record<RestoreReason, string>> = {
  backup: 'A backup of the outbox was put in its place.',
  otherCopy: 'The outbox is not the one that was used here last.',
  behindManifests: 'The outbox is older than the notes that lie beside the images.',
  recovered: 'The outbox was built anew.',
}

const WHAT_FOLLOWS =
  'Cases that were not known as sent may have been sent meanwhile: they are looked for at the service, and none goes again without evidence. Look at the cases under "Check delivery".'

const UNSETTLED: readonly SubmissionState[] = [
  'sending',
  'unconfirmed',
  'waiting',
  'collecting',
  'incomplete',
  'review',
  'held',
  'refused',
]

/** How many submissions are in doubt since, and how many stay discarded until their arrival is known. */
type UnconfirmedCounts = { readonly unconfirmed: number; readonly discarded: number }

/**
 * Puts all in doubt that is not sent, in one commit with the alarm that says so.
 *
 * What was discarded stays so, but whoever restores it finds that its arrival is not known.
 */
export function markAllUnconfirmed(
  store: WriteThrough,
  why: RestoreReason,
  options: { readonly service: Service; readonly at: number },
): UnconfirmedCounts {
  return store.write(() => {
    const ids = UNSETTLED.flatMap((state) => idsIn(store, state)).filter((id) => isReadable(store, id))
    for (const id of ids) markUnconfirmed(store, id, options)
    const discarded = idsIn(store, 'discarded').filter((id) => !hasUnresolvedAttempt(store, id))
    for (const id of discarded) markUnconfirmed(store, id, options)
    markQuarantinedUnconfirmed(store)
    raiseAlarm(store, {
      kind: 'outboxRestored',
      submissionId: null,
      caseIds: [],
      message: `${REASON_TEXTS[why]} ${WHAT_FOLLOWS}`,
      at: options.at,
    })
    writeFact(store, 'restored', '')
    return { unconfirmed: ids.length, discarded: discarded.length }
  })
}

/** Puts the one submission in doubt whose manifest knows more than its row. */
export function markUnconfirmedBy(store: WriteThrough, manifest: Manifest, at: number): void {
  const { id } = manifest.submission
  store.write(() => {
    raiseRevision(store, id, manifest.revision)
    const row = rowOf(store, id)
    if (!row || row.state === 'sent') return
    const last = manifest.announced ?? manifest.attempts.at(-1)
    const service = last ? { baseUrl: last.base_url, clientId: last.client_id } : null
    const caseId = manifest.submission.case_id
    markUnconfirmed(store, id, {
      service: service ?? { baseUrl: '', clientId: '' },
      at,
      elsewhere: {
        attempts: attemptsKnown(manifest),
        last: service,
        caseIds: caseId === null ? [] : [caseId],
      },
    })
    raiseAlarm(store, {
      kind: 'outboxRestored',
      submissionId: id,
      caseIds: caseId === null ? [] : [caseId],
      message: `${REASON_TEXTS.behindManifests} This case may have been sent meanwhile: it is looked for at the service, and does not go again without evidence.`,
      at,
    })
  })
}

const UNREAD =
  'The note that lies beside the images of this case cannot be read, and the station did not end as it should. The case may have been sent: it is looked for at the service, and does not go again without evidence.'

/**
 * Puts the one submission in doubt whose manifest cannot be read: what it knows is not known. False where it is sent, or
 * in doubt already.
 */
export function markUnreadUnconfirmed(
  store: WriteThrough,
  id: string,
  options: { readonly service: Service; readonly at: number },
): boolean {
  return store.write(() => {
    const row = rowOf(store, id)
    if (!row || row.state === 'sent' || row.state === 'unconfirmed') return false
    if (row.state === 'discarded' && hasUnresolvedAttempt(store, id)) return false
    markUnconfirmed(store, id, options)
    if (row.state !== 'discarded')
      raiseAlarm(store, {
        kind: 'outboxRestored',
        submissionId: id,
        caseIds: [],
        message: UNREAD,
        at: options.at,
      })
    return true
  })
}

/** Why what happened since this outbox was written is not known; null where it is, or where that was dealt with. */
export function restoredWhy(store: WriteThrough): RestoreReason | null {
  const stored = readFact(store, 'restored')
  return RESTORE_REASONS.find((why) => why === stored) ?? null
}
