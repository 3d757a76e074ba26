/**
 * What may leave: the content that was cleared for sending, the content and verdict that a person approved, and the
 * digests by which both are recognised. Unseen, a case leaves only if all of it is proven.
 *
 * Two digests: that of the content covers what is sent; that of what is shown covers the verdict as well.
 */
import { hash } from 'node:crypto'
import type { SubmissionState } from '../../../src-shared/states.ts'
import {
  mayLeaveUnseen,
  raisesQuestion,
  restsOnProposal,
  standsAsApproved,
  type Verdict,
  verdictOn,
} from '../../../src-shared/verdict.ts'
import {
  APPROVAL_COLUMNS,
  type BeforeApproval,
  beforeApprovalColumn,
  fieldsColumn,
  identityColumn,
  type JsonColumn,
  noImageBecauseColumn,
  verdictFromText,
} from '../json-columns.ts'
import { areConfirmed } from './folder-memory.ts'
import type { Statements, Store } from './database.ts'
import { type ImageRow, IMAGES_OF_CASE, rowOf, type SubmissionRow, wholeCase } from './rows.ts'
import { isAwaitingFile } from './unusable-files.ts'

/** In these states the content is final: it was sent, or may have been. */
const SETTLED_CONTENT: readonly SubmissionState[] = ['sending', 'sent', 'unconfirmed']

type SentOfCase = Pick<SubmissionRow, 'fields' | 'no_image_because'>

type SentOfImage = Pick<
  ImageRow,
  'id' | 'eye' | 'excluded_because' | 'twin_of' | 'sends' | 'sha256' | 'picture_sha256'
>

/** A case with all that decides whether it may wait; read once for a transition. */
export type Candidate = {
  readonly row: SubmissionRow
  readonly images: readonly SentOfImage[]
  /** Of all that is sent: fields, images with their eyes, and why there are none. */
  readonly digest: string
  readonly verdict: Verdict
  /** All of it is proven, and each profile that proves it is still confirmed, and was before its images came. */
  readonly isProven: boolean
  /** A person, or a script, approved it as it is. */
  readonly isApproved: boolean
  /** It may leave as it is, and waits for no new export of a file that cannot be used. */
  readonly mayLeave: boolean
}

export function candidateOf(store: Store, id: string): Candidate | null {
  const row = rowOf(store, id)
  if (!row) return null
  return candidateFrom(row, store.rows<SentOfImage>(IMAGES_OF_CASE, id), {
    areConfirmed: (verdict) => areConfirmed(store, row, verdict),
    isAwaitingFile: () => isAwaitingFile(store, id),
  })
}

/** The same from its rows; what else it depends on is asked only if it decides. */
export function candidateFrom(
  row: SubmissionRow,
  images: readonly SentOfImage[],
  ask: { readonly areConfirmed: (verdict: Verdict) => boolean; readonly isAwaitingFile: () => boolean },
): Candidate {
  const verdict = verdictIn(row, images)
  const digest = digestOf(row, images)
  const isStillConfirmed = verdict.profiles.length === 0 || ask.areConfirmed(verdict)
  const isProven = isStillConfirmed && mayLeaveUnseen(verdict)
  const approved = isApproved(row, digest, verdict)
  const mayLeave = (isProven || approved) && !ask.isAwaitingFile()
  return { row, images, digest, verdict, isProven, isApproved: approved, mayLeave }
}

/** A case of which every row can be read, with its digest; one that has another quarantines it. */
export function caseToRead(store: Store, id: string) {
  const whole = wholeCase(store, id)
  return whole && { ...whole, digest: digestOf(whole.row, whole.images) }
}

/** Before an attempt opens, every row is checked whole. */
function sentOfImages(sql: Statements, id: string): SentOfImage[] {
  return sql.rows<SentOfImage>`
    SELECT id, eye, excluded_because, twin_of, sends, sha256, picture_sha256
    FROM images WHERE submission_id = ${id}`
}

function isSent({ excluded_because, twin_of }: Pick<ImageRow, 'excluded_because' | 'twin_of'>): boolean {
  return excluded_because === null && twin_of === null
}

