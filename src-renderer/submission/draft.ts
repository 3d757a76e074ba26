/** Typed but unsaved texts, and the changes that they make. Pure. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Failure } from '../../src-shared/failure.ts'
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
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import {
  formatMeasurement,
  readTypedMeasurement,
  readTypedNumber,
  type TypedNumber,
} from '../format/numbers.ts'
import { formatAcuity, readTypedAcuity, type TypedAcuity } from '../format/optics.ts'
import { t } from '../i18n/i18n.ts'
import { upsertSubmission } from '../store/store.ts'
import { useSession, useStation } from '../store/use-station.ts'

export type Draft = Readonly<Partial<Record<FieldName, string>>>

/** The result of parsing a text: a value, nothing stated, or a sentence about the problem. */
export type ReadField =
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
  draft: Draft,
  bases: Readonly<Partial<Record<FieldName, Fields[FieldName]>>>,
  fields: Fields,
  vaUnit: VaUnit,
): readonly FieldName[] {
  return FIELD_NAMES.filter((name) => {
    const text = draft[name]
    if (text === undefined || bases[name] === fields[name]) return false
    const read = readField(name, text, vaUnit)
    return read.kind === 'problem' || (read.kind === 'value' ? read.value : undefined) !== fields[name]
  })
}

export type ParsedDraft = {
  /** The differences from the stored values; an emptied field is cleared. */
  readonly changes: FieldChanges
  readonly changeCount: number
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
  return { changes, changeCount: Object.keys(changes).length + Object.keys(problems).length, problems }
}

export type ShownSubmission = {
  readonly details: SubmissionDetails | null
  readonly failure: Failure | null
  readonly take: (details: SubmissionDetails) => void
}

/** A submission with its attempts and evidence, read again whenever its row changes. */
export function useSubmission(id: string): ShownSubmission {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const wanted = useStation((state) => `${state.snapshots}/${state.submissions[id]?.changedAt ?? ''}`)
  const [details, setDetails] = useState<SubmissionDetails | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  /** The read whose answer counts; an answer to a change invalidates older reads. */
  const current = useRef('')

  const take = useCallback(
    (came: SubmissionDetails) => {
      // A later version exists and is being read.
      const existing = session.store.getState().submissions[came.id]
      if (existing && existing.changedAt > came.changedAt) return
      current.current = ''
      setDetails(came)
      setFailure(null)
      upsertSubmission(session, came)
    },
    [session],
  )

  useEffect(() => {
    if (!isOpen) return
    current.current = wanted
    const read = async (): Promise<void> => {
      const answer = await session.call('submissions.get', { id })
      if (current.current !== wanted) return
      if (answer.ok) take(answer.value)
      else setFailure(answer.failure)
    }
    void read()
  }, [session, id, isOpen, wanted, take])

  return { details, failure, take }
}

/**
 * The stored value of each field when its editing began, so that a change from elsewhere is detected instead of
 * overwritten. Drafts outlive the screen and end with the window.
 */
export type Bases = Readonly<Partial<Record<FieldName, Fields[FieldName]>>>

type TypedDraft = { readonly draft: Draft; readonly bases: Bases }

const NO_DRAFT: TypedDraft = { draft: {}, bases: {} }

const drafts = createStore<Readonly<Record<string, TypedDraft>>>(() => ({}))

export function useDraft(id: string): Draft {
  return useStore(drafts, (all) => (all[id] ?? NO_DRAFT).draft)
}

export function useBases(id: string): Bases {
  return useStore(drafts, (all) => (all[id] ?? NO_DRAFT).bases)
}

export function getDraft(id: string): Draft {
  return (drafts.getState()[id] ?? NO_DRAFT).draft
}

export function getBases(id: string): Bases {
  return (drafts.getState()[id] ?? NO_DRAFT).bases
}

/** `stored` is the current value of the field; it is used for the first letter only. */
export function setDraftField(id: string, name: FieldName, text: string, stored: Fields[FieldName]): void {
  drafts.setState((all) => {
    const { draft, bases } = all[id] ?? NO_DRAFT
    return {
      ...all,
      [id]: {
        draft: { ...draft, [name]: text },
        bases: draft[name] === undefined ? { ...bases, [name]: stored } : bases,
      },
    }
  })
}

/** The person has seen the other value and keeps the typed one. */
export function rebaseDraftField(id: string, name: FieldName, stored: Fields[FieldName]): void {
  drafts.setState((all) => {
    const typed = all[id]
    return typed ? { ...all, [id]: { ...typed, bases: { ...typed.bases, [name]: stored } } } : all
  })
}

/** Discards one field of a draft: the stored value applies. */
export function dropDraftField(id: string, name: FieldName): void {
  const text = getDraft(id)[name]
  if (text !== undefined) forgetDraft(id, { [name]: text }, {})
}

/** Discards what was saved; later input stays, based on the saved values. */
export function forgetDraft(id: string, saved: Draft, stored: Fields): void {
  drafts.setState((all) => {
    const { draft, bases } = all[id] ?? NO_DRAFT
    const names = (Object.keys(draft) as FieldName[]).filter((name) => draft[name] !== saved[name])
    const { [id]: _gone, ...others } = all
    if (names.length === 0) return others
    const baseOf = (name: FieldName): Fields[FieldName] =>
      saved[name] === undefined ? bases[name] : stored[name]
    return {
      ...others,
      [id]: {
        draft: Object.fromEntries(names.map((name) => [name, draft[name]])),
        bases: Object.fromEntries(names.map((name) => [name, baseOf(name)])),
      },
    }
  }, true)
}

/** Does this case have input that the station does not have? */
export function hasDraft(id: string): boolean {
  return Object.keys(getDraft(id)).length > 0
}

function hasDrafts(): boolean {
  return Object.keys(drafts.getState()).length > 0
}

/** Before a reload that would lose drafts, the browser asks for confirmation. */
export function askBeforeLosingDrafts(page: Window): void {
  page.addEventListener('beforeunload', (event) => {
    if (hasDrafts()) event.preventDefault()
  })
}
