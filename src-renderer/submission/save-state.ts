/** What becomes of what was typed: what can be saved now, what cannot, and how that is told. */
import type { FieldChanges, FieldName } from '../../src-shared/fields.ts'
import type { VaUnit } from '../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { conflictsOf, readDraft, type Draft } from './draft.ts'
import { getBases, getDraft, type Bases } from './drafts.ts'

/** How the form stands towards the station. */
export type SaveState =
  | { readonly kind: 'clean' }
  | { readonly kind: 'saved'; readonly at: number }
  | { readonly kind: 'unsaved' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'wrong'; readonly count: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly message: string }

export type Savable = {
  readonly changes: FieldChanges
  /** The typed texts that the changes were made of, and those that change nothing. */
  readonly draft: Draft
  readonly wrong: readonly FieldName[]
  readonly conflicts: readonly FieldName[]
}

/** What of a draft can be saved: all that is right and that nobody else has changed meanwhile. */
export function savableOf(
  draft: Draft,
  bases: Bases,
  { fields }: Pick<SubmissionDetails, 'fields'>,
  vaUnit: VaUnit,
): Savable {
  const { changes, problems } = readDraft(draft, fields, vaUnit)
  const conflicts = conflictsOf(draft, bases, fields, vaUnit)
  const wrong = (Object.keys(problems) as FieldName[]).filter((name) => !conflicts.includes(name))
  const isSavable = (name: string): boolean =>
    !conflicts.some((one) => one === name) && !wrong.some((one) => one === name)
  const only = <Value extends object>(all: Value): Value =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isSavable(name))) as Value
  return { changes: only(changes), draft: only(draft), wrong, conflicts }
}

/** The first field that keeps a draft from being saved whole. */
export function unsavableIn(
  details: Pick<SubmissionDetails, 'id' | 'fields'>,
  vaUnit: VaUnit,
): { readonly field: FieldName; readonly why: 'wrong' | 'conflict' } | null {
  const { wrong, conflicts } = savableOf(getDraft(details.id), getBases(details.id), details, vaUnit)
  const [field] = [...conflicts, ...wrong]
  return field === undefined ? null : { field, why: conflicts.includes(field) ? 'conflict' : 'wrong' }
}

/**
 * May a field be saved while somebody still types in it? Not where the case may leave at any moment: half a number
 * would go with it.
 */
export function maySaveWhileTyping(state: SubmissionState): boolean {
  return state === 'incomplete' || state === 'review' || state === 'held' || state === 'refused'
}

export type SaveProgress = {
  readonly savable: Savable
  readonly isSaving: boolean
  readonly failure: string | null
  readonly savedAt: number | null
}

/** What the person is told, the most pressing first. */
export function saveStateOf({ savable, isSaving, failure, savedAt }: SaveProgress): SaveState {
  if (isSaving) return { kind: 'saving' }
  if (savable.conflicts.length > 0) return { kind: 'conflict' }
  if (failure !== null) return { kind: 'failed', message: failure }
  if (savable.wrong.length > 0) return { kind: 'wrong', count: savable.wrong.length }
  if (Object.keys(savable.changes).length > 0) return { kind: 'unsaved' }
  return savedAt === null ? { kind: 'clean' } : { kind: 'saved', at: savedAt }
}
