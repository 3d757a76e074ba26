/** Creates, reads and edits submissions, and gives them the form of the contract. States change in `transitions.ts`. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Fields } from '../../../src-shared/fields.ts'
import { referenceOf } from '../../../src-shared/reference.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type {
  Attempt,
  Evidence,
  Image,
  Reason,
  Submission,
  SubmissionDetails,
  Warning,
} from '../../../src-shared/submission.ts'
import { mayLeaveUnseen, type Verdict, verdictOn } from '../../../src-shared/verdict.ts'
import { worded } from '../../../src-shared/wording.ts'
import {
  factsColumn,
  failureFromText,
  fieldsColumn,
  HISTORY_NUMBER,
  messageOf,
  noImageBecauseColumn,
  odditiesColumn,
  reasonsColumn,
  sentWronglyColumn,
  sourcesColumn,
  type StoredIdentity,
  textsColumn,
  unusableFromRow,
  VISIT_DATE,
} from '../json-columns.ts'
import { shownDigestOf, verdictIn } from './approvals.ts'
import { appendAudit, type AuditDetails, type Store } from './database.ts'
import { hasReportOf } from './reports.ts'
import { addGroupKey } from './files.ts'
import { correctionsOf } from './sent-wrongly.ts'
import { isSent } from '../lib/service-case.ts'
import {
  type AttemptRow,
  type ImageRow,
  imageRowsOf,
  isReadable,
  type Quarantined,
  quarantinedOf,
  rowOf,
  type SubmissionRow,
} from './rows.ts'
import { unusableOf, type UnusableRow } from './unusable-files.ts'

export const NO_IDENTITY: StoredIdentity = { isAddendumAccepted: false }

export type NewSubmission = {
  readonly folderPath: string | null
  readonly groupKey: string | null
  readonly addendumTo: string | null
  readonly identity?: StoredIdentity
  readonly fields?: Fields
  readonly sources?: Submission['sources']
  readonly centerId: string | null
  readonly quietUntil: number | null
  readonly replaces?: string
  readonly at: number
}

/** Updates the search index with the current content of a submission. */
export function indexForSearch(store: Store, id: string): void {
  const row = rowOf(store, id)
  if (row) setSearchTerms(store, row, fieldsColumn.read(row.fields))
}

function setSearchTerms(
  store: Store,
  row: Pick<SubmissionRow, 'reference' | 'case_id'> & { readonly position: number | bigint },
  { history_number: number, first_name: first, last_name: last, visit_date: day }: Fields,
): void {
  const terms = [number, first, last, day, row.reference, row.case_id].filter(Boolean).join(' ')
  store.run`INSERT OR REPLACE INTO submission_words (rowid, words) VALUES (${row.position}, ${terms})`
}

export function createSubmission(store: Store, input: NewSubmission): string {
  return store.write(() => {
    const { identity = NO_IDENTITY, fields = {}, sources = {} } = input
    const id = randomUUID()
    const reference = referenceOf(randomBytes(8))
    const { lastInsertRowid: position } = store.run`
      INSERT INTO submissions (id, reference, state, folder_path, addendum_to, fields, sources, identity,
      reasons, center_id, quiet_until, replaces, added_at, changed_at)
      VALUES (${id}, ${reference}, 'collecting', ${input.folderPath}, ${input.addendumTo},
      ${JSON.stringify(fields)}, ${JSON.stringify(sources)}, ${JSON.stringify(identity)}, '[]', ${input.centerId}, ${input.quietUntil},
      ${input.replaces ?? null}, ${input.at}, ${input.at})`
    if (input.folderPath !== null && input.groupKey !== null)
      addGroupKey(store, id, input.folderPath, input.groupKey)
    const details = { centerId: input.centerId }
    appendAudit(store, { at: input.at, submissionId: id, what: 'added', details })
    setSearchTerms(store, { position, reference, case_id: null }, fields)
    store.touch(id)
    return id
  })
}

/** In the form of the contract, but for the time to undo, which is a length in milliseconds here. */
export type StoredSubmission = Omit<Submission, 'undoUntil'> & { readonly undoMs: number | null }
type StoredDetails = StoredSubmission & Omit<SubmissionDetails, keyof Submission>

export function submissionOf(store: Store, id: string): StoredSubmission | null {
  const held = quarantinedOf(store, id)
  if (held !== null) return quarantinedSubmission(held)
  if (!isReadable(store, id)) return submissionOf(store, id)
  const row = rowOf(store, id)
  return row
    ? submissionFromRow(row, imageRowsOf(store, id), unusableOf(store, id), hasReportOf(store, id))
    : null
}

