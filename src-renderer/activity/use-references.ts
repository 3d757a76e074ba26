import { useEffect, useState } from 'react'
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
