import i18next from 'i18next'
import { useEffect, useState } from 'react'
import type { Words } from '../i18n/english.ts'
import { t } from '../i18n/said.ts'
import { useSession, useStation } from '../store/use-station.ts'

/** The trail knows cases by their ids alone; people know them by their references. Null while it is not known. */
export function useReferences(ids: readonly string[]): (id: string) => string | null {
  const session = useSession()
  const submissions = useStation((state) => state.submissions)
  const [asked, setAsked] = useState<ReadonlyMap<string, string>>(new Map())
  // One after the other: the trail is read at leisure, and the station has other work.
  const next = ids.find((id) => !submissions[id] && !asked.has(id))

  useEffect(() => {
    if (next === undefined) return undefined
    let isCurrent = true
    const read = async (): Promise<void> => {
      const answer = await session.call('submissions.get', { id: next })
      // What is not there any more is not asked for again.
      const name = answer.ok ? answer.value.reference : next
      if (isCurrent) setAsked((before) => new Map(before).set(next, name))
    }
    void read()
    return () => {
      isCurrent = false
    }
  }, [session, next])
  return (id) => submissions[id]?.reference ?? asked.get(id) ?? null
}

/** `20 Nov` of `2026-11-20`, in the language of the screens. */
export function shortDayLabel(day: string): string {
  const locale = i18next.language === 'en' ? 'en-GB' : i18next.language
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(`${day}T00:00:00Z`),
  )
}

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
