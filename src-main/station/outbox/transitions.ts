/**
 * Every change of state, checked, stamped and recorded. Approval from review, release, retry and the folder's rule clear
 * the content for sending; only the first is an approval. What is not proven leaves only with an approval.
 */
import type { Failure } from '../../../src-shared/failure.ts'
import { type SubmissionEvent, type SubmissionState, transition } from '../../../src-shared/states.ts'
import { failureToText, fieldsColumn, identityColumn, jsonColumn } from '../json-columns.ts'
import {
  type ApprovedVia,
  beforeApproval,
  type Candidate,
  candidateOf,
  forgetClearance,
  isAsCleared,
  recordApproval,
  settleClearance,
  takeBackApproval,
  whyUnproven,
  withoutNotes,
} from './approvals.ts'
import { appendAudit, type AuditDetails, readFact, type Store, writeFact } from './database.ts'
import { type AttemptRow, isReadable, rowOf, type SubmissionRow } from './rows.ts'
import { indexForSearch } from './submissions.ts'
import { casesByProfile, forgetConfirmed } from './folder-memory.ts'
import type { FieldName } from '../../../src-shared/fields.ts'
import { type ClinicalSettings, clinicalSettingsSchema } from '../../../src-shared/settings.ts'
import type { CaseName } from '../../../src-shared/profile-offers.ts'

/** The event is not allowed in the current state: nothing was written. */
export class MoveRefused extends Error {
  override name = 'MoveRefused' as const

