import type { StationSession } from '../store/station-session.ts'
import type { Changed } from '../../src-shared/contract.ts'
import { runCall } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import { signature } from '../who/initials.ts'
import { ask, QUESTION_KINDS, type Answer, type QuestionKind } from '../who/question.ts'
import { CALL_OF_ACTION, type SubmissionAction } from './submission-actions.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

/**
 * Does an action on one or many submissions and says what became of each; a discard can be undone. What matters most
 * is asked about first. Answers whether it was done to any.
 */
export async function runAction(
  session: StationSession,
  action: SubmissionAction,
  ids: readonly string[],
): Promise<boolean> {
  const kind = QUESTION_KINDS.find((one) => one === action)
  const answer: Partial<Answer> | null = kind ? await askAbout(session, kind, ids) : signature()
  if (!answer) return false
  const done = await act(session, action, ids, answer)
  if (!done) return false
  const { changed, refused } = done
  if (changed.length > 0)
    tell({
      tone: 'green',
      message: t(`queue:action.${action}.done`, { count: changed.length }),
      ...(action === 'discard' && {
        action: { label: t('queue:undo'), run: () => void runAction(session, 'restore', changed) },
      }),
    })
  const reasons = [...new Set(refused.map(({ failure }) => said(failure.message)))]
  if (reasons.length > 0)
    tell({ tone: 'red', title: t('queue:partly', { count: refused.length }), message: reasons.join(' ') })
  return changed.length > 0
}

function askAbout(
  { store }: StationSession,
  kind: QuestionKind,
  ids: readonly string[],
): Promise<Answer | null> {
  const { submissions } = store.getState()
  return ask({ kind, submissions: ids.flatMap((id) => submissions[id] ?? []) })
}

async function act(
  session: StationSession,
  action: SubmissionAction,
  ids: readonly string[],
  { by, why, centerId }: Partial<Answer>,
): Promise<Changed | null> {
  const input = { ids: [...ids], ...(by !== undefined && { by }), ...(why !== undefined && { why }) }
  if (action !== 'moveToCenter') return runCall(session, CALL_OF_ACTION[action], input)
  return centerId === undefined ? null : runCall(session, 'submissions.moveToCenter', { ...input, centerId })
}
