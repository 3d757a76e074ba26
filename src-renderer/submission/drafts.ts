/** Drafts outlive the screen: going to another case and back keeps what was typed. They end with the window. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { FieldName } from '../../src-shared/fields.ts'
import type { Draft } from './draft.ts'

const EMPTY: Draft = {}
const drafts = createStore<Readonly<Record<string, Draft>>>(() => ({}))

export function useDraft(id: string): Draft {
  return useStore(drafts, (all) => all[id] ?? EMPTY)
}

export function draftOf(id: string): Draft {
  return drafts.getState()[id] ?? EMPTY
}

export function typeInto(id: string, name: FieldName, text: string): void {
  drafts.setState((all) => ({ ...all, [id]: { ...all[id], [name]: text } }))
}

/** Forgets what was saved; what was typed meanwhile stays. */
export function forgetDraft(id: string, saved: Draft): void {
  drafts.setState((all) => {
    const rest = Object.entries(all[id] ?? {}).filter(([name, text]) => saved[name as FieldName] !== text)
    const { [id]: _gone, ...others } = all
    return rest.length > 0 ? { ...others, [id]: Object.fromEntries(rest) } : others
  }, true)
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