/** The stored verdict on what is sent. One that is missing or cannot be read proves nothing. */
export function verdictIn(
  { verdict }: Pick<SubmissionRow, 'verdict'>,
  images: readonly Pick<ImageRow, 'id' | 'excluded_because' | 'twin_of'>[],
): Verdict {
  const sentIds = images.filter(isSent).map(({ id }) => id)
  return verdictOn(verdictFromText(verdict), sentIds)
}

/** Names and values in the order of the names; a text that cannot be read as it is. */
function canonical(column: JsonColumn<object>, text: string): string {
  if (!column.canRead(text)) return text
  const value = column.read(text)
  return JSON.stringify(value, Object.keys(value).toSorted())
}

/** What is sent, in lines that depend on no order; `kindOf` adds to each image how its eye is known. */
function canonicalContent(
  row: SentOfCase,
  images: readonly SentOfImage[],
  kindOf: (imageId: string) => string = () => '',
): string {
  const files = images.map((image) => {
    const { id, eye, sends, picture_sha256, sha256 } = image
    const sentHash = isSent(image) ? (sends === 'picture' ? picture_sha256 : sha256) : 'unsent'
    return `${sha256} ${sentHash} ${eye} ${kindOf(id)}`
  })
  return [
    canonical(fieldsColumn, row.fields),
    canonical(noImageBecauseColumn, row.no_image_because),
    ...files.toSorted(),
  ].join('\n')
}

/** The digest of all that is sent. */
export function digestOf(row: SentOfCase, images: readonly SentOfImage[]): string {
  return hash('sha256', canonicalContent(row, images))
}

/** The digest of what a screen shows: the content, and how each part of it stands. Sentences are not part of it. */
export function shownDigestOf(
  row: SentOfCase,
  images: readonly SentOfImage[],
  { who, day, together, eyes, fields }: Verdict,
): string {
  const content = canonicalContent(row, images, (id) => eyes[id]?.kind ?? '')
  return hash('sha256', [content, who.kind, day.kind, together.kind, ...fields].join('\n'))
}

/** The same by id; empty if there is no usable row. */
export function shownDigest(store: Store, id: string): string {
  const candidate = candidateOf(store, id)
  return candidate === null ? '' : shownDigestOf(candidate.row, candidate.images, candidate.verdict)
}

/** Is the content of the case the one that was cleared? */
export function isAsCleared({ row, digest }: Candidate): boolean {
  return row.passed_digest === digest
}

/** Sent, or perhaps sent, and not as their digest says: none, unless a byte changed on the disk. */
export function changedSinceClearance(sql: Statements): string[] {
  return sql.rows<SentOfCase & { readonly id: string; readonly digest: string }>`
    SELECT id, passed_digest AS digest, fields, no_image_because FROM submissions
    WHERE passed_digest IS NOT NULL
    AND state IN (SELECT value FROM json_each (${JSON.stringify(SETTLED_CONTENT)}))`.flatMap((row) =>
    row.digest === digestOf(row, sentOfImages(sql, row.id)) ? [] : [row.id],
  )
}

/** An identity without its notes of edits and units: a person has cleared them. Mostly it has none. */
export function withoutNotes(identity: string): string {
  const { isAtWork, unitChanged, ...rest } = identityColumn.read(identity)
  return isAtWork === undefined && unitChanged === undefined ? identity : JSON.stringify(rest)
}

