/** The actions on cases of a list, and which cases are selected. The station decides what is allowed. */
import { useCallback, useMemo, useState } from 'react'
import type { Result } from '../../src-shared/failure.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { offerDownload } from '../components/browser.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { t } from '../i18n/i18n.ts'
import type { StationLink } from '../link/link.ts'
import { showFailure, showToast } from '../shell/toast.tsx'
import { type Cursor, type QueueView, readQueuePage } from '../store/state.ts'
import type { StationSession } from '../store/store.ts'

const SUBMISSION_ACTIONS = [
  'approve',
  'retry',
  'release',
  'prioritise',
  'closeNow',
  'hold',
  'cancel',
  'moveToCenter',
  'restore',
  'discard',
] as const

export type SubmissionAction = (typeof SUBMISSION_ACTIONS)[number]

const ACTIONS_OF_STATE: Readonly<Record<SubmissionState, readonly SubmissionAction[]>> = {
  collecting: ['closeNow', 'moveToCenter', 'discard'],
  incomplete: ['hold', 'moveToCenter', 'discard'],
  review: ['approve', 'hold', 'moveToCenter', 'discard'],
  waiting: ['retry', 'prioritise', 'hold', 'moveToCenter', 'discard'],
  held: ['release', 'moveToCenter', 'discard'],
  sending: ['cancel'],
  unconfirmed: ['discard'],
  refused: ['retry', 'moveToCenter', 'discard'],
  sent: [],
  discarded: ['restore'],
}

type Acted = Pick<
  Submission,
  'unreadable' | 'state' | 'urgent' | 'attempts' | 'failure' | 'notBefore' | 'centerId' | 'reasons'
>

export type ActionTarget = Acted & Pick<Submission, 'id'>

export function actionsFor(submission: Acted): readonly SubmissionAction[] {
  if (submission.unreadable !== undefined) return []
  return ACTIONS_OF_STATE[submission.state].filter((action) => {
    if (action === 'prioritise') return !submission.urgent
    // A case without a center: this station never switches centers, unless the center is what is missing.
    if (action === 'moveToCenter')
      return submission.centerId !== null || submission.reasons.some(({ kind }) => kind === 'centerUnknown')
    // A case that is merely in line needs no "try again".
    if (action === 'retry' && submission.state === 'waiting')
      return submission.attempts > 0 || submission.failure !== null || submission.notBefore !== null
    return true
  })
}

export function actionsForMany(
  submissions: readonly ActionTarget[],
): readonly { readonly action: SubmissionAction; readonly ids: readonly string[] }[] {
  return SUBMISSION_ACTIONS.map((action) => ({
    action,
    ids: submissions.filter((one) => actionsFor(one).includes(action)).map((one) => one.id),
  })).filter(({ ids }) => ids.length > 0)
}

export type Selection = {
  readonly ids: ReadonlySet<string>
  /** Facts about selected cases that are on no loaded page. */
  readonly beyond: ReadonlyMap<string, ActionTarget>
  readonly select: (ids: readonly string[], isSelected: boolean) => void
  /** Selects all shown cases; or clears the selection, including cases that are not shown. */
  readonly selectShown: (isSelected: boolean) => void
  /** Adds matching cases that are not shown; they are dropped when the view changes. */
  readonly selectBeyond: (submissions: readonly ActionTarget[]) => void
  readonly retain: (ids: readonly string[]) => void
  readonly clear: () => void
}

const NONE_SELECTED: ReadonlyMap<string, ActionTarget> = new Map()

/** The selected cases: chosen ones among those shown, and others only while their view is open. */
export function useSelection(shown: readonly string[], view: string): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set<string>())
  const [further, setFurther] = useState({ view, submissions: NONE_SELECTED })
  // Dropped, not hidden: a person who returns to a view did not choose thousands of cases there.
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

/** Of thousands of cases, only what actions need is stored. */
function actionTargetOf(submission: Submission): ActionTarget {
  const { id, state, urgent, attempts, failure, notBefore, centerId, reasons } = submission
  return { id, state, urgent, attempts, failure, notBefore, centerId, reasons }
}

/** The limit of one call of the contract, and the most that a person can mean by "all". */
export const BATCH_SIZE = 1_000
export const MAX_SELECTED = 10_000

/** Reads the cases that match a view, page by page; the most urgent ones if there are too many to select. */
export async function readMatching(
  link: Pick<StationLink, 'call'>,
  view: QueueView,
  most: number = MAX_SELECTED,
): Promise<Result<readonly ActionTarget[]>> {
  // A case that changes meanwhile may be listed twice.
  const found = new Map<string, ActionTarget>()
  let next: Cursor | null = null
  do {
    const page = await readQueuePage(link, view, next, BATCH_SIZE)
    if (!page.ok) return page
    for (const one of page.value.items) if (found.size < most) found.set(one.id, actionTargetOf(one))
    next = page.value.next
  } while (next !== null && found.size < most)
  return { ok: true, value: [...found.values()] }
}

/** Saves the selected cases as a CSV file. The station records it in the audit trail. */
export async function saveCsv(session: StationSession, ids: readonly string[]): Promise<void> {
  const answer = await session.call('submissions.export', { ids: [...ids], ...currentSignature() })
  if (!answer.ok) return showFailure(answer.failure)
  const { csv, fileName } = answer.value
  offerDownload(new Blob([csv], { type: 'text/csv;charset=utf-8' }), fileName)
  showToast({ tone: 'green', message: t('queue:csv.done', { count: ids.length }) })
}
