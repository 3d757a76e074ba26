/** What stands in the trail, in the operator's words; what is not here is shown as it stands. */
const WHAT_WORDS: Readonly<Record<string, string>> = {
  added: 'Case added',
  imageArrived: 'Image arrived',
  gatheredIncomplete: 'Complete but for details',
  gatheredForReview: 'Ready to check',
  gatheredToSend: 'Put in line',
  edited: 'Details changed',
  approved: 'Approved',
  held: 'Put on hold',
  releasedToReview: 'Released, to be checked',
  releasedToSend: 'Released',
  prioritised: 'Moved to the front',
  discarded: 'Discarded',
  restoredToReview: 'Restored',
  restoredToUnconfirmed: 'Restored, delivery to be checked',
  claimed: 'Sending began',
  deliveredNow: 'Sent',
  stayedUnsent: 'Not sent, goes again',
  wasRefused: 'Refused',
  becameUnknown: 'Not known whether it arrived',
  foundDelivered: 'Found at the service, or a person said so',
  provenAbsent: 'Not at the service, goes again',
  postponed: 'Put off',
  wasRestored: 'Restored with the outbox',
  foundAtService: 'Seen at the service, so it does not go by itself',
  insistenceNeeded: 'Asked to be sure about a case',
  confirmed: 'Read back from the service',
  cancelled: 'Sending cancelled',
  movedToCenter: 'Moved to another center',
  merged: 'Cases joined',
  split: 'Images parted off',
  imagesMoved: 'Images moved',
  imagesRemoved: 'Images removed from this computer',
  settingsChanged: 'Settings changed',
  paused: 'Sending paused',
  resumed: 'Sending resumed',
  alarmRaised: 'Alarm raised',
  alarmSettled: 'Alarm seen',
  madeByHand: 'Case made by hand',
  existingDecided: 'Decided about files that lay there before',
  longWaitAsked: 'The service asked for a wait of more than an hour',
}

export function whatWord(what: string): string {
  return WHAT_WORDS[what] ?? what
}

/** What people look for in the trail, and which of its words belong to it. */
export const WHAT_GROUPS = {
  decisions: {
    name: 'Decisions of persons',
    what: [
      'edited',
      'approved',
      'held',
      'releasedToReview',
      'releasedToSend',
      'prioritised',
      'discarded',
      'restoredToReview',
      'restoredToUnconfirmed',
      'cancelled',
      'movedToCenter',
      'merged',
      'split',
      'imagesMoved',
      'alarmSettled',
    ],
  },
  delivery: {
    name: 'Sending and arriving',
    what: [
      'claimed',
      'deliveredNow',
      'stayedUnsent',
      'wasRefused',
      'becameUnknown',
      'foundDelivered',
      'provenAbsent',
      'postponed',
      'confirmed',
      'cancelled',
      'wasRestored',
      'foundAtService',
      'insistenceNeeded',
    ],
  },
  discards: {
    name: 'Discarded and restored',
    what: ['discarded', 'restoredToReview', 'restoredToUnconfirmed'],
  },
  centers: { name: 'Moved between centers', what: ['movedToCenter'] },
  alarms: { name: 'Alarms', what: ['alarmRaised', 'alarmSettled'] },
  station: { name: 'Settings and pauses', what: ['settingsChanged', 'existingDecided', 'paused', 'resumed'] },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly what: readonly string[] }>>
/** Does a person do this? Without initials it was somebody all the same, and not the station. */
export function isOfPerson(what: string): boolean {
  const { decisions, station } = WHAT_GROUPS
  return [...decisions.what, ...station.what].some((one) => one === what)
}

export type WhatGroup = keyof typeof WHAT_GROUPS

export const ACTIVITY_WORDS = {
  title: 'Activity',
  explain: 'Every change of a case and every decision, with who and when. Nothing of it can be changed.',
  filters: 'Show only',
  what: 'What',
  everything: 'Everything',
  who: 'Who',
  whoHint: 'Initials',
  since: 'From day',
  until: 'To day',
  ofCase: (reference: string) => `Only case ${reference}`,
  allCases: 'Show all cases',
  clear: 'Clear filters',
  csv: 'Save as CSV',
  saved: (count: string) => `${count} entries were saved.`,
  table: 'Activity of this station',
  columns: { at: 'When', what: 'What', case: 'Case', by: 'Who', details: 'Details' },
  station: 'The station',
  byItself: 'by itself',
  noInitials: 'no initials',
  openCase: (reference: string) => `Open case ${reference}`,
  loadMore: 'Show older',
  shown: (count: string) => `${count} shown`,
  loading: 'Reading the activity',
  why: 'Why',
  empty: { title: 'Nothing yet', body: 'What happens to cases and what persons decide appears here.' },
  notFound: { title: 'Nothing found', body: 'No entry matches these filters.' },
} as const
