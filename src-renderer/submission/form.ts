/** The form of a case: typed but unsaved texts over the stored values, and what each input needs. */
import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react'
import type { CallInput } from '../../src-shared/contract.ts'
import {
  AGE_RANGE,
  FIELD_NAMES,
  type FieldChanges,
  type FieldName,
  type Fields,
  isCalendarDate,
  type Measurement,
  measurementOf,
} from '../../src-shared/fields.ts'
import { hardRangeOf, isInRange, type Range, type VaUnit } from '../../src-shared/measurement-ranges.ts'
import type { ClinicalSettings, ShownSettings } from '../../src-shared/settings.ts'
import type { Proof } from '../../src-shared/proof.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { currentSignature } from '../decisions/decisions.tsx'
import {
  formatAcuity,
  formatMeasurement,
  readTypedAcuity,
  readTypedMeasurement,
  readTypedNumber,
  type TypedAcuity,
  type TypedNumber,
} from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { reasonText } from '../queue/row-reason.tsx'
import { runCall } from '../shell/toast.tsx'
import { upsertSubmission } from '../store/store.ts'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import {
  chooseRest,
  type Draft,
  dropDraftField,
  rebaseDraftField,
  type RestChoice,
  setDraftField,
  type TypedDraft,
  useDraft,
} from './drafts.ts'

/** The result of parsing a text: a value, nothing stated, or a sentence about the problem. */
type ReadField =
  | { readonly kind: 'value'; readonly value: string | number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'problem'; readonly message: string }

const MAX_TEXT_LENGTH = 10_000
/** Represents an incomplete date, which a browser reports as empty. */
export const HALF_TYPED_DATE = '?'

export function fieldText(name: FieldName, fields: Fields, vaUnit: VaUnit): string {
  const value = fields[name]
  if (value === undefined) return ''
  const measured = measurementOf(name)
  return measured && typeof value === 'number'
    ? measurementText(measured.measurement, value, vaUnit)
    : String(value)
}

/** A measurement as the text of its input; parsing it gives the same value. */
export function measurementText(measurement: Measurement, value: number, vaUnit: VaUnit): string {
  return measurement === 'va' ? formatAcuity(value, vaUnit) : formatMeasurement(measurement, value)
}

export function readField(name: FieldName, text: string, vaUnit: VaUnit): ReadField {
  const measured = measurementOf(name)
  if (measured) {
    const { measurement } = measured
    const range = hardRangeOf(measurement, vaUnit)
    return measurement === 'va'
      ? acuityInRange(readTypedAcuity(text, vaUnit), range)
      : inRange(readTypedMeasurement(measurement, text), range)
  }
  if (text.trim() === '') return { kind: 'empty' }
  switch (name) {
    case 'age': {
      const age = inRange(readTypedNumber(text), AGE_RANGE)
      return age.kind === 'value' && !Number.isInteger(age.value)
        ? { kind: 'problem', message: t('field:wholeAge') }
        : age
    }
    case 'gender':
    case 'diabetes':
      return { kind: 'value', value: text === '1' ? 1 : 0 }
    case 'visit_date':
      return isCalendarDate(text)
        ? { kind: 'value', value: text }
        : { kind: 'problem', message: t('field:notADate') }
    default:
      return text.length > MAX_TEXT_LENGTH
        ? { kind: 'problem', message: t('field:tooLong') }
        : { kind: 'value', value: text.trim() }
  }
}

function inRange(typed: TypedNumber, range: Range): ReadField {
  if (typed.kind === 'empty') return typed
  if (typed.kind === 'notANumber') return { kind: 'problem', message: t('field:notANumber') }
  return isInRange(typed.value, range)
    ? { kind: 'value', value: typed.value }
    : { kind: 'problem', message: t('field:outOfRange', { min: range.min, max: range.max }) }
}

function acuityInRange(typed: TypedAcuity, range: Range): ReadField {
  if (typed.kind === 'code')
    return { kind: 'problem', message: t('measure:acuity.code', { code: typed.code }) }
  if (typed.kind === 'notANumber') return { kind: 'problem', message: t('measure:acuity.notRead') }
  if (typed.kind === 'impossible') return { kind: 'problem', message: t('field:outOfRange', typed.range) }
  return inRange(typed, range)
}

