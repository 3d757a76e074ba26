/**
 * How far somebody has gone through the set-up. What each step sets lies in the station; which steps were left is kept
 * in the browser, so that a window that was closed goes on where it stood.
 */
import { create } from 'zustand'
import { firstOpenStep, readCompletedSteps, stepAfter, type SetupStep } from './setup-steps.ts'

const KEY = 'fundus-courier.setup'

type Progress = { readonly completed: readonly SetupStep[]; readonly at: SetupStep }

const INITIAL_PROGRESS: Progress = { completed: [], at: 'language' }
const progress = create<Progress>(() => {
  const completed = readCompletedSteps(window.localStorage.getItem(KEY))
  return { completed, at: firstOpenStep(completed) }
})

export function useSetupProgress(): Progress {
  return progress()
}

/** A step was left: the next one follows. */
export function completeStep(step: SetupStep): void {
  const completed = [...new Set([...progress.getState().completed, step])]
  window.localStorage.setItem(KEY, completed.join(' '))
  progress.setState({ completed, at: stepAfter(step) })
}

/** Looks at a step again, or goes on to one that was reached before. */
export function showStep(step: SetupStep): void {
  progress.setState({ at: step })
}

/** The next time begins at the first step. */
export function endSetup(): void {
  window.localStorage.removeItem(KEY)
  progress.setState(INITIAL_PROGRESS)
}
