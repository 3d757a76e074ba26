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
  IconEraser,
  IconTrash,
} from '@tabler/icons-react'
import type { BulkResult } from '../../src-shared/contract.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { restsOnProposal } from '../../src-shared/verdict.ts'
import {
  askQuestion,
  currentSignature,
  type DecisionAnswer,
  QUESTION_KINDS,
} from '../decisions/decisions.tsx'
import { formatCount } from '../format/numbers.ts'
import { failureTitle, messageOf, t } from '../i18n/i18n.ts'
import { showFailure, showToast } from '../shell/toast.tsx'
import { MAX_ROWS } from '../store/state.ts'
import type { StationSession } from '../store/store.ts'
import { filesFirst, hasOpenFiles } from '../submission/add-images.tsx'
import { draftOf, forgetDraft, hasDraft } from '../submission/drafts.ts'

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
  withdraw: IconEraser,
}

export type SubmissionAction = keyof typeof ACTION_ICONS

const ACTIONS_OF_STATE: Readonly<Record<SubmissionState, readonly SubmissionAction[]>> = {
  collecting: ['closeNow', 'moveToCenter', 'discard', 'withdraw'],
  incomplete: ['hold', 'moveToCenter', 'discard', 'withdraw'],
  review: ['approve', 'hold', 'moveToCenter', 'discard', 'withdraw'],
  waiting: ['retry', 'prioritise', 'hold', 'moveToCenter', 'discard', 'withdraw'],
  held: ['release', 'moveToCenter', 'discard', 'withdraw'],
  sending: ['cancel'],
  unconfirmed: ['discard'],
  refused: ['retry', 'moveToCenter', 'discard', 'withdraw'],
  sent: [],
  discarded: ['restore', 'withdraw'],
}

type Acted = Pick<
  Submission,
  | 'unreadable'
  | 'state'
  | 'urgent'
  | 'attempts'
  | 'failure'
  | 'notBefore'
  | 'centerId'
  | 'reasons'
  | 'oddities'
  | 'erasedAt'
>

/** A case as it was rendered: a person approves what they saw, and not what the store has by now. */
export type ShownCase = Pick<Submission, 'id' | 'digest' | 'verdict' | 'state' | 'centerId'>

/** What actions need of a case: of thousands, neither values nor images are stored. */
export type ActionTarget = Acted & ShownCase

export function actionsFor(submission: Acted): readonly SubmissionAction[] {
  if (submission.unreadable !== undefined || submission.erasedAt !== null) return []
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

/** Nothing of it needs a look: it may be approved with others. */
function isPlain({ verdict, oddities }: ActionTarget): boolean {
  return !restsOnProposal(verdict) && oddities.length === 0
}

/** What a selection offers, with the cases that each action fits. What is not proven, or unusual, is approved at the desk. */
export function actionsForMany(
  submissions: readonly ActionTarget[],
): readonly { readonly action: SubmissionAction; readonly cases: readonly ShownCase[] }[] {
  return (Object.keys(ACTION_ICONS) as SubmissionAction[])
    .filter((action) => action !== 'moveToCenter' && action !== 'withdraw')
    .map((action) => ({
      action,
      cases: submissions.filter(
        (one) => actionsFor(one).includes(action) && (action !== 'approve' || isPlain(one)),
      ),
    }))
    .filter(({ cases }) => cases.length > 0)
}

/** Why cases were refused: each reason once, with its number of cases if there are several reasons. */
export function refusalMessages(refused: BulkResult['refused']): readonly string[] {
  const byReason = [...Map.groupBy(refused, ({ failure }) => messageOf(failure))]
  return byReason.map(([message, of]) =>
    byReason.length === 1 ? message : `${formatCount(of.length)}: ${message}`,
  )
}

type OnProgress = (done: number, total: number) => void

/** These may send a case as the station has it, without drafts that exist only in the window. */
const SENDING_ACTIONS: readonly SubmissionAction[] = ['approve', 'release', 'retry', 'closeNow']

/** For so long an approval can be taken back: longer if it rests on names, or is of many cases. Seconds. */
export function undoSecondsOf(cases: readonly Pick<ShownCase, 'verdict'>[]): number {
  return cases.length > 1 || cases.some(({ verdict }) => restsOnProposal(verdict)) ? 30 : 8
}

/** What the station compares before a case may leave by these: the digests that were rendered. */
const CHECKED_ACTIONS: readonly SubmissionAction[] = [
  'approve',
  'retry',
  'release',
  'moveToCenter',
  'withdraw',
]

/** Asks, acts and reports; null if cancelled. A case is approved as it was shown, or refused. */
export async function runAction(
  session: StationSession,
  action: SubmissionAction,
  cases: readonly ShownCase[],
  onProgress?: OnProgress,
): Promise<BulkResult | null> {
  const digests = new Map(cases.map(({ id, digest }) => [id, digest]))
  const kind = QUESTION_KINDS.find((one) => one === action)
  const answer = kind ? await askQuestion({ kind, submissions: cases }) : currentSignature()
  if (!answer) return null
  const { centerId = '', ...signed }: Partial<DecisionAnswer> = answer
  const done = await inBatches(session, action, [...digests.keys()], onProgress, (batch) => {
    const seen = Object.fromEntries(batch.map((id) => [id, digests.get(id) ?? '']))
    const input = { ids: [...batch], ...(CHECKED_ACTIONS.includes(action) && { seen }), ...signed }
    if (action === 'approve')
      return session.call('submissions.approve', { ...input, seen, undoSeconds: undoSecondsOf(cases) })
    if (action !== 'moveToCenter') return session.call(`submissions.${action}`, input)
    return session.call('submissions.moveToCenter', { ...input, centerId })
  })
  if (action === 'withdraw') for (const id of done.changed) forgetDraft(id, draftOf(id).draft, {})
  report(session, action, done, cases)
  return done
}

function report(
  session: StationSession,
  action: SubmissionAction,
  { changed, refused }: BulkResult,
  cases: readonly ShownCase[],
): void {
  // Any other change shows in the row.
  if (action === 'discard' && changed.length > 0) {
    const discarded = cases.filter(({ id }) => changed.includes(id))
    showToast({
      message: t('queue:discarded', { count: changed.length }),
      action: { label: t('shell:undo'), run: () => void runAction(session, 'restore', discarded) },
    })
  }
  if (refused.length > 0)
    showToast({
      tone: 'red',
      title: refused.every(({ failure }) => failure.kind === 'changed')
        ? failureTitle('changed')
        : t('queue:partly', { count: refused.length }),
      message: refusalMessages(refused).join(' '),
    })
}

/** Batches before a failed one stay done and are reported. Cases with a draft, or files on their way, are refused. */
async function inBatches(
  session: StationSession,
  action: SubmissionAction,
  all: readonly string[],
  onProgress: OnProgress | undefined,
  call: (batch: readonly string[]) => Promise<Result<BulkResult>>,
): Promise<BulkResult> {
  const unsaved = SENDING_ACTIONS.includes(action) ? all.filter((id) => hasDraft(id) || hasOpenFiles(id)) : []
  const ids = all.filter((id) => !unsaved.includes(id))
  const done: BulkResult = { changed: [], refused: [] }
  for (let start = 0; start < ids.length; start += MAX_ROWS) {
    const part = ids.slice(start, start + MAX_ROWS)
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
    if (ids.length > MAX_ROWS) onProgress?.(start + part.length, ids.length)
  }
  for (const id of unsaved) {
    const failure = hasDraft(id) ? { kind: 'notAllowed' as const, message: t('queue:unsaved') } : filesFirst()
    done.refused.push({ id, failure })
  }
  return done
}
