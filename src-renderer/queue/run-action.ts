/** Runs an action on one or many cases, with questions before and a report after. */
import type { BulkResult } from '../../src-shared/contract.ts'
import { type Failure, type Result } from '../../src-shared/failure.ts'
import type { Fields } from '../../src-shared/fields.ts'
import { patientNameOf } from '../../src-shared/measurement-ranges.ts'
import {
  askQuestion,
  currentSignature,
  type DecisionAnswer,
  QUESTION_KINDS,
  type QuestionKind,
} from '../decisions/decisions.tsx'
import { formatCount } from '../format/numbers.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { showFailure, showToast } from '../shell/toast.tsx'
import type { StationSession } from '../store/store.ts'
import { hasDraft } from '../submission/draft.ts'
import { type ActionTarget, BATCH_SIZE, type SubmissionAction } from './selection.ts'

/** Identifies a patient to screen readers and in questions: the number first, as clinics do. */
export function patientLabel(fields: Fields, formatName: (name: string) => string = (name) => name): string {
  const name = patientNameOf(fields)
  return [fields.history_number ?? t('queue:noHistoryNumber'), name === null ? null : formatName(name)]
    .filter(Boolean)
    .join(', ')
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

/**
 * Runs an action on one or many cases and reports the result; a discard can be undone. Important decisions are
 * confirmed first. Resolves with what was changed and refused, or null if the person cancelled.
 */
export async function runAction(
  session: StationSession,
  action: SubmissionAction,
  ids: readonly string[],
  options: RunOptions = {},
): Promise<BulkResult | null> {
  const kind = QUESTION_KINDS.find((one) => one === action)
  const answer: Partial<DecisionAnswer> | null = kind
    ? await confirmAction(session, kind, ids, options.beyond)
    : currentSignature()
  if (!answer) return null
  const unsaved = SENDING_ACTIONS.includes(action) ? ids.filter(hasDraft) : []
  const ready = ids.filter((id) => !unsaved.includes(id))
  const done = await inBatches(
    session,
    ready,
    (batch) => callAction(session, action, batch, answer),
    options.onProgress,
  )
  done.refused.push(...unsaved.map((id) => ({ id, failure: unsavedFailure() })))
  showResult(session, action, done, options)
  return done
}

/** These may send a case as the station has it, without drafts that exist only in the window. */
const SENDING_ACTIONS: readonly SubmissionAction[] = ['approve', 'release', 'retry', 'closeNow']

function unsavedFailure(): Failure {
  return { kind: 'notAllowed', message: t('queue:unsaved') }
}

/** Splits the ids into batches of the contract's limit. Batches before a failed one stay done and are reported. */
async function inBatches(
  session: StationSession,
  ids: readonly string[],
  call: (batch: readonly string[]) => Promise<Result<BulkResult>>,
  onProgress: RunOptions['onProgress'],
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

function showResult(
  session: StationSession,
  action: SubmissionAction,
  { changed, refused }: BulkResult,
  options: RunOptions,
): void {
  if (changed.length > 0)
    showToast({
      tone: 'green',
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
}

function confirmAction(
  { store }: StationSession,
  kind: QuestionKind,
  ids: readonly string[],
  beyond: RunOptions['beyond'],
): Promise<DecisionAnswer | null> {
  const { submissions } = store.getState()
  return askQuestion({ kind, submissions: ids.flatMap((id) => submissions[id] ?? beyond?.get(id) ?? []) })
}

function callAction(
  session: StationSession,
  action: SubmissionAction,
  ids: readonly string[],
  { by, why, centerId }: Partial<DecisionAnswer>,
): Promise<Result<BulkResult>> {
  const input = { ids: [...ids], ...(by !== undefined && { by }), ...(why !== undefined && { why }) }
  if (action !== 'moveToCenter') return session.call(`submissions.${action}`, input)
  return session.call('submissions.moveToCenter', { ...input, centerId: centerId ?? '' })
}
