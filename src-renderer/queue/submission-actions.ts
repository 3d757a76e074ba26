/** What a person may do with a submission from a list, and by which call. The station has the last word. */
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Submission } from '../../src-shared/submission.ts'

export const SUBMISSION_ACTIONS = [
  'approve',
  'retry',
  'release',
  'prioritise',
  'closeNow',
  'hold',
  'restore',
  'discard',
] as const
export type SubmissionAction = (typeof SUBMISSION_ACTIONS)[number]

export const CALL_OF_ACTION = {
  approve: 'submissions.approve',
  retry: 'submissions.retry',
  release: 'submissions.release',
  prioritise: 'submissions.prioritise',
  closeNow: 'submissions.closeNow',
  hold: 'submissions.hold',
  restore: 'submissions.restore',
  discard: 'submissions.discard',
} as const satisfies Record<SubmissionAction, string>

const ACTIONS_OF_STATE: Readonly<Record<SubmissionState, readonly SubmissionAction[]>> = {
  collecting: ['closeNow', 'discard'],
  incomplete: ['hold', 'discard'],
  review: ['approve', 'hold', 'discard'],
  waiting: ['retry', 'prioritise', 'hold', 'discard'],
  held: ['release', 'discard'],
  sending: [],
  unconfirmed: ['discard'],
  refused: ['retry', 'discard'],
  sent: [],
  discarded: ['restore'],
}

type Acted = Pick<Submission, 'state' | 'urgent' | 'attempts' | 'failure' | 'notBefore'>

/** The actions that make sense for a submission, in the order in which they are offered. */
export function actionsFor(submission: Acted): readonly SubmissionAction[] {
  return ACTIONS_OF_STATE[submission.state].filter((action) => {
    if (action === 'prioritise') return !submission.urgent
    // Something that simply stands in line needs no "try again".
    if (action === 'retry' && submission.state === 'waiting')
      return submission.attempts > 0 || submission.failure !== null || submission.notBefore !== null
    return true
  })
}

/** The actions that at least one of several submissions allows, each with the ids that allow it. */
export function actionsForMany(
  submissions: readonly (Acted & { readonly id: string })[],
): readonly { readonly action: SubmissionAction; readonly ids: readonly string[] }[] {
  return SUBMISSION_ACTIONS.map((action) => ({
    action,
    ids: submissions.filter((one) => actionsFor(one).includes(action)).map((one) => one.id),
  })).filter(({ ids }) => ids.length > 0)
}
