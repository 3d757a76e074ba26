import { useMemo } from 'react'
import type { Alarm } from '../../src-shared/alarm.ts'
import { useStation } from '../store/use-station.ts'

const NONE: readonly Alarm[] = []

/** The alarms that nobody has settled yet, by the cases that they are about. */
export function useCaseAlarms(): ReadonlyMap<string, Alarm> {
  const alarms = useStation((state) => state.status?.alarms ?? NONE)
  // A status comes every few seconds; the table is drawn anew only when its alarms are other ones.
  const key = JSON.stringify(alarms)
  return useMemo(() => {
    const parsed = JSON.parse(key) as Alarm[]
    // The newest stands first and wins.
    return new Map(parsed.toReversed().flatMap((alarm) => alarm.caseIds.map((id) => [id, alarm] as const)))
  }, [key])
}
