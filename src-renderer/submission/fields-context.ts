/** The form of a submission: stored values, drafts over them, and what each input needs. */
import { createContext, use, useMemo } from 'react'
import type { FieldName, Fields } from '../../src-shared/fields.ts'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import { type ClinicalSettings, clinicalSettingsSchema } from '../../src-shared/settings.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Source, SubmissionDetails } from '../../src-shared/submission.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import { reasonText } from '../queue/detail-cell.tsx'
import { useStation } from '../store/use-station.ts'
import {
  type Bases,
  conflictsOf,
  type Draft,
  dropDraftField,
  fieldText,
  readDraft,
  readField,
  rebaseDraftField,
  setDraftField,
  useBases,
  useDraft,
} from './draft.ts'

const FROZEN: readonly SubmissionState[] = ['sending', 'unconfirmed', 'sent', 'discarded']

/** Until the settings are read; meanwhile fields that depend on them are read-only. */
const DEFAULT_CLINICAL: ClinicalSettings = clinicalSettingsSchema.parse({})

/** A value that another person stored during editing. */
type FieldConflict = {
  /** Empty if it was cleared. */
  readonly theirs: string
  readonly overwrite: () => void
  readonly takeTheirs: () => void
}

export type FormFields = {
  readonly isFrozen: boolean
  /** The settings for what the interface leaves open. */
  readonly clinical: ClinicalSettings & { readonly isLoaded: boolean }
  readonly text: (name: FieldName) => string
  /** The parsed value; undefined if nothing is stated or the text is invalid. */
  readonly value: (name: FieldName) => string | number | undefined
  readonly write: (name: FieldName, text: string) => void
  /** The problem with the typed value, or the station's reason about this field; null if there is none. */
  readonly problem: (name: FieldName) => string | null
  readonly isRequired: (name: FieldName) => boolean
  /** The source of the stored value; null once another value is typed. */
  readonly source: (name: FieldName) => Source | null
  readonly conflict: (name: FieldName) => FieldConflict | null
  /** Masks the patient's name in a text while names are hidden. */
  readonly conceal: (text: string) => string
}

export const FieldsContext = createContext<FormFields | null>(null)

export function useFields(): FormFields {
  const fields = use(FieldsContext)
  if (!fields) throw new Error('useFields stands outside of FieldsContext')
  return fields
}

export function useClinical(): FormFields['clinical'] {
  const clinical = useStation((state) => state.settings?.clinical)
  return useMemo(() => ({ ...(clinical ?? DEFAULT_CLINICAL), isLoaded: clinical !== undefined }), [clinical])
}

export function useFieldsOf(details: SubmissionDetails): FormFields {
  const draft = useDraft(details.id)
  const bases = useBases(details.id)
  const required = useStation((state) => state.settings?.requiredFields)
  const clinical = useClinical()
  const names = useNames()
  return useMemo(
    () => formFields(details, { draft, bases }, required ?? [], clinical, names),
    [details, draft, bases, required, clinical, names],
  )
}

function reasonFor(details: SubmissionDetails, name: FieldName, names: Names): string | null {
  const reason = details.reasons.find(({ field }) => field === name)
  return reason === undefined ? null : reasonText(reason, details, names)
}

function formFields(
  details: SubmissionDetails,
  { draft, bases }: { readonly draft: Draft; readonly bases: Bases },
  required: readonly FieldName[],
  clinical: FormFields['clinical'],
  names: Names,
): FormFields {
  const { id, state, fields, sources } = details
  const { vaUnit } = clinical
  const { problems } = readDraft(draft, fields, vaUnit)
  const conflicts = conflictsOf(draft, bases, fields, vaUnit)
  const isUntouched = (name: FieldName): boolean =>
    draft[name] === undefined || draft[name] === fieldText(name, fields, vaUnit)
  return {
    isFrozen: FROZEN.includes(state),
    clinical,
    text: (name) => draft[name] ?? fieldText(name, fields, vaUnit),
    value: (name) => valueOf(name, draft, fields, clinical),
    write: (name, text) => setDraftField(id, name, text, fields[name]),
    problem: (name) => problems[name] ?? (isUntouched(name) ? reasonFor(details, name, names) : null),
    isRequired: (name) => required.includes(name),
    source: (name) => (isUntouched(name) && fields[name] !== undefined ? (sources[name] ?? null) : null),
    conflict: (name) =>
      conflicts.includes(name)
        ? {
            theirs: fieldText(name, fields, vaUnit),
            overwrite: () => rebaseDraftField(id, name, fields[name]),
            takeTheirs: () => dropDraftField(id, name),
          }
        : null,
    conceal: (text) => names.text(text, fields),
  }
}

export function valueOf(
  name: FieldName,
  draft: Draft,
  fields: Fields,
  { vaUnit }: Pick<ClinicalSettings, 'vaUnit'>,
): string | number | undefined {
  const text = draft[name]
  if (text === undefined) return fields[name]
  const read = readField(name, text, vaUnit)
  return read.kind === 'value' ? read.value : undefined
}

/** The id of a field's input, so that a reason can link to it. */
export function fieldId(name: string): string {
  return `field-${name}`
}

export function imageCardId(imageId: string): string {
  return `image-${imageId}`
}

export function noImageId(eye: Eye): string {
  return `no-image-${eye}`
}

/** Focuses a field, or the first choice of a group. */
export function focusField(name: string): void {
  focusOn(fieldId(name))
}

export function focusImage(imageId: string): void {
  focusOn(imageCardId(imageId))
}

export function focusNoImage(eye: Eye): void {
  focusOn(noImageId(eye))
}

function focusOn(id: string): void {
  const element = document.getElementById(id)
  const target = element?.matches('input, select, textarea, button')
    ? element
    : element?.querySelector<HTMLElement>('input, select, button')
  target?.scrollIntoView({ block: 'center' })
  target?.focus({ preventScroll: true })
}
