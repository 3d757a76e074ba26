import { useCallback, useMemo, useState } from 'react'
import type { Submission } from '../../src-shared/submission.ts'
import type { ActionTarget } from './submission-actions.ts'

export type Selection = {
  readonly ids: ReadonlySet<string>
  /** What is known of those that are selected and stand on no page that was read. */
  readonly beyond: ReadonlyMap<string, ActionTarget>
  readonly select: (ids: readonly string[], isSelected: boolean) => void
  /** Selects all that are shown; or nothing any more, also none of those that nobody sees. */
  readonly selectShown: (isSelected: boolean) => void
  /** Adds cases that match the view and are not on the screen; they go with the view. */
  readonly selectBeyond: (submissions: readonly ActionTarget[]) => void
  /** Leaves only these selected. */
  readonly retain: (ids: readonly string[]) => void
  readonly clear: () => void
}

const NONE_SELECTED: ReadonlyMap<string, ActionTarget> = new Map()

/** Which cases are selected: of those shown the chosen ones, and others only as long as their view is shown. */
export function useSelection(shown: readonly string[], view: string): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set<string>())
  const [further, setFurther] = useState({ view, submissions: NONE_SELECTED })
  // Dropped, and not only hidden: whoever comes back to a view has not chosen thousands there.
  if (further.view !== view) setFurther({ view, submissions: NONE_SELECTED })
  const beyond = further.view === view ? further.submissions : NONE_SELECTED

  const ids = useMemo(
    () => new Set([...shown.filter((id) => chosen.has(id)), ...beyond.keys()]),
    [shown, chosen, beyond],
  )
  const select = useCallback((which: readonly string[], isSelected: boolean) => {
    setChosen((before) => {
      const after = new Set(before)
      for (const id of which) {
        if (isSelected) after.add(id)
        else after.delete(id)
      }
      return after
    })
    if (!isSelected)
      setFurther((before) => ({
        ...before,
        submissions: new Map([...before.submissions].filter(([id]) => !which.includes(id))),
      }))
  }, [])
  const selectShown = useCallback(
    (isSelected: boolean) => {
      select(shown, isSelected)
      if (!isSelected) setFurther((before) => ({ ...before, submissions: NONE_SELECTED }))
    },
    [select, shown],
  )
  const selectBeyond = useCallback(
    (submissions: readonly ActionTarget[]) =>
      setFurther({ view, submissions: new Map(submissions.map((one) => [one.id, one])) }),
    [view],
  )
  const retain = useCallback((which: readonly string[]) => {
    const retained = new Set(which)
    setChosen(retained)
    setFurther((before) => ({
      ...before,
      submissions: new Map([...before.submissions].filter(([id]) => retained.has(id))),
    }))
  }, [])
  const clear = useCallback(() => retain([]), [retain])
  return { ids, beyond, select, selectShown, selectBeyond, retain, clear }
}

/** Of thousands only what decides about actions is kept. */
export function actionTargetOf(submission: Submission): ActionTarget {
  const { id, state, urgent, attempts, failure, notBefore, centerId, reasons } = submission
  return { id, state, urgent, attempts, failure, notBefore, centerId, reasons }
}
