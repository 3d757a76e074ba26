import { useEffect, useRef, useState } from 'react'
import type { AuditEntry, CallInput } from '../../src-shared/contract.ts'
import type { Failure } from '../../src-shared/failure.ts'
import { useSession, useStation } from '../store/use-station.ts'

const PAGE_SIZE = 100

export type Activity = {
  readonly entries: readonly AuditEntry[]
  readonly hasMore: boolean
  readonly isReading: boolean
  readonly failure: Failure | null
  readonly readMore: () => void
}

type ReadEntries = Pick<Activity, 'hasMore' | 'failure'> & {
  readonly of: string
  readonly entries: readonly AuditEntry[]
}

/** The trail page by page, newest first; begins anew when it is asked for something else or the link was lost. */
export function useActivity(input: CallInput<'audit.export'>): Activity {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const snapshots = useStation((state) => state.snapshots)
  const [read, setRead] = useState<ReadEntries>({ of: '', entries: [], hasMore: false, failure: null })
  const [isMoreComing, setMoreComing] = useState(false)
  const asked = JSON.stringify(input)
  const wanted = `${snapshots}/${asked}`
  /** The question whose answers count. */
  const current = useRef('')

  useEffect(() => {
    if (!isOpen) return
    current.current = wanted
    const begin = async (): Promise<void> => {
      const narrowed = JSON.parse(asked) as CallInput<'audit.export'>
      const answer = await session.call('audit.list', { ...narrowed, limit: PAGE_SIZE })
      if (current.current !== wanted) return
      setRead((before) =>
        answer.ok
          ? {
              of: wanted,
              entries: answer.value.items,
              hasMore: answer.value.items.length === PAGE_SIZE,
              failure: null,
            }
          : { ...before, of: wanted, failure: answer.failure },
      )
    }
    void begin()
  }, [session, isOpen, asked, wanted])

  const readMore = async (): Promise<void> => {
    const last = read.entries.at(-1)
    if (!last || isMoreComing) return
    const mine = current.current
    setMoreComing(true)
    const answer = await session.call('audit.list', { ...input, limit: PAGE_SIZE, before: last.id })
    setMoreComing(false)
    if (current.current !== mine) return
    setRead((before) =>
      answer.ok
        ? {
            ...before,
            entries: [...before.entries, ...answer.value.items],
            hasMore: answer.value.items.length === PAGE_SIZE,
            failure: null,
          }
        : { ...before, failure: answer.failure },
    )
  }
  return {
    entries: read.entries,
    hasMore: read.hasMore,
    isReading: read.of !== wanted || isMoreComing,
    failure: read.failure,
    readMore: () => void readMore(),
  }
}