/** Fields that were changed elsewhere during editing, to another value than the typed one. */
export function conflictsOf(
  { draft, bases }: Pick<TypedDraft, 'draft' | 'bases'>,
  fields: Fields,
  vaUnit: VaUnit,
): FieldName[] {
  return FIELD_NAMES.filter((name) => {
    const text = draft[name]
    if (text === undefined || bases[name] === fields[name]) return false
    const read = readField(name, text, vaUnit)
    return read.kind === 'problem' || (read.kind === 'value' ? read.value : undefined) !== fields[name]
  })
}

type ParsedDraft = {
  /** The differences from the stored values; an emptied field is cleared. */
  readonly changes: FieldChanges
  readonly problems: Readonly<Partial<Record<FieldName, string>>>
}

export function readDraft(draft: Draft, fields: Fields, vaUnit: VaUnit): ParsedDraft {
  const changes: Record<string, string | number | null> = {}
  const problems: Partial<Record<FieldName, string>> = {}
  for (const name of FIELD_NAMES) {
    const text = draft[name]
    if (text === undefined) continue
    const read = readField(name, text, vaUnit)
    if (read.kind === 'problem') problems[name] = read.message
    else if (read.kind === 'empty' && fields[name] !== undefined) changes[name] = null
    else if (read.kind === 'value' && read.value !== fields[name]) changes[name] = read.value
  }
  return { changes, problems }
}

/** The values that came with the number, if another one is typed: they are of its patient, and go unless they are kept. Pure. */
export function restOf(
  { draft }: Pick<TypedDraft, 'draft'>,
  { fields }: Pick<SubmissionDetails, 'fields'>,
  { restsOnNumber }: Pick<Proof, 'restsOnNumber'>,
): readonly FieldName[] {
  const number = draft.history_number?.trim()
  if (number === undefined || fields.history_number === undefined || number === fields.history_number)
    return []
  return restsOnNumber.filter(
    (name) => name !== 'history_number' && fields[name] !== undefined && draft[name] === undefined,
  )
}

/** A submission with its attempts, evidence and proof, read again whenever its row changes. */
export function useSubmission(id: string) {
  const session = useSession()
  const version = useStation(({ submissions: { [id]: row } }) => [row?.changedAt, row?.digest].join('/'))
  const { value, failure, isReading } = useAnswer('submissions.get', { id }, version)
  /** The answer to a change, and what was read before it. */
  const [taken, setTaken] = useState<{
    readonly details: SubmissionDetails
    readonly after: typeof value
  } | null>(null)
  useEffect(() => {
    if (value) upsertSubmission(session, value)
  }, [session, value])
  const take = useCallback(
    (changed: SubmissionDetails) => {
      // A later version exists and is being read.
      const existing = session.store.getState().submissions[id]
      if (existing && existing.changedAt > changed.changedAt) return
      setTaken({ details: changed, after: value })
      upsertSubmission(session, changed)
    },
    [session, id, value],
  )
  // It states no proof, and counts until it is read again: a read on its way is older.
  const isLatest = taken && (taken.after === value || !value || taken.details.changedAt > value.changedAt)
  const details = isLatest ? taken.details : value
  /** It may have changed since; one that is only read again with all others is as it was. */
  const isStale =
    failure !== null || (isReading && version !== [details?.changedAt, details?.digest].join('/'))
  const { proof = null, neighbour = null } = value ?? {}
  return { details, proof, neighbour, isReading, isStale, failure, take }
}

export type PatientsQuestionKind = 'twoPatients' | 'howManyPatients'

/** Which question about the patients comes before all others; null if there is none. Pure. */
export function patientsQuestionOf(
  { reasons, verdict }: Pick<SubmissionDetails, 'reasons' | 'verdict'>,
  { groups }: Pick<Proof, 'groups'>,
): PatientsQuestionKind | null {
  const asked = (['twoPatients', 'howManyPatients'] as const).find((kind) =>
    reasons.some((reason) => reason.kind === kind),
  )
  if (asked) return asked
  return verdict.who.kind === 'disputed' && groups.length > 1 ? 'twoPatients' : null
}

const FROZEN: readonly SubmissionState[] = ['sending', 'unconfirmed', 'sent', 'discarded']

export type OpenCase = ReturnType<typeof useOpenCase>

export const CaseContext = createContext<OpenCase | null>(null)

