/** Creates, reads and edits submissions. For changes of state see `transitions.ts`. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Fields } from '../../../src-shared/fields.ts'
import { referenceOf } from '../../../src-shared/reference.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type {
  Evidence,
  Reason,
  Submission,
  SubmissionDetails,
  Warning,
} from '../../../src-shared/submission.ts'
import { fieldsColumn, HISTORY_NUMBER, type StoredIdentity, VISIT_DATE } from '../json-columns.ts'
import { appendAudit, type AuditDetails } from './audit.ts'
import { isReadable, quarantinedOf, readableRows, rowsOfCase } from './quarantine.ts'
import {
  attemptFromRow,
  type AttemptRow,
  evidenceFromRow,
  type EvidenceRow,
  type ImageRow,
  quarantinedSubmission,
  submissionFromRow,
  type SubmissionRow,
} from './rows.ts'
import { addGroupKey } from './files.ts'
import type { Store } from './database.ts'

/** Nothing is stated: a case made by hand. */
const NO_IDENTITY: StoredIdentity = {
  certainty: 'none',
  conflict: null,
  historyNumber: null,
  visitDate: null,
  historyNumberSource: null,
  visitDateSource: null,
  idsInPaths: [],
  statedIds: [],
  isAddendumAccepted: false,
  namedOnly: [],
}

export type NewSubmission = {
  readonly folderPath: string | null
  readonly groupKey: string | null
  readonly addendumTo: string | null
  /** What the paths state; null for a case made by hand. */
  readonly identity: StoredIdentity | null
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly centerId: string | null
  readonly quietUntil: number | null
  readonly at: number
}

function searchTextOf(fields: Fields, reference: string, caseId: string | null): string {
  return [fields.history_number, fields.first_name, fields.last_name, fields.visit_date, reference, caseId]
    .filter((value) => value !== undefined && value !== null)
    .join(' ')
}

/** Updates the search index with the current content of a submission. */
export function indexForSearch(store: Store, id: string): void {
  const row = rowOf(store, id)
  if (!row) return
  store.run`DELETE FROM submission_words WHERE rowid = ${row.position}`
  store.run(
    'INSERT INTO submission_words (rowid, words) VALUES (?, ?)',
    row.position,
    searchTextOf(fieldsColumn.read(row.fields), row.reference, row.case_id),
  )
}

export function createSubmission(store: Store, input: NewSubmission): string {
  return store.write(() => {
    const id = randomUUID()
    store.run(
      `INSERT INTO submissions (id, reference, state, folder_path, addendum_to, fields, sources, identity,
           reasons, center_id, quiet_until, added_at, changed_at)
         VALUES (@id, @reference, 'collecting', @folderPath, @addendumTo, @fields, @sources, @identity,
           '[]', @centerId, @quietUntil, @at, @at)`,
      {
        id,
        reference: referenceOf(randomBytes(8)),
        folderPath: input.folderPath,
        addendumTo: input.addendumTo,
        fields: JSON.stringify(input.fields),
        sources: JSON.stringify(input.sources),
        identity: JSON.stringify(input.identity ?? NO_IDENTITY),
        centerId: input.centerId,
        quietUntil: input.quietUntil,
        at: input.at,
      },
    )
    if (input.folderPath !== null && input.groupKey !== null)
      addGroupKey(store, id, input.folderPath, input.groupKey)
    appendAudit(store, {
      at: input.at,
      submissionId: id,
      what: 'added',
      by: null,
      details: { centerId: input.centerId },
    })
    indexForSearch(store, id)
    store.touch(id)
    return id
  })
}

/** The row of a submission; undefined if it is quarantined, because such a case is not processed. */
export function rowOf(store: Store, id: string): SubmissionRow | undefined {
  const row = store.row<SubmissionRow>`SELECT * FROM submissions WHERE id = ${id}`
  return row && readableRows(store, 'submissions', [row])[0]
}