export function detailsOf(store: Store, id: string): StoredDetails | null {
  const submission = submissionOf(store, id)
  if (!submission) return null
  if (submission.unreadable !== undefined)
    return { ...submission, replaces: null, replacedBy: null, isByHand: false, attemptList: [], evidence: [] }
  const isByHand = rowOf(store, id)?.folder_path === null
  const attempts = store.rows<AttemptRow>`
    SELECT * FROM attempts WHERE submission_id = ${id} ORDER BY number`
  const evidence: Evidence[] = store.rows<EvidenceRow>`
    SELECT * FROM evidence WHERE submission_id = ${id} ORDER BY position`.map(evidenceFromRow)
  const attemptList = attempts.map(attemptFromRow)
  return { ...submission, ...correctionsOf(store, id), isByHand, attemptList, evidence }
}

/** The fields, their sources, open questions, answers and what is proven: always written together. */
export type Content = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly reasons: readonly Reason[]
  /** Unusual values that block nothing; if undefined, the earlier ones stay. */
  readonly oddities?: readonly Warning[]
  /** If undefined, the earlier one stays. */
  readonly verdict?: Verdict
  /** If undefined, the earlier one stays. */
  readonly identity?: StoredIdentity
}

/** Writes and notifies only what changed. A case that cannot be read is quarantined and stays as it is. */
export function setContent(store: Store, id: string, content: Content, at: number): void {
  store.write(() => {
    const row = rowOf(store, id)
    if (!row) return
    const fields = JSON.stringify(content.fields)
    const sources = JSON.stringify(content.sources)
    const reasons = JSON.stringify(content.reasons)
    const oddities = content.oddities === undefined ? row.oddities : JSON.stringify(content.oddities)
    const verdict = content.verdict === undefined ? row.verdict : JSON.stringify(content.verdict)
    const identity = content.identity === undefined ? row.identity : JSON.stringify(content.identity)
    const isSame =
      row.fields === fields &&
      row.sources === sources &&
      row.reasons === reasons &&
      row.oddities === oddities &&
      row.verdict === verdict
    if (isSame && row.identity === identity) return
    store.run`
      UPDATE submissions SET fields = ${fields}, sources = ${sources}, reasons = ${reasons},
      oddities = ${oddities}, verdict = ${verdict}, identity = ${identity},
      changed_at = ${isSame ? row.changed_at : at} WHERE id = ${id}`
    if (isSame) return
    if (row.fields !== fields) setSearchTerms(store, row, content.fields)
    store.touch(id)
  })
}

export function setIdentity(store: Store, id: string, identity: StoredIdentity): void {
  const text = JSON.stringify(identity)
  store.run`UPDATE submissions SET identity = ${text} WHERE id = ${id} AND identity <> ${text}`
}

/** Sets which submission this one follows with late images; null if it follows none. */
export function setAddendumTo(store: Store, id: string, addendumTo: string | null): void {
  store.run`UPDATE submissions SET addendum_to = ${addendumTo} WHERE id = ${id}`
}

/** Records why an eye has no image. */
export function setNoImageBecause(store: Store, id: string, because: Submission['noImageBecause']): void {
  store.write(() => {
    store.run`UPDATE submissions SET no_image_because = ${JSON.stringify(because)} WHERE id = ${id}`
    store.touch(id)
  })
}

/** Gives a center to a submission that has none; it is never taken away. */
export function setCenter(store: Store, id: string, centerId: string): void {
  store.run`UPDATE submissions SET center_id = ${centerId} WHERE id = ${id} AND center_id IS NULL`
}

export function setUrgent(
  store: Store,
  id: string,
  at: number,
  actor: { readonly by?: string | undefined; readonly details?: AuditDetails } = {},
): void {
  store.write(() => {
    store.run`
      UPDATE submissions SET is_urgent = 1, not_before = CASE state WHEN 'waiting' THEN NULL ELSE
      not_before END, changed_at = ${at} WHERE id = ${id}`
    appendAudit(store, { at, submissionId: id, what: 'prioritised', ...actor })
    store.touch(id)
  })
}

/** Changes when a submission is due, without a transition. `plannedAt`: by which clock, if it is not due at once. */
export function setNotBefore(
  store: Store,
  id: string,
  notBefore: number | null,
  plan: { readonly plannedAt?: number; readonly looks?: number } = {},
): void {
  store.write(() => {
    store.run`
      UPDATE submissions SET not_before = ${notBefore}, planned_at = ${plan.plannedAt ?? null},
      looks = coalesce(${plan.looks ?? null}, looks) WHERE id = ${id}`
    store.touch(id)
  })
}

export function setConfirmed(store: Store, id: string, at: number): void {
  store.write(() => {
    store.run`
      UPDATE submissions SET confirmed_at = ${at}, images_shown = NULL, changed_at = ${at} WHERE id = ${id}`
    appendAudit(store, { at, submissionId: id, what: 'confirmed' })
    indexForSearch(store, id)
    store.touch(id)
  })
}

/** References of submissions of the same patient and day that were sent, or may have been. */
export function sentBefore(store: Store, id: string, fields: Fields): string[] {
  if (fields.history_number === undefined || fields.visit_date === undefined) return []
  return store.values<string>(
    `SELECT reference FROM submissions WHERE state IN ('sent', 'sending', 'unconfirmed')
         AND ${HISTORY_NUMBER} = ? COLLATE NOCASE AND ${VISIT_DATE} = ? AND id <> ?
       ORDER BY position`,
    fields.history_number,
    fields.visit_date,
    id,
  )
}

