/** React hooks of the session: its state, its answers, and deferring updates. */
import { createContext, use, useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { CallInput, CallName, CallOutput } from '../../src-shared/contract.ts'
import { SECOND } from '../../src-shared/durations.ts'
import type { Failure } from '../../src-shared/failure.ts'
import type { StationState } from './state.ts'
import type { StationSession } from './store.ts'

export const StationContext = createContext<StationSession | null>(null)

export function useSession(): StationSession {
  const session = use(StationContext)
  if (!session) throw new Error('useSession stands outside of StationContext')
  return session
}

/** A part of the state; the component renders again only if that part changes. */
export function useStation<Part>(selector: (state: StationState) => Part): Part {
  return useStore(useSession().store, selector)
}

export type Answer<Value> = {
  /** The latest value; it stays while the next one loads or fails. */
  readonly value: Value | null
  readonly failure: Failure | null
  readonly isReading: boolean
  readonly readAgain: () => void
}

/**
 * Makes a call at once, whenever the input or the version of what is asked about changes, and after each new snapshot. A
 * null input calls nothing.
 */
export function useAnswer<Name extends CallName>(
  name: Name,
  input: CallInput<Name> | null,
  version: string | number | null = null,
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
  /** Identifies one read: the same input after a later snapshot or retry is a new read. */
  const wanted = [snapshots, turn, version, asked].join('/')

  useEffect(() => {
    if (asked === 'null' || !isOpen) return undefined
    let isCurrent = true
    const read = async (): Promise<void> => {
      // The input is compared as JSON, so that an equal one is not read again.
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

/** Makes the calls of a dialog or form, which shows that it is busy and, unless `onFailure` does, why a call failed. */
export function useCall(onFailure?: (failure: Failure) => void) {
  const session = useSession()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  return {
    isBusy,
    failure,
    setFailure,
    call: async <Name extends CallName>(
      name: Name,
      input: CallInput<Name>,
    ): Promise<CallOutput<Name> | null> => {
      setBusy(true)
      const answer = await session.call(name, input)
      setBusy(false)
      setFailure(answer.ok ? null : answer.failure)
      if (!answer.ok) onFailure?.(answer.failure)
      return answer.ok ? answer.value : null
    },
  }
}

/** Chromium may delay the timers of a hidden page by a minute or more. */
const DEFER_SECONDS = 300

const RENEW_EVERY_MS = 60 * SECOND
const activeHolds = new Set<string>()

/** Defers updates of the desktop app, which would lose unsaved input, also after the screen is left. */
export function deferUpdates(
  session: Pick<StationSession, 'call' | 'store'>,
  reason: string,
  isHeld: () => boolean,
): void {
  if (activeHolds.has(reason)) return
  activeHolds.add(reason)
  const renew = (): void => {
    // If a browser shows the screens, an update does not close them.
    const isInBrowser = session.store.getState().status?.host === 'headless'
    if (!isHeld() || isInBrowser) return void activeHolds.delete(reason)
    // If this fails, the next renewal retries; an update also waits while a person is at the computer.
    void session.call('updates.holdOff', { seconds: DEFER_SECONDS })
    setTimeout(renew, RENEW_EVERY_MS)
  }
  renew()
}
