import type { QueueFilter } from '../store/queue-view.ts'
import type { SubmissionAction } from '../queue/submission-actions.ts'

export const FILTER_WORDS: Readonly<
  Record<QueueFilter, { readonly name: string; readonly meaning: string }>
> = {
  open: { name: 'All open', meaning: 'Everything that is not over' },
  needsYou: { name: 'Needs you', meaning: 'Waiting for a person' },
  waiting: { name: 'Waiting', meaning: 'Go by themselves, or on hold' },
  sending: { name: 'Sending', meaning: 'On the way now' },
  sent: { name: 'Sent', meaning: 'Taken by the service' },
  discarded: { name: 'Discarded', meaning: 'Removed, can be restored' },
}

/** What each action is called on a button, and what is said when it was done. */
export const ACTION_WORDS: Readonly<
  Record<SubmissionAction, { readonly name: string; readonly done: (count: number) => string }>
> = {
  approve: {
    name: 'Approve',
    done: (count) => `${cases(count)} approved. Sent when ${count === 1 ? 'its' : 'their'} turn comes.`,
  },
  retry: { name: 'Try again', done: (count) => `${cases(count)} put back in line.` },
  hold: { name: 'Hold', done: (count) => `${cases(count)} put on hold.` },
  release: { name: 'Release', done: (count) => `${cases(count)} released.` },
  prioritise: { name: 'Send next', done: (count) => `${cases(count)} moved to the front.` },
  cancel: {
    name: 'Cancel sending',
    done: (count) => `The sending of ${cases(count)} was cancelled. It is on hold.`,
  },
  moveToCenter: {
    name: 'Move to center\u2026',
    done: (count) => `${cases(count)} moved to the other center.`,
  },
  discard: { name: 'Discard', done: (count) => `${cases(count)} discarded.` },
  restore: { name: 'Restore', done: (count) => `${cases(count)} restored.` },
  closeNow: { name: 'Close now', done: (count) => `${cases(count)} closed: no more images are waited for.` },
}

function cases(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`
}

export const QUEUE_WORDS = {
  title: 'Queue',
  counters: 'Show only',
  search: 'Search history number, name, reference',
  clearSearch: 'Clear the search',
  table: 'Cases on this station',
  columns: {
    select: 'Select',
    state: 'State',
    patient: 'Patient',
    visit: 'Visit',
    images: 'Images',
    right: 'OD',
    left: 'OS',
    detail: 'What is happening',
    added: 'Added',
    actions: 'Actions',
  },
  selectAll: 'Select all cases shown',
  select: (who: string) => `Select ${who}`,
  complete: 'Complete',
  decide: 'Decide',
  look: 'Open',
  openReport: 'Report',
  more: (who: string) => `More for ${who}`,
  noHistoryNumber: 'No history number',
  noName: 'Name not known',
  noDate: 'Not known',
  images: (count: number, size: string) => `${count} ${count === 1 ? 'image' : 'images'} \u00b7 ${size}`,
  imagesOfEye: (count: number) => `${count} images of this eye`,
  tries: (count: number) => `${count} ${count === 1 ? 'try' : 'tries'}`,
  excluded: (count: number) => `${count} left out`,
  unassigned: (count: number) => `${count} without eye`,
  noImages: 'none',
  urgent: 'Next',
  reasonsMore: (count: number) => `and ${count} more`,
  sentPart: (sent: string, all: string, percent: number) => `${sent} of ${all} \u00b7 ${percent} %`,
  stalledShortly: (time: string, forHow: string) => `Nothing taken since ${time} (${forHow})`,
  stalled: (time: string, forHow: string) =>
    `The other side has taken nothing since ${time}, for ${forHow} now. The station keeps the line open and goes on by itself as soon as it can.`,
  waitingForAnswer: 'All handed over, waiting for the answer',
  nextTry: (left: string) => `Next try in ${left}`,
  tryingSoon: 'Next try any moment',
  unsure: 'It may have arrived.',
  nextLook: (left: string) => `Next look in ${left}`,
  looksByItself: 'The station keeps looking by itself',
  waitingInLine: 'In line',
  collecting: 'Images are still arriving',
  caseId: (id: string) => `Case ${id}`,
  confirmed: 'read back from the service',
  reportReady: 'Report ready',
  selected: (count: number) => `${count} selected`,
  clearSelection: 'Clear selection',
  undo: 'Undo',
  partly: (count: number) => `${count} could not be changed`,
  merge: {
    name: 'Join',
    title: (count: number) => `Join ${count} cases into one?`,
    images: (count: number) => `${count} ${count === 1 ? 'image' : 'images'}`,
    explain: (reference: string) =>
      `All images become one case, which keeps the reference ${reference}. The others are left empty and discarded.`,
    looksAgain: 'A person looks again before it is sent.',
    cautions: {
      numbers: 'These cases have different history numbers. Join them only if they are the same patient.',
      names: 'These cases name different patients. Join them only if they are the same patient.',
      days: 'These cases are of different days. Join them only if it was one visit.',
    },
    obstacles: {
      onItsWay:
        'At least one of these cases is on its way, may have arrived, or was sent. Such a case keeps its images. Take it out of the selection.',
      centers: 'These cases were made for different centers, so they cannot become one.',
    },
    action: 'Join',
    done: (count: number, who: string) => `${count} cases are one now, of ${who}.`,
    open: 'Open it',
  },
  shown: (shown: string, total: string) => `${shown} of ${total}`,
  loadMore: 'Load more',
  stale: 'The list could not be read. What you see may be old.',
  tryAgain: 'Try again',
  leftAside: {
    title: (count: number) => `${count} ${count === 1 ? 'file was' : 'files were'} left aside`,
    explain:
      'These files in the camera folders became no part of a case. Nothing was changed in the folders.',
    kinds: {
      arriving: 'Still arriving',
      notAnImage: 'Not an image',
      truncated: 'Incomplete image',
      unreadable: 'Cannot be read',
      duplicate: 'Already here',
      sidecarUnreadable: 'Case file not understood',
      ignored: 'Ignored',
      tooLarge: 'Too large',
    },
    show: 'Show',
    hide: 'Hide',
  },
  empty: {
    open: {
      title: 'Nothing waiting',
      body: (folder: string | null) =>
        folder === null
          ? 'Choose the folder into which the camera exports, and new images appear here by themselves.'
          : `New images from ${folder} appear here by themselves.`,
    },
    needsYou: { title: 'Nothing needs you', body: 'Cases that need a person appear here.' },
    waiting: { title: 'Nothing in line', body: 'Approved cases wait here until they are sent.' },
    sending: { title: 'Nothing is being sent', body: 'Cases on their way to the service appear here.' },
    sent: { title: 'Nothing sent yet', body: 'Cases that the service has taken appear here.' },
    discarded: {
      title: 'Nothing discarded',
      body: 'Cases that a person removed appear here and can be restored.',
    },
    search: {
      title: 'No cases found',
      body: 'No case matches this search and filter.',
      action: 'Clear search',
    },
  },
} as const
