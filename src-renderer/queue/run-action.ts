import type { StationSession } from '../store/station-session.ts'
import { runCall } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import { ACTION_WORDS, QUEUE_WORDS } from '../words/queue-words.ts'
import { CALL_OF_ACTION, type SubmissionAction } from './submission-actions.ts'

/** Does an action on one or many submissions and says what became of each; a discard can be undone. */
export async function runAction(
  session: StationSession,
  action: SubmissionAction,
  ids: readonly string[],
): Promise<void> {
  const done = await runCall(session, CALL_OF_ACTION[action], { ids: [...ids] })
  if (!done) return
  const { changed, refused } = done
  if (changed.length > 0)
    tell({
      tone: 'green',
      message: ACTION_WORDS[action].done(changed.length),
      ...(action === 'discard' && {
        action: { label: QUEUE_WORDS.undo, run: () => void runAction(session, 'restore', changed) },
      }),
    })
  const reasons = [...new Set(refused.map(({ failure }) => failure.message))]
  if (reasons.length > 0)
    tell({ tone: 'red', title: QUEUE_WORDS.partly(refused.length), message: reasons.join(' ') })
}
