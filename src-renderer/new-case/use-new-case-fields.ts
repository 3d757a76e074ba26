import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { FieldName, Fields } from '../../src-shared/fields.ts'
import { useStation } from '../store/use-station.ts'
import { readDraft } from '../submission/draft.ts'
import { useClinical, valueOf, type FormFields } from '../submission/fields-context.ts'
import { newCase } from './new-case-store.ts'

export type NewCaseFields = {
  readonly form: FormFields
  /** What was typed, where all of it can be right; null otherwise. */
  readonly fields: Fields | null
  readonly wrong: FieldName | null
}

/** The form of a case that is not there yet: nothing is stored, so everything is what was typed. */
export function useNewCaseFields(): NewCaseFields {
  const draft = useStore(newCase, (state) => state.draft)
  const required = useStation((state) => state.settings?.requiredFields)
  const clinical = useClinical()
  return useMemo(() => {
    const { changes, problems } = readDraft(draft, {}, clinical.vaUnit)
    const [wrong] = Object.keys(problems) as FieldName[]
    return {
      form: {
        isFrozen: false,
        clinical,
        text: (name) => draft[name] ?? '',
        value: (name) => valueOf(name, draft, {}, clinical),
        write: (name, text) => newCase.setState((state) => ({ draft: { ...state.draft, [name]: text } })),
        problem: (name) => problems[name] ?? null,
        isRequired: (name) => (required ?? []).includes(name),
        source: () => null,
        conflict: () => null,
        conceal: (text) => text,
      },
      // Nothing is stored, so a change is a value and never takes one back.
      fields: wrong === undefined ? (changes as Fields) : null,
      wrong: wrong ?? null,
    }
  }, [draft, required, clinical])
}
