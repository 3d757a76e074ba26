/**
 * What brings cases back to a person without a new file: a change of units, and a profile whose confirmation ends.
 */
import { z } from 'zod'
import { fieldsColumn, identityColumn, jsonColumn } from '../json-columns.ts'
import { candidateOf, forgetClearance } from './approvals.ts'
import { casesByProfile, forgetConfirmed } from './confirmed-names.ts'
import { appendAudit, readFact, type Store, writeFact } from './database.ts'
import { unsettledIds } from './recovery/manifests.ts'
import { isReadable, quarantined, rowOf } from './rows.ts'
import { moveSubmission } from './transitions.ts'
import { FIELD_NAMES, type FieldName } from '../../../src-shared/fields.ts'
import { type ClinicalSettings, clinicalSettingsSchema } from '../../../src-shared/settings.ts'
import type { CaseName } from '../../../src-shared/profile-offers.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'

/**
 * At every start, before delivery: reads open cases again that have no verdict, as after a recovery. `reread` stores what
 * the files of a case prove, and changes none of its values. Returns the ids of these cases.
 */
export function fillVerdicts(store: Store, reread: (id: string) => void): readonly string[] {
  return store.write(() => {
    const unread = unsettledIds(store).filter((id) => rowOf(store, id)?.verdict === null)
    for (const id of unread) reread(id)
    return unread
  })
}

/** The fields of each unit: if a unit changes in the settings, their stored numbers mean something else. */
const FIELDS_BY_UNIT: Readonly<Record<keyof ClinicalSettings, readonly FieldName[]>> = {
  vaUnit: ['od_va', 'os_va'],
  prismBase: ['od_prism_base', 'os_prism_base'],
}

/** From these it would go automatically, or with a single click in a list. */
const BACK_TO_REVIEW: readonly SubmissionState[] = ['waiting', 'refused']

const unitsFact = jsonColumn<ClinicalSettings>(clinicalSettingsSchema)

/** Field names by submission: a unit of theirs changed while the case could not be read. */
const missedFact = jsonColumn<Readonly<Record<string, readonly FieldName[]>>>(
  z.record(z.string(), z.array(z.enum(FIELD_NAMES))),
)

/**
 * Stores the units of the settings. If they changed, every unsent case with such a value returns to a person. Returns
 * their ids. One commit: a station stopped in between repeats it.
 */
export function applyUnits(store: Store, units: ClinicalSettings, at: number): string[] {
  return store.write(() => {
    const now = JSON.stringify({ vaUnit: units.vaUnit, prismBase: units.prismBase })
    const lastUnits = readFact(store, 'clinicalUnits')
    if (lastUnits === now) return []
    writeFact(store, 'clinicalUnits', now)
    if (lastUnits === null) return []
    const before = unitsFact.canRead(lastUnits) ? unitsFact.read(lastUnits) : null
    const names = (['vaUnit', 'prismBase'] as const).flatMap((unit) =>
      before?.[unit] === units[unit] ? [] : FIELDS_BY_UNIT[unit],
    )
    const changed = unsentWith(store, names).filter((one) => isReadable(store, one.id))
    for (const one of changed) markChanged(store, one, names, at)
    noteMissed(store, names)
    return changed.map(({ id }) => id)
  })
}

/** What the fact says. If it cannot be read, any unit may have changed for each of these cases. */
function missedUnits(store: Store, ids: readonly string[]): Readonly<Record<string, readonly FieldName[]>> {
  const anyUnit = Object.values(FIELDS_BY_UNIT).flat()
  return missedFact.readOr(
    readFact(store, 'unitsMissed') ?? '{}',
    Object.fromEntries(ids.map((id) => [id, anyUnit])),
  )
}

/** Unreadable cases are marked once they can be read. */
function noteMissed(store: Store, names: readonly FieldName[]): void {
  const ids = quarantined(store).map(({ id }) => id)
  const missed = missedUnits(store, ids)
  const now = ids.map((id) => [id, [...new Set([...(missed[id] ?? []), ...names])]] as const)
  writeFact(store, 'unitsMissed', JSON.stringify({ ...missed, ...Object.fromEntries(now) }))
}

/** The same for a case that was quarantined meanwhile. True if it has such a value: then read it again. */
export function applyMissedUnits(store: Store, id: string, at: number): boolean {
  return store.write(() => {
    const quarantinedIds = quarantined(store).map((one) => one.id)
    const { [id]: names, ...others } = missedUnits(store, [id, ...quarantinedIds])
    if (names === undefined) return false
    writeFact(store, 'unitsMissed', JSON.stringify(others))
    const found = unsentWith(store, names).find((one) => one.id === id)
    if (found === undefined) return false
    markChanged(store, found, names, at)
    return true
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
