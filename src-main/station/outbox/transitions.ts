/**
 * Every change of state, checked, stamped and recorded; which content was cleared for sending, which a person approved,
 * and whether it may leave. Approval from review, release, retry and the folder's rule clear the content; only the
 * first is an approval. What rests on names alone leaves only with an approval.
 */
import { createHash } from 'node:crypto'
import type { Failure } from '../../../src-shared/failure.ts'
import { type SubmissionEvent, type SubmissionState, transition } from '../../../src-shared/states.ts'
import { failureToText, identityColumn } from '../json-columns.ts'
import { appendAudit, type AuditDetails, type Statements, type Store } from './database.ts'
import {
  type AttemptRow,
  type ImageRow,
  imageRowsOf,
  isQuarantined,
  rowOf,
  type SubmissionRow,
} from './rows.ts'
import { restsOnNames } from './names-only.ts'
import { indexForSearch } from './submissions.ts'

/** The event is not allowed in the current state: nothing was written. */
export class MoveRefused extends Error {
  override name = 'MoveRefused' as const
  readonly state: SubmissionState | null

  constructor(state: SubmissionState | null, event: SubmissionEvent) {
    super(`${event} is not possible in ${state ?? 'a submission that does not exist'}`)
    this.state = state
  }
}

/** What may change together with the state; undefined values stay. */
export type MovePatch = {
  readonly failure?: Failure | null
  readonly notBefore?: number | null
  readonly quietUntil?: number | null
  readonly caseId?: string
  readonly sentAt?: number
  readonly looks?: number
}

export type MoveOptions = {
  readonly at: number
  readonly by?: string | undefined
  readonly details?: AuditDetails
}

/** With these events a person, or the folder's rule, lets it go exactly as it is. */
const CLEARING: readonly SubmissionEvent[] = [
  'gatheredToSend',
  'approved',
  'releasedToSend',
  'retriedRefused',
]

/** A case with all that decides whether it may wait; read once for a transition. */
type Candidate = {
  readonly row: SubmissionRow
  readonly images: readonly SentOfImage[]
  /** Of its content, see `contentDigest`. */
  readonly digest: string
}

function candidateOf(store: Store, id: string): Candidate | null {
  const row = rowOf(store, id)
  if (!row) return null
  const images = sentOfImages(store, id)
  return { row, images, digest: digestOf(row, images) }
}

/** Does the event clear other content than before? A retry clears what a person corrected in a refused case. */
function clearsAgain({ row }: Candidate, event: SubmissionEvent): boolean {
  if (event === 'retriedRefused') return identityColumn.read(row.identity).isAtWork === true
  return event === 'gatheredToSend' || event === 'approved'
}

/** These resolve every attempt with an unknown outcome. */
const RESOLUTIONS: Partial<Record<SubmissionEvent, AttemptRow['resolution']>> = {
  foundDelivered: 'arrived',
  provenAbsent: 'absent',
}

/** Records what a transition says about the attempts of the submission. */
function updateAttempts(store: Store, id: string, event: SubmissionEvent, at: number): void {
  const resolution = RESOLUTIONS[event]
  if (resolution !== undefined)
    store.run`
      UPDATE attempts SET resolution = ${resolution} WHERE submission_id = ${id} AND outcome = 'unknown'
      AND resolution IS NULL`
  if (event === 'foundAtService')
    store.run(
      `UPDATE attempts SET found_at = @at WHERE submission_id = @id
           AND number = (SELECT max(number) FROM attempts WHERE submission_id = @id)`,
      { id, at },
    )
}

/**
 * Moves a submission and returns its new state; throws MoveRefused if the state machine does not allow it. A case that
 * would wait goes on to review if its content is not what was cleared, or rests on names and is not approved.
 */
