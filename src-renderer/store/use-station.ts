import { createContext, use, useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { CallInput, CallName, CallOutput } from '../../src-shared/contract.ts'
import { SECOND } from '../../src-shared/durations.ts'
import type { Failure } from '../../src-shared/failure.ts'
import type { StationState } from './state.ts'
import type { StationSession } from './store.ts'

export const StationContext = createContext<StationSession | null>(null)

/** The session that the window was opened with. */
export function useSession(): StationSession {
  const session = use(StationContext)
  if (!session) throw new Error('useSession stands outside of StationContext')
  return session
}

/** A part of the picture; whoever reads it is drawn anew only when that part changes. */
export function useStation<Part>(selector: (state: StationState) => Part): Part {
  return useStore(useSession().store, selector)
}

export type Answer<Value> = {
  /** The latest value that was read; it stays while the next one is on its way or fails. */
  readonly value: Value | null
  readonly failure: Failure | null
  readonly isReading: boolean
  readonly readAgain: () => void
}

/** Reads what a screen shows: at once, when the input changes, and after each new snapshot. Null input: nothing yet. */
export function useAnswer<Name extends CallName>(
  name: Name,
  input: CallInput<Name> | null,
): Answer<CallOutput<Name>> {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const snapshots = useStation((state) => state.snapshots)
  const [turn, setTurn] = useState(0)
  const [got, setGot] = useState<{
    readonly of: string
    readonly value: CallOutput<Name> | null
    readonly failure: Failure | null
  }>({ of: '', value: null, failure: null })
  const asked = JSON.stringify(input)
  /** One reading: the same question of a later snapshot or turn is another one. */
  const wanted = `${snapshots}/${turn}/${asked}`

  useEffect(() => {
    if (asked === 'null' || !isOpen) return undefined
    let isCurrent = true
    const read = async (): Promise<void> => {
      // The input travels as its own JSON, so that an equal one is not read again.
      const answer = await session.call(name, JSON.parse(asked) as CallInput<Name>)
      if (!isCurrent) return
      setGot((before) =>
        answer.ok
          ? { of: wanted, value: answer.value, failure: null }
          : { of: wanted, value: before.value, failure: answer.failure },
      )
    }
    void read()
    return () => {
      isCurrent = false
    }
  }, [session, name, asked, isOpen, wanted])

  const readAgain = useCallback(() => setTurn((before) => before + 1), [])
  const isReading = asked !== 'null' && got.of !== wanted
  return { value: got.value, failure: got.failure, isReading, readAgain }
}

// The desktop app may end for a newer version when nobody seems to need it. What is typed or chosen and is kept nowhere
// else would be gone with it, so the station is told for as long as there is such a thing.

/** Chromium lets the timers of a page out of sight slip by a minute or more. */
const DEFER_SECONDS = 300

/** Renewed well before it is over. */
const RENEW_EVERY_MS = 60 * SECOND

const activeHolds = new Set<string>()

/** Holds updates off until `isHeld` says no; asked again and again, also when the screen that began it is left. */
export function deferUpdates(
  session: Pick<StationSession, 'call' | 'store'>,
  reason: string,
  isHeld: () => boolean,
): void {
  if (activeHolds.has(reason)) return
  activeHolds.add(reason)
  const renew = (): void => {
    const { status } = session.store.getState()
    if (isHeld() && status === null) return whenStatusReady(session, renew)
    // Where a browser shows the screens, the app does not end for updates.
    if (!isHeld() || status?.host !== 'electron') return void activeHolds.delete(reason)
    // Unheard, it is renewed later; an update waits for who sits here besides.
    void session.call('updates.holdOff', { seconds: DEFER_SECONDS })
    setTimeout(renew, RENEW_EVERY_MS)
  }
  renew()
}

/** Goes on once the station has said what it is. */
function whenStatusReady({ store }: Pick<StationSession, 'store'>, run: () => void): void {
  const stop = store.subscribe(({ status }) => {
    if (status === null) return
    stop()
    run()
  })
}
