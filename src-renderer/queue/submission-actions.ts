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
  'cancel',
  'moveToCenter',
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
  cancel: 'submissions.cancel',
  moveToCenter: 'submissions.moveToCenter',
  restore: 'submissions.restore',
  discard: 'submissions.discard',
} as const satisfies Record<SubmissionAction, string>

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
/** What has to be known of a submission to act on it. */
export type ActionTarget = Acted & Pick<Submission, 'id'>

/** The actions that make sense for a submission, in the order in which they are offered. */
export function actionsFor(submission: Acted): readonly SubmissionAction[] {
  if (submission.unreadable !== undefined) return []
  return ACTIONS_OF_STATE[submission.state].filter((action) => {
    if (action === 'prioritise') return !submission.urgent
    // Without a center this station never switches, unless the center is what is missing.
    if (action === 'moveToCenter')
      return submission.centerId !== null || submission.reasons.some(({ kind }) => kind === 'centerUnknown')
    // Something that simply stands in line needs no "try again".
    if (action === 'retry' && submission.state === 'waiting')
      return submission.attempts > 0 || submission.failure !== null || submission.notBefore !== null
    return true
  })
}

/** The actions that at least one of several submissions allows, each with the ids that allow it. */
export function actionsForMany(
  submissions: readonly ActionTarget[],
): readonly { readonly action: SubmissionAction; readonly ids: readonly string[] }[] {
  return SUBMISSION_ACTIONS.map((action) => ({
    action,
    ids: submissions.filter((one) => actionsFor(one).includes(action)).map((one) => one.id),
  })).filter(({ ids }) => ids.length > 0)
}
