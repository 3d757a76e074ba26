import i18next from 'i18next'
import type { Words } from '../words/english.ts'
import { t } from '../words/t.ts'

/** What stands in the trail, in the operator's words; what no screen knows is shown as it stands. */
export function entryLabel(what: string): string {
  return i18next.exists(`activity:entry.${what}`)
    ? t(`activity:entry.${what as keyof Words['activity']['entry']}`)
    : what
}

/** What people look for in the trail, and which of its words belong to it. */
export const ENTRY_GROUPS = {
  decisions: [
    'edited',
    'approved',
    'retriedRefused',
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
    'exported',
    'alarmSettled',
  ],
  delivery: [
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
  discards: ['discarded', 'restoredToReview', 'restoredToUnconfirmed'],
  centers: ['movedToCenter'],
  alarms: ['alarmRaised', 'alarmSettled'],
  station: ['settingsChanged', 'existingDecided', 'paused', 'resumed', 'startedNormally', 'namesRuleRead'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Does a person do this? Without initials it was somebody all the same, and not the station. */
export function isPersonEntry(what: string): boolean {
  const { decisions, station } = ENTRY_GROUPS
  return [...decisions, ...station].some((one) => one === what)
}

export type EntryGroup = keyof typeof ENTRY_GROUPS
