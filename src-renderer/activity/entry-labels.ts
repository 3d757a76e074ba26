/** Labels of the audit trail's entries, days and cases. */
import i18next from 'i18next'
import { useEffect, useState } from 'react'
import type { Texts } from '../../src-shared/texts/english.ts'
import { t } from '../i18n/i18n.ts'
import { useSession, useStation } from '../store/use-station.ts'

/** Returns a lookup of case references, because the audit trail only stores ids. Null until a reference is read. */
export function useReferences(ids: readonly string[]): (id: string) => string | null {
  const session = useSession()
  const submissions = useStation((state) => state.submissions)
  const [asked, setAsked] = useState<ReadonlyMap<string, string>>(new Map())
  // One at a time, because the station has more important work.
  const next = ids.find((id) => !submissions[id] && !asked.has(id))

  useEffect(() => {
    if (next === undefined) return undefined
    let isCurrent = true
    const read = async (): Promise<void> => {
      const answer = await session.call('submissions.get', { id: next })
      // A case that no longer exists is not requested again.
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

/** `20 Nov` for `2026-11-20`, in the language of the screens. */
export function shortDayLabel(day: string): string {
  const locale = i18next.language === 'en' ? 'en-GB' : i18next.language
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(`${day}T00:00:00Z`),
  )
}

/** The label of an entry; unknown entries are shown verbatim. */
export function entryLabel(what: string): string {
  return i18next.exists(`activity:entry.${what}`)
    ? t(`activity:entry.${what as keyof Texts['activity']['entry']}`)
    : what
}

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

/** Is this entry an act of a person? It may have no initials and is still not the station's. */
export function isPersonEntry(what: string): boolean {
  const { decisions, station } = ENTRY_GROUPS
  return [...decisions, ...station].some((one) => one === what)
}

export type EntryGroup = keyof typeof ENTRY_GROUPS