export function imageRowsOf(store: Store, submissionId: string): ImageRow[] {
  const rows = store.rows<ImageRow>`
    SELECT * FROM images WHERE submission_id = ${submissionId} ORDER BY file_name, position`
  return rowsOfCase(store, 'images', rows)
}

/** A submission in the form of the contract, or null. */
export function submissionOf(store: Store, id: string): Submission | null {
  const held = quarantinedOf(store, id)
  if (held !== null) return quarantinedSubmission(held)
  if (!isReadable(store, id)) return submissionOf(store, id)
  const row = rowOf(store, id)
  return row ? fromRow(store, row) : null
}

function fromRow(store: Store, row: SubmissionRow): Submission {
  const hasReport =
    store.value<number>`SELECT 1 FROM report_versions WHERE submission_id = ${row.id} LIMIT 1` === 1
  return submissionFromRow(row, imageRowsOf(store, row.id), hasReport)
}

export function detailsOf(store: Store, id: string): SubmissionDetails | null {
  const submission = submissionOf(store, id)
  if (!submission) return null
  if (submission.unreadable !== undefined) return { ...submission, attemptList: [], evidence: [] }
  const attempts = store.rows<AttemptRow>`
    SELECT * FROM attempts WHERE submission_id = ${id} ORDER BY number`
  const evidence: Evidence[] = store.rows<EvidenceRow>`
    SELECT * FROM evidence WHERE submission_id = ${id} ORDER BY position`.map(evidenceFromRow)
  return { ...submission, attemptList: attempts.map(attemptFromRow), evidence }
}

/** The fields, their sources, and open questions: always written together. */
export type Content = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly reasons: readonly Reason[]
  /** Unusual values that block nothing; if undefined, the earlier ones stay. */
  readonly oddities?: readonly Warning[]
}

/** Recomputing a case mostly changes nothing: then nothing is written and no one is notified. */
function hasContent(row: SubmissionRow | undefined, content: Content): boolean {
  if (row === undefined) return false
  const { fields, sources, reasons, oddities } = content
  return (
    row.fields === JSON.stringify(fields) &&
    row.sources === JSON.stringify(sources) &&
    row.reasons === JSON.stringify(reasons) &&
    (oddities === undefined || row.oddities === JSON.stringify(oddities))
  )
}

export function setContent(store: Store, id: string, content: Content, at: number): void {
  store.write(() => {
    if (hasContent(rowOf(store, id), content)) return
    store.run(
      `UPDATE submissions SET fields = ?, sources = ?, reasons = ?, oddities = coalesce(?, oddities), changed_at = ?
         WHERE id = ?`,
      JSON.stringify(content.fields),
      JSON.stringify(content.sources),
      JSON.stringify(content.reasons),
      content.oddities === undefined ? null : JSON.stringify(content.oddities),
      at,
      id,
    )
    indexForSearch(store, id)
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
    appendAudit(store, {
      at,
      submissionId: id,
      what: 'prioritised',
      by: actor.by ?? null,
      details: actor.details ?? {},
    })
    store.touch(id)
  })
}

/** Changes when a submission is due, without a transition. */
export function setNotBefore(store: Store, id: string, notBefore: number | null, looks?: number): void {
  store.write(() => {
    store.run`
      UPDATE submissions SET not_before = ${notBefore}, looks = coalesce(${looks ?? null}, looks)
      WHERE id = ${id}`
    store.touch(id)
  })
}

export function setConfirmed(store: Store, id: string, at: number): void {
  store.write(() => {
    store.run`UPDATE submissions SET confirmed_at = ${at}, changed_at = ${at} WHERE id = ${id}`
    appendAudit(store, { at, submissionId: id, what: 'confirmed', by: null, details: {} })
    indexForSearch(store, id)
    store.touch(id)
  })
}

/**
 * References of submissions of the same patient and day that were sent, or may have been: this may be one of
 * them.
 */
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
export function idsIn(store: Store, state: SubmissionState): string[] {
  return store.values<string>`SELECT id FROM submissions WHERE state = ${state} ORDER BY position`
}
