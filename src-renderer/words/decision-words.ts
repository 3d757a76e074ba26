/** The words of decisions: who makes them, what they mean, and why they were made. */
export const WHO_WORDS = {
  label: 'Who is working',
  placeholder: 'Initials',
  hint: 'Your initials are kept with what you decide. They stay in this window until it is closed.',
} as const

export const SIGN_WORDS = {
  initials: 'Your initials',
  initialsWhy: 'Kept with the decision.',
  initialsMissing: 'Write your initials.',
  why: 'Why? (not required)',
  whyHint: 'Kept in the activity. Name no patient here.',
} as const

function cases(count: number): string {
  return count === 1 ? 'this case' : `these ${count} cases`
}

export const QUESTION_WORDS = {
  discard: {
    title: (count: number) => `Discard ${cases(count)}?`,
    means: (count: number) =>
      count === 1
        ? 'It is not sent and leaves the queue. It can be restored from \u201cDiscarded\u201d.'
        : 'They are not sent and leave the queue. They can be restored from \u201cDiscarded\u201d.',
    mayHaveArrived: (count: number) =>
      `${count === 1 ? 'One of them may' : `${count} of them may`} have arrived already. Discarding takes nothing back at the service, and the station stops looking for it.`,
    thisMayHaveArrived:
      'It may have arrived already. Discarding takes nothing back at the service, and the station stops looking for it.',
    usual: ['Taken by mistake', 'Test images', 'Already sent another way'],
    back: 'Keep',
    action: 'Discard',
  },
  cancel: {
    title: (count: number) => `Cancel the sending of ${cases(count)}?`,
    means:
      'A transfer that is not complete is no case: nothing of it counts at the service. The case stays here whole, on hold, until somebody releases it; then all of it is sent anew.',
    tooLate:
      'Once the last bytes have left it is too late. Then nothing is cancelled, and the answer is waited for.',
    back: 'Keep sending',
    action: 'Cancel sending',
  },
  moveToCenter: {
    title: (count: number) => `Move ${cases(count)} to another center?`,
    from: 'Made for',
    to: 'Move to',
    choose: 'Choose a center',
    noCenter: 'no center',
    unnamed: (id: string) => `Center ${id}`,
    many: (name: string, count: number) => `${name} (${count})`,
    sentence: (count: number, from: string, to: string) =>
      `${count === 1 ? 'This case was' : `These ${count} cases were`} made for ${from} and will be sent to ${to}.`,
    means:
      'The staff of the other center will see the patient, and the report is fetched from there. A case that was sent, or that may have arrived, is not moved.',
    loading: 'Asking the service for its centers\u2026',
    back: 'Leave as it is',
    action: 'Move',
    actionTo: (name: string) => `Move to ${name}`,
  },
} as const
