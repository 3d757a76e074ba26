import { useEffect, useState } from 'react'
import { useSession } from '../store/use-station.ts'
import type { Visit } from './earlier-visit.ts'
import { readEarlierVisit, type ReadEarlier } from './read-earlier.ts'

/** The earlier visit of the same patient, read once it is wanted; null while it is looked for. */
export function useEarlier(current: Visit, isWanted: boolean): ReadEarlier | null {
  const session = useSession()
  const { id, centerId, fields } = current
  const key = JSON.stringify([id, centerId, fields.history_number, fields.visit_date])
  const [got, setGot] = useState<{ readonly of: string; readonly earlier: ReadEarlier } | null>(null)
  useEffect(() => {
    if (!isWanted) return undefined
    let isCurrent = true
    const read = async (): Promise<void> => {
      const earlier = await readEarlierVisit(session, current)
      if (isCurrent) setGot({ of: key, earlier })
    }
    void read()
    return () => {
      isCurrent = false
    }
    // What else of the case changes does not change which visit is the earlier one.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [session, key, isWanted])
  return got?.of === key ? got.earlier : null
}