export function moveSubmission(
  store: Store,
  id: string,
  event: SubmissionEvent,
  patch: MovePatch,
  options: MoveOptions,
): SubmissionState {
  return store.write(() => {
    const from = store.value<SubmissionState>`SELECT state FROM submissions WHERE id = ${id}`
    // Its state is fixed, whatever the event.
    const isFixed = isQuarantined(store, id)
    const to = from === undefined || isFixed ? null : transition(from, event)
    if (from === undefined || to === null) throw new MoveRefused(from ?? null, event)
    const candidate = to === 'waiting' ? candidateOf(store, id) : null
    const isAsCleared =
      candidate !== null &&
      (clearsAgain(candidate, event) || candidate.row.passed_digest === candidate.digest)
    const isCleared = isAsCleared && CLEARING.includes(event)
    // Columns with an undefined value stay.
    const columns: Record<string, string | number | null | undefined> = {
      state: to,
      changed_at: options.at,
      failure: patch.failure === undefined ? undefined : failureToText(patch.failure),
      not_before: patch.notBefore,
      quiet_until: patch.quietUntil,
      case_id: patch.caseId,
      sent_at: patch.sentAt,
      looks: patch.looks,
    }
    // A hold records its origin, as long as it lasts.
    if (event === 'held') columns['held_from'] = from
    else if (to !== 'held') columns['held_from'] = null
    if (isCleared) {
      columns['passed_at'] = options.at
      columns['passed_digest'] = candidate.digest
      columns['identity'] = withoutNotes(candidate.row.identity)
    }
    const changes = Object.entries(columns).filter(([, value]) => value !== undefined)
    const assignments = changes.map(([column]) => `${column} = @${column}`).join(', ')
    store.run(`UPDATE submissions SET ${assignments} WHERE id = @id`, { id, ...Object.fromEntries(changes) })
    const isApproved = candidate !== null && event === 'approved'
    if (isApproved) recordApproval(store, id, candidate.digest, { by: options.by, at: options.at })
    settleClearance(store, id, to)
    updateAttempts(store, id, event, options.at)
    appendAudit(store, {
      at: options.at,
      submissionId: id,
      what: event,
      by: options.by ?? null,
      details: { from, to, ...(patch.failure ? { failure: patch.failure.kind } : {}), ...options.details },
    })
    if (patch.caseId !== undefined) indexForSearch(store, id)
    store.touch(id)
    if (to !== 'waiting' || (isAsCleared && (isApproved || mayLeaveAs(candidate)))) return to
    const whyNotCleared = candidate?.row.passed_at === null ? 'neverPassed' : 'changedSincePassed'
    return moveSubmission(
      store,
      id,
      'gatheredForReview',
      { failure: null, notBefore: null },
      { at: options.at, details: { why: isAsCleared ? 'readFromNames' : whyNotCleared } },
    )
  })
}

/** Moves a waiting case to review if it may not leave as it is. True if it was moved. */
export function reviewIfNamesOnly(store: Store, id: string, at: number): boolean {
  return store.write(() => {
    if (rowOf(store, id)?.state !== 'waiting' || mayLeave(store, id)) return false
    moveSubmission(
      store,
      id,
      'gatheredForReview',
      { failure: null, notBefore: null },
      { at, details: { why: 'readFromNames' } },
    )
    return true
  })
}

/** In these states the content is final: it was sent, or may have been. */
const SETTLED_CONTENT: readonly SubmissionState[] = ['sending', 'sent', 'unconfirmed']

type SentOfCase = Pick<SubmissionRow, 'fields' | 'no_image_because'>

type SentOfImage = Pick<
  ImageRow,
  | 'id'
  | 'position'
  | 'eye'
  | 'eye_source'
  | 'excluded_because'
  | 'twin_of'
  | 'sends'
  | 'sha256'
  | 'picture_sha256'
>

/** Before an attempt opens, every row is checked whole. */
function sentOfImages(sql: Statements, id: string): SentOfImage[] {
  return sql.rows<SentOfImage>`
    SELECT id, position, eye, eye_source, excluded_because, twin_of, sends, sha256, picture_sha256
    FROM images WHERE submission_id = ${id}`
}

/** The digest of all that is sent: fields, images with their eyes, and why there are none. */
export function contentDigest(sql: Statements, id: string): string {
  const row = sql.row<SentOfCase>`SELECT fields, no_image_because FROM submissions WHERE id = ${id}`
  return digestOf(row, sentOfImages(sql, id))
}

/** Stored digests were made of exactly this text, with these names in this order. */
function digestOf(row: SentOfCase | undefined, images: readonly SentOfImage[]): string {
  const content = row && { fields: row.fields, no_image_because: row.no_image_because }
  const inOrder = images.toSorted((one, other) => one.position - other.position)
  const files = inOrder.map(({ id, eye, excluded_because, twin_of, sends, sha256, picture_sha256 }) => {
    const is_taken = excluded_because === null ? 1 : 0
    return { id, eye, is_taken, twin_of, sends, sha256, picture_sha256 }
  })
  return createHash('sha256')
    .update(JSON.stringify([content, files]))
    .digest('hex')
}

