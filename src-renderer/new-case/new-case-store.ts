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
  readonly leftOut: number
}

const NOTHING: NewCase = { files: [], draft: {}, leftOut: 0 }

export const newCase = createStore<NewCase>(() => NOTHING)

export function addFiles(given: readonly File[]): void {
  newCase.setState(({ files }) => withAdded(files, given, () => crypto.randomUUID()))
}

/** Ends it: the case was made, or nobody wants it any more. */
export function forgetNewCase(): void {
  newCase.setState(NOTHING, true)
}
