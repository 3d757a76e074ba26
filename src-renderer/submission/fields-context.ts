import { createContext, use, useMemo } from 'react'
import type { FieldName, Fields } from '../../src-shared/fields.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Source, SubmissionDetails } from '../../src-shared/submission.ts'
import { useStation } from '../store/use-station.ts'
import { fieldText, readDraft, type Draft } from './draft.ts'
import { typeInto, useDraft } from './drafts.ts'

const FROZEN: readonly SubmissionState[] = ['sending', 'unconfirmed', 'sent', 'discarded']

/** What each input of the form needs to know. */
export type FormFields = {
  readonly isFrozen: boolean
  readonly text: (name: FieldName) => string
  readonly write: (name: FieldName, text: string) => void
  /** What is wrong with the typed value, or what the station says of this field; null where all is well. */
  readonly problem: (name: FieldName) => string | null
  readonly isRequired: (name: FieldName) => boolean
  /** Where the stored value came from; null once something else is typed. */
  readonly source: (name: FieldName) => Source | null
}

export const FieldsContext = createContext<FormFields | null>(null)

export function useFields(): FormFields {
  const fields = use(FieldsContext)
  if (!fields) throw new Error('useFields stands outside of FieldsContext')
  return fields
}

/** The form over a submission: stored values, and the draft over them. */
export function useFieldsOf(details: SubmissionDetails): FormFields {
  const draft = useDraft(details.id)
  const required = useStation((state) => state.settings?.requiredFields)
  return useMemo(() => formFields(details, draft, required ?? []), [details, draft, required])
}

function formFields(
  { id, state, fields, sources, reasons }: SubmissionDetails,
  draft: Draft,
  required: readonly FieldName[],
): FormFields {
  const { problems } = readDraft(draft, fields)
  const isUntouched = (name: FieldName): boolean => !isTouched(name, draft, fields)
  return {
    isFrozen: FROZEN.includes(state),
    text: (name) => draft[name] ?? fieldText(name, fields),
    write: (name, text) => typeInto(id, name, text),
    problem: (name) =>
      problems[name] ??
      (isUntouched(name) ? (reasons.find((reason) => reason.field === name)?.message ?? null) : null),
    isRequired: (name) => required.includes(name),
    source: (name) => (isUntouched(name) && fields[name] !== undefined ? (sources[name] ?? null) : null),
  }
}

function isTouched(name: FieldName, draft: Draft, fields: Fields): boolean {
  return draft[name] !== undefined && draft[name] !== fieldText(name, fields)
}
