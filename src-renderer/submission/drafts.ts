/** What is typed into the form of a case and not saved yet. Drafts outlive the screen and end with the window. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { FieldName, Fields } from '../../src-shared/fields.ts'
import { NOTHING_STATED, type Stated } from '../../src-shared/proof.ts'

export type Draft = Readonly<Partial<Record<FieldName, string>>>

/** Number and day: what is entered answers what the sources state. */
type AnsweredField = 'history_number' | 'visit_date'

function isAnswered(name: FieldName): name is AnsweredField {
  return name === 'history_number' || name === 'visit_date'
}

/** A draft, and for each of its fields what was stored when its editing began, and what spoke of the case at its last letter. */
export type TypedDraft = {
  readonly draft: Draft
  /** So a change from elsewhere is detected. */
  readonly bases: Readonly<Partial<Record<FieldName, Fields[FieldName]>>>
  readonly seen: Readonly<Partial<Record<AnsweredField, Stated>>>
  /** What becomes of the values that came with the number, once another one is typed; null until a person says. */
  readonly rest: RestChoice | null
}

export type RestChoice = 'keep' | 'clear'

/** What was shown when number and day were typed: nothing that came later is settled by them. Pure. */
export function seenWhileTyping({
  seen: { history_number: ofNumber, visit_date: ofDay },
}: Pick<TypedDraft, 'seen'>): Stated | undefined {
  const first = ofNumber ?? ofDay
  if (first === undefined) return undefined
  const { patient } = ofNumber ?? NOTHING_STATED
  const { visitDay } = ofDay ?? NOTHING_STATED
  return { patient, visitDay, eyes: first.eyes }
}

const NO_DRAFT: TypedDraft = { draft: {}, bases: {}, seen: {}, rest: null }

const drafts = createStore<Readonly<Record<string, TypedDraft>>>(() => ({}))

export function useDraft(id: string): TypedDraft {
  return useStore(drafts, (all) => all[id] ?? NO_DRAFT)
}

export function draftOf(id: string): TypedDraft {
  return drafts.getState()[id] ?? NO_DRAFT
}

/** `stored` is the current value of the field; it is used for the first letter only. `shown`: what the page says now. */
export function setDraftField(
  id: string,
  name: FieldName,
  text: string,
  stored: Fields[FieldName],
  shown: Stated = NOTHING_STATED,
): void {
  drafts.setState((all) => {
    const { draft, bases, seen, rest } = all[id] ?? NO_DRAFT
    return {
      ...all,
      [id]: {
        rest,
        draft: { ...draft, [name]: text },
        bases: draft[name] === undefined ? { ...bases, [name]: stored } : bases,
        seen: isAnswered(name) ? { ...seen, [name]: shown } : seen,
      },
    }
  })
}

export function chooseRest(id: string, rest: RestChoice): void {
  drafts.setState((all) => ({ ...all, [id]: { ...(all[id] ?? NO_DRAFT), rest } }))
}

export function rebaseDraftField(id: string, name: FieldName, stored: Fields[FieldName]): void {
  drafts.setState((all) => {
    const typed = all[id]
    return typed ? { ...all, [id]: { ...typed, bases: { ...typed.bases, [name]: stored } } } : all
  })
}

/** Discards one field of a draft: the stored value applies. */
export function dropDraftField(id: string, name: FieldName): void {
  const text = draftOf(id).draft[name]
  if (text !== undefined) forgetDraft(id, { [name]: text }, {})
}

/** Discards what was saved; later input stays, based on the saved values. */
export function forgetDraft(id: string, saved: Draft, stored: Fields): void {
  drafts.setState((all) => {
    const { draft, bases, seen, rest } = all[id] ?? NO_DRAFT
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
        rest: names.includes('history_number') ? rest : null,
        seen: Object.fromEntries(names.filter(isAnswered).map((name) => [name, seen[name]])),
      },
    }
  }, true)
}

export function hasDraft(id: string): boolean {
  return Object.keys(draftOf(id).draft).length > 0
}

/** Before a reload that would lose drafts, the browser asks for confirmation. */
export function askBeforeLosingDrafts(page: Window): void {
  page.addEventListener('beforeunload', (event) => {
    if (Object.keys(drafts.getState()).length > 0) event.preventDefault()
  })
}