export function useCase(): OpenCase {
  const open = use(CaseContext)
  if (!open) throw new Error('useCase stands outside of CaseContext')
  return open
}

/** What the parts of the screen share: the case as it was read, its form, and how it is changed. */
export function useOpenCase(
  details: SubmissionDetails,
  proof: Proof,
  { clinical, requiredFields }: Pick<ShownSettings, 'clinical' | 'requiredFields'>,
  take: (changed: SubmissionDetails) => void,
) {
  const session = useSession()
  const typed = useDraft(details.id)
  const names = useNames()
  return useMemo(() => {
    const { id, state, fields, reasons } = details
    const { stated } = proof
    const { draft } = typed
    const { vaUnit } = clinical
    const isFrozen = FROZEN.includes(state)
    const { problems } = readDraft(draft, fields, vaUnit)
    const conflicts = conflictsOf(typed, fields, vaUnit)
    const rest = restOf(typed, details, proof)
    const isUntouched = (name: FieldName): boolean =>
      draft[name] === undefined || draft[name] === fieldText(name, fields, vaUnit)
    const asShown = () => ({ id, seen: stated, ...currentSignature() })
    return {
      details,
      proof,
      isFrozen,
      /** What is asked about the patients before all else. */
      question: isFrozen ? null : patientsQuestionOf(details, proof),
      clinical,
      /** For a decision on what is shown: the case, all that speaks of it now, and who decides. */
      asShown,
      /** Shows the case as the answer to a change has it. */
      take,
      /** Changes the case, which stays here: a slip can be undone. Null after a failure, which is shown. */
      change: async (changes: Omit<CallInput<'submissions.update'>, 'id'>) => {
        const input = { ...asShown(), mayLeave: false, ...changes }
        const changed = await runCall(session, 'submissions.update', input)
        if (changed) take(changed)
        return changed
      },
      text: (name: FieldName): string => draft[name] ?? fieldText(name, fields, vaUnit),
      /** The parsed value; undefined if nothing is stated or the text is invalid. */
      value: (name: FieldName) => valueOf(name, draft, fields, clinical),
      write: (name: FieldName, text: string): void => setDraftField(id, name, text, fields[name], stated),
      /** The problem with the typed value, or the station's reason about this field; null if there is none. */
      problem(name: FieldName): string | null {
        const reason = isUntouched(name) && reasons.find(({ field }) => field === name)
        return problems[name] ?? (reason ? reasonText(reason, details, names) : null)
      },
      isRequired: (name: FieldName): boolean => requiredFields.includes(name),
      /** A value that another person stored during editing, empty if it was cleared; null if there is none. */
      conflict: (name: FieldName) =>
        conflicts.includes(name)
          ? {
              theirs: fieldText(name, fields, vaUnit),
              overwrite: () => rebaseDraftField(id, name, fields[name]),
              takeTheirs: () => dropDraftField(id, name),
            }
          : null,
      /** What came with the number that is being changed, and what a person says of it; null if nothing did. */
      rest:
        rest.length === 0
          ? null
          : {
              names: rest,
              number: fields.history_number ?? '',
              choice: typed.rest,
              choose: (choice: RestChoice) => chooseRest(id, choice),
            },
      /** Masks the patient's name in a text while names are hidden. */
      conceal: (text: string): string => names.text(text, fields),
    }
  }, [session, details, proof, take, typed, requiredFields, clinical, names])
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

/** The id of an element, so that a reason can link to it. */
export function elementId(of: 'field' | 'image' | 'unusable' | 'no-image', id: string): string {
  return `${of}-${id}`
}

/** The question what becomes of the values that came with the former number. */
export const REST_ID = 'rest-of-number'

/** The heading of the question whose a number is. */
export const WHOSE_ID = 'whose-number'

/** The heading of the panel "Check". */
export const CHECK_ID = 'check'

export function focusField(name: string): boolean {
  return focusOn(elementId('field', name))
}

/** Focuses an input, or the first one in an element. False if this screen has none. */
export function focusOn(id: string): boolean {
  const element = document.getElementById(id)
  const target = element?.matches('input, select, textarea, button, [tabindex]')
    ? element
    : element?.querySelector<HTMLElement>('input, select, button')
  target?.scrollIntoView({ block: 'center' })
  target?.focus({ preventScroll: true })
  return target !== null && target !== undefined
}