/** The ids of all submissions in a state, oldest first. */
export function submissionIdsIn(store: Store, state: SubmissionState): string[] {
  return store.values<string>`SELECT id FROM submissions WHERE state = ${state} ORDER BY position`
}

type EvidenceRow = {
  id: string
  attempt_id: string
  at: number
  kind: Evidence['kind']
  case_ids: string
  message: string
  /** JSON; null in rows of earlier versions. */
  wording: string | null
  by: string | null
}

function imageFromRow(row: ImageRow): Image {
  const { picture_content_type: contentType, picture_size_bytes: sizeBytes, picture_sha256: sha256 } = row
  const isPicture = row.sends === 'picture' && contentType !== null && sizeBytes !== null && sha256 !== null
  return {
    id: row.id,
    fileName: row.file_name,
    eye: row.eye,
    eyeSource: row.eye_source,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    contentType: row.content_type,
    sentAs: isPicture ? { contentType, sizeBytes, sha256 } : null,
    view: row.facts === null ? null : factsColumn.read(row.facts).view,
    twinOf: row.twin_of,
    excludedBecause: row.excluded_because,
    removedAt: row.removed_at,
  }
}

/** Open questions, and for a case in review whether it waits because it is not proven. */
function reasonsOf(row: SubmissionRow, verdict: Verdict): Reason[] {
  const reasons = reasonsColumn.read(row.reasons)
  return row.state === 'review' && !mayLeaveUnseen(verdict)
    ? [...reasons, { kind: 'readFromNames', ...worded('outbox:readFromNames') }]
    : reasons
}

export function submissionFromRow(
  row: SubmissionRow,
  images: readonly ImageRow[],
  unusable: readonly UnusableRow[],
  hasReport: boolean,
): StoredSubmission {
  const verdict = verdictIn(row, images)
  return {
    id: row.id,
    reference: row.reference,
    state: row.state,
    fields: fieldsColumn.read(row.fields),
    sources: sourcesColumn.read(row.sources),
    // Of an erased one the rows have hashes alone.
    images: row.erased_at === null ? images.map(imageFromRow) : [],
    unusableFiles: unusable.map(unusableFromRow),
    centerId: row.center_id,
    attempts: row.attempts,
    caseId: row.case_id,
    failure: failureFromText(row.failure),
    reasons: reasonsOf(row, verdict),
    oddities: odditiesColumn.read(row.oddities),
    verdict,
    digest: shownDigestOf(row, images, verdict),
    noImageBecause: noImageBecauseColumn.read(row.no_image_because),
    urgent: row.is_urgent === 1,
    addedAt: row.added_at,
    changedAt: row.changed_at,
    sentAt: row.sent_at,
    confirmedAt: row.confirmed_at,
    imageShortfall:
      row.images_shown === null ? null : { shown: row.images_shown, sent: images.filter(isSent).length },
    notBefore: row.state === 'collecting' ? row.quiet_until : row.not_before,
    undoMs: row.undo_ms,
    hasReport,
    sentWrongly: row.sent_wrongly === null ? null : sentWronglyColumn.read(row.sent_wrongly),
    erasedAt: row.state === 'discarded' ? row.erased_at : null,
  }
}

/** What is shown of an unreadable case: reference and state, with empty fields. */
export function quarantinedSubmission(held: Quarantined): StoredSubmission {
  return {
    id: held.id,
    reference: held.reference ?? UNKNOWN_REFERENCE,
    state: held.state,
    unreadable: held.unreadable,
    fields: {},
    sources: {},
    images: [],
    unusableFiles: [],
    centerId: null,
    attempts: 0,
    caseId: null,
    failure: null,
    reasons: [],
    oddities: [],
    verdict: verdictOn(null, []),
    digest: '',
    noImageBecause: {},
    urgent: false,
    addedAt: 0,
    changedAt: 0,
    sentAt: null,
    confirmedAt: null,
    imageShortfall: null,
    notBefore: null,
    undoMs: null,
    hasReport: false,
    sentWrongly: null,
    erasedAt: null,
  }
}

/** Shown if the reference is unreadable, too. */
const UNKNOWN_REFERENCE = referenceOf(new Uint8Array(8))

function attemptFromRow(row: AttemptRow): Attempt {
  return {
    id: row.id,
    number: row.number,
    centerId: row.center_id,
    phase: row.phase,
    outcome: row.outcome,
    requestBytes: row.request_bytes,
    handedOverBytes: row.handed_over_bytes,
    failure: failureFromText(row.failure),
    hasAnswer: row.answer_status !== null,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}

function evidenceFromRow(row: EvidenceRow): Evidence {
  return {
    id: row.id,
    attemptId: row.attempt_id,
    at: row.at,
    kind: row.kind,
    caseIds: textsColumn.readOr(row.case_ids, []),
    ...messageOf(row),
    by: row.by,
  }
}
