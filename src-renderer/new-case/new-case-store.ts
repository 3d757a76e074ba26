/**
 * What somebody has begun of a new case. It outlives the screen: looking at the queue in between loses nothing, and
 * files that are dropped there are here before the screen is.
 */
import { createStore } from 'zustand/vanilla'
import type { Draft } from '../submission/draft.ts'
import { withAdded, type ChosenFile } from './chosen-files.ts'

export type NewCase = {
  readonly files: readonly ChosenFile[]
  readonly draft: Draft
  /** How many files of the last choice had no place. */
  readonly overflowCount: number
  /** Images that came while this case was begun: a person says whether they belong to it. */
  readonly dropped: readonly File[]
  /** The station makes the case of it now: what would be changed would not be in it. */
  readonly isMaking: boolean
}

const EMPTY_CASE: NewCase = { files: [], draft: {}, overflowCount: 0, dropped: [], isMaking: false }

export const newCase = createStore<NewCase>(() => EMPTY_CASE)

export function addFiles(added: readonly File[]): void {
  newCase.setState(({ files }) => withAdded(files, added, () => crypto.randomUUID()))
}

/** Has somebody begun one? All of it is kept here alone. */
export function hasStartedCase(): boolean {
  const { files, draft, isMaking } = newCase.getState()
  return isMaking || files.length > 0 || Object.values(draft).some((text) => text.trim() !== '')
}

/** Takes files that were dropped where the begun case is not in sight. */
export function dropFiles(files: readonly File[]): void {
  const { dropped } = newCase.getState()
  if (hasStartedCase()) newCase.setState({ dropped: [...dropped, ...files] })
  else addFiles(files)
}

/** They are no images of this case; they lie where they were. */
export function discardDropped(): void {
  newCase.setState({ dropped: [] })
}

/** Ends it: nobody wants it any more. */
export function clearNewCase(): void {
  newCase.setState(EMPTY_CASE, true)
}

/** The case was made; images that came meanwhile begin the next one. */
export function startNext(): void {
  const { dropped } = newCase.getState()
  clearNewCase()
  addFiles(dropped)
}
