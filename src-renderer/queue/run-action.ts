import type { Changed } from '../../src-shared/contract.ts'
import { failureOf, type Failure } from '../../src-shared/failure.ts'
import type { Result } from '../../src-shared/result.ts'
import { tellFailure } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import type { StationSession } from '../store/station-session.ts'
import { hasDraft } from '../submission/drafts.ts'
import { signature } from '../who/initials.ts'
import { ask, QUESTION_KINDS, type Answer, type QuestionKind } from '../who/question.ts'
import { whyRefused } from './refusals.ts'
import { AT_A_TIME } from './select-matching.ts'
import { CALL_OF_ACTION, type Actable, type SubmissionAction } from './submission-actions.ts'
import { t } from '../words/t.ts'

export type RunOptions = {
  /** What is known of cases that the window does not show. */
  readonly beyond?: ReadonlyMap<string, Actable>
  /** How many have been dealt with, and of how many, where it takes longer than a moment. */
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Does an action on one or many submissions and says what became of each; a discard can be undone. What matters most
 * is asked about first. Answers what was changed and refused, or null where it was not begun.
 */
export async function runAction(
  session: StationSession,
  action: SubmissionAction,
  ids: readonly string[],
  options: RunOptions = {},
): Promise<Changed | null> {
  const kind = QUESTION_KINDS.find((one) => one === action)
  const answer: Partial<Answer> | null = kind
    ? await askAbout(session, kind, ids, options.beyond)
    : signature()
  if (!answer) return null
  const unsaved = SENDING.includes(action) ? ids.filter(hasDraft) : []
  const ready = ids.filter((id) => !unsaved.includes(id))
  const done = await inParts(session, ready, (part) => act(session, action, part, answer), options.onProgress)
  done.refused.push(...unsaved.map((id) => ({ id, failure: unsavedFirst() })))
  sayDone(session, action, done, options)
  return done
}

/** These may send a case as the station has it, so without what is only in the window. */
const SENDING: readonly SubmissionAction[] = ['approve', 'release', 'retry', 'closeNow']

function unsavedFirst(): Failure {
  return failureOf('notAllowed', { message: t('queue:unsaved') })
}

/** In as many calls as the contract asks for. What was done before a call fails stays done, and is told. */
async function inParts(
  session: StationSession,
  ids: readonly string[],
  call: (part: readonly string[]) => Promise<Result<Changed>>,
  onProgress: RunOptions['onProgress'],
): Promise<Changed> {
  const done: Changed = { changed: [], refused: [] }
  for (let start = 0; start < ids.length; start += AT_A_TIME) {
    const part = ids.slice(start, start + AT_A_TIME)
    const stop = session.link.onArrival((arrival) => {
      if (arrival.kind !== 'event' || arrival.event.name !== 'callProgressed') return
      const { done: doneOfPart, total } = arrival.event.payload
      // A call of another window is not ours; one over just as many cases can hardly be told from it.
      if (total === part.length) onProgress?.(start + doneOfPart, ids.length)
    })
    const answer = await call(part).finally(stop)
    if (!answer.ok) {
      tellFailure(answer.failure)
      break
    }
    done.changed.push(...answer.value.changed)
    done.refused.push(...answer.value.refused)
    if (ids.length > AT_A_TIME) onProgress?.(start + part.length, ids.length)
  }
  return done
}

function sayDone(
  session: StationSession,
  action: SubmissionAction,
  { changed, refused }: Changed,
  options: RunOptions,
): void {
  if (changed.length > 0)
    tell({
      tone: 'green',
      message: t(`queue:action.${action}.done`, { count: changed.length }),
      ...(action === 'discard' && {
        action: {
          label: t('queue:undo'),
          run: () => void runAction(session, 'restore', changed, options),
        },
      }),
    })
  if (refused.length > 0)
    tell({
      tone: 'red',
      title: t('queue:partly', { count: refused.length }),
      message: whyRefused(refused).join(' '),
    })
}

function askAbout(
  { store }: StationSession,
  kind: QuestionKind,
  ids: readonly string[],
  beyond: RunOptions['beyond'],
): Promise<Answer | null> {
  const { submissions } = store.getState()
  return ask({ kind, submissions: ids.flatMap((id) => submissions[id] ?? beyond?.get(id) ?? []) })
}

function act(
  session: StationSession,
  action: SubmissionAction,
  ids: readonly string[],
  { by, why, centerId }: Partial<Answer>,
): Promise<Result<Changed>> {
  const input = { ids: [...ids], ...(by !== undefined && { by }), ...(why !== undefined && { why }) }
  if (action !== 'moveToCenter') return session.call(CALL_OF_ACTION[action], input)
  return session.call('submissions.moveToCenter', { ...input, centerId: centerId ?? '' })
}
