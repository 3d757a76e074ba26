/**
 * How far somebody has gone through the set-up. What each step sets lies in the station; which steps were left is kept
 * in the browser, so that a window that was closed goes on where it stood.
 */
import { create } from 'zustand'
import { firstOpenStep, readPassed, stepAfter, type SetupStep } from './setup-steps.ts'

const KEY = 'fundus-courier.setup'

type Progress = { readonly passed: readonly SetupStep[]; readonly at: SetupStep }

const FIRST: Progress = { passed: [], at: 'language' }
const progress = create<Progress>(() => {
  const passed = readPassed(window.localStorage.getItem(KEY))
  return { passed, at: firstOpenStep(passed) }
})

export function useSetupProgress(): Progress {
  return progress()
}

/** A step was left: the next one follows. */
export function passStep(step: SetupStep): void {
  const passed = [...new Set([...progress.getState().passed, step])]
  window.localStorage.setItem(KEY, passed.join(' '))
  progress.setState({ passed, at: stepAfter(step) })
}

/** Looks at a step again, or goes on to one that was reached before. */
export function showStep(step: SetupStep): void {
  progress.setState({ at: step })
}

/** The next time begins at the first step. */
export function endSetup(): void {
  window.localStorage.removeItem(KEY)
  progress.setState(FIRST)
}
