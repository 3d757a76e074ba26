/** Values whose unit was changed in the settings after they were written: the same number means something else now. */
import type { FieldName } from '../../../src-shared/fields.ts'
import type { ClinicalSettings } from '../../../src-shared/settings.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import { forgetApproval } from './approval-store.ts'
import { readFact, writeFact } from './fact-store.ts'
import { fieldsColumn, identityColumn } from '../json-columns.ts'
import { moveSubmission } from './move-submission.ts'
import { isReadable } from './quarantine-store.ts'
import type { WriteThrough } from './write-through.ts'

const FIELDS_BY_UNIT: Readonly<Record<keyof ClinicalSettings, readonly FieldName[]>> = {
  vaUnit: ['od_va', 'os_va'],
  prismBase: ['od_prism_base', 'os_prism_base'],
}

/** What would go by itself, or at one touch of a list. */
const BACK_TO_REVIEW: readonly SubmissionState[] = ['waiting', 'refused']

/**
 * Takes the units of the settings. Where they are others than before, every case that was not sent and has such a value
 * is no longer what was passed: it comes back to a person. Answers with their ids. One commit, so that a station that
 * was stopped between the settings and this does it when it opens.
 */
export function takeUnits(store: WriteThrough, units: ClinicalSettings, at: number): string[] {
  return store.write(() => {
    const now = JSON.stringify({ vaUnit: units.vaUnit, prismBase: units.prismBase })
    const lastUnits = readFact(store, 'clinicalUnits')
    if (lastUnits === now) return []
    writeFact(store, 'clinicalUnits', now)
    if (lastUnits === null) return []
    const before = JSON.parse(lastUnits) as ClinicalSettings
    const names = (['vaUnit', 'prismBase'] as const).flatMap((unit) =>
      before[unit] === units[unit] ? [] : FIELDS_BY_UNIT[unit],
    )
    return markChanged(store, names, at)
  })
}

type Unsent = {
  readonly id: string
  readonly state: SubmissionState
  readonly fields: string
  readonly identity: string
}

function markChanged(store: WriteThrough, names: readonly FieldName[], at: number): string[] {
  const holding = store.sql
    .prepare<[string], Unsent>(
      `SELECT id, state, fields, identity FROM submissions WHERE state <> 'sent'
         AND id NOT IN (SELECT submission_id FROM quarantine) AND EXISTS
         (SELECT 1 FROM json_each (iif(json_valid(fields), fields, '{}')) WHERE key IN (SELECT value FROM json_each (?)))`,
    )
    .all(JSON.stringify(names))
  const readable = holding.filter(({ id }) => isReadable(store, id))
  for (const { id, state, fields, identity } of readable) {
    const own = Object.keys(fieldsColumn.read(fields))
    const stored = identityColumn.read(identity)
    const unitChanged = [
      ...new Set([...(stored.unitChanged ?? []), ...names.filter((name) => own.includes(name))]),
    ]
    store.sql
      .prepare('UPDATE submissions SET passed_digest = NULL, identity = ? WHERE id = ?')
      .run(JSON.stringify({ ...stored, unitChanged }), id)
    forgetApproval(store, id)
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
  return readable.map(({ id }) => id)
}