  constructor(state: SubmissionState | null, event: SubmissionEvent) {
    super(`${event} is not possible in ${state ?? 'a submission that does not exist'}`)
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
  /** Of an approval: through what it came. */
  readonly via?: ApprovedVia
  /** Of an approval: for how long it can be taken back, and the case as it was before. Without it, it is final. */
  readonly undo?: { readonly ms: number; readonly before: SubmissionRow } | null
  readonly details?: AuditDetails
}

/** With these events a person, or the folder's rule, lets it go exactly as it is. */
const CLEARING: readonly SubmissionEvent[] = [
  'gatheredToSend',
  'approved',
  'releasedToSend',
  'retriedRefused',
]

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
      UPDATE attempts SET resolution = ${resolution} WHERE submission_id = ${id}
      AND (outcome = 'unknown' OR found_at IS NOT NULL) AND resolution IS NULL`
  if (event === 'foundAtService')
    store.run(
      `UPDATE attempts SET found_at = @at WHERE submission_id = @id
           AND number = (SELECT max(number) FROM attempts WHERE submission_id = @id)`,
      { id, at },
    )
}

/**
 * Throws MoveRefused for a move the table lacks. What may not leave goes from `waiting` on to `review`. While an approval
 * can be taken back, no event lets the case go on to be sent, and every other one takes the approval back.
 */
export function moveSubmission(
  store: Store,
  id: string,
  event: SubmissionEvent,
  patch: MovePatch,
  options: MoveOptions,
): SubmissionState {
  return store.write(() => {
    // The state of one that is quarantined is fixed, whatever the event.
    const { from, isFixed, isUndoable } = store.row<{
      from: SubmissionState
      isFixed: 0 | 1
      isUndoable: 0 | 1
    }>`
      SELECT state AS "from", id IN (SELECT submission_id FROM quarantine) AS isFixed,
      undo_ms IS NOT NULL AS isUndoable
      FROM submissions WHERE id = ${id}` ?? { from: null, isFixed: 1, isUndoable: 0 }
    const to = from === null || isFixed === 1 ? null : transition(from, event)
    if (from === null || to === null) throw new MoveRefused(from, event)
    if (isUndoable === 1) {
      if (to === 'waiting' || to === 'sending') throw new MoveRefused(from, event)
      takeBackApproval(store, id)
    }
    const candidate = to === 'waiting' ? candidateOf(store, id) : null
    const isSameContent = candidate !== null && (clearsAgain(candidate, event) || isAsCleared(candidate))
    const isCleared = isSameContent && CLEARING.includes(event)
    // Columns with an undefined value stay.
    const columns: Record<string, string | number | null | undefined> = {
      state: to,
      changed_at: options.at,
      failure: patch.failure === undefined ? undefined : failureToText(patch.failure),
      not_before: patch.notBefore,
      planned_at: patch.notBefore === undefined ? undefined : options.at,
      quiet_until: patch.quietUntil,
      case_id: patch.caseId,
      sent_at: patch.sentAt,
      looks: patch.looks,
    }
    // A hold records its origin, as long as it lasts. What was approved for a while only was not waiting yet.
    if (event === 'held') columns['held_from'] = isUndoable === 1 ? 'review' : from
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
    if (isApproved && options.undo) {
      const { ms, before } = options.undo
      store.run`
        UPDATE submissions SET undo_ms = ${ms}, undo_to = ${beforeApproval(before)} WHERE id = ${id}`
    }
    if (isApproved) recordApproval(store, candidate, { by: options.by, via: options.via, at: options.at })
    settleClearance(store, id, to)
    updateAttempts(store, id, event, options.at)
    const { at, by } = options
    const details = { from, to, ...(patch.failure && { failure: patch.failure.kind }), ...options.details }
    appendAudit(store, { at, submissionId: id, what: event, by, details })
    if (patch.caseId !== undefined) indexForSearch(store, id)
    store.touch(id)
    if (to !== 'waiting' || (isSameContent && (isApproved || candidate.mayLeave))) return to
    return sendBack(store, id, candidate, isSameContent, options.at)
  })
}

function sendBack(
  store: Store,
  id: string,
  candidate: Candidate | null,
  isSameContent: boolean,
  at: number,
): SubmissionState {
  const whyNotCleared = candidate?.row.passed_at === null ? 'neverPassed' : 'changedSincePassed'
  const why = isSameContent && candidate !== null ? whyUnproven(candidate) : whyNotCleared
  const patch = { failure: null, notBefore: null }
  return moveSubmission(store, id, 'gatheredForReview', patch, { at, details: { why } })
}

/** Moves a waiting case to review if it is not what was cleared, or may not leave as it is. True if it was moved. */
export function reviewIfUncleared(store: Store, id: string, at: number): boolean {
  return store.write(() => {
    if (rowOf(store, id)?.state !== 'waiting') return false
    const candidate = candidateOf(store, id)
    const isSameContent = candidate !== null && isAsCleared(candidate)
    if (isSameContent && candidate.mayLeave) return false
    sendBack(store, id, candidate, isSameContent, at)
    return true
  })
}

/** The approvals that can be taken back, oldest first, each with its whole time in milliseconds. */
export function undoable(store: Store): { readonly id: string; readonly undoMs: number }[] {
  return store.rows<{ id: string; undoMs: number }>`
    SELECT id, undo_ms AS undoMs FROM submissions INDEXED BY submissions_undoable WHERE undo_ms IS NOT NULL
    AND id NOT IN (SELECT submission_id FROM quarantine) ORDER BY position`
}

/** Makes an approval final. False if it was so, or if the case has changed since: then it went to review. */
export function makeApprovalFinal(store: Store, id: string, at: number): boolean {
  return store.write(() => {
    if (typeof rowOf(store, id)?.undo_ms !== 'number' || reviewIfUncleared(store, id, at)) return false
    store.run`UPDATE submissions SET undo_ms = NULL, undo_to = NULL WHERE id = ${id}`
    store.touch(id)
    return true
  })
}

/** The fields of each unit: if a unit changes in the settings, their stored numbers mean something else. */
const FIELDS_BY_UNIT: Readonly<Record<keyof ClinicalSettings, readonly FieldName[]>> = {
  vaUnit: ['od_va', 'os_va'],
  prismBase: ['od_prism_base', 'os_prism_base'],
}

/** From these it would go automatically, or with a single click in a list. */
const BACK_TO_REVIEW: readonly SubmissionState[] = ['waiting', 'refused']

const unitsFact = jsonColumn(clinicalSettingsSchema)

/** The fields whose unit is another now; if what was before cannot be read, it may be any. None if there was none. */
function otherUnits(before: string | null, now: ClinicalSettings): readonly FieldName[] {
  if (before === null) return []
  const units = unitsFact.canRead(before) ? unitsFact.read(before) : null
  return (['vaUnit', 'prismBase'] as const).flatMap((unit) =>
    units?.[unit] === now[unit] ? [] : FIELDS_BY_UNIT[unit],
  )
}

/**
 * Stores the units of the settings. If they changed, every unsent case with such a value returns to a person. Returns
 * their ids. One commit: a station stopped in between repeats it.
 */
export function applyUnits(store: Store, units: ClinicalSettings, at: number): string[] {
  return store.write(() => {
    const now = JSON.stringify({ vaUnit: units.vaUnit, prismBase: units.prismBase })
    const lastUnits = readFact(store, 'clinicalUnits')
    if (lastUnits === now) return []
    const names = otherUnits(lastUnits, units)
    // One that cannot be read is quarantined with the units of before.
    const changed = unsentWith(store, names).filter((one) => isReadable(store, one.id))
    for (const one of changed) markChanged(store, one, names, at)
    writeFact(store, 'clinicalUnits', now)
    return changed.map(({ id }) => id)
  })
}

/** The same for a case that was quarantined when these units were set. True if it has such a value: then read it again. */
export function applyMissedUnits(store: Store, id: string, before: string | null, at: number): boolean {
  return store.write(() => {
    const now = readFact(store, 'clinicalUnits')
    if (now === null || !unitsFact.canRead(now)) return false
    const names = otherUnits(before, unitsFact.read(now))
    const found = unsentWith(store, names).find((one) => one.id === id)
    if (found !== undefined) markChanged(store, found, names, at)
    return found !== undefined
  })
}

type Unsent = {
  readonly id: string
  readonly state: SubmissionState
  readonly fields: string
  readonly identity: string
}

/** Unsent cases that have a value in one of these fields. */
function unsentWith(store: Store, names: readonly FieldName[]): Unsent[] {
  return store.rows<Unsent>`
    SELECT id, state, fields, identity FROM submissions WHERE state <> 'sent'
    AND id NOT IN (SELECT submission_id FROM quarantine)
    AND EXISTS (SELECT 1 FROM json_each (iif(json_valid(fields), fields, '{}'))
    WHERE key IN (SELECT value FROM json_each (${JSON.stringify(names)})))`
}

function markChanged(
  store: Store,
  { id, state, fields, identity }: Unsent,
  names: readonly FieldName[],
  at: number,
): void {
  const own = Object.keys(fieldsColumn.read(fields))
  const stored = identityColumn.read(identity)
  const unitChanged = [
    ...new Set([...(stored.unitChanged ?? []), ...names.filter((name) => own.includes(name))]),
  ]
  store.run`
    UPDATE submissions SET identity = ${JSON.stringify({ ...stored, unitChanged })} WHERE id = ${id}`
  forgetClearance(store, id)
  if (BACK_TO_REVIEW.includes(state))
    moveSubmission(
      store,
      id,
      'gatheredForReview',
      { failure: null, notBefore: null },
      { at, details: { why: 'unitChanged', fields: unitChanged } },
    )
  store.touch(id)
}

/** These wait for a person or for their turn, and nothing of them was sent. */
const STILL_HERE: readonly SubmissionState[] = ['review', 'waiting', 'held']

const SENT_OR_MAYBE: readonly SubmissionState[] = ['sending', 'unconfirmed', 'sent']

/** Enough for a person to go through; there may be years of them. */
const MOST_LISTED = 500
/** As SQLite has it. */
const NO_LIMIT = -1

type NamedProfile = { readonly folderPath: string; readonly profileId: string }

/** The cases that went by a profile, or may still, and that no person approved. */
export function casesRestingOn(
  store: Store,
  { folderPath, profileId }: NamedProfile,
): { readonly unsent: CaseName[]; readonly sent: CaseName[] } {
  const unapproved = (states: readonly SubmissionState[], limit: number): CaseName[] =>
    casesByProfile(store, { folderPath, profileId, states, limit })
      .filter(({ id }) => {
        const candidate = candidateOf(store, id)
        return candidate?.isApproved === false
      })
      .map(({ id, reference }) => ({ id, reference }))
  return {
    unsent: unapproved(STILL_HERE, NO_LIMIT),
    sent: unapproved(SENT_OR_MAYBE, MOST_LISTED),
  }
}

/** In one commit, unsent cases by the profile return to `review`, but for approvals. Returns moved and sent ones. */
export function endConfirmation(
  store: Store,
  profile: NamedProfile,
  decision: { readonly at: number; readonly by: string; readonly why: string | undefined },
): { readonly returned: CaseName[]; readonly sent: CaseName[] } {
  const { at, by, why } = decision
  return store.write(() => {
    forgetConfirmed(store, profile.folderPath, profile.profileId)
    const { unsent, sent } = casesRestingOn(store, profile)
    for (const { id } of unsent) {
      const state = rowOf(store, id)?.state
      forgetClearance(store, id)
      if (state === 'review') {
        store.touch(id)
        const details = { profile: profile.profileId }
        appendAudit(store, { at, submissionId: id, what: 'confirmationEnded', by, details })
      } else
        moveSubmission(
          store,
          id,
          state === 'held' ? 'releasedToReview' : 'gatheredForReview',
          { failure: null, notBefore: null },
          { at, by, details: { why: 'notConfirmedNow', profile: profile.profileId } },
        )
    }
    const details = {
      profile: profile.profileId,
      returned: unsent.length,
      sent: sent.length,
      ...(why !== undefined && { why }),
    }
    appendAudit(store, { at, submissionId: null, what: 'profileRevoked', by, details })
    return { returned: unsent, sent }
  })
}
