/**
 * What brings cases back to a person without a new file: a change of units, and a profile whose confirmation ends.
 */
import { fieldsColumn, identityColumn, jsonColumn } from '../json-columns.ts'
import { candidateOf, forgetClearance } from './approvals.ts'
import { casesByProfile, forgetConfirmed } from './confirmed-names.ts'
import { appendAudit, readFact, type Store, writeFact } from './database.ts'
import { isReadable, rowOf } from './rows.ts'
import { moveSubmission } from './transitions.ts'
import type { FieldName } from '../../../src-shared/fields.ts'
import { type ClinicalSettings, clinicalSettingsSchema } from '../../../src-shared/settings.ts'
import type { CaseName } from '../../../src-shared/profile-offers.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'

/** The fields of each unit: if a unit changes in the settings, their stored numbers mean something else. */
const FIELDS_BY_UNIT: Readonly<Record<keyof ClinicalSettings, readonly FieldName[]>> = {
  vaUnit: ['od_va', 'os_va'],
  prismBase: ['od_prism_base', 'os_prism_base'],
}

/** From these it would go automatically, or with a single click in a list. */
const BACK_TO_REVIEW: readonly SubmissionState[] = ['waiting', 'refused']

const unitsFact = jsonColumn<ClinicalSettings>(clinicalSettingsSchema)

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
