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
  /** Takes the details that an answer carried. */
  readonly take: (details: SubmissionDetails) => void
}

/** A submission with its attempts and evidence, read anew whenever its row changes. */
export function useSubmission(id: string): ShownSubmission {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const wanted = useStation((state) => `${state.snapshots}/${state.submissions[id]?.changedAt ?? ''}`)
  const [details, setDetails] = useState<SubmissionDetails | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  /** The reading whose answer counts; an answer to a change makes an older reading void. */
  const current = useRef('')

  const take = useCallback(
    (came: SubmissionDetails) => {
      // Something later is known already, and is being read.
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

// Drafts outlive the screen: going to another case and back keeps what was typed. They end with the window.
//
// Each typed field remembers the value that it was typed over, so that a change from elsewhere is noticed instead of
// being overwritten.

/** The stored value that each field had when somebody began to type into it. */
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

/** `stored` is what the field holds now; it counts for the first letter only. */
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

/** The person has seen the other value and keeps the own one over it. */
export function rebaseDraftField(id: string, name: FieldName, stored: Fields[FieldName]): void {
  drafts.setState((all) => {
    const typed = all[id]
    return typed ? { ...all, [id]: { ...typed, bases: { ...typed.bases, [name]: stored } } } : all
  })
}

/** Forgets one field of a draft: what is stored holds. */
export function dropDraftField(id: string, name: FieldName): void {
  const text = getDraft(id)[name]
  if (text !== undefined) forgetDraft(id, { [name]: text }, {})
}

/** Forgets what was saved; what was typed meanwhile stays, and stands over what was saved. */
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

/** Has somebody typed something into a case that the station does not have? */
export function hasDraft(id: string): boolean {
  return Object.keys(getDraft(id)).length > 0
}

function hasDrafts(): boolean {
  return Object.keys(drafts.getState()).length > 0
}

/** A reload would lose what was typed: the browser asks first. */
export function askBeforeLosingDrafts(page: Window): void {
  page.addEventListener('beforeunload', (event) => {
    if (hasDrafts()) event.preventDefault()
  })
}