/** Is the current content the one that was cleared? False if none ever was. */
export function matchesClearance(store: Store, id: string): boolean {
  const row = store.row<SentOfCase & { readonly cleared: string | null }>`
    SELECT passed_digest AS cleared, fields, no_image_because FROM submissions WHERE id = ${id}`
  return row !== undefined && row.cleared === digestOf(row, sentOfImages(store, id))
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

/** May it leave as it is: because all of it is proven, or because a person approved this very content? */
export function mayLeave(store: Store, id: string): boolean {
  return candidateOf(store, id)?.mayLeave ?? false
}

/** Why it may not leave: a code of the audit trail. */
export function whyUnproven({ verdict }: Candidate): 'readFromNames' | 'notConfirmedNow' {
  return mayLeaveUnseen(verdict) ? 'notConfirmedNow' : 'readFromNames'
}

/** May a person approve it among others? */
export function mayBeApprovedTogether(store: Store, id: string): boolean {
  const candidate = candidateOf(store, id)
  return candidate !== null && !restsOnProposal(candidate.verdict)
}

/** One that names no verdict holds as long as it raises no question. */
function isApproved(row: SubmissionRow, digest: string, verdict: Verdict): boolean {
  if (row.approved_digest !== digest) return false
  if (row.approved_verdict === null) return !raisesQuestion(verdict)
  const approved = verdictFromText(row.approved_verdict)
  return approved !== null && standsAsApproved(approved, verdict)
}

/** Through what a case was approved. Only a screen shows what it approves: nothing is learnt from a script. */
export type ApprovedVia = 'screen' | 'script'

type Approval = {
  readonly by: string | undefined
  readonly via: ApprovedVia | undefined
  readonly at: number
}

/** Records that a person, or a script, approved the current content and verdict from review. */
export function recordApproval(store: Store, { row, digest, verdict }: Candidate, approval: Approval): void {
  store.run`
    UPDATE submissions SET approved_digest = ${digest}, approved_verdict = ${JSON.stringify(verdict)},
    approved_by = ${approval.by ?? null}, approved_via = ${approval.via ?? null},
    approved_at = ${approval.at}, identity = json_remove(identity, '$.joinedAfterEntry') WHERE id = ${row.id}`
}

/** What an approval of this case writes over, for `undo_to`. */
export function beforeApproval(row: SubmissionRow): string {
  const { isAddendumAccepted, isAtWork, unitChanged, joinedAfterEntry } = identityColumn.read(row.identity)
  const before: BeforeApproval = {
    columns: Object.fromEntries(
      APPROVAL_COLUMNS.map((name) => [name, row[name]]),
    ) as BeforeApproval['columns'],
    notes: {
      isAddendumAccepted,
      ...(isAtWork && { isAtWork }),
      ...(unitChanged && { unitChanged }),
      ...(joinedAfterEntry && { joinedAfterEntry }),
    },
  }
  return JSON.stringify(before)
}

/** If it says nothing of before, nothing was approved then. */
const NOTHING_APPROVED: BeforeApproval = {
  columns: Object.fromEntries(APPROVAL_COLUMNS.map((name) => [name, null])) as BeforeApproval['columns'],
  notes: { isAddendumAccepted: false },
}

/** Takes back an approval that is not final: but for its state and its center, the case is what it was. */
export function takeBackApproval(store: Store, id: string): void {
  const row = store.row<Pick<SubmissionRow, 'identity' | 'undo_to'>>`
    SELECT identity, undo_to FROM submissions WHERE id = ${id} AND undo_ms IS NOT NULL`
  if (row === undefined) return
  const { columns, notes } = beforeApprovalColumn.readOr(row.undo_to ?? '', NOTHING_APPROVED)
  const { unitChanged = [], joinedAfterEntry = [], ...identity } = identityColumn.read(row.identity)
  // What was noted since the approval holds, too.
  const units = [...new Set([...(notes.unitChanged ?? []), ...unitChanged])]
  const joined = [...new Set([...(notes.joinedAfterEntry ?? []), ...joinedAfterEntry])]
  const restored = {
    ...identity,
    ...notes,
    ...(units.length > 0 && { unitChanged: units }),
    ...(joined.length > 0 && { joinedAfterEntry: joined }),
  }
  const assignments = APPROVAL_COLUMNS.map((name) => `${name} = @${name}`).join(', ')
  store.run(
    `UPDATE submissions SET undo_ms = NULL, undo_to = NULL, identity = @identity, ${assignments} WHERE id = @id`,
    { ...columns, identity: JSON.stringify(restored), id },
  )
}

/** Clears what let the case leave, and the approval with it: a person decides again. */
export function forgetClearance(store: Store, id: string): void {
  takeBackApproval(store, id)
  store.run`
    UPDATE submissions SET passed_digest = NULL, approved_digest = NULL, approved_verdict = NULL,
    approved_by = NULL, approved_via = NULL, approved_at = NULL WHERE id = ${id}`
}
