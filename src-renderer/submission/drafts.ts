/** The submission of a screen, and the drafts of all submissions. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Failure } from '../../src-shared/failure.ts'
import type { FieldName, Fields } from '../../src-shared/fields.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { upsertSubmission } from '../store/store.ts'
import { useSession, useStation } from '../store/use-station.ts'
import type { Draft } from './draft.ts'

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