/** Sent, or perhaps sent, and not as their digest says: none, unless a byte changed on the disk. */
export function changedSinceClearance(sql: Statements): string[] {
  return sql.rows<{ readonly id: string; readonly digest: string }>`
    SELECT id, passed_digest AS digest FROM submissions WHERE passed_digest IS NOT NULL
    AND state IN (SELECT value FROM json_each (${JSON.stringify(SETTLED_CONTENT)}))`.flatMap(
    ({ id, digest }) => (digest === contentDigest(sql, id) ? [] : [id]),
  )
}

/** Clears the current content for sending: a later change goes back to a person. Notes of edits and units go. */
export function recordClearance(store: Store, id: string): void {
  const identity = store.value<string>`SELECT identity FROM submissions WHERE id = ${id}`
  if (identity === undefined) return
  store.run`
    UPDATE submissions SET passed_digest = ${contentDigest(store, id)}, identity = ${withoutNotes(identity)}
    WHERE id = ${id}`
}

/** An identity without its notes of edits and units: a person has cleared them. Mostly it has none. */
function withoutNotes(identity: string): string {
  const { isAtWork, unitChanged, ...rest } = identityColumn.read(identity)
  return isAtWork === undefined && unitChanged === undefined ? identity : JSON.stringify(rest)
}

/** Is the current content the one that was cleared? False if none ever was. */
export function matchesClearance(store: Store, id: string): boolean {
  const cleared = store.value<string | null>`SELECT passed_digest FROM submissions WHERE id = ${id}`
  return typeof cleared === 'string' && cleared === contentDigest(store, id)
}

/** Was other content sent, or perhaps sent, than the current one? */
export function isUnlikeSent(store: Store, id: string): boolean {
  const row = store.row<{ readonly state: SubmissionState; readonly passed_digest: string | null }>`
    SELECT state, passed_digest FROM submissions WHERE id = ${id}`
  if (row === undefined || row.passed_digest === null) return false
  return SETTLED_CONTENT.includes(row.state) && !matchesClearance(store, id)
}

/** With final content a digest matches or is absent: a case may have arrived that was changed after its clearance. */
export function settleClearance(store: Store, id: string, state: SubmissionState): void {
  if (!SETTLED_CONTENT.includes(state) || matchesClearance(store, id)) return
  store.run`UPDATE submissions SET passed_digest = NULL WHERE id = ${id} AND passed_digest IS NOT NULL`
}

/** Does the same for all submissions, after rows were written without a transition. */
export function settleAllClearances(store: Store): void {
  for (const id of changedSinceClearance(store))
    store.run`UPDATE submissions SET passed_digest = NULL WHERE id = ${id}`
}

/** May it leave as it is: because it rests on more than names, or because a person approved this very content? */
export function mayLeave(store: Store, id: string): boolean {
  const candidate = candidateOf(store, id)
  return candidate !== null && mayLeaveAs(candidate)
}

function mayLeaveAs({ row, images, digest }: Candidate): boolean {
  return !restsOnNames(row, images) || row.approved_digest === digest
}

/** Does any of it rest on names alone, approved or not? */
export function caseRestsOnNames(store: Store, id: string): boolean {
  const row = rowOf(store, id)
  return row === undefined || restsOnNames(row, imageRowsOf(store, id))
}

/** Records that a person approved the current content from review. */
function recordApproval(
  store: Store,
  id: string,
  digest: string,
  approval: { readonly by: string | undefined; readonly at: number },
): void {
  store.run`
    UPDATE submissions SET approved_digest = ${digest},
    approved_by = ${approval.by ?? null}, approved_at = ${approval.at},
    identity = json_remove(identity, '$.joinedAfterEntry') WHERE id = ${id}`
}

/** Clears what let the case leave, and the approval with it: a person decides again. */
export function forgetClearance(store: Store, id: string): void {
  store.run`
    UPDATE submissions SET passed_digest = NULL, approved_digest = NULL, approved_by = NULL, approved_at = NULL
    WHERE id = ${id}`
}
