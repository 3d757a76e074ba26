/** The actions on cases: which ones a case allows, questions before they run and a report after. The station decides. */
import {
  IconArrowBackUp,
  IconArrowBarToUp,
  IconBuildingHospital,
  IconCheck,
  IconFolderCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSquareX,
  IconTrash,
} from '@tabler/icons-react'
import type { BulkResult } from '../../src-shared/contract.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Submission } from '../../src-shared/submission.ts'
import {
  askQuestion,
  currentSignature,
  type DecisionAnswer,
  QUESTION_KINDS,
} from '../decisions/decisions.tsx'
import { formatCount } from '../format/numbers.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { showFailure, showToast } from '../shell/toast.tsx'
import type { StationSession } from '../store/store.ts'
import { hasDraft } from '../submission/form.ts'

/** In the order in which a selection offers them. */
export const ACTION_ICONS = {
  approve: IconCheck,
  retry: IconRefresh,
  release: IconPlayerPlay,
  prioritise: IconArrowBarToUp,
  closeNow: IconFolderCheck,
  hold: IconPlayerPause,
  cancel: IconSquareX,
  moveToCenter: IconBuildingHospital,
  restore: IconArrowBackUp,
  discard: IconTrash,
}

export type SubmissionAction = keyof typeof ACTION_ICONS

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

/** Of thousands of cases, only what actions need is stored. */
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
  return (Object.keys(ACTION_ICONS) as SubmissionAction[])
    .map((action) => ({
      action,
      ids: submissions.filter((one) => actionsFor(one).includes(action)).map((one) => one.id),
    }))
    .filter(({ ids }) => ids.length > 0)
}

/** Why cases were refused: each reason once, with its number of cases if there are several reasons. */
export function refusalMessages(refused: BulkResult['refused']): readonly string[] {
  const byReason = [...Map.groupBy(refused, ({ failure }) => messageOf(failure))]
  return byReason.map(([message, of]) =>
    byReason.length === 1 ? message : t('queue:partlyWhy', { number: formatCount(of.length), message }),
  )
}

type RunOptions = {
  /** Facts about cases that the window does not show. */
  readonly beyond?: ReadonlyMap<string, ActionTarget>
  readonly onProgress?: (done: number, total: number) => void
}

/** These may send a case as the station has it, without drafts that exist only in the window. */
const SENDING_ACTIONS: readonly SubmissionAction[] = ['approve', 'release', 'retry', 'closeNow']

/** Asks before important decisions, acts and reports; a discard can be undone. Null if the person cancelled. */
export async function runAction(
  session: StationSession,
  action: SubmissionAction,
  ids: readonly string[],
  options: RunOptions = {},
): Promise<BulkResult | null> {
  const kind = QUESTION_KINDS.find((one) => one === action)
  const answer = kind ? await confirm(session, kind, ids, options) : currentSignature()
  if (!answer) return null
  const unsaved = SENDING_ACTIONS.includes(action) ? ids.filter(hasDraft) : []
  const ready = ids.filter((id) => !unsaved.includes(id))
  const { centerId = '', ...signed }: Partial<DecisionAnswer> = answer
  const done = await inBatches(session, ready, options, (batch) => {
    const input = { ids: [...batch], ...signed }
    if (action !== 'moveToCenter') return session.call(`submissions.${action}`, input)
    return session.call('submissions.moveToCenter', { ...input, centerId })
  })
  for (const id of unsaved)
    done.refused.push({ id, failure: { kind: 'notAllowed', message: t('queue:unsaved') } })
  const { changed, refused } = done
  if (changed.length > 0)
    showToast({
      message: t(`queue:action.${action}.done`, { count: changed.length }),
      ...(action === 'discard' && {
        action: { label: t('queue:undo'), run: () => void runAction(session, 'restore', changed, options) },
      }),
    })
  if (refused.length > 0)
    showToast({
      tone: 'red',
      title: t('queue:partly', { count: refused.length }),
      message: refusalMessages(refused).join(' '),
    })
  return done
}

function confirm(
  { store }: StationSession,
  kind: (typeof QUESTION_KINDS)[number],
  ids: readonly string[],
  { beyond }: RunOptions,
): Promise<DecisionAnswer | null> {
  const { submissions } = store.getState()
  return askQuestion({ kind, submissions: ids.flatMap((id) => submissions[id] ?? beyond?.get(id) ?? []) })
}

/** The limit of one call of the contract. */
export const BATCH_SIZE = 1_000

/** Batches before a failed one stay done and are reported. */
async function inBatches(
  session: StationSession,
  ids: readonly string[],
  { onProgress }: RunOptions,
  call: (batch: readonly string[]) => Promise<Result<BulkResult>>,
): Promise<BulkResult> {
  const done: BulkResult = { changed: [], refused: [] }
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const part = ids.slice(start, start + BATCH_SIZE)
    const stop = session.link.onMessage((arrival) => {
      if (arrival.kind !== 'event' || arrival.event.name !== 'callProgressed') return
      const { done: doneInBatch, total } = arrival.event.payload
      // Ignores progress of other windows; calls with equally many cases are hardly distinguishable.
      if (total === part.length) onProgress?.(start + doneInBatch, ids.length)
    })
    const answer = await call(part).finally(stop)
    if (!answer.ok) {
      showFailure(answer.failure)
      break
    }
    done.changed.push(...answer.value.changed)
    done.refused.push(...answer.value.refused)
    if (ids.length > BATCH_SIZE) onProgress?.(start + part.length, ids.length)
  }
  return done
}
