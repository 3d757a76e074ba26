/** The order in which the list is walked: by age or by urgency. Each step is one walk along an index. */
import { STATES_BY_URGENCY, FINAL_STATES, type SubmissionState } from '../../../src-shared/states.ts'
import type { Store } from './database.ts'

/** The place of a submission in the list. */
export type ListEntry = {
  readonly position: number
  readonly state: SubmissionState
  readonly isUrgent: boolean
}

/** One walk: the submissions in a state, or only the urgent or the other ones among them. */
export type Step = {
  readonly state: SubmissionState
  /** Null if urgency makes no difference. */
  readonly isUrgent: boolean | null
  readonly newestFirst: boolean
}

const STEPS: readonly Step[] = STATES_BY_URGENCY.flatMap((state): Step[] => {
  const newestFirst = FINAL_STATES.includes(state)
  return state === 'waiting'
    ? [
        { state, isUrgent: true, newestFirst },
        { state, isUrgent: false, newestFirst },
      ]
    : [{ state, isUrgent: null, newestFirst }]
})

function stepOf({ state, isUrgent }: Omit<ListEntry, 'position'>): number {
  return STEPS.findIndex(
    (step) => step.state === state && (step.isUrgent === null || step.isUrgent === isUrgent),
  )
}

/** The remaining steps after a place, and the position from which the first of them continues. */
export function stepsAfter(
  states: readonly SubmissionState[] | null,
  after: ListEntry | null,
): readonly { readonly step: Step; readonly beyond: number | null }[] {
  const from = after === null ? 0 : stepOf(after)
  return STEPS.slice(from)
    .map((step, index) => ({ step, beyond: after !== null && index === 0 ? after.position : null }))
    .filter(({ step }) => states === null || states.includes(step.state))
}

export function compareByUrgency(one: ListEntry, other: ListEntry): number {
  const step = stepOf(one)
  const byStep = step - stepOf(other)
  if (byStep !== 0) return byStep
  return STEPS[step]?.newestFirst === true ? other.position - one.position : one.position - other.position
}

/** Positions of one step in its order, after the place at which the walk stopped. */
export function walk(store: Store, step: Step, beyond: number | null, limit: number): number[] {
  const { state, isUrgent, newestFirst } = step
  if (isUrgent !== null)
    return store.values<number>(
      `SELECT position FROM submissions INDEXED BY submissions_by_state
         WHERE state = ? AND is_urgent = ? AND position > ? ORDER BY position LIMIT ?`,
      state,
      isUrgent ? 1 : 0,
      beyond ?? 0,
      limit,
    )
  return newestFirst
    ? store.values<number>(
        `SELECT position FROM submissions INDEXED BY submissions_by_age
           WHERE state = ? AND position < ? ORDER BY position DESC LIMIT ?`,
        state,
        beyond ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
    : store.values<number>(
        `SELECT position FROM submissions INDEXED BY submissions_by_age
           WHERE state = ? AND position > ? ORDER BY position LIMIT ?`,
        state,
        beyond ?? 0,
        limit,
      )
}

/** Positions by urgency: one walk after the other until the page is full. */
export function positionsByUrgency(
  store: Store,
  states: readonly SubmissionState[] | null,
  after: ListEntry | null,
  limit: number,
): number[] {
  const found: number[] = []
  for (const { step, beyond } of stepsAfter(states, after)) {
    if (found.length === limit) break
    found.push(...walk(store, step, beyond, limit - found.length))
  }
  return found
}

/** Positions by age, the newest first. */
export function positionsByAge(
  store: Store,
  states: readonly SubmissionState[] | null,
  before: number,
  limit: number,
): number[] {
  if (states === null)
    return store.values<number>(
      'SELECT position FROM submissions WHERE position < ? ORDER BY position DESC LIMIT ?',
      before,
      limit,
    )
  return [...new Set(states)]
    .flatMap((state) => walk(store, { state, isUrgent: null, newestFirst: true }, before, limit))
    .toSorted((one, other) => other - one)
    .slice(0, limit)
}
