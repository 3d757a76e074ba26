import { useEffect, useState } from 'react'
import type { StationSession } from '../store/station-session.ts'
import type { StationState } from '../store/station-state.ts'
import { useSession, useStation } from '../store/use-station.ts'

type CenterNames = ReadonlyMap<string, string>

/** Asked for once a window: the list takes a question to the service, and names of centers hardly ever change. */
const namesCache = new WeakMap<StationSession, Promise<CenterNames | null>>()
const NO_NAMES: CenterNames = new Map()

async function readNames(session: StationSession): Promise<CenterNames | null> {
  const answer = await session.call('centers.list', {})
  if (!answer.ok) return null
  return new Map(
    answer.value.items.flatMap(({ centerId, name }) => (name === null ? [] : [[centerId, name]])),
  )
}

/** Were the cases that are shown made for more than one center, or for another one than the current? Pure. */
export function hasSeveralCenters({ submissions, queue, status }: StationState): boolean {
  const centers = new Set([
    status?.centerId ?? null,
    ...queue.ids.map((id) => submissions[id]?.centerId ?? null),
  ])
  centers.delete(null)
  return centers.size > 1
}

/** Names of centers where there are several; null where there is one. What has no name, or none yet, is told by its id. */
export function useCenterNames(): CenterNames | null {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const areSeveral = useStation(hasSeveralCenters)
  const [names, setNames] = useState(NO_NAMES)
  useEffect(() => {
    if (!areSeveral || !isOpen) return undefined
    let isCurrent = true
    const reading = namesCache.get(session) ?? readNames(session)
    namesCache.set(session, reading)
    const take = async (): Promise<void> => {
      const read = await reading
      // A service that could not be asked is asked again when the link or the screen comes back.
      if (read === null) namesCache.delete(session)
      else if (isCurrent) setNames(read)
    }
    void take()
    return () => {
      isCurrent = false
    }
  }, [session, areSeveral, isOpen])
  return areSeveral ? names : null
}
