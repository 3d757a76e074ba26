/**
 * What becomes of submissions where the outbox is older than what happened: whatever was not sent then may have been
 * sent since, and goes nowhere without evidence.
 */
import { randomUUID } from 'node:crypto'
import { failureOf } from '../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import { raiseAlarm } from './alarm-store.ts'
import { attemptsOf, endAttempt, hasUnresolvedAttempt, type Destination } from './attempt-store.ts'
import { appendEvidence } from './evidence-store.ts'
import { readFact, writeFact } from './fact-store.ts'
import { attemptsKnown, type Manifest } from './manifest.ts'
import { raiseRevision } from './manifest-store.ts'
import { moveSubmission } from './move-submission.ts'
import { failureToText, type SubmissionRow } from './submission-rows.ts'
import { idsIn, rowOf } from './submission-store.ts'
import type { WriteThrough } from './write-through.ts'

/** How it came to light that the outbox is not the one that was used last. */
export const RESTORED_WHYS = ['backup', 'otherCopy', 'behindManifests', 'recovered'] as const
export type RestoredWhy = (typeof RESTORED_WHYS)[number]

const WORDS: Readonly<Record<RestoredWhy, string>> = {
  backup: 'A backup of the outbox was put in its place.',
  otherCopy: 'The outbox is not the one that was used here last.',
  behindManifests: 'The outbox is older than the notes that lie beside the images.',
  recovered: 'The outbox was built anew.',
}
const WHAT_FOLLOWS =
  'Cases that were not known as sent may have been sent meanwhile: they are looked for at the service, and none goes again without evidence. Look at the cases under "Check delivery".'

const EVIDENCE =
  'The outbox is older than what happened, so this case may have been sent since. It is looked for, and is not sent again without evidence.'

/** These were not passed for sending, or somebody stopped them: what was passed once is passed anew by a person. */
const TO_BE_PASSED_ANEW: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'held',
  'refused',
]

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

/** Which service a case may have gone to, where no attempt of it says so. */
export type Service = Pick<Destination, 'baseUrl' | 'clientId'>

/** Adds an attempt that nobody saw: it may have arrived. Answers with its id. */
export function addUnseenAttempt(
  store: WriteThrough,
  row: SubmissionRow,
  given: { readonly service: Service; readonly number: number; readonly at: number },
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
      number: given.number,
      baseUrl: given.service.baseUrl,
      clientId: given.service.clientId,
      centerId: row.center_id,
      failure: failureToText(failureOf('outcomeUnknown')),
      at: given.at,
    })
  store.sql
    .prepare('UPDATE submissions SET attempts = max(attempts, ?) WHERE id = ?')
    .run(given.number, row.id)
  return id
}

type Doubt = {
  /** The service that is set now. */
  readonly service: Service
  readonly at: number
  /** How many attempts are known from elsewhere, and where the last of them went. */
  readonly known?: {
    readonly attempts: number
    readonly last: Service | null
    readonly caseIds: readonly string[]
  }
}

/** Puts one submission in doubt; what is sent or discarded stays so. */
function putInDoubt(store: WriteThrough, id: string, doubt: Doubt): void {
  const row = rowOf(store, id)
  if (!row) return
  const { at, known } = doubt
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
  const service = known?.last ?? (last ? { baseUrl: last.base_url, clientId: last.client_id } : doubt.service)
  const number = Math.max(row.attempts, last?.number ?? 0, known?.attempts ?? 0) + 1
  const attemptId = addUnseenAttempt(store, row, { service, number, at })
  if (row.state === 'discarded') return
  if (TO_BE_PASSED_ANEW.includes(row.state))
    store.sql.prepare('UPDATE submissions SET passed_digest = NULL WHERE id = ?').run(id)
  moveSubmission(store, id, 'wasRestored', patch, { at, details: { attempt: number } })
  appendEvidence(store, {
    submissionId: id,
    attemptId,
    at,
    kind: 'restored',
    caseIds: [...(known?.caseIds ?? [])],
    message: EVIDENCE,
    by: null,
  })
}

/** How many submissions are in doubt since, and how many stay discarded until their arrival is known. */
export type PutInDoubt = { readonly unconfirmed: number; readonly discarded: number }

/**
 * Puts all in doubt that is not sent, in one commit with the alarm that says so.
 *
 * What was discarded stays so, but whoever restores it finds that its arrival is not known.
 */
export function putAllInDoubt(
  store: WriteThrough,
  why: RestoredWhy,
  given: { readonly service: Service; readonly at: number },
): PutInDoubt {
  return store.write(() => {
    const ids = UNSETTLED.flatMap((state) => idsIn(store, state))
    for (const id of ids) putInDoubt(store, id, given)
    const discarded = idsIn(store, 'discarded').filter((id) => !hasUnresolvedAttempt(store, id))
    for (const id of discarded) putInDoubt(store, id, given)
    raiseAlarm(store, {
      kind: 'outboxRestored',
      submissionId: null,
      caseIds: [],
      message: `${WORDS[why]} ${WHAT_FOLLOWS}`,
      at: given.at,
    })
    writeFact(store, 'restored', '')
    return { unconfirmed: ids.length, discarded: discarded.length }
  })
}

/** Puts the one submission in doubt whose manifest knows more than its row. */
export function putInDoubtBy(store: WriteThrough, manifest: Manifest, at: number): void {
  const { id } = manifest.submission
  store.write(() => {
    raiseRevision(store, id, manifest.revision)
    const row = rowOf(store, id)
    if (!row || row.state === 'sent') return
    const last = manifest.announced ?? manifest.attempts.at(-1)
    const service = last ? { baseUrl: last.base_url, clientId: last.client_id } : null
    const caseId = manifest.submission.case_id
    putInDoubt(store, id, {
      service: service ?? { baseUrl: '', clientId: '' },
      at,
      known: {
        attempts: attemptsKnown(manifest),
        last: service,
        caseIds: caseId === null ? [] : [caseId],
      },
    })
    raiseAlarm(store, {
      kind: 'outboxRestored',
      submissionId: id,
      caseIds: caseId === null ? [] : [caseId],
      message: `${WORDS.behindManifests} This case may have been sent meanwhile: it is looked for at the service, and does not go again without evidence.`,
      at,
    })
  })
}

/** Why what happened since this outbox was written is not known; null where it is, or where that was dealt with. */
export function restoredWhy(store: WriteThrough): RestoredWhy | null {
  const kept = readFact(store, 'restored')
  return RESTORED_WHYS.find((why) => why === kept) ?? null
}
