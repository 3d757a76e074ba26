/**
 * Marks submissions of an outdated outbox as unconfirmed: they may have been sent since without this outbox
 * knowing, so they need evidence before they go anywhere. An alarm says so.
 */
import { randomUUID } from 'node:crypto'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { worded, wordingOf } from '../../../../src-shared/wording.ts'
import { failureToText } from '../../json-columns.ts'
import { appendEvidence, attemptsOf, endAttempt, hasUnresolvedAttempt } from '../attempts.ts'
import { readFact, type Store, writeFact } from '../database.ts'
import { raiseAlarm } from '../oversight.ts'
import { type Destination, isReadable, rowOf, type SubmissionRow } from '../rows.ts'
import { idsIn } from '../submissions.ts'
import { forgetClearance, moveSubmission } from '../transitions.ts'
import { attemptsKnown, type Manifest, raiseRevision } from './manifests.ts'

/** Not cleared for sending, or stopped by a person: content cleared earlier needs a person's approval. */
const NEEDS_NEW_APPROVAL: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'held',
  'refused',
]

/** The service that a case may have gone to if no attempt of it says so. */
export type Service = Pick<Destination, 'baseUrl' | 'clientId'>

/** Adds an attempt that this outbox did not see and that may have arrived. Returns its id. */
function addUnseenAttempt(
  store: Store,
  row: SubmissionRow,
  options: { readonly service: Service; readonly number: number; readonly at: number },
): string {
  const id = randomUUID()
  store.run(
    `INSERT INTO attempts (id, submission_id, number, base_url, client_id, center_id, phase, outcome, request_bytes,
         baseline, failure, started_at, ended_at)
       VALUES (@id, @submission, @number, @baseUrl, @clientId, @centerId, 'ended', 'unknown', 0, '[]', @failure, @at, @at)`,
    {
      id,
      submission: row.id,
      number: options.number,
      baseUrl: options.service.baseUrl,
      clientId: options.service.clientId,
      centerId: row.center_id,
      failure: failureToText(failureOf('outcomeUnknown')),
      at: options.at,
    },
  )
  store.run`UPDATE submissions SET attempts = max(attempts, ${options.number}) WHERE id = ${row.id}`
  return id
}

type UnconfirmedOptions = {
  /** The service currently set. */
  readonly service: Service
  readonly at: number
  /** The number of attempts known from elsewhere, and the destination of the last one. */
  readonly elsewhere?: {
    readonly attempts: number
    readonly last: Service | null
    readonly caseIds: readonly string[]
  }
}

/** Marks one submission unconfirmed. Sent and discarded ones keep their states. */
function markUnconfirmed(store: Store, id: string, options: UnconfirmedOptions): void {
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
    forgetClearance(store, id)
  }
  moveSubmission(store, id, 'wasRestored', patch, { at, details: { attempt: number } })
  appendEvidence(store, {
    submissionId: id,
    attemptId,
    at,
    kind: 'restored',
    caseIds: [...(elsewhere?.caseIds ?? [])],
    ...worded('outbox:restored.evidence'),
    by: null,
  })
}

/** How it was noticed that this is not the outbox that was used last. */
const RESTORE_REASONS = ['backup', 'otherCopy', 'behindManifests', 'recovered'] as const

export type RestoreReason = (typeof RESTORE_REASONS)[number]

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

/** How many submissions became unconfirmed, and how many stay discarded until their arrival is known. */
type UnconfirmedCounts = { readonly unconfirmed: number; readonly discarded: number }

/**
 * Marks everything unconfirmed that is not sent, in one commit with the alarm.
 *
 * Discarded cases stay discarded, but a person who restores one learns that its arrival is unknown.
 */
export function markAllUnconfirmed(
  store: Store,
  why: RestoreReason,
  options: { readonly service: Service; readonly at: number },
): UnconfirmedCounts {
  return store.write(() => {
    const ids = UNSETTLED.flatMap((state) => idsIn(store, state)).filter((id) => isReadable(store, id))
    for (const id of ids) markUnconfirmed(store, id, options)
    const discarded = idsIn(store, 'discarded').filter((id) => !hasUnresolvedAttempt(store, id))
    for (const id of discarded) markUnconfirmed(store, id, options)
    // Unreadable cases follow once they can be read.
    store.run('UPDATE quarantine SET is_in_doubt = 1')
    raiseAlarm(store, {
      kind: 'outboxRestored',
      submissionId: null,
      caseIds: [],
      ...worded('outbox:restored.all', { reason: wordingOf(`outbox:restored.reason.${why}`) }),
      at: options.at,
    })
    writeFact(store, 'restored', '')
    return { unconfirmed: ids.length, discarded: discarded.length }
  })
}

/** Marks the submission unconfirmed whose manifest knows more than its row. */
export function markUnconfirmedBy(store: Store, manifest: Manifest, at: number): void {
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
      ...worded('outbox:restored.one', { reason: wordingOf('outbox:restored.reason.behindManifests') }),
      at,
    })
  })
}

/**
 * Marks the submission unconfirmed whose manifest cannot be read, so that its content is unknown. False if it is
 * sent or unconfirmed already.
 */
export function markUnreadUnconfirmed(
  store: Store,
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
        ...worded('outbox:restored.manifestUnreadable'),
        at: options.at,
      })
    return true
  })
}

/** Why recent history is unknown; null if it is known, or if that was dealt with. */
export function whyRestored(store: Store): RestoreReason | null {
  const stored = readFact(store, 'restored')
  return RESTORE_REASONS.find((why) => why === stored) ?? null
}
